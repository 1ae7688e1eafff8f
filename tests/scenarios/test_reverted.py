"""What somebody starts again is left alone from then on; what would be is only told of."""

from dataclasses import replace

import pytest

from reaper.domain.escalation.decision import Effect
from reaper.ports import Progress, Receipt
from reaper.requests import Identity
from tests.builders import policy
from tests.fakes_actor import FakeActor
from tests.lab import Lab, lab

GPU = "GPU-gpu01-0"
OPERATOR = Identity(user="otto", operator=True)
RELEASED = "AAAA" + "H" * 100


class Reverted(FakeActor):
    """An actor whose every release is undone at once, under another key."""

    async def begin(self, effect: Effect, *, now: float) -> Receipt:
        """Release, and have it come back."""
        before = self.cluster.claims[effect.run.id]
        receipt = await super().begin(effect, now=now)
        run = replace(before.run, key=f"{before.run.key}.{len(self.begun)}", started=now)
        self.cluster.claims[run.id] = replace(before, run=run)
        return receipt

    async def reverter(self, effect: Effect) -> str:
        """Say who did it."""
        return f"scaling-bot ({effect.run.id})"


def reverting() -> Lab:
    """Return a lab in which somebody undoes every release."""
    bench = lab(policy())
    bench.actor = Reverted(bench.cluster)
    return bench


async def test_what_was_started_again_is_never_stopped_a_second_time() -> None:
    """Its next run has another key, and is held by what the object is called."""
    bench = reverting()
    await bench.play({GPU: RELEASED})
    await bench.play({GPU: "H" * 300})

    assert len(bench.actor.begun) == 1
    async with bench.store.reading() as books:
        [hold] = await books.holds()
    assert (hold.kind, hold.scope) == ("reverted", "slurm/101")


async def test_who_started_it_again_is_told() -> None:
    bench = reverting()
    await bench.play({GPU: RELEASED})

    [event] = await bench.events("reverted")
    assert "reverted by scaling-bot (101)" in str(event)
    [told] = [one for one in bench.notifier.sent if one.kind == "reverted"]
    assert "scaling-bot" in str(told.story.outcome)


async def test_an_operator_who_lifts_the_hold_lets_it_be_stopped_again() -> None:
    bench = reverting()
    await bench.play({GPU: RELEASED})
    async with bench.store.reading() as books:
        [hold] = await books.holds()
    await (await bench.requests()).resume(hold=hold.id, reason="seen", by=OPERATOR)

    await bench.play({GPU: "H" * 150})

    assert len(bench.actor.begun) == 2


async def test_what_somebody_would_start_again_is_told_and_never_promised_a_release() -> None:
    bench = lab(policy())
    (claim,) = bench.cluster.claims.values()
    bench.cluster.claims["101"] = replace(claim, reverter="Argo CD")

    await bench.play({GPU: "AAAA" + "H" * 300})

    assert bench.actor.begun == []
    assert bench.notifier.sent
    for notice in bench.notifier.sent:
        assert notice.story.release_at is None
        assert not notice.story.acts


async def test_what_may_be_released_since_is_warned_of_anew_before() -> None:
    bench = lab(policy())
    (claim,) = bench.cluster.claims.values()
    bench.cluster.claims["101"] = replace(claim, reverter="Argo CD")
    await bench.play({GPU: "AAAA" + "H" * 100})
    before = len(bench.notifier.sent)

    bench.cluster.claims["101"] = claim
    await bench.play({GPU: "H" * 300})

    kinds = [notice.kind for notice in bench.notifier.sent[before:]]
    assert "final" in kinds
    assert len(bench.actor.begun) == 1


class Leaving(FakeActor):
    """An actor whose releases take their time: what is asked to end is still there."""

    async def inspect(self, effect: Effect) -> Progress:
        """Say that it is under way once it has begun."""
        begun = any(one.run == effect.run for one in self.begun)
        return Progress.PENDING if begun else Progress.NOT_APPLIED


@pytest.mark.parametrize(("parting", "failed"), [(0.0, True), (7200.0, False)])
async def test_what_is_given_longer_to_end_has_not_failed_before(
    parting: float, *, failed: bool
) -> None:
    bench = lab(policy())
    bench.actor = Leaving(bench.cluster, ignores=True)
    (claim,) = bench.cluster.claims.values()
    bench.cluster.claims["101"] = replace(claim, parting=parting)
    await bench.play({GPU: RELEASED})
    assert len(bench.actor.begun) == 1

    await bench.play({GPU: "H" * 60})

    assert bool(await bench.events("failed")) is failed
