"""Sacct's text gives each job once, with its GPUs once, in whatever order it was asked for."""

from datetime import UTC
from zoneinfo import ZoneInfo

import pytest

from reaper.domain.audit.jobs import Outcome
from reaper.domain.facts.allocation import Purpose
from reaper.platforms.slurm.accounting import Told, is_accounting, read_text
from reaper.platforms.slurm.records.purpose import Rule
from tests.sacct_lines import HEAD, line, only, read, said

# ------------------------------------------------------------------ GPUs


@pytest.mark.parametrize(
    ("tres", "devices", "cards", "model"),
    [
        ("cpu=8,gres/gpu=2", 2, 2, ""),
        ("gres/gpu:a100=2", 2, 2, "a100"),
        ("gres/gpu:a100=2,gres/gpu=2", 2, 2, "a100"),
        ("gres/gpu=5,gres/gpu:a100=2,gres/gpu:h100=2", 5, 5, "a100, h100"),
        ("gres/gpu:1g.10gb=7,gres/gpu=7", 7, 1, "1g.10gb"),
        ("gres/gpu:a100_3g.20gb=1,gres/gpu=1", 1, 3 / 7, "a100_3g.20gb"),
        ("cpu=8,gres/gpfs=1,gres/gpu_mem=4000,gres/shard=2,gres/gpumem=1G", 0, 0, ""),
        ("gres/gpu=-2", 0, 0, ""),
        ("", 0, 0, ""),
        ("billing=28672,gres/gpu=1024,node=128", 1024, 1024, ""),
    ],
)
def test_gpus_count_once_however_often_they_are_named(tres, devices, cards, model):
    job = only(line(tres=tres))

    assert (job.devices, job.model) == (devices, model)
    assert job.cards == pytest.approx(cards)


def test_steps_are_counted_apart_and_hold_nothing():
    found = read(line(), line("101.batch"), line("101.extern"), line("101.0"))

    assert (len(found.jobs), found.steps, found.rows) == (1, 3, 4)


def test_a_suspended_job_keeps_its_gpus():
    head = HEAD + "|Suspended"

    assert only(line() + "|01:00:00", head=head).seconds == 3 * 3600


def test_a_job_that_lost_its_end_counts_to_its_limit():
    head = HEAD + "|TimelimitRaw"
    lost = line(state="RUNNING", end="Unknown", elapsed="8640000") + "|1440"
    job = only(lost, head=head)

    assert (job.seconds, job.beyond_limit) == (86400, 8640000 - 86400)


# ------------------------------------------------------------------ columns


def test_columns_stand_in_any_order():
    job = only("gres/gpu=4|60|7|otto", head="AllocTRES|ElapsedRaw|JobID|User")

    assert (job.id, job.owner, job.held) == ("7", "otto", 240)


@pytest.mark.parametrize("delimiter", ["|#", "\t", "^", "::"])
def test_any_delimiter_is_found_in_the_header(delimiter: str):
    job = only(line().replace("|", delimiter), head=HEAD.replace("|", delimiter))

    assert job.held == 4 * 3600


def test_a_delimiter_at_the_end_of_each_line_is_none():
    assert only(line() + "|", head=HEAD + "|").held == 4 * 3600


def test_windows_line_ends_and_a_byte_order_mark_are_no_part_of_names():
    found = read_text(f"\ufeff{HEAD}\r\n{line()}\r\n", source="x", told=Told())

    assert [job.name for job in found.jobs] == ["train"]


def test_a_file_without_a_header_is_read_with_named_columns():
    job = only("7|60|gres/gpu=4", head="", columns=("JobID", "ElapsedRaw", "AllocTRES"))

    assert job.held == 240


def test_every_missing_column_is_named_with_the_question_to_ask():
    found = read("x|y", head="JobName|State")

    assert len(found.unread) == 1
    assert "lacks the columns JobID, AllocTRES, ElapsedRaw; ask with: sacct" in said(found)[0]


def test_the_table_of_sacct_is_refused():
    found = read("---------- ----------", "101+       train", head="JobID      JobName   ")

    assert "in which texts are cut off; ask with -P" in said(found)[0]


@pytest.mark.parametrize(
    ("first", "known"),
    [(HEAD, True), ('{"jobs": []}', True), ("job_id,user,start_time", False), ("a b c", False)],
)
def test_a_header_of_sacct_is_known(first: str, known: bool):
    assert is_accounting(first) is known


# ------------------------------------------------------------------ times


@pytest.mark.parametrize("written", ["2026-11-02T10:00:00", "1793613600"])
def test_instants_are_local_times_or_unix_seconds(written: str):
    assert only(line(start=written), zone=UTC).began == 1793613600


def test_local_times_are_of_the_zone_that_is_told():
    assert only(line(), zone=ZoneInfo("Europe/Berlin")).began == 1793613600 - 3600


@pytest.mark.parametrize(
    ("elapsed", "seconds"), [("1-02:03:04", 93784), ("02:03:04", 7384), ("03:04.5", 184.5)]
)
def test_a_duration_is_read_as_slurm_writes_it(elapsed: str, seconds: float):
    head = HEAD.replace("ElapsedRaw", "Elapsed")

    assert only(line(elapsed=elapsed), head=head).seconds == seconds


def test_a_job_that_never_began_holds_nothing():
    job = only(line(state="CANCELLED by 0", start="None", end="None", elapsed="0", tres=""))

    assert (job.began, job.held, job.outcome) == (None, 0, Outcome.CANCELLED)


# ------------------------------------------------------------------ what it was, how it ended


def test_a_step_that_ran_out_of_memory_says_why_its_job_failed():
    job = only(line(state="FAILED"), line("101.0", state="OUT_OF_MEMORY", exit="0:125"))

    assert job.outcome is Outcome.OUT_OF_MEMORY


def test_a_step_of_another_run_says_nothing_of_this_one():
    earlier = line("101.0", state="OUT_OF_MEMORY", start="2026-11-01T10:00:00")

    assert only(line(state="FAILED"), earlier).outcome is Outcome.FAILED


def test_a_job_with_a_batch_script_is_training_and_one_without_is_a_persons():
    found = read(line("1"), line("1.batch"), line("2"), line("2.0"), line("3"))

    assert [job.purpose for job in found.jobs] == [
        Purpose.TRAINING,
        Purpose.INTERACTIVE,
        Purpose.OTHER,
    ]


def test_every_component_of_a_het_job_has_the_batch_script_of_the_first():
    found = read(line("5+0"), line("5+0.batch"), line("5+1"), line("5+1.0"))

    assert {job.purpose for job in found.jobs} == {Purpose.TRAINING}


@pytest.mark.parametrize("name", ["bash", "interactive", "sys/dashboard/dev/jupyter"])
def test_a_job_named_like_a_session_is_a_persons(name: str):
    assert only(line(name=name)).purpose is Purpose.INTERACTIVE


def test_an_operators_rule_goes_before_all_evidence():
    rule = Rule(purpose=Purpose.INFERENCE, name=("serve*",))

    assert only(line(name="serve-llm"), rules=(rule,)).purpose is Purpose.INFERENCE


def test_the_peak_of_the_steps_is_the_memory_used():
    head = HEAD + "|MaxRSS"
    rows = (line() + "|", line("101.0") + "|112488K", line("101.1") + "|2G")

    job = only(*rows, head=head)
    assert (job.memory_used, job.memory_asked) == (2 * 2**30, 64 * 2**30)


# ------------------------------------------------------------------ use


@pytest.mark.parametrize("column", ["GPUUtil", "gpu_util_avg_pct", "GPU_Utilization"])
def test_a_column_that_a_site_added_tells_the_use(column: str):
    job = only(line() + "|25", head=f"{HEAD}|{column}")

    assert [one.utilisation for one in job.usage] == [0.25]


@pytest.mark.parametrize("written", ["", "N/A", "-", "nan"])
def test_a_blank_use_is_unknown_and_never_zero(written: str):
    job = only(f"{line()}|{written}", head=f"{HEAD}|GPUUtil")

    assert [one.utilisation for one in job.usage] == [None]


def test_a_use_above_a_hundred_percent_is_named_and_unknown():
    found = read(line() + "|250", head=f"{HEAD}|GPUUtil")

    assert found.jobs[0].usage[0].utilisation is None
    assert "'250' is no percentage of 0 to 100; counted without it" in said(found)[0]


def test_jobs_whose_gpus_accounting_does_not_count_are_noted():
    head = HEAD + "|SubmitLine"
    found = read(line(tres="cpu=8") + "|sbatch --gres=gpu:2 run.sh", head=head)

    assert "add gres/gpu to AccountingStorageTRES" in found.notes[-1]


def test_states_that_are_not_known_are_noted():
    assert "states that are not known: BRAND_NEW" in read(line(state="BRAND_NEW")).notes


# ------------------------------------------------------------------ the hour that repeats

NEW_YORK = Told(zone=ZoneInfo("America/New_York"))
FALL = """JobID|JobName|User|State|Start|End|AllocTRES
501|inhour|amy|COMPLETED|2025-11-02T01:50:00|2025-11-02T01:10:00|gres/gpu:a100=2
502|gap|amy|COMPLETED|2025-03-09T01:30:00|2025-03-09T03:30:00|gres/gpu:a100=2
503|both|amy|COMPLETED|2025-11-02T00:30:00|2025-11-02T02:30:00|gres/gpu:a100=1
"""
LASTED = """JobID|State|Submit|Eligible|Start|End|ElapsedRaw|AllocTRES
500|COMPLETED|2025-11-02T00:00:00|2025-11-02T00:00:00|2025-11-02T01:30:00|2025-11-02T02:00:00|1800|gres/gpu:a100=2
"""


def test_a_job_that_ends_in_the_second_pass_of_an_hour_is_read():
    found = read_text(FALL, source="x", told=NEW_YORK)

    assert [job.held / 3600 for job in found.jobs] == [pytest.approx(2 / 3), 2.0, 3.0]
    assert found.unread == ()


def test_the_duration_tells_when_a_job_began_and_so_how_long_it_waited():
    (job,) = read_text(LASTED, source="x", told=NEW_YORK).jobs

    assert (job.waited, job.seconds) == (2.5 * 3600, 1800)


def test_a_time_that_may_be_either_is_noted_with_its_line():
    either = FALL.replace("T01:50:00", "T01:05:00")

    found = read_text(either, source="x", told=NEW_YORK)

    assert any("(lines 2)" in note for note in found.notes)
