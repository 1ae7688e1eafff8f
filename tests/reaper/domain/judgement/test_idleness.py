"""Verdicts over drawn tracks."""

from dataclasses import replace

import pytest

from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.grid import NORMAL
from reaper.domain.facts.host import Host
from reaper.domain.judgement.idleness import judge
from reaper.domain.judgement.verdict import Verdict
from reaper.languages.catalogue import said
from tests.builders import HOUR, MINUTE, START, allocation, claim, evidence, run
from tests.tracks import drawn, seen


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
    assert "one witness only (utilisation)" in said(verdict.reason)


def test_a_silent_exporter_makes_an_idle_allocation_unknown() -> None:
    """What was last seen three minutes ago is not what is."""
    assert judged("HHHHHHHH", now=START + 3 * MINUTE).kind == "idle"
    assert judged("HHHHHHHH", now=START + 3 * MINUTE + 1).kind == "unknown"


def test_a_doubtful_owner_makes_the_verdict_unknown() -> None:
    """Nobody is judged for a device that may not be theirs."""
    verdict = judged("HHHHHHHH", doubt="gpu01: indices not confirmed")

    assert verdict.kind == "unknown"
    assert "indices not confirmed" in said(verdict.reason)


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
    reason = said(judged("H" * 185, run=run(started=START - 9 * HOUR)).reason)

    assert "3 h 05 min by profiling and utilisation" in reason


def test_low_minutes_count_only_where_a_policy_says_so() -> None:
    """Little work is inefficiency, and no ground for an act."""
    held = allocation()
    known = {held.gpus[0]: seen("HLHLHLHL")}

    plain = judge(held, known, now=START, pace=NORMAL)
    counted = judge(held, known, now=START, pace=NORMAL, counting=("idle", "low"))

    assert plain.kind == "busy"
    assert counted.kind == "idle"
    assert "little or no work" in said(counted.reason)


@pytest.mark.parametrize(
    ("tracks", "expected"),
    [
        pytest.param(["X" * 10, "X" * 10], "stalled", id="every rank hangs"),
        pytest.param(["X" * 10, "A" * 10], "busy", id="one rank still works"),
        pytest.param(["X" * 9, "X" * 9], "busy", id="nine minutes are no proof"),
        pytest.param([("A" + "H" * 9) * 6], "suspect", id="a keep-alive"),
        pytest.param(["ALL" * 20], "starved", id="bursts and waits"),
    ],
)
def test_shapes_say_more_than_the_last_letter(tracks: list[str], expected: str) -> None:
    """Each is told apart from busy and from idle, and none of them is released."""
    assert judged(*tracks).kind == expected


@pytest.mark.parametrize(
    ("served", "expected"),
    [
        pytest.param(None, "unknown", id="nothing counts its requests"),
        pytest.param("." * 60, "warm", id="no request"),
        pytest.param("." * 59 + "R", "busy", id="a request just now"),
        pytest.param("R" * 20 + "." * 40, "warm", id="forty quiet minutes"),
        pytest.param("." * 30 + "?" + "." * 29, "warm", id="quiet since a gap"),
        pytest.param("." * 59 + "?", "unknown", id="not seen just now"),
        pytest.param("." * 57 + "R..", "busy", id="between two requests"),
    ],
)
def test_a_server_is_judged_by_its_requests(served: str | None, expected: str) -> None:
    """Never by utilisation alone."""
    held = allocation(purpose=Purpose.INFERENCE)
    track = None if served is None else drawn(served)

    verdict = judge(held, {held.gpus[0]: seen("H" * 60)}, now=START, pace=NORMAL, served=track)

    assert verdict.kind == expected


@pytest.mark.parametrize(("work", "expected"), [(59, "warm"), (60, "unknown")])
def test_requests_that_stand_still_through_work_are_no_witness(work: int, expected: str) -> None:
    held = allocation(purpose=Purpose.INFERENCE)
    known = {held.gpus[0]: seen("A" * work + "H" * 30)}

    verdict = judge(held, known, now=START, pace=NORMAL, served=drawn("." * (work + 30)))

    assert verdict.kind == expected


def test_words_of_a_server_follow_the_stretch_in_which_its_gpus_rested_too() -> None:
    held = allocation(purpose=Purpose.INFERENCE)
    known = {held.gpus[0]: seen("A" * 10 + "H" * 30)}

    verdict = judge(held, known, now=START, pace=NORMAL, served=drawn("." * 40))

    assert said(verdict.reason).startswith("no request for 30 min, no work")


def test_a_server_that_polls_is_warm_and_does_not_hang() -> None:
    """Its engine shows 100 %, its counter shows nobody: no stretch begins before the gap."""
    held = allocation(purpose=Purpose.INFERENCE)
    polling = replace(seen("X" * 60), evidence=evidence(60, witnesses=("profiling",)))
    served = drawn("." * 30 + "?" + "." * 29)

    verdict = judge(held, {held.gpus[0]: polling}, now=START, pace=NORMAL, served=served)

    assert (verdict.kind, verdict.idle_for(START)) == ("warm", 29 * 60.0)


def test_idleness_longer_than_what_is_kept_of_a_track_is_known_from_its_evidence() -> None:
    """Three days idle, one day of letters."""
    old = allocation()
    old = replace(old, run=replace(old.run, started=START - 4 * 86400.0))
    kept = replace(seen("H" * 1440), evidence=evidence(3 * 1440))

    verdict = judge(old, {old.gpus[0]: kept}, now=START, pace=NORMAL)

    assert verdict.idle_for(START) == 3 * 86400.0


@pytest.mark.parametrize(
    ("host", "cause"),
    [
        pytest.param(None, "not measured", id="unknown"),
        pytest.param(Host(cores=7.5), "7.5 cores", id="a loader short of workers"),
        pytest.param(Host(cores=0.1, stuck=0.4), "read or write", id="storage"),
        pytest.param(Host(cores=0.1), "communication", id="other ranks"),
    ],
)
def test_starvation_comes_with_its_likely_cause(host: Host | None, cause: str) -> None:
    """And with the usual cure."""
    held = allocation()

    verdict = judge(held, {held.gpus[0]: seen("ALL" * 20)}, now=START, pace=NORMAL, host=host)

    assert verdict.kind == "starved"
    assert cause in said(verdict.reason)


def test_engines_that_poll_beside_an_unseen_one_are_unknown() -> None:
    assert judged("X" * 30, "X" * 29 + "?").kind == "unknown"


def test_the_hours_in_which_it_was_suspended_are_no_idleness() -> None:
    held = allocation()
    held = replace(held, claim=replace(held.claim, resumed=START - 8 * MINUTE - 5))

    verdict = judge(held, {held.gpus[0]: seen("A" + "H" * 420)}, now=START, pace=NORMAL)

    assert verdict.kind == "idle"
    assert verdict.idle_for(START) == 8 * MINUTE
