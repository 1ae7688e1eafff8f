"""The reaper's page of a cluster in which everything happens at once, and goes on happening."""

import time
from dataclasses import replace
from decimal import Decimal

from reaper.domain.money.figures import Costs, Figures, Key
from reaper.domain.picture import WaitingLine
from reaper.domain.prices.amounts import Amounts
from reaper.web.exposition.metrics import Scene, render
from reaper.web.exposition.sums import WeekSums, sums
from tests.builders_picture import NOW, busy, case_line, hold, picture, row
from tests.real.drawn_exporter import SLUID

FIGURES = Figures(
    active=36000.0,
    idle=18000.0,
    wasted=9000.0,
    avoidable=3600.0,
    costs=Costs(wasted=Amounts(by_currency={"EUR": Decimal("6.25")})),
)
STATES = ("starved", "idle, host busy", "idle", "busy")


def drawn_reaper() -> bytes:
    """Write the page of this moment: its counters grow by the second."""
    grown = time.time() % 1e6
    drawn = picture(
        rows=(
            row(case=case_line(), node_ids=("4711", SLUID)),
            row(run_key="b", id="4712", namespace="vision"),
            busy(),
        ),
        holds=(hold(),),
        waiting=(WaitingLine(partition="gpu", purpose="training", requests=3, gpus=12),),
        waiting_gpus=12,
        counts=dict.fromkeys(STATES, 1),
    )
    totals = {name: value + grown for name, value in drawn.totals.items()} | {"acts:failed": 1.0}
    weeks = week("this_week"), week("last_week")
    scene = Scene(
        picture=replace(drawn, totals=totals), now=NOW, version="0", owners=True, weeks=weeks
    )
    return render(scene)


def week(span: str) -> WeekSums:
    key = Key(team="vision", purpose="training", model="NVIDIA H100 80GB HBM3")
    return sums(span=span, week="2026-W10", version=1, as_of=NOW, figures={key: FIGURES})
