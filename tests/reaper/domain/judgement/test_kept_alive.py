"""Work that only keeps GPUs, and collectives that hang."""

from dataclasses import replace

import pytest

from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.grid import NORMAL
from reaper.domain.facts.host import Host
from reaper.domain.judgement.cadence import Cadence
from reaper.domain.judgement.idleness import judge
from reaper.domain.judgement.verdict import Verdict
from reaper.languages.catalogue import said
from tests.builders import HOUR, MINUTE, START, allocation, evidence
from tests.tracks import drawn, seen

RANDOM = "".join("A" + "H" * gap for gap in (22, 21, 27, 24, 20, 28) * 10)


def judged(*tracks: str, host: str | None = None, **given: object) -> Verdict:
    """Judge an allocation whose devices played these tracks up to START."""
    held = allocation(gpus=len(tracks), **given)
    known = {gpu: seen(track) for gpu, track in zip(held.gpus, tracks, strict=True)}
    measured = None if host is None else Host(track=drawn(host))
    return judge(held, known, now=START, pace=NORMAL, host=measured)


@pytest.mark.parametrize(
    ("letters", "reason"),
    [
        pytest.param(("AA" + "H" * 288) * 4 + "H", "every 4 h 50 min, 4 times", id="regular"),
        pytest.param(RANDOM, "60 short blips of work without a long pause", id="at random"),
    ],
)
def test_blips_that_keep_a_device_are_named_with_their_arithmetic(
    letters: str, reason: str
) -> None:
    verdict = judged(letters)

    assert verdict.kind == "suspect"
    assert reason in said(verdict.reason)


@pytest.mark.parametrize(
    "letters",
    [
        pytest.param(RANDOM[:1100], id="within a long day"),
        pytest.param(RANDOM[:900] + "H" * 180 + RANDOM[:900], id="after a night"),
        pytest.param(RANDOM.replace("A", "AAAA"), id="in runs of four minutes"),
    ],
)
def test_blips_that_a_person_may_cause_are_not(letters: str) -> None:
    assert judged(letters).kind != "suspect"


def trickled(mean: float, minutes: int, purpose: Purpose, host: str | None = None) -> Verdict:
    """Judge a device with so little work in every minute."""
    held = allocation(purpose=purpose)
    active = dict.fromkeys(("sm", "dram"), mean * minutes * 60) | {"tensor": 0.0}
    watched = dict.fromkeys(("sm", "dram", "tensor"), minutes * 60.0)
    sums = replace(evidence(minutes), seen=watched, active=active)
    known = {held.gpus[0]: replace(seen("L" * minutes), evidence=sums)}
    measured = None if host is None else Host(track=drawn(host))
    return judge(held, known, now=START, pace=NORMAL, host=measured)


def test_hours_of_hardly_any_work_in_every_minute_are_named() -> None:
    verdict = trickled(0.01, 300, Purpose.INTERACTIVE)

    assert verdict.kind == "suspect"
    assert said(verdict.reason).startswith("1.0% of the SMs at work in every minute for 5 h 00 min")


@pytest.mark.parametrize(
    ("mean", "minutes", "purpose", "host"),
    [
        pytest.param(0.06, 300, Purpose.INTERACTIVE, None, id="more than hardly any"),
        pytest.param(0.01, 200, Purpose.INTERACTIVE, None, id="not for hours"),
        pytest.param(0.01, 300, Purpose.TRAINING, None, id="a job whose host nobody sees"),
        pytest.param(0.01, 300, Purpose.TRAINING, "B" * 300, id="a job fed by its host"),
        pytest.param(0.01, 300, Purpose.INFERENCE, None, id="a server that is asked little"),
    ],
)
def test_little_work_that_may_be_all_there_is_is_not(
    mean: float, minutes: int, purpose: Purpose, host: str | None
) -> None:
    assert trickled(mean, minutes, purpose, host).kind == "busy"


def test_a_dead_rank_among_spinning_ones_hangs_the_job() -> None:
    verdict = judged("X" * 70, "X" * 70, "E" * 70, purpose=Purpose.TRAINING)

    assert verdict.kind == "stalled"
    assert "on 2 of 3 GPUs for 70 min; on 1 nothing goes on" in said(verdict.reason)
    assert verdict.hung_since == START - 70 * 60


def test_an_engine_that_polls_in_a_session_hangs_nothing() -> None:
    assert judged("X" * 70, "H" * 70, purpose=Purpose.INTERACTIVE).kind == "partial"


def scripted(letters: str, purpose: Purpose, host: str = "S") -> Verdict:
    """Judge a device into whose session a clock has typed for two hours."""
    held = allocation(purpose=purpose)
    by = Cadence(every=12 * MINUTE, times=10, spread=0.0, begin=START - 2 * HOUR)
    known = {held.gpus[0]: seen(letters)}
    measured = Host(track=drawn(host * len(letters)))
    return judge(held, known, now=START, pace=NORMAL, host=measured, clocked=by)


def test_a_session_at_rest_into_which_a_clock_types_is_named() -> None:
    verdict = scripted("H" * 300, Purpose.INTERACTIVE)

    assert verdict.kind == "suspect"
    assert "an input every 12 min, 10 times to within 0 s" in said(verdict.reason)
    assert verdict.idle_devices == 1


@pytest.mark.parametrize(
    ("letters", "purpose", "host"),
    [
        pytest.param("A" + "H" * 100, Purpose.INTERACTIVE, "S", id="it worked since"),
        pytest.param("H" * 300, Purpose.TRAINING, "S", id="no input holds a job"),
        pytest.param("H" * 300, Purpose.INTERACTIVE, "B", id="its host works"),
    ],
)
def test_regular_input_beside_work_or_into_a_job_is_not(
    letters: str, purpose: Purpose, host: str
) -> None:
    assert scripted(letters, purpose, host).kind != "suspect"
