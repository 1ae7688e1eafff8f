"""
The errors that cross a port; vendor errors are wrapped at the door.

``ReaperError`` › ``WrongError`` · ``SourceError`` · ``ActionError(recoverable)`` ·
``NotifyError(recoverable, ambiguous)`` · ``StoreError`` · ``LostLeadershipError``
"""


class ReaperError(Exception):
    """Any error this system names; the message says what, which one, what to do."""


class WrongError(ReaperError):
    """Asked in a wrong way, or configured wrong: what is to be written otherwise."""


class SourceError(ReaperError):
    """A source gave no usable answer; what it would have said is unknown."""


class ActionError(ReaperError):
    """A platform did not take an effect; `recoverable` when a later attempt may succeed."""

    def __init__(self, message: str, *, recoverable: bool) -> None:
        super().__init__(message)
        self.recoverable = recoverable


class NotifyError(ReaperError):
    """
    A channel did not take a notice.

    `recoverable` when a later attempt may succeed, `ambiguous` when it may have arrived;
    `retry_after` in seconds where the channel said so.
    """

    def __init__(
        self,
        message: str,
        *,
        recoverable: bool,
        ambiguous: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.recoverable = recoverable
        self.ambiguous = ambiguous
        self.retry_after = retry_after


class StoreError(ReaperError):
    """The store cannot be read or written; nothing of the transaction was kept."""


class NoRoomError(StoreError):
    """There is no room to write: a later try may have it."""


class LostLeadershipError(ReaperError):
    """Another replica leads: nothing more may be written or done under this epoch."""
