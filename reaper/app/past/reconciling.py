"""Our books of a span against those of a platform that keeps its own."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from reaper.config import Configuration
from reaper.domain.audit.reconciliation import reconcile
from reaper.domain.money.calendar import Week, week_named, week_of
from reaper.domain.money.closing import Closed
from reaper.domain.money.findings import Compared
from reaper.domain.money.spans import Span
from reaper.platforms import Platform
from reaper.platforms.platform import Recorded
from reaper.ports import ReaperError, Store, WrongError
from reaper.reports.reconciliation_page import Reconciled


def week(configuration: Configuration, text: str, *, now: float) -> Week:
    """Return the week that is named, or the last whole one; raise ValueError."""
    zone = ZoneInfo(configuration.zone)
    return week_named(text, zone) if text else week_of(now, zone).shifted(-1)


def keeping(platforms: Sequence[Platform]) -> tuple[str, Recorded]:
    """Return the platform that keeps books of its own; raise WrongError where none does."""
    for platform in platforms:
        if platform.recorded is not None:
            return platform.name, platform.recorded
    names = ", ".join(platform.name for platform in platforms) or "none"
    raise WrongError(f"no platform keeps books of its own (configured: {names}); name slurm")


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparer:
    """Holds a week that is being closed against the books of a platform that keeps its own."""

    store: Store
    source: str
    recorded: Recorded
    zone: str

    async def compared(self, week: Closed, *, now: float) -> Closed:
        """Return the week with how it compares; books that cannot be read keep nothing open."""
        span = (week.closing.begin, week.closing.end)
        try:
            told = await reconciled(
                self.store, self.source, self.recorded, span, zone=self.zone, now=now
            )
        except ReaperError as error:
            return replace(week, compared=Compared(source=self.source, problem=str(error)))
        found = told.found
        finding = found.finding()
        return replace(
            week,
            compared=Compared(source=self.source, ours=found.ours, theirs=found.theirs),
            findings=week.findings if finding is None else (finding, *week.findings),
        )


async def reconciled(
    store: Store, name: str, recorded: Recorded, span: Span, *, zone: str, now: float
) -> Reconciled:
    """Return how our books of a span agree with a platform's, from when ours begin."""
    end = min(span[1], now)
    async with store.reading() as books:
        capacity = await books.capacity(0.0, end)
        opened = min((one.begin for one in capacity), default=span[0])
        begin = min(max(span[0], opened), end)
        tenures = await books.tenures(begin, end)
    theirs = await recorded(begin, end)
    ours = [tenure for tenure in tenures if tenure.run.platform == name]
    return Reconciled(
        found=reconcile(ours, theirs.jobs, begin, end, unread=theirs.unread),
        source=name,
        zone=ZoneInfo(zone),
        opened=opened,
        asked=span,
    )
