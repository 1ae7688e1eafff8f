"""Bars add up to the calendar; lines come by what idle time costs, small teams together."""

from dataclasses import replace

import pytest

from reaper.domain.money.figures import Figures
from reaper.domain.money.ledger import Ledger, Terms
from reaper.reports import shares
from tests import report_gallery as gallery
from tests.books import HOUR, TEN, priced, room, tenure_of, track_of
from tests.reports import reported


@pytest.fixture
async def report():
    return await gallery.report()


async def test_every_bar_adds_up_to_its_calendar(report):
    for bar in shares.bars(report):
        seconds = sum(piece.seconds for piece in bar.parts)
        assert seconds == pytest.approx(bar.figures.calendar)
        assert sum(piece.share for piece in bar.parts) == pytest.approx(1)


async def test_models_add_up_to_all_gpus(report):
    whole, *models = shares.bars(report)

    assert whole.name == "All GPUs"
    assert sum(bar.figures.calendar for bar in models) == pytest.approx(whole.figures.calendar)


async def test_a_device_is_of_the_model_that_its_inventory_means(report):
    names = [bar.name for bar in shares.bars(report)]

    assert names == ["All GPUs", "A100-SXM4-80GB", "H100-SXM5-80GB", "L40S"]


async def test_one_model_needs_no_bar_of_all():
    ledger = Ledger(
        tenures=(tenure_of("1", "GPU-0", TEN, None),),
        tracks={"GPU-0": track_of(TEN, "H" * 60)},
        capacity=(room(2, TEN),),
    )

    assert [bar.name for bar in shares.bars(await reported(ledger, Terms(), now=TEN + HOUR))] == [
        "A100"
    ]


async def test_lines_come_by_what_their_idle_time_costs(report):
    costs = [cell.figures.costs.idle.of("EUR") for cell in shares.cells(report)]

    assert costs == sorted(costs, reverse=True)


async def small(least: float):
    """Give three teams that held one, two and ten hours."""
    hours = {"a": 1, "b": 2, "c": 10}
    ledger = Ledger(
        tenures=tuple(
            tenure_of(team, f"GPU-{team}", TEN, TEN + held * HOUR, team=team)
            for team, held in hours.items()
        ),
        tracks={f"GPU-{team}": track_of(TEN, "H" * 600) for team in hours},
        capacity=(room(4, TEN),),
    )
    report = await reported(ledger, Terms(rates=priced("1")), now=TEN + 10 * HOUR)
    return replace(report, context=replace(report.context, least=least))


async def test_small_teams_stand_together_at_the_end():
    found = shares.cells(await small(5 * HOUR))

    assert [(cell.team, cell.others) for cell in found] == [("c", 0), ("", 2)]
    assert found[-1].figures.allocated == 3 * HOUR


async def test_one_small_team_is_not_hidden_by_calling_it_others():
    found = shares.cells(await small(1.5 * HOUR))

    assert [cell.team for cell in found] == ["c", "b", "a"]


async def test_where_every_team_is_small_they_are_listed():
    found = shares.cells(await small(100 * HOUR))

    assert [cell.team for cell in found] == ["c", "b", "a"]


@pytest.mark.parametrize(
    ("unknown", "mark"),
    [(0.0, ""), (9.0, ""), (11.0, "in_part"), (60.0, "too_little")],
)
def test_a_line_that_was_hardly_seen_is_marked(unknown: float, mark: str):
    figures = Figures(active=100.0 - unknown, unknown=unknown)

    assert shares.Cell(team="a", model="b", figures=figures, before=None).mark == mark


def test_what_was_hardly_seen_is_ranked_last():
    blind = shares.Cell(team="a", model="", figures=Figures(idle=4.0, unknown=9.0), before=None)
    seen = shares.Cell(team="b", model="", figures=Figures(active=9.0), before=None)

    assert sorted((blind, seen), key=lambda cell: cell.rank) == [seen, blind]
