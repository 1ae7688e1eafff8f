"""The servers of a scenario, each counting a request a second in the spans that are drawn."""

from collections.abc import Iterator, Sequence

from exporter.contract.stage import Stage
from reaper.domain.facts.allocation import Claim
from reaper.domain.facts.serving import Answered, Requests
from reaper.ports import Clock


class RecordedServing:
    """Answers for the drawn allocations of which `serves` is said, one server each."""

    name = "recorded"

    def __init__(self, stage: Stage, *, clock: Clock) -> None:
        self._stage = stage
        self._clock = clock

    async def answered(self, claims: Sequence[Claim]) -> Answered:
        """Return the counters of this moment."""
        now = self._clock.now()
        return Answered(as_of=now, requests=tuple(self._words(claims, now)))

    def _words(self, claims: Sequence[Claim], now: float) -> Iterator[Requests]:
        keys = {claim.run.id: claim.run.key for claim in claims}
        moment = now - self._stage.origin
        for item in self._stage.running(now):
            if item.serves is None or item.id not in keys:
                continue
            yield Requests(
                run_key=keys[item.id],
                server=item.id,
                at=now,
                epoch=f"{item.begin:.0f}",
                answered=sum(max(0.0, min(end, moment) - begin) for begin, end in item.serves),
                pending=float(any(begin < moment < end for begin, end in item.serves)),
            )
