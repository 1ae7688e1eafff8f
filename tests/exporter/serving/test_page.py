"""The text format: order, heads, escapes and numbers."""

import math

import pytest

from exporter.contract.catalog import Family
from exporter.serving.page import Page, Shared, number

PLAIN = Family(name="plain", kind="gauge", labels=(), help="A plain one.")
NAMED = Family(name="named_total", kind="counter", labels=("gpu", "reason"), help='Has "x"\\.')


def render(rows):
    return Page((PLAIN, NAMED)).render(rows).decode()


def test_a_family_without_labels_is_bare():
    assert render({"plain": [((), 1.5)]}) == (
        "# HELP plain A plain one.\n# TYPE plain gauge\nplain 1.5\n"
    )


def test_families_come_in_the_order_of_the_catalogue():
    text = render({"named_total": [(("a", "b"), 1)], "plain": [((), 2)]})

    assert text.index("plain 2") < text.index("named_total{")


def test_a_family_without_rows_is_left_out():
    assert "named" not in render({"plain": [((), 1)], "named_total": []})


def test_labels_are_escaped():
    text = render({"named_total": [(('a"b', "line\nback\\slash"), 1)]})

    assert 'named_total{gpu="a\\"b",reason="line\\nback\\\\slash"} 1' in text


def test_what_is_no_text_becomes_a_replacement():
    assert 'gpu="a?"' in render({"named_total": [(("a\udc80", ""), 1)]})


def test_help_escapes_backslashes_alone():
    assert '# HELP named_total Has "x"\\\\.\n' in render({"named_total": [(("", ""), 1)]})


@pytest.mark.parametrize(
    ("value", "text"),
    [(3, "3"), (0.5, "0.5"), (math.nan, "NaN"), (math.inf, "+Inf"), (-math.inf, "-Inf")],
)
def test_numbers_are_written_as_the_format_wants(value, text):
    assert number(value) == text


def test_series_that_are_gone_do_not_stay_in_memory():
    page = Page((NAMED,))
    for turn in range(1000):
        page.render({"named_total": [((str(turn), ""), 1)]})

    assert len(page._prefixes["named_total"]) < 200


def test_all_who_ask_while_a_page_is_young_share_it():
    made = []
    shared = Shared()

    def render():
        made.append(len(made))
        return b"%d" % len(made)

    pages = [shared.page("served", now, render) for now in (10.0, 10.5, 11.4)]

    assert (pages, made) == ([b"1"] * 3, [0])


def test_a_page_that_was_made_before_is_what_they_get():
    shared = Shared()
    shared.put("served", 10.0, b"made")

    assert shared.page("served", 11.0, lambda: b"new") == b"made"


@pytest.mark.parametrize(("state", "now"), [("released", 10.1), ("served", 11.5)])
def test_another_state_or_its_age_makes_a_page_anew(state, now):
    shared = Shared()
    shared.page("served", 10.0, lambda: b"old")

    assert shared.page(state, now, lambda: b"new") == b"new"


def test_a_page_that_cannot_be_made_is_tried_again():
    shared = Shared()
    with pytest.raises(KeyError):
        shared.page("first", 10.0, lambda: {}["none"])

    assert shared.page("first", 10.0, lambda: b"new") == b"new"
