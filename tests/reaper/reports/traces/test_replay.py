"""Recorded files are told by their columns, read by their rules, and refused with all mistakes."""

import json
from pathlib import Path

import pytest

from reaper.reports.traces import TraceError, TraceReport, replay
from reaper.reports.traces.pages import PAGES

JOBS = "job_id,user,start_time,duration_s,num_gpus,job_name,gpu_util_avg_pct,gpus\n"
SAMPLES = "time,host,user,job,gpus_bitmask,gpu_pct,gpumem_kib\n"
NODES = "host,hour,gpu_cards,rgpu,rgpumem,downhost,downgpu\n"


@pytest.fixture
def of(tmp_path: Path):
    """Give `of(text)`: the report of a file with that text."""

    def replayed(text: str | bytes) -> TraceReport:
        path = tmp_path / "trace.csv"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return replay(path)

    return replayed


@pytest.fixture
def mistakes(of):
    """Give `mistakes(text)`: what is wrong with a file."""

    def found(text: str | bytes) -> tuple[str, ...]:
        with pytest.raises(TraceError) as caught:
            of(text)
        return caught.value.problems

    return found


def hours(seconds: float) -> float:
    return round(seconds / 3600, 3)


# ------------------------------------------------------------------ jobs


def test_a_job_counts_its_gpus_for_its_duration(of):
    report = of(JOBS + "1,mira,0,3600,2,train,25,n1:a n1:b\n")

    assert (hours(report.total.held), hours(report.total.used)) == (2, 0.5)
    assert (report.first, report.last) == ("1970-01-01 00:00:00 UTC", "1970-01-01 01:00:00 UTC")


@pytest.mark.parametrize("name", ["interactive", "bash", "sh", "zsh", "BASH"])
def test_a_job_named_after_a_shell_is_interactive(of, name: str):
    assert list(of(JOBS + f"1,mira,0,60,1,{name},0,\n").by_class) == ["interactive"]


@pytest.mark.parametrize("blank", ["", "N/A", "nan", "null"])
def test_a_blank_utilisation_is_unknown_and_never_zero(of, blank: str):
    total = of(JOBS + f"1,mira,0,3600,1,train,{blank},\n").total

    assert (hours(total.unknown), total.zero, total.unused) == (1, 0, 0)


def test_a_job_without_gpus_is_left_out(of):
    report = of(JOBS + "1,mira,0,3600,0,train,,\n2,otto,0,3600,1,train,50,\n")

    assert list(report.by_user) == ["otto"]


def test_other_columns_and_their_order_do_not_matter(of):
    text = "user,x,job_id,start_time,duration_s,num_gpus,job_name,gpus,gpu_util_avg_pct\n"

    assert hours(of(text + "mira,?,1,0,3600,1,train,,50\n").total.used) == 0.5


def test_every_mistake_of_a_file_is_named_with_its_line(mistakes):
    text = JOBS + (
        "1,mira,0,-5,1,train,50,\n"
        "2,mira,0,60,1,train,fast,\n"
        "3,mira,0,60,1,train,150,\n"
        "4,mira,0,60,1.5,train,50,\n"
        "5,mira,0\n"
        "6,mira,0,60,2,train,50,n1:a\n"
        "1,mira,0,60,1,train,50,\n"
        "7,mira,0,inf,1,train,50,\n"
    )

    assert sorted(mistakes(text)) == [
        "line 2: duration_s: '-5' is below zero",
        "line 3: gpu_util_avg_pct: 'fast' is no number",
        "line 4: gpu_util_avg_pct: '150' is above 100",
        "line 5: num_gpus: '1.5' is no whole number",
        "line 6: 3 fields, the header has 8",
        "line 7: num_gpus: '2' differs from the 1 GPUs named in gpus",
        "line 8: job_id: '1' stands on an earlier line too; keep one row a job",
        "line 9: duration_s: 'inf' is no number",
    ]


def test_a_thousand_mistakes_do_not_fill_the_screen(of):
    rows = "".join(f"{n},mira,0,x,1,train,50,\n" for n in range(1000))
    with pytest.raises(TraceError) as caught:
        of(JOBS + rows)

    assert len(caught.value.problems) == 1000
    assert str(caught.value).splitlines()[-1] == "trace.csv: and 980 more"


# ------------------------------------------------------------------ process samples


def test_commands_of_one_job_are_one_record(of):
    report = of(
        SAMPLES
        + "2026-03-08T10:00:00Z,n1,mira,7,01,30,100\n"
        + "2026-03-08T10:00:00Z,n1,mira,7,10,50,0\n"
        + "2026-03-08T10:05:00Z,n1,mira,7,11,0,100\n"
    )

    assert report.total.records == 2
    assert hours(report.total.held) == 0.333
    assert hours(report.total.used) == round(2 * 300 * 0.4 / 3600, 3)
    assert hours(report.total.zero_with_memory) == 0.167


def test_a_missed_sample_is_nobodys_time(of):
    rows = "".join(f"2026-03-08T10:{m:02}:00Z,n1,mira,7,1,0,0\n" for m in (0, 5, 10, 40))

    assert hours(of(SAMPLES + rows).total.held) == 0.333


def test_a_process_without_a_gpu_holds_none(of):
    rows = "2026-03-08T10:00:00Z,n1,mira,7,0,0,0\n2026-03-08T10:05:00Z,n1,otto,8,1,10,0\n"

    assert list(of(SAMPLES + rows).by_user) == ["otto"]


def test_half_a_sample_is_unknown(of):
    rows = (
        "2026-03-08T10:00:00Z,n1,mira,7,1,40,0\n"
        "2026-03-08T10:00:00Z,n1,mira,7,1,,0\n"
        "2026-03-08T10:05:00Z,n1,mira,7,1,40,0\n"
    )
    total = of(SAMPLES + rows).total

    assert total.unknown == 300


def test_mistakes_in_samples_are_named(mistakes):
    text = SAMPLES + (
        "yesterday,n1,mira,7,1,0,0\n"
        "2026-03-08T10:00:00,n1,mira,7,1,0,0\n"
        "2026-03-08T10:05:00Z,n1,mira,7,12,0,0\n"
        "2026-03-08T10:05:00Z,n1,mira,7,0,5,0\n"
        "2026-03-08T10:05:00Z,n1,mira,7,1,-1,0\n"
    )

    assert sorted(mistakes(text)) == [
        "line 2: time: 'yesterday' is no time: write for example 2023-06-23T05:05:01Z",
        "line 3: time: '2026-03-08T10:00:00' has no zone: write for example 2023-06-23T05:05:01Z",
        "line 4: gpus_bitmask: '12' is no binary number: write for example 0101",
        "line 5: gpu_pct: '5' but no GPU in gpus_bitmask; which one was it?",
        "line 6: gpu_pct: '-1' is below zero",
    ]


def test_one_instant_alone_has_no_interval(mistakes):
    (found,) = mistakes(SAMPLES + "2026-03-08T10:00:00Z,n1,mira,7,1,0,0\n")

    assert "no sampling interval" in found


# ------------------------------------------------------------------ node hours


def test_an_hour_in_which_a_server_was_down_is_unknown(of):
    report = of(NODES + "n1,2026-03-08 10:00,4,0,0,1,0\nn1,2026-03-08 11:00,4,50,10,0,0\n")

    assert (hours(report.total.unknown), report.total.zero) == (4, 0)


def test_an_hour_that_stands_twice_is_named(of):
    report = of(NODES + "n1,2026-10-25 02:00,4,0,0,0,0\n" * 2)

    assert report.findings == (
        "n1 2026-10-25 02:00: stands 2 times; the clocks may have gone back",
    )


# ------------------------------------------------------------------ whole files


@pytest.mark.parametrize(
    ("text", "what"),
    [
        pytest.param("", "is empty", id="empty"),
        pytest.param(JOBS, "no row that names a GPU", id="header alone"),
        pytest.param("a,b,a\n1,2,3\n", "names columns twice: a", id="columns twice"),
        pytest.param("a,b\n1,2\n", "fit no known form", id="unknown columns"),
        pytest.param(JOBS + '"1,mira,0,60\n', "is no CSV", id="a quote that never ends"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(mistakes, text: str, what: str):
    assert what in mistakes(text)[0]


def test_the_nearest_form_is_named_with_what_it_lacks(mistakes):
    problems = mistakes("host,hour,gpu_cards,rgpu,rgpumem\n")

    assert problems[0].endswith("node hours would need downhost, downgpu")


def test_a_missing_file_says_so(tmp_path: Path):
    with pytest.raises(TraceError, match="cannot be read"):
        replay(tmp_path / "absent.csv")


def test_bytes_that_are_no_text_and_line_breaks_in_names_are_kept_readable(of):
    report = of(JOBS.encode() + b'1,"mi\xffra\n\x1b[31m",0,3600,1,train,0,\n')

    shown = PAGES["text"](report)
    assert "\x1b" not in shown
    assert "mi�ra��[31m" in shown


def test_pages_agree(of):
    report = of(JOBS + "1,mira,0,3600,2,bash,0,\n2,otto,0,7200,1,train,50,\n")

    text, values = PAGES["text"](report), json.loads(PAGES["json"](report))
    assert values["total"]["gpu_hours"]["held"] == 4
    assert values["by_user"]["mira"]["gpu_hours"]["zero"] == 2
    assert values["interactive_share_of_zero"] == 1
    assert "held 4.00 GPU-h, of which 2.00 at exactly 0 % (50 %) and 3.00 unused" in text
    assert "interactive work held 50 % of all, and 100 % of what was at 0 %" in text
