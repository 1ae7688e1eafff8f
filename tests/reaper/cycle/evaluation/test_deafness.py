"""What becomes of a case whose newest notice no silent channel has brought."""

from reaper.cycle.evaluation.deafness import Outage, after_deafness
from reaper.domain.escalation.case import Case
from reaper.domain.escalation.hearing import Hearing, Silence
from reaper.domain.escalation.notice import Notice
from reaper.domain.facts.grid import NORMAL
from tests.builders import MINUTE, START, case, notice, policy

LOOK = Outage(begin=START, now=START + MINUTE, pace=NORMAL)
SILENT = Hearing(as_of=START, channel="slack", silences=(Silence(begin=START - 5 * MINUTE),))


def after(known: Case, *notices: Notice) -> Case:
    """Return a case after a minute in which Slack is silent."""
    moved = after_deafness(
        {known.run.key: known},
        {known.id: notices},
        {known.policy: policy()},
        {"slack": SILENT},
        LOOK,
    )
    return moved[known.run.key]


def test_a_case_waits_for_the_silent_channel_that_brought_its_newest_notice() -> None:
    assert after(case(), notice(delivered=START, channel="slack")).deaf == 6 * MINUTE


def test_a_newer_notice_over_a_channel_that_hears_ends_the_wait() -> None:
    before = notice(delivered=START - 30 * MINUTE, channel="slack", created=START - 30 * MINUTE)
    newer = notice(rung=1, delivered=START, channel="mail", created=START, kind="final")

    assert after(case(deaf=8 * MINUTE), before, newer).deaf is None
