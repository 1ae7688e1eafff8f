"""Properties of whole days on random clusters, under the shipped act policies."""

from collections.abc import Iterator
from dataclasses import replace

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.campaign.drawing import text
from tests.campaign.drawing_lots import cluster
from tests.campaign.playing import Step, played
from tests.campaign.truth import Cluster, Doing, Held, Trouble
from tests.thoroughness import examples

#: Minutes for which something that has failed is felt.
FELT = 20

#: The shortest grace of any shipped policy, and for how long a notice is good beyond it; seconds.
GRACE = 1800.0
HOUR = 3660.0

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
@settings(max_examples=examples(6), deadline=None)
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


def unheard(drawn: Cluster, begin: float, lasts: int) -> Cluster:
    """Return the cluster with a channel that is silent once; `begin` is a share of its length."""
    first = int(begin * drawn.length)
    silent = Trouble(of="channel", begin=first, end=min(drawn.length, first + lasts))
    others = (one for one in drawn.troubles if one.of != "channel")
    return replace(drawn, troubles=(*others, silent)) if first < silent.end else drawn


@st.composite
def clusters(draw: st.DrawFn) -> Cluster:
    """Return a cluster, in half of the cases with a channel that fails at a drawn moment."""
    drawn = cluster(draw(seeds))
    silence = draw(st.none() | st.tuples(st.floats(0, 1), st.sampled_from([5, 40, 120, 400, 1000])))
    return drawn if silence is None else unheard(drawn, *silence)


@given(clusters())
@settings(max_examples=examples(6), deadline=None)
def test_no_notice_names_a_moment_that_has_passed_when_it_arrives(drawn: Cluster) -> None:
    for told in plays(drawn):
        assert told.named is None or told.named >= told.at + GRACE


@given(clusters())
@settings(max_examples=examples(6), deadline=None)
def test_at_the_moment_that_a_notice_names_a_release_follows(drawn: Cluster) -> None:
    """Where nothing changes until then."""
    steps = plays(drawn)
    released = {step.allocation: step.at for step in steps if step.kind == "release"}
    for told in steps:
        held = held_by(drawn, told)
        if told.named is None or told.named > drawn.length * 60:
            continue
        if still(drawn, held, told, told.named):
            assert abs(released.get(told.allocation, 0.0) - told.named) <= 120.0


@given(clusters())
@settings(max_examples=examples(6), deadline=None)
def test_nothing_is_released_before_the_moment_that_its_last_notice_named(drawn: Cluster) -> None:
    for told, released in finals_of_releases(plays(drawn)):
        assert told.named is not None
        assert released.at >= told.named - 60.0


@given(seeds)
@settings(max_examples=examples(6), deadline=None)
def test_a_release_that_waits_for_its_budget_comes_within_the_hour_or_is_told_anew(
    seed: int,
) -> None:
    """A notice says from when on, never at what minute; after an hour its word is spent."""
    steps = played(text(cluster(seed)).replace("share = 1.0", "share = 0.02"))
    for told, released in finals_of_releases(steps):
        assert told.named is not None
        assert told.named - 60.0 <= released.at <= max(told.named, told.at + GRACE) + HOUR


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


@given(clusters(), st.floats(0, 1), st.sampled_from([*LOOKS, "input"]))
@settings(max_examples=examples(8), deadline=None)
def test_a_sign_of_life_brings_no_release_forward(drawn: Cluster, place: float, kind: str) -> None:
    """Whatever fails meanwhile."""
    released = [step for step in plays(drawn) if step.kind == "release"]
    assume(released)
    before = released[drawn.seed % len(released)]
    held = held_by(drawn, before)
    begin, end = max(0, held.begin), int(before.at // 60)
    minute = begin + int(place * (end - begin))
    again = [
        step.at
        for step in plays(with_life(drawn, held, minute, kind))
        if (step.kind, step.allocation) == ("release", held.id)
    ]

    assert min(again, default=before.at) >= before.at
