"""
Reads the page again and again in a task of its own, and completes rounds from the newest one.

Nothing here is waited for: a page that does not come leaves its values to age, and a value counts
for one collection interval of dcgm-exporter.
"""

import asyncio
import logging
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final, TypeVar
from urllib.parse import urlsplit

import aiohttp

from exporter.clock import Clock
from exporter.dcgm.answers import Answers, answers, nothing
from exporter.dcgm.page import DcgmPage, Key, parse
from exporter.sampling.snapshot import Absent, Activity, Device, Flow, Measured, Round, Turn

log = logging.getLogger(__name__)

_LONGEST_PAGE: Final = 4 << 20
_CHUNK: Final = 1 << 16
_PATIENCE: Final = 5.0
#: A value may be so much older than an interval: the next page is never there to the millisecond.
_JITTER: Final = 1.05

_Value = TypeVar("_Value", Measured, Flow)


class PageRefused(Exception):
    """The page is not what it should be; the message says how."""


class DcgmExporter:
    """One dcgm-exporter of this node; `interval` is its collection interval in seconds."""

    def __init__(self, url: str, interval: float, clock: Clock) -> None:
        self._url = url
        self._interval = interval
        self._clock = clock
        # Never the whole address: it may hold a password.
        parts = urlsplit(url)
        self._name = f"dcgm-exporter at {parts.hostname}:{parts.port or parts.scheme}"
        self._page: DcgmPage | None = None
        self._at = 0.0
        self._trouble = f"{self._name} has not answered yet"
        self._seen: dict[Key, frozenset[str]] = {}
        self._told: set[str] = set()
        self._answers: dict[str, Answers] = {}

    async def run(self) -> None:
        """Read the page every interval, for ever."""
        async with self._session() as session:
            due = self._clock.monotonic()
            while True:
                await self.poll(session)
                due = max(due + self._interval, self._clock.monotonic())
                await self._clock.sleep(due - self._clock.monotonic())

    async def once(self) -> None:
        """Read the page one time."""
        async with self._session() as session:
            await self.poll(session)

    def _session(self) -> aiohttp.ClientSession:
        patience = aiohttp.ClientTimeout(total=min(_PATIENCE, self._interval / 2))
        return aiohttp.ClientSession(timeout=patience, headers={"Accept-Encoding": "identity"})

    async def poll(self, session: aiohttp.ClientSession) -> None:
        """Take a new page, or remember why there is none."""
        try:
            page = await asyncio.to_thread(parse, await self._fetch(session))
        except TimeoutError:
            self._failed("does not answer in time")
        except PageRefused as error:
            self._failed(str(error))
        except (aiohttp.ClientError, OSError, ValueError) as error:
            self._failed(f"cannot be read ({type(error).__name__})")
        else:
            self.take(page)

    async def _fetch(self, session: aiohttp.ClientSession) -> str:
        async with session.get(self._url, allow_redirects=False) as response:
            if response.status != 200:
                raise PageRefused(f"answers with status {response.status}")
            body = bytearray()
            async for chunk in response.content.iter_chunked(_CHUNK):
                body += chunk
                if len(body) > _LONGEST_PAGE:
                    raise PageRefused(f"serves a page of more than {_LONGEST_PAGE >> 20} MiB")
        return body.decode(errors="replace")

    def _failed(self, how: str) -> None:
        trouble = f"{self._name} {how}"
        if trouble != self._trouble:
            log.warning("%s", trouble)
        self._trouble = trouble

    def take(self, page: DcgmPage) -> None:
        """Let a page's values count from now on."""
        self._page, self._at, self._trouble = page, self._clock.monotonic(), ""
        for key, fields in page.devices.items():
            self._seen[key] = self._seen.get(key, frozenset()) | fields.keys()
        self._told.clear()
        self._answers.clear()

    # -------------------------------------------------------------- rounds

    def complete(self, answer: Round) -> Round:
        """Return the round with the signals that its driver does not support."""
        turns = tuple(self._turn(turn, answer) for turn in answer.turns)
        return replace(answer, turns=turns)

    def _turn(self, turn: Turn, answer: Round) -> Turn:
        if turn.collector != "activity" or not isinstance(turn.finding, tuple):
            return turn
        cut = {device.parent for device in answer.devices}
        whole = {device.uuid: device for device in answer.devices if device.uuid not in cut}
        return replace(turn, finding=tuple(self._filled(turn.finding, whole)))

    def _filled(
        self, finding: tuple[object, ...], devices: Mapping[str, Device]
    ) -> Iterator[Activity]:
        for item in finding:
            if isinstance(item, Activity):
                device = devices.get(item.gpu)
                yield item if device is None else self._fill(item, device)

    def _fill(self, activity: Activity, device: Device) -> Activity:
        lacking = {
            name
            for name, one in (*activity.signals.items(), *activity.links.items())
            if _unsupported(one)
        }
        if not lacking:
            return activity
        found = self._of(device)
        touched = () if device.uuid in self._told else lacking.intersection(found.touched)
        self._told.add(device.uuid)
        return replace(
            activity,
            signals=_completed(activity.signals, found.signals),
            links=_completed(activity.links, found.links),
            clamped=(*activity.clamped, *touched),
        )

    def _of(self, device: Device) -> Answers:
        page = self._page
        if page is None or self._clock.monotonic() - self._at > self._interval * _JITTER:
            reason = self._trouble or f"{self._name} gave no value within its interval"
            return nothing(Absent(state="stale", reason=reason))
        if device.uuid not in self._answers:
            card = device.parent or device.uuid
            if (card, device.gpu_instance) not in page.devices:
                card = page.cards.get(device.pci_bus_id.lower(), card)
            key = (card, device.gpu_instance)
            seen = self._seen.get(key, frozenset())
            self._answers[device.uuid] = answers(page.devices.get(key), seen)
        return self._answers[device.uuid]


def _unsupported(value: object) -> bool:
    return isinstance(value, Absent) and value.state == "unsupported"


def _completed(
    own: Mapping[str, _Value | Absent], other: Mapping[str, _Value | Absent]
) -> Mapping[str, _Value | Absent]:
    return {
        name: other.get(name, value) if _unsupported(value) else value
        for name, value in own.items()
    }
