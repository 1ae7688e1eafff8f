"""The servers of one kind, asked for their counters; one that does not answer is left out."""

import asyncio
import logging
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Final, Self

from yarl import URL

from reaper.activity.exporters.fetch import Fetched, Fetcher
from reaper.activity.exporters.settings import ExporterSettings
from reaper.activity.exposition import Exposition, PageError, Samples
from reaper.activity.heap import uncollected
from reaper.activity.serving.settings import ServerSettings
from reaper.domain.facts.allocation import Claim, Purpose
from reaper.domain.facts.serving import Answered, Requests
from reaper.ports import Clock, SourceError

_log = logging.getLogger(__name__)

#: Servers asked at the same time.
_AT_ONCE: Final = 64

#: The gauge by which a server tells that it began anew.
_START: Final = "process_start_time_seconds"


class ServerPages:
    """Asks every server of the runs that the settings are for."""

    def __init__(self, settings: ServerSettings, *, clock: Clock) -> None:
        self.name = f"servers {settings.url}"
        self._settings = settings
        self._clock = clock
        self._fetcher = Fetcher(_as_exporter(settings), clock)
        self._room = asyncio.Semaphore(_AT_ONCE)
        self._reading = asyncio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *args: object) -> None:
        await self._fetcher.close()

    async def answered(self, claims: Sequence[Claim]) -> Answered:
        """Return the counters of every server that answers."""
        self._fetcher.renew_credentials()
        asked = [(claim, node) for claim in claims if self._is_for(claim) for node in _nodes(claim)]
        found = await asyncio.gather(*(self._ask(claim, node) for claim, node in asked))
        return Answered(
            as_of=self._clock.now(), requests=tuple(item for item in found if item is not None)
        )

    def _is_for(self, claim: Claim) -> bool:
        wanted = (
            (self._settings.name, claim.name),
            (self._settings.partition, claim.partition),
            (self._settings.user, claim.user),
        )
        if not any(patterns for patterns, _ in wanted):
            return claim.purpose is Purpose.INFERENCE
        return all(_fits(patterns, value) for patterns, value in wanted)

    async def _ask(self, claim: Claim, node: str) -> Requests | None:
        url = self._settings.url.replace("{node}", node)
        try:
            async with self._room:
                page = await self._fetcher.fetch(URL(url))
            async with self._reading:
                return await asyncio.to_thread(self._read, claim, url, page)
        except (SourceError, PageError) as error:
            _log.debug("%s of %s: %s", url, claim.run, error)
            return None

    def _read(self, claim: Claim, url: str, page: Fetched) -> Requests | None:
        with uncollected():
            samples = Exposition().parse(page.body, openmetrics=page.openmetrics)
        answered = list(_values(samples, self._settings.answered))
        if not answered:
            raise SourceError(f"has none of {', '.join(self._settings.answered)}")
        return Requests(
            run_key=claim.run.key,
            server=url,
            at=page.received,
            epoch=f"{max(_values(samples, (_START,)), default=0.0):.0f}",
            answered=sum(answered),
            pending=sum(_values(samples, self._settings.pending)),
        )


def _values(samples: Samples, names: Iterable[str]) -> Iterator[float]:
    wanted = frozenset(names)
    return (value for series, value in samples if series.name in wanted)


def _nodes(claim: Claim) -> tuple[str, ...]:
    return tuple(dict.fromkeys(place.node for place in claim.places))


def _fits(patterns: Sequence[str], value: str) -> bool:
    return not patterns or any(fnmatchcase(value, pattern) for pattern in patterns)


def _as_exporter(settings: ServerSettings) -> ExporterSettings:
    shared = ("timeout", "page_limit", "bearer", "basic", "ca")
    given = {name: getattr(settings, name) for name in shared}
    return ExporterSettings().model_copy(update=given)
