"""A capacity as somebody states it: a number with dates, or a table."""

from datetime import UTC
from math import inf

import pytest

from reaper.domain.audit.filling import Stated
from reaper.reports.capacity import CapacityError, number, table

YEAR = 1767225600.0
"""2026-01-01 in UTC."""


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("128", Stated(gpus=128)),
        ("128,2026-01-01", Stated(gpus=128, begin=YEAR)),
        ("1.5, 2026-01-01, 2026-01-02", Stated(gpus=1.5, begin=YEAR, end=YEAR + 86400)),
        ("gpus.csv", None),
        ("./128", None),
    ],
)
def test_a_number_may_have_dates(text, meant):
    assert number(text, zone=UTC) == meant


@pytest.mark.parametrize("apart", [";", "\t"])
def test_what_spreadsheets_put_between_cells_is_read_too(apart):
    text = "model,gpus\nA100,8\n".replace(",", apart)

    assert table(text, source="x", zone=UTC) == (Stated(gpus=8, model="A100"),)


def test_a_table_has_a_row_for_each_model_and_time():
    found = table("Model,gpus,begin,end\nA100,8,2026-01-01,\n,4,,\n", source="x", zone=UTC)

    assert found == (Stated(gpus=8, model="A100", begin=YEAR, end=inf), Stated(gpus=4))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("model,count\nA100,8\n", "gpus is needed"),
        ("", "gpus is needed"),
        ("gpus\n-4\n", "x:2: gpus: '-4' is no number of GPUs"),
        ("gpus,begin,end\n4,2026-02-01,2026-01-01\n", "x:2: it ends before it begins"),
        ("gpus,end\n4,later\n", "x:2: end: 'later' is no date"),
    ],
)
def test_a_table_that_makes_no_sense_is_refused_with_its_line(text, said):
    with pytest.raises(CapacityError) as refused:
        table(text, source="x", zone=UTC)

    assert said in str(refused.value)
