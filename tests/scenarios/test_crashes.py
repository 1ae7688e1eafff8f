"""A crash at any write, lost or kept: nothing twice, nothing too early, nothing stuck."""

import pytest

from reaper.domain.facts.grid import NORMAL, Pace
from reaper.domain.judgement.policy import Rung
from reaper.store.memory import MemoryStore
from tests.builders import MINUTE, START, policy
from tests.crashing import CrashError, CrashingStore
from tests.lab import Lab, lab

GPU = "GPU-gpu01-0"
IDLE = "AA" + "H" * 24
GRACE = 4 * MINUTE
QUICK = policy(
    Rung(step="warn", after=6 * MINUTE),
    Rung(step="warn", after=8 * MINUTE, final=True),
    Rung(step="release", grace=GRACE),
    idle_for=8 * MINUTE,
    away_for=MINUTE,
)
PACE = Pace(verify=3 * MINUTE)


async def survived(at: int, *, after: bool) -> tuple[Lab, CrashingStore]:
    """Play an idle shell with one crash; the process starts anew the next minute."""
    store = CrashingStore(MemoryStore(cluster="test"), at=at, after=after)
    bench = lab(QUICK, pace=PACE, store=store)
    for letter in IDLE:
        try:
            await bench.minute({GPU: letter})
        except CrashError:
            bench.crash()
    return bench, store


async def writes() -> int:
    """Return how many writes the whole story takes."""
    _, store = await survived(0, after=True)
    return store.writes


@pytest.mark.parametrize("after", [False, True], ids=["lost", "kept"])
async def test_a_crash_at_any_write_never_doubles_or_hastens_anything(*, after: bool) -> None:
    """Every write of the story is the last one once."""
    for at in range(1, await writes() + 1):
        bench, store = await survived(at, after=after)
        where = f"crash at write {at} of {store.writes}"
        told = [notice for notice in bench.notifier.sent if not notice.repeats]
        kinds = [notice.kind for notice in told]

        assert len(kinds) == len(set(kinds)), where
        assert len(bench.actor.begun) == 1, where
        final = min(n.created for n in bench.notifier.sent if n.kind == "final")
        assert bench.actor.begun[0].expires - MINUTE - final >= GRACE, where
        assert [e.kind for e in await bench.events("verified")] == ["verified"], where


async def test_a_crash_between_delivery_and_its_record_says_that_it_may_repeat() -> None:
    """The only message that may come twice says so."""
    doubled = []
    for at in range(1, await writes() + 1):
        bench, _ = await survived(at, after=False)
        doubled += [notice for notice in bench.notifier.sent if notice.repeats]

    assert doubled != []


async def test_a_long_outage_brings_the_final_notice_again() -> None:
    """Nobody could answer us: a full grace begins anew."""
    bench = lab()
    await bench.play({GPU: "AAAA" + "H" * 80})
    bench.crash()
    for _ in range(60):
        bench.cluster.step()

    await bench.play({GPU: "H" * 40})

    finals = [notice for notice in bench.notifier.sent if notice.kind == "final"]
    assert len(finals) == 2
    assert finals[1].created >= START + 140 * MINUTE
    assert bench.actor.begun[0].expires - MINUTE - finals[1].created >= 30 * MINUTE


async def test_a_reaper_that_was_away_finds_the_minutes_it_missed() -> None:
    """The exporter kept counting: an outage of ours is no gap."""
    bench = lab()
    await bench.play({GPU: "AAAA" + "H" * 10})
    bench.crash()
    for _ in range(20):
        bench.cluster.step()
    await bench.play({GPU: "H"})

    async with bench.store.reading() as books:
        end = NORMAL.closed(bench.clock.now()) + 1
        track = (await books.tracks((GPU,), end - 60, end))[GPU]

    assert "?" not in track.letters.strip("?")
    assert track.letters.strip("?").endswith("H" * 31)
