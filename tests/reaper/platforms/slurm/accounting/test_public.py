"""Books that other sites published give the answers that their index names."""

from pathlib import Path

import pytest

from reaper.domain.audit.jobs import Outcome, Records, single
from reaper.platforms.slurm.accounting import Told, read_answer, read_text
from tests.public_traces import public

SONAR = (
    "JobID JobIDRaw User Account State Start End AveCPU AveDiskRead AveDiskWrite AveRSS AveVMSize "
    "ElapsedRaw ExitCode Layout MaxRSS MaxVMSize MinCPU ReqCPUS ReqMem ReqNodes Reservation Submit "
    "Suspended SystemCPU TimelimitRaw UserCPU NodeList Partition AllocTRES Priority JobName"
)
"""The columns that its authors ask for, in their order."""


def text(path: Path, **given: object) -> Records:
    body = path.read_bytes().decode(errors="replace")
    return read_text(body, source=path.name, told=Told(), **given)


@pytest.mark.parametrize(
    ("version", "ident", "gpus", "hours", "ended"),
    [
        ("21_8_8", "55978384", 1, 86301 / 3600, Outcome.REQUEUED),
        ("22_5_9", "20247445_100", 16, 16 * 124403 / 3600, Outcome.FAILED),
        ("23_2_6", "4", 2, 240, Outcome.RUNNING),
        ("23_11_5", "4", 2, 240, Outcome.RUNNING),
    ],
)
def test_the_json_of_every_version_has_its_gpus(version, ident, gpus, hours, ended):
    path = public("slurm", "json", f"sarc-sacct-json-{version}.json")
    found = read_answer(path.read_text(encoding="utf-8"), source=path.name, told=Told())

    (job,) = found.jobs
    assert (job.id, job.devices, job.outcome) == (ident, gpus, ended)
    assert job.held / 3600 == pytest.approx(hours, abs=0.1)
    assert found.unread == ()


def test_a_record_that_has_run_for_three_years_counts_to_its_limit():
    path = public("slurm", "json", "sarc-sacct-json-23_11_5.json")
    (job,) = read_answer(path.read_text(encoding="utf-8"), source=path.name, told=Told()).jobs

    assert job.seconds == job.limit == 7200 * 60
    assert job.seconds + job.beyond_limit == 102228976


def test_rows_with_line_breaks_are_whole_and_repeated_ones_count_once():
    found = text(public("slurm", "text", "gcm-sample-sacct-multiple-multiline.txt"))
    jobs = single(found.jobs)

    assert (found.rows, found.steps, found.unread) == (6, 2, ())
    assert {job.id: job.devices for job in jobs.jobs} == {"201729": 1024, "201844": 256}
    assert jobs.repeated == 2
    assert sum(job.held for job in jobs.jobs) / 3600 == pytest.approx(
        (1024 * 79396 + 256 * 87356) / 3600, abs=0.1
    )


@pytest.mark.parametrize(
    ("name", "rows"),
    [("gcm-sample-sacct-output-first60.txt", 59), ("gcm-sample-sacct-running-output.txt", 10)],
)
def test_a_file_of_steps_alone_holds_no_job(name: str, rows: int):
    found = text(public("slurm", "text", name))

    assert (found.rows, found.steps, found.jobs, found.unread) == (rows, rows, (), ())


def test_a_file_without_a_header_is_read_with_its_columns():
    path = public("slurm", "text", "sonar-sacct-parsable-noheader.txt")
    found = text(path, columns=SONAR.split())
    held = [job for job in found.jobs if job.devices]

    assert (found.rows, found.steps, len(found.jobs), found.unread) == (96, 67, 29, ())
    assert len(held) == sum(job.devices for job in held) == 16
    assert [job.id for job in found.jobs if job.outcome is Outcome.OUT_OF_MEMORY] == [
        "973997",
        "974001",
    ]


@pytest.mark.parametrize("version", ["24.05_0.0.41", "25.05_0.0.43", "25.11_0.0.41"])
def test_every_answer_of_slurmrestd_is_read_whole(version: str):
    paths = sorted(public("slurm", "slurmrestd", version).glob("slurmdb-job-*.json"))
    found = [
        read_answer(path.read_text(encoding="utf-8"), source=path.name, told=Told())
        for path in paths
    ]

    assert len(found) > 10
    assert [str(one) for records in found for one in records.unread] == []


def test_gpus_that_accounting_never_knew_are_noted():
    path = public("slurm", "slurmrestd", "25.11_0.0.41", "slurmdb-job-gpus-completed.json")
    found = read_answer(path.read_text(encoding="utf-8"), source=path.name, told=Told())

    assert found.jobs[0].devices == 0
    assert "add gres/gpu to AccountingStorageTRES" in found.notes[0]
