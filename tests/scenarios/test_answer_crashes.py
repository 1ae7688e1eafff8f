"""A crash at any write around an answer: it counts once, and what follows is what was answered."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

import pytest

from reaper.domain.escalation.decision import Effect
from reaper.domain.escalation.sequel import Sequel
from reaper.domain.facts.grid import Pace
from reaper.domain.judgement.policy import Rung
from reaper.ports import Letter
from reaper.requests import Identity, Requests, UsedTokenError
from reaper.store.memory import MemoryStore
from tests.builders import MINUTE, policy
from tests.crashing import CrashError, CrashingStore
from tests.fakes import FakeNotifier
from tests.lab import Lab, lab

GPU = "GPU-gpu01-0"
GRACE = 2 * MINUTE
QUICK = policy(
    Rung(step="warn", after=6 * MINUTE),
    Rung(step="warn", after=7 * MINUTE, final=True),
    Rung(step="release", grace=GRACE),
    idle_for=7 * MINUTE,
    away_for=MINUTE,
)
PACE = Pace(verify=2 * MINUTE)
OWNER = Identity(user="mira", channel="link", token="t1")
OPERATOR = Identity(user="otto", operator=True, channel="socket", token="t2")

#: Minutes of work, of the story before anybody is warned, and up to the answer.
BUSY, CALM, ANSWERED = 2, 7, 10

Answer = Callable[[Requests], Awaitable[object]]


async def keep(room: Requests) -> None:
    """Keep for five minutes."""
    await room.keep(name="101", seconds=5 * MINUTE, reason="lunch", by=OWNER)


async def release(room: Requests) -> None:
    """Give it back."""
    await room.release(name="101", reason="done", by=OWNER)


async def dispute(room: Requests) -> None:
    """Say that it is wrong."""
    await room.dispute(name="101", reason="no", by=OWNER)


async def reject(room: Requests) -> None:
    """Rule that it is not."""
    await room.rule(name="101", upheld=False, reason="idle", by=OPERATOR)


@dataclass(slots=True)
class Changing(FakeNotifier):
    """A channel that changes its messages in place; keeps the last word of each."""

    words: dict[str, str] = field(default_factory=dict)

    async def amend(self, letter: Letter, sequels: Mapping[str, Sequel]) -> None:
        """Change a message."""
        for notice in letter.notices:
            if notice.id in sequels:
                self.words[notice.id] = sequels[notice.id].mark


@dataclass(slots=True)
class Told:
    """What became of a story."""

    bench: Lab
    channel: Changing
    store: CrashingStore

    @property
    def releases(self) -> list[tuple[float, Effect]]:
        """Return when each release began."""
        return [(effect.expires - MINUTE, effect) for effect in self.bench.actor.begun]

    @property
    def kinds(self) -> list[str]:
        """Return what was told for the first time."""
        return [f"{n.kind} {n.round}" for n in self.channel.sent if not n.repeats]

    @property
    def last_final(self) -> float:
        """Return when the last final notice was written."""
        return max(n.created for n in self.channel.sent if n.kind == "final")


async def survived(answers: Mapping[int, Answer], minutes: int, at: int, *, after: bool) -> Told:
    """Play a story with answers by minute and one crash; who heard nothing asks again."""
    store = CrashingStore(MemoryStore(cluster="test"), at=at, after=after)
    bench = lab(QUICK, pace=PACE, store=store)
    channel = Changing(bench.clock)
    bench.channels = (channel,)
    for minute in range(minutes):
        if minute in answers:
            await _answered(bench, answers[minute])
        try:
            letter = "A" if minute < BUSY else "H"
            await bench.minute({GPU: letter} if bench.cluster.claims else {})
        except CrashError:
            bench.crash()
    return Told(bench, channel, store)


async def _answered(bench: Lab, answer: Answer) -> None:
    try:
        await answer(await bench.requests())
    except CrashError:
        bench.crash()
        try:
            await answer(await bench.requests())
        except UsedTokenError:
            return


async def crashes(answers: Mapping[int, Answer], minutes: int, *, after: bool) -> list[Told]:
    """Return the story with a crash at each of its writes, those before the warning left out."""
    calm = (await survived({}, CALM, 0, after=after)).store.writes
    whole = (await survived(answers, minutes, 0, after=after)).store.writes
    return [await survived(answers, minutes, at, after=after) for at in range(calm, whole + 1)]


both = pytest.mark.parametrize("after", [False, True], ids=["lost", "kept"])


@both
async def test_a_keep_counts_once_and_is_followed_by_a_final_notice_and_its_grace(
    *, after: bool
) -> None:
    """Nothing is released while it stands, and the same message never comes twice unsaid."""
    for told in await crashes({ANSWERED: keep}, 23, after=after):
        where = f"crash at write {told.store.at} of {told.store.writes}"
        (kept,) = await told.bench.events("keep")
        ((at, _),) = told.releases

        assert at - kept.at >= 5 * MINUTE, where
        assert at - told.last_final >= GRACE, where
        assert told.last_final >= kept.at + 5 * MINUTE, where
        assert len(told.kinds) == len(set(told.kinds)), where
        assert len(await told.bench.events("verified")) == 1, where


@both
async def test_a_release_is_done_once_and_booked_to_its_owner(*, after: bool) -> None:
    """Asked once, begun once, given back once, told once."""
    for told in await crashes({ANSWERED: release}, 17, after=after):
        where = f"crash at write {told.store.at} of {told.store.writes}"
        (asked,) = await told.bench.events("release asked")
        ((_, effect),) = told.releases

        assert (asked.by, effect.asked_by) == ("mira", "mira"), where
        assert len(await told.bench.events("given back")) == 1, where
        assert await told.bench.events("verified") == [], where
        assert told.kinds.count("released 0") <= 1, where
        assert any(notice.kind == "released" for notice in told.channel.sent), where


@both
async def test_a_dispute_holds_until_the_ruling_and_the_final_notice_after_it(
    *, after: bool
) -> None:
    """One dispute, one ruling, and a whole grace after it."""
    for told in await crashes({ANSWERED: dispute, ANSWERED + 4: reject}, 23, after=after):
        where = f"crash at write {told.store.at} of {told.store.writes}"
        (ruled,) = await told.bench.events("dispute rejected")
        ((at, _),) = told.releases

        assert len(await told.bench.events("dispute")) == 1, where
        assert told.last_final >= ruled.at, where
        assert at - told.last_final >= GRACE, where
        assert len(told.kinds) == len(set(told.kinds)), where


@both
async def test_messages_say_in_the_end_what_they_would_have_said_without_a_crash(
    *, after: bool
) -> None:
    """Warned, delivered, amended, released: the last word of each message is the same."""
    calm = await survived({}, 17, 0, after=after)
    wanted = {kind.split("@")[-1]: word for kind, word in calm.channel.words.items()}
    assert wanted

    for told in await crashes({}, 17, after=after):
        where = f"crash at write {told.store.at} of {told.store.writes}"
        assert len(told.releases) == 1, where
        assert set(told.channel.words.values()) == set(wanted.values()), where
