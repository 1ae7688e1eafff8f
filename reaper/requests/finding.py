"""Finding what a request is about: a live allocation, its case, or what has become of it."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final

from reaper.domain.escalation.case import Case
from reaper.domain.facts.allocation import Run
from reaper.domain.picture import Row
from reaper.ports import Books
from reaper.requests.identity import AbsentError, RefusedError

#: Seconds after its end in which an allocation is remembered, and its release may be disputed.
REMEMBERED: Final = 7 * 86400.0

#: Outcome of a case whose run the reaper released.
RELEASED: Final = "released"

#: Outcomes of cases in which something was done to the run.
_ACTED: Final = frozenset((RELEASED, "reverted", "failed", "not saved"))


async def live(books: Books, name: str) -> Row:
    """Return the row of a live allocation by its id, ``platform/id`` or run key."""
    picture = await books.picture()
    rows = picture.rows if picture else ()
    found = [row for row in rows if name in (row.id, f"{row.platform}/{row.id}", row.run_key)]
    if not found:
        raise AbsentError("none-of-that-name", name=repr(name))
    if len(found) > 1:
        raise RefusedError("many-of-that-name", name=repr(name))
    return found[0]


async def open_case(books: Books, row: Row) -> Case | None:
    """Return the open case of a live allocation, if any."""
    cases = await books.open_cases()
    return next((case for case in cases if case.run.key == row.run_key), None)


async def needed_case(books: Books, row: Row) -> Case:
    """Return the open case of a live allocation; without one there is nothing to ask about."""
    case = await open_case(books, row)
    if case is None:
        raise RefusedError("no-open-case", allocation=f"{row.platform}/{row.id}")
    return case


async def acted_case(books: Books, name: str, now: float) -> Case | None:
    """Return the newest case of a run by that name in which something was done to it lately."""
    recent = await books.cases_between(now - REMEMBERED, now + 1)
    return _newest(case for case in recent if case.outcome in _ACTED and named(name, case.run))


async def absence(books: Books, name: str, now: float) -> RefusedError:
    """Return the refusal of a request about an allocation that is not live: it says since when."""
    recent = await books.cases_between(now - REMEMBERED, now + 1)
    case = _newest(case for case in recent if case.closed is not None and named(name, case.run))
    if case is not None and case.closed is not None:
        return _gone(case.run, case.outcome, case.closed)
    tenures = await books.tenures(now - REMEMBERED, now)
    ends = [(one.end, one.run) for one in tenures if one.end is not None and named(name, one.run)]
    if ends:
        at, run = max(ends)
        return _gone(run, "", at)
    return RefusedError("none-of-that-name", name=repr(name))


def named(name: str, run: Run) -> bool:
    """Tell whether a run goes by a name."""
    return name in (run.id, str(run), run.key)


def moment(at: float) -> str:
    """Write an instant for everybody."""
    return f"{datetime.fromtimestamp(at, tz=UTC):%Y-%m-%d %H:%M} UTC"


def _gone(run: Run, outcome: str, at: float) -> RefusedError:
    code = "was-released" if outcome == RELEASED else "has-ended"
    days = round(REMEMBERED / 86400)
    return RefusedError(code, run=str(run), at=moment(at), days=days)


def _newest(cases: Iterable[Case]) -> Case | None:
    found: Sequence[Case] = sorted(cases, key=lambda case: (case.closed or 0.0, case.opened))
    return found[-1] if found else None
