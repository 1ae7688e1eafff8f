"""Our books of a span against those of a platform that keeps its own."""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from reaper.config import Configuration
from reaper.domain.money.calendar import Week, week_named, week_of
from reaper.domain.money.reconciliation import reconcile
from reaper.domain.money.spans import Span
from reaper.platforms import Platform
from reaper.platforms.platform import Recorded
from reaper.ports import ReaperError, Store
from reaper.reports.reconciliation_page import Reconciled


def week(configuration: Configuration, text: str, *, now: float) -> Week:
    """Return the week that is named, or the last whole one; raise ValueError."""
    zone = ZoneInfo(configuration.zone)
    return week_named(text, zone) if text else week_of(now, zone).shifted(-1)


def keeping(platforms: Sequence[Platform]) -> tuple[str, Recorded]:
    """Return the platform that keeps books of its own; raise ReaperError where none does."""
    for platform in platforms:
        if platform.recorded is not None:
            return platform.name, platform.recorded
    names = ", ".join(platform.name for platform in platforms) or "none"
    raise ReaperError(f"no platform keeps books of its own (configured: {names}); name slurm")


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
        found=reconcile(ours, theirs.jobs, begin, end),
        source=name,
        zone=ZoneInfo(zone),
        opened=opened,
        asked=span,
    )
