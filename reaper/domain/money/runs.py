"""The figures of runs, or of runs on each of their devices, the most wasteful first."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from reaper.domain.facts.allocation import Run
from reaper.domain.money.booking import Booked, Prices
from reaper.domain.money.figures import Key, total
from reaper.domain.money.holding import Holding
from reaper.domain.money.ledger import RunFigures


def run_figures(
    booked: Iterable[Booked], prices: Prices, *, by_device: bool = False
) -> tuple[RunFigures, ...]:
    """Return the figures of each run, the most wasteful first."""
    runs: dict[tuple[str, str], list[Booked]] = defaultdict(list)
    for one in booked:
        tenure = one.holding.tenure
        runs[tenure.run.key, tenure.gpu if by_device else ""].append(one)
    found = [_run(ones, gpu, prices) for (_, gpu), ones in runs.items()]
    return tuple(sorted(found, key=_by_waste))


def key_of(holding: Holding) -> Key:
    """Return whose figures those of a holding are; where its node stands is not in it."""
    tenure = holding.tenure
    return Key(
        cluster=tenure.run.cluster,
        owner=tenure.owner,
        team=tenure.team,
        purpose=tenure.purpose,
        model=tenure.model,
        partition=tenure.partition,
    )


def _by_waste(one: RunFigures) -> tuple[float, float, Run, str]:
    return -one.figures.wasted, -one.figures.high, one.run, one.gpu


def _run(booked: Sequence[Booked], gpu: str, prices: Prices) -> RunFigures:
    first = booked[0].holding
    ends = {one.holding.tenure.end for one in booked}
    return RunFigures(
        run=first.tenure.run,
        key=replace(key_of(first), site=prices.place(first.tenure.node).site),
        devices=len({one.holding.tenure.gpu for one in booked}),
        nodes=tuple(sorted({one.holding.tenure.node for one in booked})),
        begin=min(one.holding.begin for one in booked),
        end=None if None in ends else max(end for end in ends if end is not None),
        longest=max(one.stretches.longest for one in booked),
        figures=total(one.figures for one in booked),
        gpu=gpu,
    )
