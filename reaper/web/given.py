"""What the web side is given by the running reaper."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from reaper.domain.judgement.policy import Policy
from reaper.languages.language import Language
from reaper.ports import Clock, Door
from reaper.questions import Questions
from reaper.requests import Requests
from reaper.web.exposition.sums import WeekSums
from reaper.web.json_api.routes import Reporting
from reaper.web.languages import LANGUAGES


async def unsaid(_user: str) -> str:
    """Return that no directory says which language somebody reads."""
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """
    A running reaper, as the web side sees it.

    `told_by` counts on from the last turn: what that wrote is as old as it is, however the wall
    clock is set.  `cycling` tells whether the cycle's task is alive, `debug` gives what the board
    holds, `weeks` the sums of weeks, `doors` are paths that other services post to; `rate` is how
    many times as fast the clock runs.  `key` signs links, and what it signs is for nothing else.
    `reads` gives the code of the language that a user reads, "" where no directory says so;
    `configuration` is the file by which it runs, "" where that are the defaults; `languages` are
    those that the pages speak, by their codes.
    """

    questions: Questions
    requests: Requests
    clock: Clock
    told_by: Clock
    cycling: Callable[[], bool]
    debug: Callable[[], object]
    key: bytes
    policies: Sequence[Policy] = ()
    report: Reporting | None = None
    weeks: Callable[[], tuple[WeekSums, ...]] = tuple
    doors: tuple[Door, ...] = ()
    rate: float = 1.0
    beat: Callable[[], float] | None = None
    reads: Callable[[str], Awaitable[str]] = unsaid
    configuration: str = ""
    languages: Mapping[str, Language] = field(default_factory=lambda: LANGUAGES)
