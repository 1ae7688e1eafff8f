"""Whether a notice is still to be told, and what it says by now; read in the books, never sent."""

from dataclasses import dataclass
from typing import Final

from reaper.domain.escalation.case import Case
from reaper.domain.escalation.notice import Delivery, Notice, Story
from reaper.domain.escalation.sequel import WARNINGS
from reaper.domain.reason import Words
from reaper.ports import Books

#: For how long advice is news; seconds.
DAY: Final = 86400.0

#: Why a warning waits for the next turn.
_OLD: Final = "what it says is not known to be so now"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a notice says now, why nobody needs it any more, or why it waits; "" where neither."""

    story: Story
    over: str = ""
    later: Words = ""


async def asked(books: Books, notice: Notice, now: float) -> Asked:
    """Return what a notice says now, or why it is not told: a warning speaks by the newest turn."""
    if notice.kind in WARNINGS:
        cases = {case.id: case for case in await books.cases_of(notice.run_key)}
        return _warned(notice, cases.get(notice.case_id), now)
    if notice.kind == "advice":
        tenures = await books.tenures_of(notice.run_key)
        ended = bool(tenures) and all(item.end is not None for item in tenures)
        return Asked(story=notice.story, over=_advised(notice, now, ended=ended))
    return Asked(story=notice.story)


def _warned(notice: Notice, case: Case | None, now: float) -> Asked:
    if case is None or case.closed is not None:
        return Asked(story=notice.story, over="its case is closed")
    if notice.kind == "final" and notice.round < case.round:
        return Asked(story=notice.story, over="a newer last notice takes its place")
    if notice.rung < case.rung - 1:
        return Asked(story=notice.story, over="a newer notice takes its place")
    said = case.saying
    if said is None:
        return Asked(story=notice.story)
    return Asked(story=said.story, later=said.against or (_OLD if now > said.until else ""))


def _advised(notice: Notice, now: float, *, ended: bool) -> str:
    """Return why advice is left: it is told once, and only while it is news."""
    if notice.attempts and (notice.retry_at is None or notice.delivery is Delivery.AMBIGUOUS):
        return "it may have arrived: advice is not repeated"
    if ended:
        return "its allocation has ended"
    return "a newer one takes its place" if now - notice.created >= DAY else ""
