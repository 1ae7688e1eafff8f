"""Whatever happens in whatever order, nobody is released against the rules."""

import asyncio
from dataclasses import dataclass, field, replace
from math import inf

from hypothesis import given, settings

from reaper.domain.escalation.decision import Verb
from reaper.domain.facts.grid import Pace
from reaper.domain.judgement.policy import Mode, Policy, Rung
from reaper.ports import NotifyError
from reaper.requests import Identity, RefusedError, Requests
from tests import strategies
from tests.builders import HOUR, MINUTE, policy, run
from tests.lab import Lab, lab
from tests.thoroughness import examples

GPU = "GPU-gpu01-0"
GRACE = 4 * MINUTE
WINDOW = 8
OWNER = Identity(user="mira")
OPERATOR = Identity(user="otto", operator=True)


def quick(mode: Mode) -> Policy:
    """Return a policy whose whole ladder takes twelve minutes."""
    return policy(
        Rung(step="warn", after=6 * MINUTE),
        Rung(step="warn", after=WINDOW * MINUTE, final=True),
        Rung(step="release", grace=GRACE),
        idle_for=WINDOW * MINUTE,
        away_for=MINUTE,
        mode=mode,
    )


@dataclass(slots=True)
class Story:
    """A lab with a memory of what it has played."""

    bench: Lab
    played: list[str] = field(default_factory=list)
    keeps: list[tuple[float, float]] = field(default_factory=list)
    disputes: list[tuple[float, float]] = field(default_factory=list)
    """From when to when each dispute stood; to infinity while nobody has ruled."""
    outages: list[tuple[float, float]] = field(default_factory=list)
    """From when to when the reaper was down, so that nobody could answer."""
    stepped: float = inf
    """When the wall clock was set for the first time."""

    async def live(self, letter: str, happening: str) -> None:
        """Let one minute of history happen."""
        await self._happen(happening)
        if self.bench.cluster.claims:
            self.played.append(letter)
        await self.bench.minute({GPU: letter} if self.bench.cluster.claims else {})
        self.bench.cluster.silent.clear()
        self.bench.notifier.errors.clear()

    async def _happen(self, happening: str) -> None:
        bench = self.bench
        if happening == "crash":
            bench.crash()
        elif happening in ("outage", "long outage"):
            bench.crash()
            self._away(5 if happening == "outage" else 15)
        elif happening == "keep":
            await self._keep()
        elif happening == "keystroke":
            bench.cluster.inputs["101"] = bench.clock.now() + MINUTE
        elif happening == "deaf":
            bench.notifier.errors = [NotifyError("no", recoverable=True, retry_after=1.0)] * 9
        elif happening in ("dispute", "ruling"):
            await self._dispute(happening)
        elif happening == "clock":
            bench.clock.stepped += HOUR
            if bench.parts is not None:
                # Before its first turn a reaper has no time to compare with.
                self.stepped = min(self.stepped, bench.clock.now() + MINUTE)
        elif happening == "silent":
            bench.cluster.silent.add("gpu01")
        elif happening == "requeue" and "101" in bench.cluster.claims:
            self._requeue()

    def _requeue(self) -> None:
        """Begin another run of the job: what was said of the first one ends with it."""
        now, claims = self.bench.clock.now(), self.bench.cluster.claims
        claims["101"] = replace(claims["101"], run=run(started=now))
        self.keeps = [(begin, min(end, now)) for begin, end in self.keeps]
        self.disputes = [(begin, min(end, now)) for begin, end in self.disputes]

    def _away(self, minutes: int) -> None:
        began = self.bench.clock.now()
        self.outages.append((began, began + minutes * MINUTE))
        for _ in range(minutes):
            self.bench.cluster.step()
            if self.bench.cluster.claims:
                self.played.append(self.bench.cluster.devices[GPU].letter)

    def _asks(self) -> Requests | None:
        """Return the requests room; None while the reaper is down."""
        if self.bench.parts is None:
            return None
        return Requests(
            store=self.bench.store,
            clock=self.bench.clock,
            policies=self.bench.rules.policies,
            epoch=self.bench.parts.epoch,
        )

    async def _dispute(self, happening: str) -> None:
        asks, now = self._asks(), self.bench.clock.now()
        if asks is None:
            return
        try:
            if happening == "dispute":
                await asks.dispute(name="101", reason="no", by=OWNER)
                self.disputes.append((now, inf))
            else:
                await asks.rule(name="101", upheld=False, reason="yes", by=OPERATOR)
                self.disputes = [(begin, min(end, now)) for begin, end in self.disputes]
        except RefusedError:
            return

    async def _keep(self) -> None:
        asks = self._asks()
        if asks is None:
            return
        now = self.bench.clock.now()
        try:
            granted = await asks.keep(name="101", seconds=600.0, reason="why", by=OWNER)
        except RefusedError:
            return
        self.keeps.append((now, granted.until or now))


def lived(history: list[tuple[str, str]], mode: Mode = Mode.ACT) -> Story:
    """Play a history to its end."""
    story = Story(lab(quick(mode), pace=Pace(verify=3 * MINUTE)))

    async def play() -> None:
        for letter, happening in history:
            await story.live(letter, happening)

    asyncio.run(play())
    return story


@given(strategies.histories)
@settings(max_examples=examples(120))
def test_every_release_was_warned_in_time_unkept_and_idle(history: list[tuple[str, str]]) -> None:
    """The promise of no harm, over outages, crashes, keeps, disputes, requeues, clock steps."""
    story = lived(history)
    releases = [item for item in story.bench.actor.begun if item.verb is Verb.RELEASE]
    finals = [item for item in story.bench.notifier.sent if item.kind == "final"]

    assert len(releases) <= 1
    for effect in releases:
        begun = effect.expires - MINUTE
        told = [item.created for item in finals if item.run_key == effect.run.key]
        unheard = sum(max(0.0, min(end, begun) - max(begin, *told)) for begin, end in story.outages)
        assert begun - max(told) - unheard >= GRACE
        assert not any(begin < begun < until for begin, until in story.keeps)
        assert not any(begin < begun < until for begin, until in story.disputes)
        assert begun < story.stepped
        assert set(story.played[-WINDOW:]) <= set("HE")


@given(strategies.histories)
@settings(max_examples=examples(60))
def test_observe_and_act_decide_the_same(history: list[tuple[str, str]]) -> None:
    """The first release is due in the same minute, whether it is done or only recorded."""
    calm = [(letter, "") for letter, _ in history]
    acting, observing = lived(calm), lived(calm, Mode.OBSERVE)

    async def first(story: Story, kind: str) -> list[float]:
        return [event.at for event in await story.bench.events(kind)][:1]

    did = asyncio.run(first(acting, "release intended"))
    would = asyncio.run(first(observing, "would release"))

    assert did == would
