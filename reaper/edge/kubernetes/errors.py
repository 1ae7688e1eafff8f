"""The one error of this door: what an API server refused, or that it gave no answer."""

from reaper.ports import ReaperError


class KubeError(ReaperError):
    """
    An API server did not do what was asked; never carries a credential.

    `status` is HTTP's, 0 where there was no answer: then nobody knows whether it was done.
    `reason` is the server's word (`Forbidden`, `Conflict`, `Expired`), or ours where it said
    nothing; `causes` are ``reason: message`` each, as an eviction's budgets are named;
    `retry_after` in seconds where the server said so.
    """

    def __init__(
        self,
        text: str,
        *,
        status: int = 0,
        reason: str = "",
        message: str = "",
        causes: tuple[str, ...] = (),
        retry_after: float | None = None,
    ) -> None:
        super().__init__(text)
        self.status = status
        self.reason = reason
        self.message = message or text
        self.causes = causes
        self.retry_after = retry_after
