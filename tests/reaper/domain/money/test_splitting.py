"""Idleness in small pieces is told of whom has many of them, and of nobody else."""

from dataclasses import replace

import pytest

from reaper.domain.facts.allocation import Purpose, Run
from reaper.domain.money.figures import Figures, Key
from reaper.domain.money.ledger import RunFigures
from reaper.domain.money.splitting import split

MINUTE, HOUR = 60.0, 3600.0


def short(number: int, **given: float) -> RunFigures:
    """Return a run of 50 minutes that did nothing."""
    run = Run(platform="slurm", cluster="c", id=str(number), key=f"{number}@0", started=0.0)
    return RunFigures(
        run=run,
        key=Key(owner="mira", purpose=Purpose.INTERACTIVE),
        devices=1,
        nodes=("gpu01",),
        begin=0.0,
        end=50 * MINUTE,
        longest=0.0,
        figures=Figures(**{"startup": 20 * MINUTE, "idle": 30 * MINUTE, **given}),
    )


def many(count: int = 12, **given: float) -> list[RunFigures]:
    return [short(number, **given) for number in range(count)]


def test_many_short_runs_that_do_nothing_are_told_with_their_arithmetic() -> None:
    (found,) = split(many())

    assert str(found) == (
        "12 interactive runs of mira, 50 min in the median, held 10.0 GPU-h together and worked "
        "in 0.0 of them"
    )


@pytest.mark.parametrize(
    "runs",
    [
        pytest.param(many(11), id="too few"),
        pytest.param(many(idle=10 * MINUTE), id="too little"),
        pytest.param(many(active=5 * MINUTE), id="they work"),
        pytest.param(many(low=5 * MINUTE), id="they work a little"),
        pytest.param(many(unknown=30 * MINUTE), id="unseen"),
        pytest.param([replace(run, end=None) for run in many()], id="not ended yet"),
        pytest.param([replace(run, end=5 * HOUR) for run in many()], id="windows see them"),
        pytest.param([replace(run, key=Key()) for run in many()], id="nobody's"),
        pytest.param(
            [replace(run, key=Key(owner="mira", purpose=Purpose.INFERENCE)) for run in many()],
            id="servers wait",
        ),
        pytest.param(
            [replace(run, key=replace(run.key, owner=run.run.id)) for run in many()],
            id="one of each of many owners",
        ),
    ],
)
def test_nothing_else_is(runs: list[RunFigures]) -> None:
    assert list(split(runs)) == []
