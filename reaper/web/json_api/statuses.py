"""What an error of ours is in HTTP; any that is not listed is the service's own."""

from typing import Final

from reaper.ports import ReaperError, StoreError
from reaper.questions import UnknownAllocationError
from reaper.requests import RefusedError, UnconfirmedError, UsedTokenError
from reaper.web.access.oidc import SignInError
from reaper.web.access.visitor import NotYoursError, StrangerError, Visitor
from reaper.web.attempts import TooManyError
from reaper.web.html.forms import ForgedError
from reaper.web.json_api.routes import NoCycleError, NoReportError

#: What everybody may know of a store that fails.
UNWELL: Final = "the store does not answer"

_OWN: Final = 500

_STATUS: Final[tuple[tuple[type[ReaperError], int], ...]] = (
    (UnknownAllocationError, 404),
    (NoReportError, 404),
    (UnconfirmedError, 409),
    (UsedTokenError, 409),
    (RefusedError, 403),
    (ForgedError, 403),
    (NotYoursError, 403),
    (StrangerError, 401),
    (TooManyError, 429),
    (SignInError, 502),
    (StoreError, 503),
    (NoCycleError, 503),
)


class OwnFaultError(ReaperError):
    """The service itself is at fault; what exactly, its operators find in the log."""


def tellable(error: ReaperError, asking: Visitor) -> ReaperError:
    """Return an error as somebody may be told it: faults of our own name files and hosts."""
    own = isinstance(error, StoreError) or status_of(error) == _OWN
    if not own or asking.sees_all:
        return error
    if isinstance(error, StoreError):
        return StoreError(f"{UNWELL}: ask again in a minute")
    return OwnFaultError("something is wrong here: operators find it in the log")


def status_of(error: ReaperError) -> int:
    """Return the HTTP status that an error of ours is."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), _OWN)
