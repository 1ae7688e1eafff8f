"""What is carried over from turn to turn changes no answer, nor does the order of words."""

from collections.abc import Iterable
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from reaper.cycle.ledger.holding import Held
from reaper.cycle.ledger.tenancy import tenures
from reaper.domain.facts.allocation import Allocation, Claim
from reaper.domain.facts.grid import NORMAL
from reaper.domain.facts.keyed import SKEW, KeyedClaims
from reaper.domain.facts.track import Track
from reaper.domain.money.entries import Tenure
from tests.builders import MINUTE, START, allocation, claim, device, run

_RUNS = ("101", "102", "103")


@st.composite
def allocations(draw: st.DrawFn) -> Allocation:
    """Draw one of few allocations, in one of few shapes."""
    ident = draw(st.sampled_from(_RUNS))
    base = allocation(ident, gpus=draw(st.integers(1, 2)), node=f"gpu{ident}")
    return replace(
        base,
        claim=replace(base.claim, user=draw(st.sampled_from("ab")), as_of=draw(st.floats(0, 9))),
        devices=draw(st.sampled_from([base.devices, base.devices[:1], ()])),
        doubt=draw(st.sampled_from(["", "", "not confirmed yet"])),
        contested=draw(st.booleans()),
    )


def turns() -> st.SearchStrategy[list[list[Allocation]]]:
    """Draw some minutes of a small cluster; many of them are like the one before."""
    one = st.lists(allocations(), max_size=3, unique_by=lambda item: item.run.key)
    return st.lists(st.tuples(one, st.integers(1, 3)), max_size=6).map(
        lambda drawn: [minute for minute, times in drawn for _ in range(times)]
    )


@given(minutes=turns(), stale=st.lists(st.booleans(), min_size=18, max_size=18))
def test_tenures_are_the_same_with_and_without_what_is_carried_over(minutes, stale):
    carried, written = Held(), {}
    for number, (minute, silent) in enumerate(zip(minutes, stale, strict=False)):
        now = START + number * MINUTE
        tracks = {
            device(index, node=f"gpu{ident}").gpu: Track(start=int(START // MINUTE), letters="A")
            for ident in _RUNS
            for index in range(2)
        }
        holders = frozenset(["slurm"] if silent else [])

        found = tenures(minute, carried, tracks, now=now, pace=NORMAL, stale=holders)
        anew = tenures(
            minute, Held.of(written.values()), tracks, now=now, pace=NORMAL, stale=holders
        )

        assert _sorted(found) == _sorted(anew)
        carried.take(found, () if silent else minute)
        for tenure in found:
            written.pop((tenure.run.key, tenure.gpu), None)
            if tenure.end is None:
                written[tenure.run.key, tenure.gpu] = tenure


def _sorted(found: Iterable[Tenure]) -> list[Tenure]:
    return sorted(found, key=lambda item: (item.run.key, item.gpu, item.end is None))


@st.composite
def claims(draw: st.DrawFn) -> list[Claim]:
    """Draw claims of few ids, platforms and starts."""
    kinds = st.tuples(
        st.sampled_from(_RUNS), st.sampled_from(["slurm", "kubernetes"]), st.integers(0, 5)
    )
    return [
        replace(
            claim(ident),
            run=replace(
                run(ident, started=START + 60.0 * begun), platform=platform, key=f"{ident}.{begun}"
            ),
        )
        for ident, platform, begun in draw(st.lists(kinds, max_size=8, unique=True))
    ]


@given(held=claims(), start=st.integers(0, 6), order=st.randoms(use_true_random=False))
def test_a_look_up_by_key_finds_what_a_scan_finds_in_any_order(held, start, order):
    shuffled = list(held)
    order.shuffle(shuffled)
    keyed, at = KeyedClaims(shuffled), START + 60.0 * start
    for ident in _RUNS:
        begun = [
            item
            for item in held
            if (item.run.platform, item.run.id) == ("slurm", ident)
            and item.run.started <= at + SKEW
        ]
        latest = max(begun, key=lambda item: item.run.started, default=None)

        assert keyed.match(platform="slurm", id=ident, start=at) == latest
