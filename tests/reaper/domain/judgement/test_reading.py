"""By which policy a job is judged in which a session was found."""

from dataclasses import replace

import pytest

from reaper.domain.facts.allocation import Allocation, Purpose
from reaper.domain.facts.sign import Sign
from reaper.domain.judgement.policy import Exemption, Match, Mode, Policy, Rung
from reaper.domain.judgement.reading import exempted, judged
from tests.builders import HOUR, START, allocation

RELEASE = (Rung(step="release", grace=1800.0),)


def looked_into(kind: str = "vscode", purpose: Purpose = Purpose.TRAINING) -> Allocation:
    """Return a job in which a session of a kind was found."""
    sign = Sign(kind=kind, last_seen=None, as_of=START)
    return replace(allocation(purpose=purpose), signs=(sign,))


def policies(**batch: object) -> tuple[Policy, ...]:
    """Return a policy for sessions, and one for everything else."""
    session = Policy(
        name="session",
        version="1",
        match=Match(purpose=(Purpose.INTERACTIVE,)),
        idle_for=HOUR,
        rungs=RELEASE,
        mode=Mode.ACT,
    )
    return (session, Policy(name="batch", version="1", rungs=RELEASE, **batch))


@pytest.mark.parametrize(
    ("batch", "name"),
    [
        pytest.param(
            {"mode": Mode.ACT, "demand": "waiting", "idle_for": HOUR}, "batch", id="waits"
        ),
        pytest.param({"mode": Mode.ACT, "idle_for": 5 * HOUR}, "batch", id="longer window"),
        pytest.param({"mode": Mode.ACT, "idle_for": 2 * HOUR}, "session", id="unproven person"),
        pytest.param({"mode": Mode.NOTIFY, "idle_for": 60.0}, "batch", id="never releases"),
    ],
)
def test_of_two_policies_the_one_that_releases_later_decides(
    batch: dict[str, object], name: str
) -> None:
    found = judged(policies(**batch), looked_into(), START)

    assert found.policy is not None
    assert found.policy.name == name


def test_how_it_is_read_is_said() -> None:
    found = judged(policies(mode=Mode.ACT, idle_for=5 * HOUR), looked_into("jupyter"), START)

    assert found.allocation.purpose is Purpose.TRAINING
    assert found.allocation.purpose_evidence[-1] == (
        "judged as training: of what it could be, that is released later"
    )


@pytest.mark.parametrize(
    "given", [looked_into("shell"), looked_into(purpose=Purpose.OTHER), allocation()]
)
def test_what_is_no_job_with_a_session_in_it_is_read_as_it_is(given: Allocation) -> None:
    assert judged(policies(mode=Mode.ACT), given, START).allocation is given


@pytest.mark.parametrize("purpose", [Purpose.TRAINING, Purpose.INTERACTIVE])
def test_an_exemption_covers_it_as_whatever_it_is_read(purpose: Purpose) -> None:
    exemption = Exemption(match=Match(purpose=(purpose,)), reason="asked for")

    assert exempted((exemption,), looked_into(), START) is exemption
