"""A scenario is read as it is meant, or every mistake is named with its place and its cure."""

import pytest

from exporter.contract.scenario import Scenario, ScenarioError, duration, load

HEAD = """
version = 1
start = 2026-03-02T09:00:00Z
[[node]]
name = "gpu01"
gpus = ["A*3 H", "E"]
"""
HELD = """
[[allocation]]
id = "1"
user = "mira"
holds = ["gpu01:0-1"]
"""


def mistakes(text: str) -> list[str]:
    with pytest.raises(ScenarioError) as caught:
        load(text)
    return str(caught.value).splitlines()


def drawn(more: str) -> Scenario:
    return load(HEAD + HELD + more)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ('[[allocation]]\nid="2"\nuser="m"', "allocation 2: holds: missing; write for example"),
        ('[[allocation]]\nid="2"\nuser="m"\nholds="gpu02:0"', "no node 'gpu02'; drawn are gpu01"),
        ('[[allocation]]\nid="2"\nuser="m"\nholds="gpu01:2"', "gpu01 has the GPUs 0 to 1"),
        ('[[allocation]]\nid="2"\nuser="m"\nholds="gpu01:1-0"', "gpu01 has the GPUs 0 to 1"),
        ('[[allocation]]\nid="2"\nuser="m"\nholds=["gpu01:0","gpu01:0-1"]', "names a GPU twice"),
        (
            '[[allocation]]\nid="2"\nuser="m"\nholds="gpu01:0"\nend="-1h"',
            "allocation 2: end: lies before its begin",
        ),
        (
            '[[allocation]]\nid="2"\nuser="m"\nholds="gpu01:0"\npurpose="train"',
            "'train' is unknown; did you mean 'training'?",
        ),
        (
            '[[allocation]]\nid="2"\nuser="m"\nholds="gpu01:0"\nholdz="x"',
            "allocation 2: holdz: unknown key; did you mean 'holds'?",
        ),
        (
            '[[allocation]]\nid="2"\nuser="m"\nholds="gpu01:0"\nserves=["2h..1h"]',
            "span '2h..1h': ends before it begins",
        ),
        (
            '[[allocation]]\nid="2"\nuser="m"\nholds="gpu01:0"\nsessions=[{kind="shel"}]',
            "sessions shel: kind: 'shel' is unknown; did you mean 'shell'?",
        ),
        (
            '[[allocation]]\nid="2"\nuser="m"\nholds="gpu01:0"\nshare=1.5',
            "allocation 2: share: 1.5 is no part of a GPU",
        ),
        ('[[allocation]]\nid="2"\nuser="m"\nholds="gpu01:0"\n""=1', "unknown key"),
        ('[[allocation]]\nid="1"\nuser="m"\nholds="gpu01:0"', "drawn twice at one time"),
        ('[[node]]\nname="gpu01"\ngpus=["A"]', "node gpu01: drawn twice"),
        ('[[node]]\nname="gpu02"\ngpus=["A*3 Q"]', "letters are ALHEX?!"),
        ('[[node]]\nname="gpu02"\ngpus=[" "]', "an empty track"),
        ('[[node]]\nname="gpu02"\ngpus=["A"]\nprofiling="no"', "is neither true nor false"),
        ('[[event]]\nat="5m"\ndo="keeep"', "'keeep' is unknown; did you mean 'keep'?"),
        ('[[event]]\nat="5m"\ndo="keep"\nallocation="9"', "no allocation '9'; drawn are 1"),
        ('[[event]]\ndo="pause"', "event pause: at: missing"),
        ('[[event]]\nat="5"\ndo="pause"', "duration '5': write for example 90s"),
        ('[[event]]\nat="5m"\ndo="outage"', "event outage: for: missing"),
        (
            '[[event]]\nat="5m"\ndo="restart"\nof="me"',
            "known are exporter, scheduler, channel, reaper",
        ),
        ('[[waiting]]\nat="5m"\ngpus="two"', "'two' is no count"),
        ("[[wait]]\ngpus=1", "wait: unknown key; did you mean 'waiting'?"),
        ('[expect]\n"2"=[]', "expect: 2: no allocation '2'; drawn are 1"),
        ('[expect]\n"1"=["warnin@30m"]', "no step 'warnin'; did you mean 'warning'?"),
        ('[expect]\n"1"=["warning@soon"]', "duration 'soon'"),
        ('[expect]\n"1"=["warning@2h..1h"]', "'2h..1h' ends before it begins"),
        ('[expect]\n"1@30m"="idel"', "no verdict 'idel'; did you mean 'idle'?"),
        ('[expect]\n"1@30m"={verdict="idle", heldby="x"}', "write verdict and held"),
        ('[expect]\nnever=["releas"]', "did you mean 'release'?"),
    ],
)
def test_a_mistake_is_named_with_its_place_and_its_cure(more: str, said: str) -> None:
    assert any(said in line for line in mistakes(HEAD + HELD + more))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("version = 2", "version: write version = 1"),
        ("version = 1", "start: write a time with a zone"),
        ("version = 1\nstart = 2026-03-02T09:00:00", "start: write a time with a zone"),
        ("version = 1\nstart = 2026-03-02T09:00:30Z", "is not on a full minute"),
        ("version = 1", "node: missing"),
        ("version = ", "no TOML"),
        ('version = 1\nstep = "0s"', "a letter must last"),
        ("version = 1\nbackground = -1", "-1 is no count"),
    ],
)
def test_a_mistake_at_the_top_is_named(text: str, said: str) -> None:
    assert any(said in line for line in mistakes(text))


def test_all_mistakes_are_named_at_once() -> None:
    assert len(mistakes('version = 2\ntitel = "x"\n[[event]]\ndo = "dance"')) >= 5


def test_runs_of_one_id_may_follow_each_other() -> None:
    scenario = drawn(
        'end = "1h"\n[[allocation]]\nid = "1"\nuser = "mira"\nholds = "gpu01:0"\nbegin = "1h"'
    )

    assert [item.begin for item in scenario.allocations] == [0.0, 3600.0]


def test_the_rest_of_a_cluster_may_be_drawn_by_its_number() -> None:
    scenario = load(HEAD.replace("version = 1", "version = 1\nbackground = 20") + HELD)

    others = scenario.allocations[-1]
    assert (len(others.holds), scenario.letter("background", 19, 1e6)) == (20, "A")


def test_a_span_may_go_on_to_the_end() -> None:
    scenario = drawn('host_works = ["10m.."]')

    assert scenario.allocations[0].host_works == ((600.0, float("inf")),)


def test_events_last_as_long_as_is_usual() -> None:
    scenario = drawn('[[event]]\nat = "5m"\ndo = "keep"\nallocation = "1"')

    assert scenario.events[0].duration == 3600.0


def test_what_is_expected_is_read_in_all_its_forms() -> None:
    scenario = drawn(
        """
[expect]
1 = ["warning@30m", "...", "closed: activity returned", "release@1h..2h"]
"1@30m" = "idle: no work"
"1@1h" = { verdict = "idle, host busy", held = "verdict" }
never = ["interlock", "1 failed"]
cluster = []
"""
    )

    expect = scenario.expect
    one, anything, closed, release = expect.steps["1"]
    assert (one.kind, one.earliest, one.latest) == ("warning", 1800.0, 1800.0)
    assert anything.anything
    assert (closed.kind, closed.words, closed.earliest) == ("closed", "activity returned", None)
    assert (release.earliest, release.latest) == (3600.0, 7200.0)
    assert [(item.at, item.kind, item.held) for item in expect.verdicts] == [
        (1800.0, "idle", ""),
        (3600.0, "idle, host busy", "verdict"),
    ]
    assert [(item.allocation, item.step.kind) for item in expect.never] == [
        ("", "interlock"),
        ("1", "failed"),
    ]
    assert expect.cluster == ()


def test_a_mistake_names_its_line() -> None:
    text = HEAD + HELD + 'begin = "soon"\n[expect]\n"1@x" = "idle"\n'
    lines = [number for number, line in enumerate(text.splitlines(), 1) if "soon" in line]

    assert [line.partition(":")[0] for line in mistakes(text)] == [
        f"line {lines[0]}",
        f"line {lines[0] + 2}",
    ]


def test_the_second_of_several_tables_is_told_from_the_first() -> None:
    text = HEAD + HELD + '[[event]]\nat = "1m"\ndo = "pause"\n\n[[event]]\nat = "2m"\ndo = "x"\n'

    assert mistakes(text)[0].startswith(f"line {len(text.splitlines())}: event x: do: ")


@pytest.mark.parametrize(
    ("written", "seconds"),
    [("1h 30m", 5400.0), ("90 min", 5400.0), ("1.5 hours", 5400.0), ("-2 days", -172800.0)],
)
def test_durations_are_read_as_people_write_them(written: str, seconds: float) -> None:
    assert duration(written) == seconds


@pytest.mark.parametrize("written", ["", "5", "m", "1 fortnight"])
def test_what_is_no_duration_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match="write for example 90s"):
        duration(written)


def test_a_time_may_be_written_instead_of_a_duration() -> None:
    scenario = drawn("begin = 2026-03-02T08:30:00Z")

    assert scenario.allocations[0].begin == -1800.0


@pytest.mark.parametrize(
    "more",
    [
        "saves = 2026-03-02T09:30:00Z",
        'saves = "-5m"',
        '[[event]]\nat = "5m"\ndo = "outage"\nfor = 2026-03-02T10:00:00Z',
    ],
)
def test_how_long_something_lasts_is_no_time_and_never_less_than_nothing(more: str) -> None:
    assert any("write for example 90s" in line for line in mistakes(HEAD + HELD + more))


@pytest.mark.parametrize(
    ("end", "said"),
    [
        ("30", "duration '30': write for example 90s"),
        ("2026-03-02T09:30:00", "2026-03-02 09:30:00: a time has a zone and no quotes"),
        ("2026-03-02", "2026-03-02: a time has a zone and no quotes"),
        ('"2026-03-02T09:30:00Z"', "a time has a zone and no quotes"),
    ],
)
def test_what_is_no_moment_is_told_once(end: str, said: str) -> None:
    (line,) = mistakes(HEAD + HELD + f"end = {end}")

    assert said in line


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("share = true", "share: True is no part of a GPU"),
        ('[[allocation]]\nid = 2\nuser = "otto"\ngpus = 2', "'2' names no GPU"),
    ],
)
def test_what_is_meant_otherwise_is_not_taken(more: str, said: str) -> None:
    assert any(said in line for line in mistakes(HEAD + HELD + more))


def test_words_of_policies_and_schedulers_are_understood() -> None:
    text = '[[allocation]]\njob = 7\nowner = "otto"\nclass = "training"\ngpus = "gpu01"\n'
    scenario = load(HEAD + text)

    found = scenario.allocations[0]
    assert (found.id, found.user, found.purpose) == ("7", "otto", "training")
    assert found.holds == (("gpu01", 0), ("gpu01", 1))


def test_a_key_under_two_names_is_a_mistake() -> None:
    said = mistakes(HEAD + HELD + 'owner = "otto"')

    assert any("owner: says the same as user; keep one" in line for line in said)


@pytest.mark.parametrize("holds", ["gpu01:0,1", "gpu01:*", "gpu01", "gpu01:0-1"])
def test_gpus_are_named_in_every_usual_way(holds: str) -> None:
    scenario = load(HEAD + f'[[allocation]]\nid = "1"\nuser = "mira"\nholds = "{holds}"\n')

    assert scenario.allocations[0].holds == (("gpu01", 0), ("gpu01", 1))


def test_labels_are_a_table_or_a_list() -> None:
    one = drawn('labels = { app = "demo" }\nnamespace = "vision"').allocations[0]
    other = drawn('labels = ["app=demo"]').allocations[0]

    assert (one.labels, one.namespace) == (("app=demo",), "vision")
    assert other.labels == one.labels


def test_steps_and_verdicts_have_other_words() -> None:
    scenario = drawn(
        '[expect]\n1 = ["Warn@30m", "final notice", "released"]\n"1@30m" = "idle_host_busy"\n'
    )

    assert [item.kind for item in scenario.expect.steps["1"]] == ["warning", "final", "release"]
    assert scenario.expect.verdicts[0].kind == "idle, host busy"


def test_an_outage_of_the_channel_lets_nobody_hear_or_answer() -> None:
    scenario = drawn('[[event]]\nat = "5m"\ndo = "outage"\nof = "channel"\nfor = "10m"')

    assert (scenario.events[0].do, scenario.events[0].duration) == ("deaf", 600.0)


def test_a_mark_that_an_editor_begins_with_is_none_of_the_scenario() -> None:
    assert load("\ufeff" + HEAD + HELD) == load(HEAD + HELD)
