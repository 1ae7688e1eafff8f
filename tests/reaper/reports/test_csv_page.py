"""Cells of the CSV: what people named themselves is text to a spreadsheet, never a formula."""

import pytest

from reaper.reports.csv_page import safe


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1",
        "-1",
        "@x",
        " =1",
        "\t=1",
        "\u00a0@x",
        "\u3000-1",
        "\ufeff=1",
        "\uff1d1",
        " \uff20x",
    ],
)
def test_a_cell_that_a_spreadsheet_would_compute_is_quoted(text):
    assert safe(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", " ", "vision", " vision", "a=b", "\u00e9cole", "0"])
def test_any_other_cell_stays_as_it_is(text):
    assert safe(text) == text
