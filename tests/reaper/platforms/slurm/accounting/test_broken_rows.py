"""Rows that users' texts broke are put together again; what makes no sense is named by line."""

import pytest

from tests.sacct_lines import NAME_LAST, line, only, read, said


def test_a_line_break_in_a_name_is_joined():
    found = read(line(name="two\nlines"), line("102"))

    assert [(job.id, job.name) for job in found.jobs] == [("101", "two\nlines"), ("102", "train")]


def test_a_line_break_in_a_text_that_ends_its_row_is_joined_too():
    found = read("7|60|gres/gpu=1|two", "lines", "8|60|gres/gpu=1|one", head=NAME_LAST)

    assert [(job.id, job.name) for job in found.jobs] == [("7", "two\nlines"), ("8", "one")]
    assert found.unread == ()


def test_a_delimiter_in_a_name_is_given_back_to_the_name():
    assert only(line(name="a|b|c")).name == "a|b|c"


def test_a_row_that_breaks_off_is_named_and_the_next_is_read():
    found = read("101|101|mira|COMPL", line("102"), line("103"))

    assert [job.id for job in found.jobs] == ["102", "103"]
    assert said(found) == ["books.txt:2: 4 fields, the header has 11"]


def test_a_line_without_any_field_spoils_no_row():
    found = read(line("101"), "slurm is busy", line("102"))

    assert [job.id for job in found.jobs] == ["101", "102"]
    assert said(found) == ["books.txt:3: 1 fields, the header has 11"]


def test_the_last_row_of_a_file_that_breaks_off_is_named():
    found = read(line("101"), "102|102|mi")

    assert said(found) == ["books.txt:3: 3 fields, the header has 11"]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"elapsed": "-5"}, "job 101: '-5' is below zero"),
        ({"elapsed": "soon"}, "job 101: 'soon' is no duration"),
        ({"tres": "gres/gpu=two"}, "job 101: 'gres/gpu=two' is no resource and its count"),
        ({"start": "1793613600000"}, "is no time: in milliseconds? write seconds"),
        ({"end": "yesterday"}, "'yesterday' is no time"),
    ],
)
def test_what_figures_rest_on_must_be_right(given: dict[str, str], why: str):
    found = read(line(**given), line("102"))

    assert [job.id for job in found.jobs] == ["102"]
    assert why in said(found)[0]
    assert said(found)[0].startswith("books.txt:2: ")


def test_a_job_counts_without_what_no_figure_rests_on():
    found = read(line(submit="someday"))

    assert (found.jobs[0].submitted, found.jobs[0].held) == (None, 4 * 3600)
    assert found.unread[0].kept
    assert "submit: 'someday' is no time; counted without it" in said(found)[0]


def test_an_end_before_the_begin_is_named_where_no_duration_is_told():
    head = "JobID|Start|End|AllocTRES"
    found = read("7|2026-11-02T10:00:00|2026-11-02T09:00:00|gres/gpu=1", head=head)

    assert said(found) == ["books.txt:2: job 7: ends before it begins"]
