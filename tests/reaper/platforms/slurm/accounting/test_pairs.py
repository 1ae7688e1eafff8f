"""Sacct's fields as name=value, a row a line, as Sonar writes them."""

from datetime import UTC
from io import BytesIO

import pytest

from reaper.app.books.auditing import read
from reaper.domain.audit.jobs import Outcome
from reaper.platforms.slurm.accounting import Told, is_pairs

JOB = (
    "JobID=973821,JobIDRaw=973821,User=ec-aaaaa,Account=ec85,State=COMPLETED,"
    "Start=2024-11-13T11:08:00+01:00,End=2024-11-13T13:08:00+01:00,ElapsedRaw=7200,ExitCode=0:0,"
    '"AllocTRES=billing=6,cpu=6,gres/gpu:a100=2,gres/gpu=2",JobName=train,NodeList=c1-28'
)
BATCH = "JobID=973821.batch,JobIDRaw=973821.batch,State=COMPLETED,ElapsedRaw=7200,JobName=batch"


def records(*rows: str):
    text = "\n".join((*rows, ""))
    return read(BytesIO(text.encode()), source="fox.csv", reader=Told(zone=UTC))


def test_a_row_of_named_fields_is_a_job_and_its_steps_are_none():
    found = records(JOB, BATCH)

    (job,) = found.jobs
    assert (job.id, job.owner, job.devices, job.model) == ("973821", "ec-aaaaa", 2, "a100")
    assert (job.held, job.outcome) == (4 * 3600, Outcome.COMPLETED)
    assert (found.form, found.rows, found.steps) == ("sacct as name=value", 2, 1)
    assert found.unread == ()


def test_fields_stand_in_any_order_and_may_be_left_out():
    other = 'ElapsedRaw=60,State=FAILED,JobIDRaw=7,"AllocTRES=cpu=1,gres/gpu=1",JobID=7'

    assert [job.seconds for job in records(JOB, other).jobs] == [7200, 60]


def test_a_row_with_a_field_without_a_name_is_named_and_the_next_is_read():
    found = records(JOB, "JobID=8,State=FAILED,cpu=1,x", JOB.replace("973821", "9"))

    assert [job.id for job in found.jobs] == ["973821", "9"]
    assert str(found.unread[0]).startswith("fox.csv:2: 'x' has no name")


def test_what_is_missing_altogether_is_said_once():
    assert "AllocTRES" in records("JobID=7,State=FAILED,User=u").unread[0].what


@pytest.mark.parametrize(
    "first",
    ["JobID|User|State", "job_id,user,num_gpus", "", "JobID=7", "7|a=b|c=d", "user=a,state=b"],
)
def test_other_first_lines_are_no_such_row(first):
    assert not is_pairs(first)
