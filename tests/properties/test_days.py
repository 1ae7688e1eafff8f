"""Properties of whole days on random clusters, under the shipped act policies."""

from collections.abc import Iterator
from dataclasses import replace

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.campaign.drawing import text
from tests.campaign.drawing_lots import cluster
from tests.campaign.playing import Step, played
from tests.campaign.truth import Cluster, Doing, Held
from tests.thoroughness import examples

#: Minutes for which something that has failed is felt.
FELT = 20

#: How an allocation shows a sign of life: what its GPUs and its processes do, for some minutes.
LOOKS = {"GPU": ({"letter": "A"}, 2), "host": ({"cores": 2.0}, 5), "long": ({"cores": 2.0}, 30)}

seeds = st.integers(1_000_000, 2_000_000)


def plays(drawn: Cluster) -> tuple[Step, ...]:
    return played(text(drawn))


def finals_of_releases(steps: tuple[Step, ...]) -> Iterator[tuple[Step, Step]]:
    """Yield each release with the final notice that it follows."""
    told: dict[str, Step] = {}
    for step in steps:
        if step.kind == "final":
            told[step.allocation] = step
        elif step.kind == "release":
            yield told[step.allocation], step


def held_by(drawn: Cluster, step: Step) -> Held:
    return next(one for one in drawn.held if one.id == step.allocation)


def minutes(begin: Step, end: float) -> range:
    return range(int(begin.at // 60), int(end // 60) - 1)


def rests(held: Held, minute: int) -> bool:
    """Tell whether an allocation does nothing in a minute that any signal could show."""
    one = held.doing(minute)
    if one is None:
        return True
    works = one.cores or one.waits or one.network or one.busy or one.served
    return one.letter in "HE" and not works and not held.typed(minute, minute + 1)


def shown(drawn: Cluster, held: Held, minute: int) -> bool:
    """Tell whether something works that is surely seen."""
    one = held.doing(minute)
    if one is None or drawn.hidden(held, minute, "exporter", "reaper", "scheduler"):
        return False
    host = held.measured and not drawn.hidden(held, minute, "host") and one.cores >= 1
    profiled = not drawn.hidden(held, minute, "profiling")
    people = bool(held.session) and held.session != "vscode"
    people = people and not drawn.hidden(held, minute, "people")
    types = people and held.typed(minute, minute + 1)
    return (one.letter == "A" and profiled) or host or types


@given(seeds)
@settings(max_examples=examples(15), deadline=None)
def test_a_release_follows_a_final_notice_of_the_same_idleness(seed: int) -> None:
    """Between the two nothing works that is seen, and the notice is not old."""
    drawn = cluster(seed)
    for told, released in finals_of_releases(plays(drawn)):
        held = held_by(drawn, released)

        assert not [at for at in minutes(told, released.at) if shown(drawn, held, at)]


def still(drawn: Cluster, held: Held, told: Step, until: float) -> bool:
    """Tell whether nothing that may matter changes from a notice to the moment that it names."""
    begin, end = int(told.at // 60) - FELT, int(until // 60) + 1
    waits = {drawn.waited(at, held.gpus) for at in range(begin, end)}
    troubles = any(one.begin < end and begin < one.end for one in drawn.troubles)
    kept = any(begin < at + lasts and at < end for at, lasts in held.keeps)
    idle = all(rests(held, at) for at in range(int(told.at // 60) - 1, end))
    ended = held.end is not None and held.end <= end
    return len(waits) == 1 and not (troubles or kept or ended) and idle


@given(seeds)
@settings(max_examples=examples(15), deadline=None)
def test_at_the_moment_that_a_notice_names_a_release_follows(seed: int) -> None:
    """Where nothing changes until then, and no release of an hour before spends the budget."""
    drawn = cluster(seed)
    steps = plays(drawn)
    released = {step.allocation: step.at for step in steps if step.kind == "release"}
    for told in steps:
        held = held_by(drawn, told)
        if told.named is None or told.named > drawn.length * 60:
            continue
        others = (at for name, at in released.items() if name != told.allocation)
        rationed = any(0 <= told.named - at <= 3600 for at in others)
        if not rationed and still(drawn, held, told, told.named):
            assert abs(released.get(told.allocation, 0.0) - told.named) <= 120.0


def with_life(drawn: Cluster, held: Held, minute: int, kind: str) -> Cluster:
    """Return the cluster with a sign of life of an allocation more."""
    if kind == "input":
        living = replace(held, inputs=tuple(sorted({*held.inputs, minute})))
    else:
        looks, lasts = LOOKS[kind]
        doings = tuple(_split(held.doings, minute, minute + lasts, looks))
        living = replace(held, doings=doings)
    return replace(drawn, held=tuple(living if one is held else one for one in drawn.held))


def _split(
    doings: tuple[Doing, ...], begin: int, end: int, looks: dict[str, object]
) -> Iterator[Doing]:
    for one in doings:
        first, last = max(one.begin, begin), min(one.end, end)
        if first >= last:
            yield one
            continue
        if one.begin < first:
            yield replace(one, end=first)
        yield replace(one, begin=first, end=last, **looks)  # type: ignore[arg-type]
        if last < one.end:
            yield replace(one, begin=last)


@given(seeds, st.floats(0, 1), st.sampled_from([*LOOKS, "input"]))
@settings(max_examples=examples(20), deadline=None)
def test_a_sign_of_life_brings_no_release_forward(seed: int, place: float, kind: str) -> None:
    """
    While channels work.

    When a notice is tried again depends on when it was tried first: a later one may arrive before.
    """
    drawn = cluster(seed)
    drawn = replace(drawn, troubles=tuple(one for one in drawn.troubles if one.of != "channel"))
    released = [step for step in plays(drawn) if step.kind == "release"]
    assume(released)
    before = released[seed % len(released)]
    held = held_by(drawn, before)
    begin, end = max(0, held.begin), int(before.at // 60)
    minute = begin + int(place * (end - begin))
    again = [
        step.at
        for step in plays(with_life(drawn, held, minute, kind))
        if (step.kind, step.allocation) == ("release", held.id)
    ]

    assert min(again, default=before.at) >= before.at
