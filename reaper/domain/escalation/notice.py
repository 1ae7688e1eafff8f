"""Notices: what an owner is told, and whether it arrived."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal


class Delivery(StrEnum):
    """
    The fate of a notice.

    `assumed` stands for "would have been sent" outside act mode; `ambiguous` for a time-out
    after which nobody knows, so that it is not repeated blindly.
    """

    QUEUED = "queued"
    DELIVERED = "delivered"
    FAILED = "failed"
    AMBIGUOUS = "ambiguous"
    ASSUMED = "assumed"


NoticeKind = Literal["warning", "final", "released", "reverted", "failed", "operator"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """
    One notice to one person about one step of a case; `id` is unique for case, rung and kind.

    `personal` tells whether the channel that took it reaches the person alone: only such a
    delivery counts.
    """

    id: str
    case_id: str
    run_key: str
    to: str
    kind: NoticeKind
    rung: int
    subject: str
    text: str
    created: float
    delivery: Delivery = Delivery.QUEUED
    channel: str = ""
    personal: bool = False
    delivered_at: float | None = None
    handle: str = ""
    """What the channel needs to find it again (a Slack timestamp, a message id)."""
    attempts: int = 0
    retry_at: float | None = None
    error: str = ""

    @property
    def counts(self) -> bool:
        """Tell whether it is proven to have reached the person."""
        return self.delivery is Delivery.DELIVERED and self.personal

    def delivered(self, *, channel: str, at: float, personal: bool, handle: str) -> "Notice":
        """Return the notice as delivered."""
        return replace(
            self,
            delivery=Delivery.DELIVERED,
            channel=channel,
            delivered_at=at,
            personal=personal,
            handle=handle,
            error="",
        )
