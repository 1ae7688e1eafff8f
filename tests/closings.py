"""Closed weeks of an invented cluster, each with every kind of value that a closing holds."""

from decimal import Decimal

from reaper.domain.facts.allocation import Run
from reaper.domain.money.closing import Closed, Closing
from reaper.domain.money.conduct import Conduct, Demanded, Look, Outcome
from reaper.domain.money.figures import Costs, Figures, Key
from reaper.domain.money.findings import Compared, Finding
from reaper.domain.money.ledger import Cut, RunFigures, Tail
from reaper.domain.prices.amounts import Amounts
from tests import stored

WEEK = 7 * 86400.0
MIRA = Key(cluster="alpha", owner="mira", team="vision", purpose="training", model="A100")
FREE = Key(cluster="alpha", model="A100", site="north")


def costly(amount: str, idle: float) -> Figures:
    return Figures(
        idle=idle,
        costs=Costs(wasted=Amounts(by_currency={"EUR": Decimal(amount), "USD": Decimal(1)})),
    )


def closed(number: int, version: int = 1, *, zone: str = "UTC", idle: float = 5.5) -> Closed:
    """Give an invented week."""
    begin = number * WEEK
    figures = {
        FREE: Figures(calendar=9.0, unallocated=3.5),
        MIRA: costly("1.2345678901234567", idle),
    }
    run = Run(cluster="alpha", platform="slurm", id=stored.ODD, key="41+0", started=3.0)
    return Closed(
        closing=Closing(
            week=f"2026-W{number:02}",
            zone=zone,
            version=version,
            begin=begin,
            end=begin + WEEK,
            asked=(begin, begin + WEEK),
            as_of=begin + 2 * WEEK,
            total=figures[FREE] + figures[MIRA],
            terms="t1",
            rates="r1",
            policies=("notebooks v1 (act)",),
        ),
        figures=figures,
        runs=(
            RunFigures(
                run=run, key=MIRA, devices=2, nodes=("n1",), begin=1.0, end=None, longest=3.0,
                figures=figures[MIRA],
            ),
        ),
        findings=(Finding(kind="overlap", subject="GPU-0", seconds=1.5, text="twice"),),
        tails=(
            Tail(
                purpose="training", partition="gpu", runs=3, idle_runs=1, windows=((1800.0, 5.0),),
                limits=(Cut(limit=3600.0, returned=1.0, ended=1, working=0),),
            ),
        ),
        conduct=Conduct(
            actions={"warning": 2}, warned=1, idle_before_release=None,
            outcomes={"41+0": Outcome(warned=1, text="released")},
            looks=(Look(kind="hung", run_key="41+0", text="stalled for 2 h"),),
            demand=Demanded(asked=1.5, share=0.25, peak=4), queue_wait=90.0,
        ),
        compared=Compared(source="slurm", ours=5.5, theirs=5.0),
    )  # fmt: skip
