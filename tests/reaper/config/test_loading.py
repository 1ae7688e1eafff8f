"""What an operator wrote becomes what the core decides with."""

from pathlib import Path
from textwrap import dedent

import pytest

from reaper.config import Configuration, load
from reaper.config.configuration import find, state_directory
from reaper.domain.escalation.budget import Limits
from reaper.domain.escalation.interlock import Bounds
from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.grid import Pace
from reaper.domain.judgement.policy import Hours, KeepRule, Match, Mode, Rung, Save
from reaper.domain.prices.rates import Subject
from reaper.notifiers.console import ConsoleSettings
from reaper.people.unix import UnixSettings

HOME = {"HOME": "/home/mira", "XDG_STATE_HOME": "/home/mira/state"}

DESIGN = """
policies:
  - name: notebooks
    match: {class: interactive, partition: [gpu*, dev*]}
    idle: {for: 60m, human_away: 30m}      # counting: [idle, low] is allowed for policies that only warn
    when: {demand: any}                                      # or: waiting
    rungs:
      - warn: {after: 30m}
      - warn: {after: 60m, final: true}
      - release: {grace: 30m}
    keep: {per_request: 4h, per_day: 2, until_next_morning: 1 per week}
    mode: notify
  - name: quiet-training
    match: {class: training, requeueable: true}
    idle: {for: 5h}
    rungs:
      - warn: {after: 4h}
      - warn: {after: 5h, final: true}
      - save: {grace: 60m, send: USR1, proof: {path: "{workdir}/checkpoints", newer_than: request, within: 10m}}
      - release: {requeue: true}
    mode: observe
"""  # noqa: E501 - as it stands in the design


@pytest.fixture
def loaded(tmp_path: Path):
    def load_text(text: str, *, pace: Pace | None = None) -> Configuration:
        path = tmp_path / "gpu-reaper.yaml"
        path.write_text(dedent(text), encoding="utf-8")
        return load(path, environ=HOME, pace=pace or Pace())

    return load_text


# ------------------------------------------------------------------ defaults


def test_nothing_needs_to_be_written():
    configuration = load(None, environ=HOME)

    assert configuration.state_dir == Path("/home/mira/state/gpu-reaper")
    assert {policy.mode for policy in configuration.policies} == {Mode.OBSERVE}
    assert configuration.web.listen.loopback
    assert configuration.activity.addresses == ("127.0.0.1:19440",)
    assert configuration.notifiers == (ConsoleSettings(),)
    assert configuration.people == (UnixSettings(),)
    assert (configuration.limits, configuration.bounds) == (Limits(), Bounds())
    assert configuration.store.address == "sqlite:////home/mira/state/gpu-reaper/reaper.sqlite"
    assert configuration.kill_switch == Path("/home/mira/state/gpu-reaper/STOP")
    assert not configuration.acts


def test_an_empty_file_means_the_defaults(loaded):
    assert loaded("# nothing yet\n").policies == load(None, environ=HOME).policies


def test_a_policy_of_each_purpose_is_built_in():
    assert [policy.name for policy in load(None, environ=HOME).policies] == [
        "interactive",
        "inference",
        "batch",
    ]


def test_an_empty_list_means_no_policy(loaded):
    assert loaded("policies: []\n").policies == ()


@pytest.mark.parametrize(
    ("environ", "root", "expected"),
    [
        ({"STATE_DIRECTORY": "/var/lib/x:/other"}, True, "/var/lib/x"),
        ({"XDG_STATE_HOME": "/s"}, False, "/s/gpu-reaper"),
        ({"HOME": "/root"}, True, "/var/lib/gpu-reaper"),
        ({"HOME": "/home/otto"}, False, "/home/otto/.local/state/gpu-reaper"),
    ],
)
def test_the_state_lies_where_the_service_or_the_user_keeps_it(environ, root, expected):
    assert state_directory(environ, root=root) == Path(expected)


def test_a_variable_names_the_configuration():
    assert find({"GPU_REAPER_CONFIG": "/srv/reaper.yaml"}) == Path("/srv/reaper.yaml")


# ------------------------------------------------------------------ policies


def test_the_designs_example_loads_as_written(loaded):
    notebooks, training = loaded(DESIGN).policies

    assert notebooks.match == Match(purpose=(Purpose.INTERACTIVE,), partition=("gpu*", "dev*"))
    assert (notebooks.idle_for, notebooks.away_for, notebooks.demand) == (3600.0, 1800.0, "any")
    assert notebooks.rungs == (
        Rung(step="warn", after=1800.0),
        Rung(step="warn", after=3600.0, final=True),
        Rung(step="release", grace=1800.0),
    )
    assert notebooks.keep == KeepRule(per_request=14400.0, per_day=2, mornings_per_week=1)
    assert (notebooks.mode, training.mode) == (Mode.NOTIFY, Mode.OBSERVE)
    assert training.rungs[2:] == (
        Rung(
            step="save",
            grace=3600.0,
            save=Save(signal="USR1", path="{workdir}/checkpoints", within=600.0),
        ),
        Rung(step="release", requeue=True),
    )


def test_working_hours_come_from_the_policy_or_from_all(loaded):
    text = """
        report: {zone: Europe/Berlin}
        working_hours: {weekdays: [mon, wed], begin: 8, end: 16:30}
        policies:
          - {name: a, idle: {for: 1h}, rungs: [{warn: {after: 1h}}], match: {user: mira}}
          - name: b
            idle: {for: 1h}
            rungs: [{warn: {after: 1h}}]
            when: {any_hour: true, hours: {zone: UTC, weekdays: sat-mon}}
    """
    first, second = loaded(text).policies

    assert first.hours == Hours(zone="Europe/Berlin", weekdays=(0, 2), begin=8.0, end=16.5)
    assert second.hours == Hours(zone="UTC", weekdays=(0, 5, 6))
    assert second.any_hour


def one(changes: str = "", name: str = "night") -> str:
    return (
        f"policies:\n  - {{name: {name}, idle: {{for: 5h}}, rungs: [{{warn: {{after: 1h}}}}]"
        f"{changes}}}\n"
    )


def test_the_version_outlives_a_change_of_mode_and_name(loaded):
    versions = {
        loaded(text).policies[0].version
        for text in (one(), one(", mode: notify"), one(name="evening"))
    }

    assert len(versions) == 1


@pytest.mark.parametrize(
    "changes",
    [", match: {user: mira}", ", keep: {per_day: 3}", ", when: {demand: waiting}"],
    ids=["match", "keep", "demand"],
)
def test_the_version_changes_with_all_that_decides(loaded, changes):
    assert loaded(one(changes)).policies[0].version != loaded(one()).policies[0].version


def test_a_faster_grid_allows_a_shorter_grace(loaded):
    text = """
        policies:
          - name: quick
            mode: act
            idle: {for: 30s}
            rungs: [{warn: {after: 30s, final: true}}, {release: {grace: 15s}}]
    """
    assert loaded(text, pace=Pace(step=1.0)).policies[0].grace == 15.0


def test_policy_files_follow_in_the_order_they_are_named(loaded, tmp_path: Path):
    (tmp_path / "more").mkdir()
    (tmp_path / "more/b.yaml").write_text(one(", match: {user: b}", name="b"))
    (tmp_path / "more/a.yaml").write_text(one(", match: {user: a}", name="a"))
    (tmp_path / "last.yaml").write_text(
        one(name="last") + "exemptions: [{match: {user: otto}, reason: demo}]\n"
    )
    configuration = loaded("policies: [more/*.yaml, last.yaml]\n")

    assert [policy.name for policy in configuration.policies] == ["a", "b", "last"]
    assert [exemption.reason for exemption in configuration.exemptions] == ["demo"]


# ------------------------------------------------------------------ sections


@pytest.mark.parametrize(
    ("until", "expected"),
    [
        ("2027-01-31", 1801436400.0),
        ("2027-01-31T12:00", 1801393200.0),
        ("2027-01-31T12:00Z", 1801396800.0),
    ],
)
def test_an_exemption_ends_on_the_reports_clock(loaded, until, expected):
    text = f"""
        report: {{zone: Europe/Berlin}}
        exemptions: [{{match: {{user: mira}}, reason: demo, until: {until}}}]
    """
    assert loaded(text).exemptions[0].until == expected


def test_relative_paths_begin_at_the_file(loaded, tmp_path: Path):
    (tmp_path / "people.yaml").write_text("people: {mira: {name: Mira}}\n")
    configuration = loaded("""
        people: {kind: yaml, file: people.yaml}
        notifiers: [{kind: slack, token: {file: slack.token}}]
        activity: {file_sd: [targets/*.json], ca: /etc/ca.pem}
        kill_switch: STOP
    """)

    (people,) = configuration.people
    assert people.file == tmp_path / "people.yaml"
    assert configuration.notifiers[0].token.file == tmp_path / "slack.token"
    assert configuration.activity.file_sd == (tmp_path / "targets/*.json",)
    assert configuration.activity.ca == Path("/etc/ca.pem")
    assert configuration.kill_switch == tmp_path / "STOP"


def test_budgets_and_interlocks_become_limits_and_bounds(loaded):
    configuration = loaded("""
        budgets: {per_cycle: 1, share: 10%}
        interlocks: {coverage: 0.5, clock_step: 2m}
    """)

    assert configuration.limits == Limits(per_cycle=1, share=0.10)
    assert configuration.bounds == Bounds(coverage=0.5, clock_step=120.0)


def test_rates_price_a_model_in_the_reports_currency(loaded, tmp_path: Path):
    (tmp_path / "rates.yaml").write_text(
        "rates: [{model: '*A100*', per_hour: 2.50}, {per_hour: 9, until: 2027-01-01}]\n"
    )
    card = loaded("rates: rates.yaml\nreport: {currency: CHF}\n").rates
    rate = card.price(Subject(model="NVIDIA A100-SXM4-40GB"), 1.9e9)

    assert rate is not None
    assert (str(rate.amount), rate.currency) == ("2.5", "CHF")
    assert card.price(Subject(model="NVIDIA L4"), 1.9e9) is None


def test_the_page_tells_time_in_the_reports_zone_unless_told_otherwise(loaded):
    assert loaded("report: {zone: Europe/Berlin}\n").web.zone == "Europe/Berlin"
    assert loaded("report: {zone: Europe/Berlin}\nweb: {zone: UTC}\n").web.zone == "UTC"


def test_a_save_may_name_who_gets_which_signal_and_what_follows_without_proof(loaded):
    text = DESIGN.replace(
        "send: USR1, proof: {", "send: auto, to: step, proof: {unproven: release, "
    )

    save = loaded(text).policies[1].rungs[2].save

    assert (save.signal, save.to, save.unproven) == ("", "step", "release")
