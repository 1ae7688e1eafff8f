"""What a mode still needs is said before it is refused."""

from pathlib import Path
from textwrap import dedent

import pytest

from reaper.activity.exporters.settings import ExporterSettings
from reaper.config import check, load
from reaper.config.lacks import authenticated, gaps, lacks, unbound, undelivered

HOME = {"HOME": "/home/mira"}
POLICY = (
    "policies: [{{name: a, mode: {mode}, idle: {{for: 1h}}, "
    "rungs: [{{warn: {{after: 1h, final: true}}}}, {{release: {{grace: 30m}}}}]}}]\n"
)
READY = """
    platforms: {slurm: {}}
    notifiers: [{kind: slack, token: {env: SLACK}}]
    people: {kind: unix, mail_domain: example.org}
    activity: {targets: ["https://gpu01:19440"], ca: /etc/ca.pem}
    operators: {groups: [gpu-operators]}
"""


@pytest.fixture
def lacking(tmp_path: Path):
    def places(text: str) -> set[str]:
        path = tmp_path / "gpu-reaper.yaml"
        path.write_text(dedent(text), encoding="utf-8")
        load(path, environ=HOME)
        found = check([path], environ=HOME)
        assert all(problem.lacking for problem in found)
        return {problem.where for problem in found}

    return places


def test_observing_lacks_nothing(lacking):
    assert lacking(POLICY.format(mode="observe")) == set()


def test_notifying_needs_a_personal_channel_and_allocations(lacking):
    assert lacking(POLICY.format(mode="notify")) == {"notifiers", "platforms"}


def test_acting_needs_proof_of_the_exporters_and_operators_too(lacking):
    assert lacking(POLICY.format(mode="act")) == {
        "notifiers",
        "platforms",
        "activity",
        "operators",
    }


def test_a_complete_configuration_lacks_nothing_to_act(lacking):
    assert lacking(dedent(READY) + POLICY.format(mode="act")) == set()


@pytest.mark.parametrize(
    "channel",
    [
        "{kind: console}",
        "{kind: terminal}",
        '{kind: webhook, url: "https://hooks.example.org/x", key: {env: KEY}}',
    ],
)
def test_a_channel_that_reaches_more_than_the_person_does_not_count(lacking, channel: str):
    text = dedent(READY).replace("{kind: slack, token: {env: SLACK}}", channel)

    assert lacking(text + POLICY.format(mode="act")) == {"notifiers"}


def test_mail_is_a_personal_channel(lacking):
    mail = "{kind: mail, sender: gpu-reaper@example.org}"
    text = dedent(READY).replace("{kind: slack, token: {env: SLACK}}", mail)

    assert lacking(text + POLICY.format(mode="act")) == set()


def test_one_of_several_directories_with_addresses_is_enough(lacking):
    several = "people: [{kind: unix}, {kind: unix, mail_domain: example.org}]"
    text = dedent(READY).replace("people: {kind: unix, mail_domain: example.org}", several)

    assert lacking(text + POLICY.format(mode="act")) == set()


def test_slack_needs_addresses(lacking):
    text = dedent(READY).replace(", mail_domain: example.org", "")

    assert lacking(text + POLICY.format(mode="act")) == {"people"}


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, False),
        ({"targets": ["gpu01:19440"]}, False),
        ({"targets": ["gpu01:944"]}, True),
        ({"targets": ["gpu01:944", "gpu02:19440"]}, False),
        ({"targets": ["https://gpu01:19440"]}, False),
        ({"targets": ["https://gpu01:19440"], "ca": "/ca.pem"}, True),
        ({"targets": ["gpu01:19440"], "scheme": "https", "ca": "/ca.pem"}, True),
        ({"targets": ["gpu01:19440", "gpu02:944"], "scheme": "https", "ca": "/ca.pem"}, True),
    ],
)
def test_an_exporter_proves_itself_by_a_pinned_ca_or_a_privileged_port(settings, expected):
    assert authenticated(ExporterSettings.model_validate(settings)) is expected


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        ('[{"targets": ["gpu01:944", "gpu02:944"]}]', True),
        ('[{"targets": ["gpu01:944", "gpu02:19440"]}]', False),
        ("[]", False),
    ],
)
def test_listed_exporters_prove_themselves_each(listed: str, expected: bool, tmp_path: Path):
    (tmp_path / "gpu.json").write_text(listed, encoding="utf-8")
    settings = ExporterSettings.model_validate({"file_sd": [str(tmp_path / "gpu.json")]})

    assert authenticated(settings) is expected


@pytest.mark.parametrize(
    ("targets", "expected"),
    [
        (["gpu01:944"], ()),
        (["10.0.0.7:944=gpu07"], ()),
        (["gpu01:944", "10.0.0.7:944", "localhost:944"], ("10.0.0.7:944", "localhost:944")),
    ],
)
def test_a_target_that_names_no_node_is_bound_to_none(targets, expected):
    settings = ExporterSettings.model_validate({"targets": targets})

    assert tuple(target.name for target in unbound(settings)) == expected


def test_a_target_that_shows_a_certificate_may_be_bound_by_it(lacking):
    text = dedent(READY).replace("https://gpu01:19440", "https://10.0.0.7:19440")

    assert lacking(text + POLICY.format(mode="act")) == set()


def test_acting_lacks_the_node_of_a_target(lacking):
    text = dedent(READY).replace("https://gpu01:19440", "https://10.0.0.7:19440/gpu01/metrics")

    assert lacking(text + POLICY.format(mode="notify")) == set()
    assert lacking(text + POLICY.format(mode="act")) == {"activity"}
    paired = text.replace("/metrics", "/metrics=gpu07")
    assert lacking(paired + POLICY.format(mode="act")) == set()


def test_what_stops_only_large_acts_does_not_stop_all(tmp_path: Path):
    path = tmp_path / "gpu-reaper.yaml"
    text = dedent(READY).replace("operators: {groups: [gpu-operators]}", "")
    path.write_text(text + POLICY.format(mode="act"), encoding="utf-8")
    configuration = load(path, environ=HOME)

    assert list(lacks(configuration, name="x")) == []
    assert [problem.where for problem in gaps(configuration, name="x")] == ["operators"]


DELIVER = """
report:
  deliver:
    folder: reports
    forms: [html, pdf]
    slack_channel: C0123456
    mail: {to: [board@example.org]}
"""


def test_reports_that_have_no_channel_to_go_by_are_named(tmp_path):
    path = tmp_path / "gpu-reaper.yaml"
    path.write_text(DELIVER)
    wheres = [problem.where for problem in gaps(load(path), name="x")]

    assert wheres[-2:] == ["report.deliver.slack_channel", "report.deliver.mail"]


def test_a_pdf_that_nothing_can_print_is_named(tmp_path):
    path = tmp_path / "gpu-reaper.yaml"
    path.write_text(DELIVER)
    found = {what for _, what, _ in undelivered(load(path), lambda: True)}
    printed = {what for _, what, _ in undelivered(load(path), lambda: False)}

    assert found - printed == {"asks for a PDF, and the extra that prints one is not installed"}


SIGNED = """
    web:
      address: https://gpus.example.org/
      sign_in: {kind: proxy, secret: {env: PROXY_SECRET}}
      roles: {operators: {groups: [hpc-admins]}}
"""


def test_a_sign_in_that_is_whole_lacks_nothing(lacking):
    assert lacking(SIGNED) == set()


@pytest.mark.parametrize(
    ("taken", "where"),
    [
        (", secret: {env: PROXY_SECRET}", "web.sign_in"),
        ("      roles: {operators: {groups: [hpc-admins]}}\n", "web.roles"),
        ("      address: https://gpus.example.org/\n", "web.address"),
    ],
)
def test_a_sign_in_that_is_weak_is_named(lacking, taken, where):
    assert lacking(SIGNED.replace(taken, "")) == {where}
