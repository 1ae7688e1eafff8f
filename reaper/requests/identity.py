"""Who asks, and what a request answers."""

from dataclasses import dataclass

from reaper.ports import ReaperError


class RefusedError(ReaperError):
    """A request that may not be done; the message says why and who may."""


class UnconfirmedError(RefusedError):
    """A request that must be confirmed first; the message says what would be lost."""


class UsedTokenError(RefusedError):
    """A single-use right to answer that was used before."""


class AbsentError(RefusedError):
    """No live allocation goes by the name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """
    Who asks: a user as authenticated by a channel, and what that user may see and do.

    `token` is the `use_id` of the single-use token that authenticated the user, "" without one.
    """

    user: str
    operator: bool = False
    manager: bool = False
    channel: str = ""
    token: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Granted:
    """
    What was done, in one sentence; `until` where it ends by itself.

    `late` tells that its release had begun, and is taken back only where that can still be done.
    """

    text: str
    until: float | None = None
    late: bool = False
