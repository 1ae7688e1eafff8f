"""Whatever happens in whatever order, no job goes without a proven save or loses its flag."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field, replace

from hypothesis import given, settings
from hypothesis import strategies as st

from reaper.domain.escalation.case import State
from reaper.domain.escalation.decision import Verb
from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.grid import Pace
from reaper.domain.judgement.policy import Match, Policy, Rung, Save
from reaper.requests import Identity, RefusedError, Requests
from tests.builders import MINUTE, claim, device, policy, run
from tests.lab import Lab, lab
from tests.thoroughness import examples

GPU = "GPU-gpu01-0"
WINDOW = 8
CAUGHT = {"batch": frozenset(("USR1",))}

#: What may happen beside the letter that the device plays.
happenings = st.sampled_from(
    [""] * 10
    + ["crash", "outage", "long outage", "silent", "deaf", "hears", "writes", "stuck", "requeue"]
    + ["keep", "keep"]
)
_idle = st.tuples(st.just("H"), st.integers(4, 16))
_work = st.tuples(st.sampled_from("AL?"), st.integers(1, 2))
histories = st.lists(
    st.tuples(st.one_of(_idle, _idle, _idle, _work), happenings), min_size=4, max_size=10
)


def quick() -> Policy:
    """Return a policy whose whole ladder takes a quarter of an hour."""
    return policy(
        Rung(step="warn", after=6 * MINUTE),
        Rung(step="warn", after=WINDOW * MINUTE, final=True),
        Rung(
            step="save",
            grace=4 * MINUTE,
            save=Save(signal="USR1", path="/checkpoints", within=3 * MINUTE),
        ),
        Rung(step="release", requeue=True),
        idle_for=WINDOW * MINUTE,
        match=Match(requeueable=True),
    )


@dataclass(slots=True)
class Story:
    """A training job, and what was known of it when each act began."""

    bench: Lab
    deaf: bool = False
    acts: list[tuple[Verb, str, bool, bool]] = field(default_factory=list)
    """Verb, run, whether it was deaf to the signal, whether it had saved itself."""

    async def live(self, letter: str, happening: str) -> None:
        """Let one minute of history happen."""
        self._happen(happening)
        if happening == "keep":
            await self._keep()
        bench, before = self.bench, len(self.bench.actor.begun)
        saved = frozenset(bench.actor.proofs)
        await bench.minute({GPU: letter})
        for effect in bench.actor.begun[before:]:
            key = effect.run.key
            self.acts.append((effect.verb, key, self.deaf, key in saved))
        bench.cluster.silent.clear()

    def _happen(self, happening: str) -> None:
        cluster = self.bench.cluster
        if happening in ("crash", "outage", "long outage"):
            self.bench.crash()
            for _ in range({"crash": 0, "outage": 5}.get(happening, 20)):
                cluster.step()
        elif happening == "silent":
            cluster.silent.add("gpu01")
        elif happening in ("deaf", "hears"):
            self.deaf = happening == "deaf"
            cluster.catches["101"] = {"batch": frozenset()} if self.deaf else CAUGHT
        elif happening in ("writes", "stuck"):
            cluster.saves = happening == "writes"
        elif happening == "requeue":
            again = run(started=self.bench.clock.now())
            cluster.claims["101"] = replace(cluster.claims["101"], run=again, requeueable=True)

    async def _keep(self) -> None:
        parts = self.bench.parts
        if parts is None:
            return
        asks = Requests(
            store=parts.store, clock=parts.clock, policies=parts.rules.policies, epoch=parts.epoch
        )
        with suppress(RefusedError):
            await asks.keep(name="101", seconds=300.0, reason="why", by=Identity(user="mira"))


def lived(history: list[tuple[tuple[str, int], str]]) -> Story:
    """Play a history, and half an hour of quiet work, to its end."""
    bench = lab(quick(), pace=Pace(verify=3 * MINUTE))
    bench.cluster.inputs.clear()
    bench.cluster.add(claim(purpose=Purpose.TRAINING, requeueable=True, batch=True), device())
    bench.cluster.catches["101"] = CAUGHT
    story = Story(bench)

    async def play() -> None:
        for (letter, minutes), happening in history:
            for minute in range(minutes):
                await story.live(letter, happening if minute == 0 else "")
        for _ in range(30):
            await story.live("A", "")

    asyncio.run(play())
    return story


@given(histories)
@settings(max_examples=examples(150), deadline=None)
def test_no_release_comes_without_a_proven_save(
    history: list[tuple[tuple[str, int], str]],
) -> None:
    """Of the same run, asked and proven in an earlier minute; a deaf one is never asked."""
    story = lived(history)

    for position, (verb, key, deaf, saved) in enumerate(story.acts):
        earlier = [act[:2] for act in story.acts[:position]]
        if verb is Verb.SAVE:
            assert not deaf
        if verb is Verb.RELEASE:
            assert saved
            assert (Verb.SAVE, key) in earlier
            assert earlier[::-1].index((Verb.SAVE, key)) == 0, "something came between"


@given(histories)
@settings(max_examples=examples(100), deadline=None)
def test_a_job_that_works_again_has_its_flag_again(
    history: list[tuple[tuple[str, int], str]],
) -> None:
    """Whatever was begun and given up: nothing of it is left on the job."""
    story = lived(history)

    async def open_cases() -> list[State]:
        async with story.bench.store.reading() as books:
            return [case.state for case in await books.open_cases()]

    assert story.bench.cluster.claims["101"].requeueable
    assert State.VERIFYING not in asyncio.run(open_cases())
