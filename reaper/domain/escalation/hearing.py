"""Whether the answers of a channel can be heard, and when they could not; pure."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Silence:
    """A time in which no answer could be heard; Unix seconds, `end` None while it lasts."""

    begin: float
    end: float | None = None
    why: str = ""

    def within(self, begin: float, end: float) -> float:
        """Return for how many seconds of ``[begin, end)`` nothing could be heard."""
        until = end if self.end is None else min(self.end, end)
        return max(0.0, until - max(self.begin, begin))


@dataclass(frozen=True, slots=True, kw_only=True)
class Hearing:
    """
    Whether the answers of one channel can be heard, and its silences of late.

    `channel` is the name of the notifier whose messages are answered there.
    """

    as_of: float
    channel: str
    silences: tuple[Silence, ...] = ()

    @property
    def silent(self) -> Silence | None:
        """Return the silence that lasts; None while it hears."""
        last = self.silences[-1] if self.silences else None
        return last if last is not None and last.end is None else None

    def deaf(self, begin: float, end: float) -> float:
        """Return for how many seconds of ``[begin, end)`` nothing could be heard."""
        return sum(silence.within(begin, end) for silence in self.silences)
