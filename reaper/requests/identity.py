"""Who asks, and what a request answers."""

from dataclasses import dataclass

from reaper.domain.reason import Value, because
from reaper.languages.catalogue import refusal
from reaper.ports import ReaperError


class RefusedError(ReaperError):
    """
    A request that may not be done, by the code of a message of `refusals` and its values.

    The message says why and who may; as a text it is English, as logs and the API have it.
    """

    def __init__(self, code: str, /, **values: Value) -> None:
        super().__init__(code)
        self.reason = because(code, **values)

    def __str__(self) -> str:
        """Return why, in English."""
        return refusal(self.reason, "en")


class UnconfirmedError(RefusedError):
    """A request that must be confirmed first; the message says what is at work."""


class UsedTokenError(RefusedError):
    """A single-use right to answer that was used before."""


class AbsentError(RefusedError):
    """No live allocation goes by the name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """
    Who asks: a user as authenticated by a channel, and what that user may see and do.

    `token` is the `use_id` of the single-use token that authenticated the user, "" without one.
    `group` tells that the channel vouches for one of the owner's own group: it may keep.
    """

    user: str
    operator: bool = False
    manager: bool = False
    channel: str = ""
    token: str = ""
    group: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Granted:
    """
    What was done, in one sentence; `until` where it ends by itself.

    `late` tells that its release had begun, and is taken back only where that can still be done.
    """

    text: str
    until: float | None = None
    late: bool = False
