"""What hosts say of idleness: at work now, at work for long, at rest, or not seen."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.grid import NORMAL
from reaper.domain.facts.host import Host
from reaper.domain.facts.sign import Sign
from reaper.domain.judgement.hosting import hosted as found
from reaper.domain.judgement.idleness import judge
from reaper.domain.judgement.verdict import Verdict
from reaper.languages.catalogue import said
from tests.builders import MINUTE, START, allocation
from tests.tracks import drawn, seen


def hosted(letters: str, host: str, **given: object) -> Verdict:
    """Judge one idle device whose host did what is drawn."""
    held = allocation(**given)
    return judge(
        held, {held.gpus[0]: seen(letters)}, now=START, pace=NORMAL, host=Host(track=drawn(host))
    )


def test_gpus_that_wait_for_a_working_host_are_told_apart() -> None:
    """Waste in the books, and another verdict than idle."""
    verdict = hosted("H" * 60, "Q" * 40 + "B" * 20)

    assert verdict.kind == "idle, host busy"
    assert "its host worked 33% of that time" in said(verdict.reason)
    assert hosted("H" * 60, "Q" * 45 + "B" * 10 + "Q" * 5).kind == "idle"


@pytest.mark.parametrize("host", ["Q" * 59 + "B", "Q" * 55 + "BQQQQ", "S" * 54 + "BSS?SS"])
def test_a_host_that_works_now_protects_whatever_share_of_the_time_it_worked(host: str) -> None:
    verdict = hosted("H" * 60, host)

    assert (verdict.kind, verdict.host, verdict.works) == (
        "idle, host busy",
        "at work",
        "its host works",
    )
    assert "its host works now" in said(verdict.reason)


def test_an_idle_verdict_says_when_its_host_worked_last() -> None:
    verdict = hosted("H" * 60, "Q" * 40 + "BB" + "Q" * 18)

    assert verdict.host_worked == START - 18 * 60
    assert hosted("H" * 60, "Q" * 60).host_worked is None


def barred(purpose: Purpose, host: str | None, *signs: Sign, letter: str = "H") -> list[str]:
    """Return the rules that rule out the release of one device that idles for an hour."""
    held = replace(allocation(purpose=purpose), signs=signs)
    verdict = judge(
        held,
        {held.gpus[0]: seen(letter * 60)},
        now=START,
        pace=NORMAL,
        host=None if host is None else Host(track=drawn(host)),
    )
    assert verdict.is_idle
    return [bar.rule for bar in verdict.bars]


@pytest.mark.parametrize("purpose", [Purpose.TRAINING, Purpose.OTHER, Purpose.DEFERRED])
def test_a_batch_job_whose_host_nobody_measures_is_not_released(purpose: Purpose) -> None:
    assert barred(purpose, None) == ["host"]
    assert barred(purpose, "Q" * 30 + "?" * 16) == ["host"]
    assert barred(purpose, "Q" * 60) == []


def test_a_session_whose_host_nobody_measures_is_judged_by_its_person() -> None:
    assert barred(Purpose.INTERACTIVE, None) == []


@pytest.mark.parametrize("purpose", [Purpose.TRAINING, Purpose.INTERACTIVE])
def test_a_kernel_that_is_busy_is_not_released_while_nobody_measures_its_host(
    purpose: Purpose,
) -> None:
    busy = Sign(kind="jupyter", last_seen=None, as_of=START, state="busy")

    assert barred(purpose, None, busy) == ["kernel"]
    assert barred(purpose, "Q" * 60, busy) == []


def test_minutes_for_which_a_host_was_not_seen_are_no_rest_of_a_batch_job() -> None:
    held = allocation(purpose=Purpose.TRAINING)
    host = Host(track=drawn("Q" * 20 + "?" * 30 + "Q" * 10))

    verdict = judge(held, {held.gpus[0]: seen("H" * 60)}, now=START, pace=NORMAL, host=host)

    assert verdict.idle_for(START) == 600


def test_an_unknown_host_is_not_a_quiet_one() -> None:
    """Where its work is measured but not seen, nothing is called idle."""
    assert hosted("H" * 60, "?" * 57 + "QQQ").kind == "unknown"


def test_a_host_at_work_that_falls_silent_is_said_to_have_worked_when_it_was_seen_last() -> None:
    verdict = hosted("H" * 60, "B" * 58 + "??")

    assert verdict.kind == "idle, host busy"
    assert verdict.works
    assert "its host worked 100% of that time" in said(verdict.reason)
    assert "worked when it was seen last" in said(hosted("H" * 60, "Q" * 55 + "BB???").reason)


def test_a_host_that_is_seen_no_more_counts_as_one_that_nobody_measures() -> None:
    verdict = hosted("H" * 60, "?" * 60)

    assert (verdict.kind, verdict.host) == ("idle", "unmeasured")
    assert hosted("H" * 60, "?" * 60, purpose=Purpose.TRAINING).kind == "unknown"


def test_a_host_that_has_rested_for_long_keeps_nothing_any_more() -> None:
    assert hosted("H" * 130, "B" * 101 + "Q" * 29).kind == "idle, host busy"

    rested = hosted("H" * 130, "B" * 100 + "Q" * 30)

    assert rested.kind == "idle"
    assert rested.idle_for(START) == 30 * MINUTE


def test_beats_behind_a_host_at_work_are_no_keep_alive() -> None:
    letters = "HHHA" * 30 + "HHH"

    assert hosted(letters, "Q" * len(letters)).kind == "suspect"
    assert hosted(letters, "B" * len(letters)).kind == "starved"


@pytest.mark.parametrize(
    ("host", "minutes"),
    [
        pytest.param("Q" * 110 + "B" * 10 + "Q" * 40, 40, id="of ten minutes"),
        pytest.param("Q" * 90 + "BQQQQ" * 10 + "Q" * 20, 24, id="in short pieces"),
        pytest.param(
            "Q" * 20 + "B" * 10 + "Q" * 40 + "B" * 10 + "Q" * 80, 80, id="the last of several"
        ),
        pytest.param("Q" * 110 + "B" * 9 + "Q" * 41, 160, id="one minute less"),
        pytest.param(("B" + "Q" * 15) * 10, 160, id="now and then"),
    ],
)
def test_idleness_begins_after_long_work_of_the_host(host: str, minutes: int) -> None:
    """However long the GPUs have idled before: somebody used it meanwhile."""
    verdict = hosted("H" * 160, host)

    assert verdict.kind == "idle"
    assert verdict.idle_for(START) == minutes * MINUTE


def test_a_host_that_worked_much_before_its_gpus_rested_protects_for_its_own_rest() -> None:
    """What counts as work of a host does not depend on what its GPUs do beside it."""
    verdict = hosted("A" * 70 + "H" * 20, "B" * 65 + "Q" * 25)

    assert verdict.kind == "idle, host busy"
    assert said(verdict.reason).endswith("its host rests for 25 min only")
    assert hosted("A" * 70 + "H" * 25, "B" * 65 + "Q" * 30).kind == "idle"


letters = st.text("QS?B", min_size=60, max_size=200)


@given(letters, st.integers(0, 199), st.integers(1, 12), st.integers(5, 200))
@settings(max_examples=200)
def test_more_work_of_a_host_makes_no_idleness_longer(
    drawn_letters: str, place: int, lasts: int, minutes: int
) -> None:
    place = min(place, len(drawn_letters) - lasts)
    more = f"{drawn_letters[:place]}{'B' * lasts}{drawn_letters[place + lasts :]}"
    before, after = (
        found(Host(track=drawn(one)), minutes=minutes, end=drawn(one).end)
        for one in (drawn_letters, more)
    )

    assert after.busy or not before.busy
    assert after.busy or after.minutes <= before.minutes
