"""The CSV form of the audit: what a row must say, what it may say, what is named."""

from zoneinfo import ZoneInfo

import pytest

from reaper.domain.audit.jobs import Outcome, RecordedJob, Records
from reaper.domain.facts.allocation import Purpose
from reaper.reports.audit import read_csv

BERLIN = ZoneInfo("Europe/Berlin")
HEAD = "job_id,user,start_time,duration_s,num_gpus"
ROW = "7,mira,1800007200,7200,2"


def read(*rows: str, more: str = "") -> Records:
    text = "\n".join((HEAD + more, *rows, ""))
    return read_csv(text, source="jobs.csv", zone=BERLIN)


def only(row: str, more: str = "") -> RecordedJob:
    found = read(row, more=more)
    assert found.unread == ()
    return found.jobs[0]


def said(found: Records) -> list[str]:
    return [str(one) for one in found.unread]


def test_a_row_of_the_needed_columns_is_a_job():
    job = only(ROW)

    assert (job.id, job.owner, job.held, job.devices) == ("7", "mira", 4 * 3600, 2)
    assert job.usage[0].utilisation is None


@pytest.mark.parametrize(
    ("column", "value", "attribute", "expected"),
    [
        ("submit_time", "1800000000", "submitted", 1800000000),
        ("state", "OUT_OF_MEMORY", "outcome", Outcome.OUT_OF_MEMORY),
        ("state", "running", "ended", None),
        ("project", "vision", "account", "vision"),
        ("class", "Inference", "purpose", Purpose.INFERENCE),
        ("job_name", "bash", "purpose", Purpose.INTERACTIVE),
        ("gpu_model", "A100 3g.20gb", "cards", pytest.approx(6 / 7)),
        ("walltime_s", "86400", "limit", 86400),
        ("gpu_mem_peak_pct", "50", "gpu_memory", 0.5),
        ("mem_asked_gib", "2", "memory_asked", 2 * 2**30),
    ],
)
def test_a_column_may_say_more(column: str, value: str, attribute: str, expected: object):
    assert getattr(only(f"{ROW},{value}", more=f",{column}"), attribute) == expected


@pytest.mark.parametrize(("written", "rate"), [("25", 0.25), ("0", 0.0), ("", None), ("N/A", None)])
def test_the_mean_use_is_in_percent_and_blank_is_unknown(written: str, rate: float | None):
    job = only(f"{ROW},{written}", more=",gpu_util_avg_pct")

    assert job.usage[0].utilisation == rate


@pytest.mark.parametrize("apart", [";", "\t"])
def test_what_spreadsheets_put_between_cells_is_read_too(apart):
    text = f"{HEAD}\n{ROW}\n".replace(",", apart)

    assert read_csv(text, source="x", zone=BERLIN).jobs == read(ROW).jobs


def test_an_end_stands_for_a_duration_and_local_times_are_of_the_zone():
    text = "job_id,user,start_time,end_time,num_gpus\n7,mira,2026-07-01 10:00,2026-07-01T11:30,1\n"
    (job,) = read_csv(text, source="x", zone=BERLIN).jobs

    assert (job.seconds, job.began) == (5400, 1782892800)


def test_columns_stand_in_any_order_and_others_are_ignored():
    text = "note,num_gpus,duration_s,user,start_time,job_id\nx,1,60,otto,1800000000,9\n"

    assert read_csv(text, source="x", zone=BERLIN).jobs[0].owner == "otto"


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("7,mira,1800007200,-5,2", "duration_s: '-5' is below zero"),
        ("7,mira,1800007200,1e99,2", "duration_s: '1e99' is above 1e+11"),
        ("7,mira,1800007200,2h,2", "duration_s: '2h' is no number"),
        ("7,mira,1800007200000,60,2", "is in milliseconds; write seconds"),
        ("7,mira,noon,60,2", "start_time: 'noon' is no time"),
        ("7,mira,1800007200,,2", "how long was it?"),
        ("7,mira,1800007200,60,half", "num_gpus: 'half' is no number"),
        ("7,mira,1800007200,60,-0.5", "num_gpus: '-0.5' is below zero"),
        ("7,mira,1800007200,60,1e9", "num_gpus: '1e9' is above 1e+06"),
        ("7,mira,1800007200,60,", "num_gpus: '' is no number"),
        (",mira,1800007200,60,1", "job_id: blank"),
        ("7,mira,1800007200", "3 fields, the header has 5"),
        ('7,mi"ra,"1"8,60,1', "is no CSV"),
    ],
)
def test_a_wrong_row_is_named_with_its_line_and_the_next_is_read(row: str, why: str):
    found = read(row, ROW)

    assert len(found.jobs) == 1
    assert said(found)[0].startswith("jobs.csv:2: ")
    assert why in said(found)[0]


def test_all_mistakes_are_named_at_once():
    found = read("7,mira,x,60,1", ROW, "8,mira,1800007200,60,y")

    assert [one.line for one in found.unread] == [2, 4]
    assert found.rows == 3


@pytest.mark.parametrize(
    ("more", "value", "why"),
    [
        (",gpu_util_avg_pct", "250", "gpu_util_avg_pct: '250' is above 100; counted without it"),
        (",class", "fun", "class: 'fun' is no class; counted as other"),
        (",submit_time", "soon", "submit_time: 'soon' is no time; counted without it"),
    ],
)
def test_a_row_counts_without_what_is_wrong_but_not_needed(more: str, value: str, why: str):
    found = read(f"{ROW},{value}", more=more)

    assert len(found.jobs) == 1
    assert (said(found), found.unread[0].kept) == ([f"jobs.csv:2: {why}"], True)


def test_a_quote_that_is_never_closed_names_all_that_it_swallowed():
    found = read(ROW, '8,"mira,1800007200,60,1', "9,otto,1800007200,60,1")

    assert [job.id for job in found.jobs] == ["7"]
    assert "and with it lines to 4" in said(found)[0]


def test_missing_columns_are_all_named():
    found = read_csv("user,when\nmira,1\n", source="x", zone=BERLIN)

    assert "it lacks the columns job_id, start_time, duration_s, num_gpus" in said(found)[0]


def test_an_empty_file_says_so():
    assert "is empty" in said(read_csv("", source="x", zone=BERLIN))[0]


@pytest.mark.parametrize(
    ("asked", "devices", "hours"), [("0.5", 1, 1.0), ("1.5", 2, 3.0), ("0.25", 1, 0.5), ("0", 0, 0)]
)
def test_a_part_of_a_gpu_is_held_as_such(asked, devices, hours):
    job = only(f"1,u,1672531200,7200,{asked}")

    assert (job.devices, job.held / 3600) == (devices, hours)
    assert sum(one.gpus for one in job.usage) * 2 == hours


def test_a_time_in_a_repeated_hour_is_read_as_the_row_says():
    text = (
        "job_id,user,num_gpus,start_time,end_time\n"
        "501,amy,2,2025-10-26T02:50:00,2025-10-26T02:10:00\n"
        "502,amy,2,2025-10-26T02:10:00,2025-10-26T02:50:00\n"
    )

    found = read_csv(text, source="x", zone=BERLIN)

    assert [job.seconds for job in found.jobs] == [1200, 2400]
    assert [note for note in found.notes if "(lines 3)" in note]
