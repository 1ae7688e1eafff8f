"""Verdicts over drawn tracks."""

import pytest

from reaper.domain.facts.grid import NORMAL
from reaper.domain.judgement.idleness import judge
from reaper.domain.judgement.verdict import Verdict
from tests.builders import HOUR, MINUTE, START, allocation, claim, run
from tests.tracks import seen


def judged(*tracks: str, now: float = START, doubt: str = "", **given: object) -> Verdict:
    """Judge an allocation whose devices played these tracks up to START."""
    held = allocation(gpus=len(tracks), doubt=doubt, **given)
    known = {gpu: seen(track) for gpu, track in zip(held.gpus, tracks, strict=True)}
    return judge(held, known, now=now, pace=NORMAL)


@pytest.mark.parametrize(
    ("tracks", "expected"),
    [
        pytest.param(["AAAAAAAA"], "busy", id="at work"),
        pytest.param(["AAHHHHHH"], "idle", id="quiet after work"),
        pytest.param(["AAHEHEHEH"], "idle", id="held and empty mixed"),
        pytest.param(["AAEEEEEE"], "empty", id="nobody on it"),
        pytest.param(["AAAAHHHH"], "busy", id="a pause of four minutes"),
        pytest.param(["HHHHHHHL"], "busy", id="low is work"),
        pytest.param(["HHHHHHHX"], "busy", id="a resident kernel is no idleness"),
        pytest.param(["HHHHHHH?"], "unknown", id="the last minute unseen"),
        pytest.param(["HHHHHHH!"], "unknown", id="the last minute contradicted"),
        pytest.param(["HHHHHH?H"], "busy", id="a gap begins the stretch anew"),
        pytest.param(["HHHHHHHH", "AAAAAAAA"], "partial", id="one of two works"),
        pytest.param(["HHHHHHHH", "HHHHHHHA"], "partial", id="one of two just woke"),
        pytest.param(["HHHHHHHH", "HHHHHHH?"], "unknown", id="one of two unseen"),
        pytest.param(["AAAAAAAA", "AAAAAAA?"], "busy", id="one works, one unseen"),
        pytest.param(["HHHHHHHH", "HHHHHHHH"], "idle", id="both idle"),
    ],
)
def test_the_whole_allocation_is_judged(tracks: list[str], expected: str) -> None:
    """One verdict over all devices; unknown is never idle."""
    assert judged(*tracks).kind == expected


def test_idleness_begins_with_the_last_device_to_fall_silent() -> None:
    """The shortest idle tail counts."""
    verdict = judged("AHHHHHHHHH", "AAAAHHHHHH")

    assert verdict.idle_for(START) == 6 * MINUTE
    assert verdict.since == START - 6 * MINUTE


def test_one_witness_is_not_enough() -> None:
    """Two families must say idle over the whole stretch."""
    held = allocation()
    known = {held.gpus[0]: seen("HHHHHHHH", witnesses=("utilisation",))}

    verdict = judge(held, known, now=START, pace=NORMAL)

    assert verdict.kind == "unknown"
    assert "one witness only (utilisation)" in verdict.reason


def test_a_silent_exporter_makes_an_idle_allocation_unknown() -> None:
    """What was last seen three minutes ago is not what is."""
    assert judged("HHHHHHHH", now=START + 3 * MINUTE).kind == "idle"
    assert judged("HHHHHHHH", now=START + 3 * MINUTE + 1).kind == "unknown"


def test_a_doubtful_owner_makes_the_verdict_unknown() -> None:
    """Nobody is judged for a device that may not be theirs."""
    verdict = judged("HHHHHHHH", doubt="gpu01: indices not confirmed")

    assert verdict.kind == "unknown"
    assert "indices not confirmed" in verdict.reason


def test_start_up_counts_for_nobody() -> None:
    """Idle minutes before the first active one are the start of something."""
    young = claim(run=run(started=START - 30 * MINUTE))

    assert judged("H" * 30, run=young.run).idle_for(START) == 10 * MINUTE
    assert judged("H" * 19 + "A" + "H" * 10, run=young.run).idle_for(START) == 10 * MINUTE
    assert judged("HHA" + "H" * 27, run=young.run).idle_for(START) == 27 * MINUTE


def test_a_device_never_seen_makes_the_verdict_unknown() -> None:
    """Missing is not idle."""
    held = allocation(gpus=2)

    verdict = judge(held, {held.gpus[0]: seen("HHHHHHHH")}, now=START, pace=NORMAL)

    assert verdict.kind == "unknown"


def test_a_long_window_is_told_in_hours() -> None:
    """The reason carries its numbers."""
    reason = judged("H" * 185, run=run(started=START - 9 * HOUR)).reason

    assert "3 h 05 min by profiling and utilisation" in reason


def test_low_minutes_count_only_where_a_policy_says_so() -> None:
    """Little work is inefficiency, and no ground for an act."""
    held = allocation()
    known = {held.gpus[0]: seen("HLHLHLHL")}

    plain = judge(held, known, now=START, pace=NORMAL)
    counted = judge(held, known, now=START, pace=NORMAL, counting=("idle", "low"))

    assert plain.kind == "busy"
    assert counted.kind == "idle"
    assert "little or no work" in counted.reason
