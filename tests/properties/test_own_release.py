"""Whatever happens, an owner's release ends only the run that he meant, and under no hold."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field, replace

from hypothesis import given, settings
from hypothesis import strategies as st

from reaper.domain.facts.grid import Pace
from reaper.domain.judgement.policy import Mode
from reaper.requests import Identity, RefusedError, Requests
from tests.builders import MINUTE, policy, run
from tests.lab import Lab, lab
from tests.thoroughness import examples

GPU = "GPU-gpu01-0"
OWNER = Identity(user="mira", channel="test")
COLLEAGUE = Identity(user="lena", channel="test")
OPERATOR = Identity(user="otto", operator=True, channel="test")

#: Minutes for which a wish stands, and one for the look at it.
STANDS = 16 * MINUTE

happenings = st.sampled_from(
    [""] * 4
    + ["release", "release", "release", "others' release", "pause", "policy pause", "resume"]
    + ["keep", "dispute", "requeue", "silent", "crash"]
)
histories = st.lists(st.tuples(st.sampled_from("AAHH?!L"), happenings), min_size=6, max_size=40)


@dataclass(slots=True)
class Story:
    """A lab with a memory of who wished what when."""

    bench: Lab
    wishes: list[tuple[float, str]] = field(default_factory=list)
    """When the owner asked for the release of which run."""
    taken_back: list[float] = field(default_factory=list)
    paused: bool = False
    begun: list[tuple[float, bool]] = field(default_factory=list)
    """When each release began, and whether a hold stood then."""

    async def live(self, letter: str, happening: str) -> None:
        """Let one minute of history happen."""
        bench = self.bench
        room = await bench.requests()
        with suppress(RefusedError):
            await self._ask(happening, room)
        self._befall(happening)
        await bench.minute({GPU: letter} if bench.cluster.claims else {})
        new = len(bench.actor.begun) - len(self.begun)
        self.begun += [(bench.clock.now(), self.paused)] * new
        bench.cluster.silent.clear()

    async def _ask(self, happening: str, room: Requests) -> None:
        """Let somebody ask for something."""
        bench, now = self.bench, self.bench.clock.now()
        match happening:
            case "release":
                claim = bench.cluster.claims.get("101")
                await room.release(name="101", reason="done", by=OWNER, confirmed=True)
                self.wishes.append((now, claim.run.key if claim else ""))
            case "others' release":
                for who in (COLLEAGUE, OPERATOR):
                    await refused(room, who)
            case "pause" | "policy pause":
                scope = "notebooks" if happening == "policy pause" else ""
                await room.pause(reason="x", by=OPERATOR, policy=scope)
                self.paused = True
            case "resume":
                await self._resume(room)
            case "keep":
                await room.keep(name="101", seconds=300.0, reason="x", by=OWNER)
                self.taken_back.append(now)
            case "dispute":
                await room.dispute(name="101", reason="x", by=OWNER)
                self.taken_back.append(now)

    async def _resume(self, room: Requests) -> None:
        async with self.bench.store.reading() as books:
            held = [hold.id for hold in await books.holds()]
        for hold in held:
            await room.resume(reason="x", by=OPERATOR, hold=hold)
        self.paused = False

    def _befall(self, happening: str) -> None:
        """Let something happen that nobody asks for."""
        cluster = self.bench.cluster
        held = cluster.claims.get("101")
        if happening == "requeue" and held:
            cluster.claims["101"] = replace(held, run=run(started=self.bench.clock.now()))
        elif happening == "silent":
            cluster.silent.add("gpu01")
        elif happening == "crash":
            self.bench.crash()


async def refused(room: Requests, who: Identity) -> None:
    """Let somebody ask for what is not theirs."""
    try:
        await room.release(name="101", reason="x", by=who, confirmed=True)
    except RefusedError:
        return
    raise AssertionError(f"{who.user} gave back what is mira's")


def lived(history: list[tuple[str, str]], mode: Mode) -> Story:
    """Play a history to its end."""
    story = Story(lab(policy(mode=mode), pace=Pace(verify=3 * MINUTE)))

    async def play() -> None:
        await story.bench.minute({GPU: "A"})
        for letter, happening in history:
            await story.live(letter, happening)

    asyncio.run(play())
    return story


@given(histories, st.sampled_from([Mode.NOTIFY, Mode.ACT]))
@settings(max_examples=examples(150))
def test_an_owners_release_is_of_his_own_run_lately_wished_and_under_no_hold(
    history: list[tuple[str, str]], mode: Mode
) -> None:
    """Over requeues, pauses, later keeps and disputes, silent nodes and crashes."""
    story = lived(history, mode)

    for effect, (at, held) in zip(story.bench.actor.begun, story.begun, strict=True):
        wished = [when for when, key in story.wishes if key == effect.run.key and when <= at]
        assert effect.asked_by == "mira"
        assert wished
        assert at - max(wished) <= STANDS
        assert not any(max(wished) < back < at for back in story.taken_back)
        assert not held
        assert not effect.requeue


@given(histories)
@settings(max_examples=examples(50))
def test_observe_never_touches_anything_whoever_asks(history: list[tuple[str, str]]) -> None:
    """Not even for its owner."""
    assert lived(history, Mode.OBSERVE).bench.actor.begun == []
