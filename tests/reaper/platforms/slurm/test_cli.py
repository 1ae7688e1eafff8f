"""Slurm's commands: exactly the right words, and no answer but a whole one."""

import json
from collections.abc import Mapping, Sequence

import pytest

from reaper.edge.command import CommandMissingError, CommandTimeoutError, Finished
from reaper.platforms.slurm.backend import UNLIMITED
from reaper.platforms.slurm.cli import CliBackend
from reaper.ports import ActionError, SourceError
from tests.reaper.platforms.slurm.drawn import raw

NODE = "NodeName=gpu01 Gres=gpu:4 GresUsed=gpu:1 State=IDLE Partitions=batch \n"


class Said:
    """A runner that says one thing and notes what it was asked."""

    def __init__(self, out: str = "", *, err: str = "", status: int = 0, raises=None) -> None:
        self.finished = Finished(status=status, out=out, err=err)
        self.raises = raises
        self.argv: tuple[str, ...] = ()
        self.environment: Mapping[str, str] = {}

    async def __call__(self, argv: Sequence[str], *, environment, within, limit) -> Finished:
        self.argv, self.environment = tuple(argv), environment
        if self.raises:
            raise self.raises
        return self.finished

    def backend(self, **more) -> CliBackend:
        usual = {"environment": {"PATH": "/bin", "SQUEUE_STATES": "PD"}, "user": "gr-reaper"}
        return CliBackend(self, **(usual | more))


def body(**more) -> str:
    return json.dumps({"jobs": [raw("plain", **more)], "errors": []})


async def test_one_question_brings_every_job():
    said = Said(body())

    (found,) = await said.backend().jobs()

    assert said.argv == ("squeue", "--json", "--all", "--states=all")
    assert found.key == "7.0.100"


async def test_only_what_cannot_change_an_answer_reaches_a_command(tmp_path):
    said = Said(body())

    await said.backend(conf=tmp_path / "slurm.conf").jobs()

    assert said.environment == {
        "PATH": "/bin",
        "TZ": "UTC",
        "LC_ALL": "C",
        "SLURM_CONF": str(tmp_path / "slurm.conf"),
    }


async def test_commands_are_taken_from_the_given_folder(tmp_path):
    said = Said(NODE)

    await said.backend(commands=tmp_path).nodes()

    assert said.argv == (
        str(tmp_path / "scontrol"),
        "--detail",
        "--oneliner",
        "show",
        "node",
    )


async def test_a_job_that_is_gone_is_no_error():
    said = Said(err="slurm_load_jobs error: Invalid job id specified\n", status=1)

    assert await said.backend().jobs(("9",)) == ()


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (Said(body()[:-40]), "squeue: .*run it by hand"),
        (Said("", status=0), "the answer is empty"),
        (Said("[]"), "no JSON object"),
        (Said("{}"), "no list of jobs"),
        (Said("[" * 100_000), "squeue"),
        (Said(body(), status=1, err="Socket timed out\non send"), "status 1: Socket timed out on"),
        (Said(raises=CommandTimeoutError("squeue did not answer in 30 s")), "scontrol ping"),
        (Said(raises=CommandMissingError("squeue: No such file")), "install slurm-client"),
    ],
)
async def test_half_an_answer_is_no_answer(said, why):
    with pytest.raises(SourceError, match=why):
        await said.backend().jobs()


@pytest.mark.parametrize("said", [Said(NODE[:-30]), Said(""), Said(NODE, status=1)])
async def test_half_a_list_of_nodes_is_none(said):
    with pytest.raises(SourceError, match="scontrol show node"):
        await said.backend().nodes()


async def test_line_breaks_and_bad_bytes_in_a_name_harm_nothing():
    (found,) = await Said(body(name="a\nJobState=COMPLETED \ufffd")).backend().jobs()

    assert found.at_work
    assert found.name == "a\nJobState=COMPLETED \ufffd"


@pytest.mark.parametrize(
    ("act", "argv"),
    [
        (
            lambda slurm: slurm.update("17_2", requeue=False, limit=5),
            ("scontrol", "update", "JobId=17_2", "Requeue=0", "TimeLimit=5"),
        ),
        (
            lambda slurm: slurm.update("7", requeue=True, limit=UNLIMITED),
            ("scontrol", "update", "JobId=7", "Requeue=1", "TimeLimit=UNLIMITED"),
        ),
        (lambda slurm: slurm.cancel("17_2"), ("scancel", "17_2")),
        (
            lambda slurm: slurm.signal_batch("7", "USR1"),
            ("scancel", "--signal=USR1", "--batch", "7"),
        ),
        (
            lambda slurm: slurm.signal_step("7_3.0", "USR1"),
            ("scancel", "--signal=USR1", "7_3.0"),
        ),
        (lambda slurm: slurm.requeue("7"), ("scontrol", "requeue", "Incomplete", "7")),
    ],
)
async def test_an_act_names_exactly_one_job(act, argv):
    said = Said()

    await act(said.backend())

    assert said.argv == argv


@pytest.mark.parametrize("address", ["", "7,8", "5_", "5_[1-3]", "--user=mira", "7 8", "7+1", "٧"])
async def test_what_could_mean_more_than_one_job_reaches_no_command(address):
    said = Said()

    with pytest.raises(ActionError, match="no job's address"):
        await said.backend().cancel(address)
    assert said.argv == ()


@pytest.mark.parametrize(
    ("err", "recoverable", "cure"),
    [
        ("scancel: error: Kill job error on job id 7: Access/permission denied", False, "Operator"),
        ("Invalid user id for job 7", False, "AdminLevel=Operator"),
        ("Unable to contact slurm controller (connect failure)", True, "scontrol ping"),
        ("Socket timed out on send/recv operation", True, "scontrol ping"),
        ("Job can not be altered now, try again later for job 7", True, "tried again"),
        ("Requested operation is presently disabled for job 7", False, "must not be requeued"),
        ("Only batch jobs are accepted or processed for job 7", False, "batch jobs"),
        ("Invalid job id specified for job 7", False, "Invalid job id"),
        ("something new", False, "by hand"),
        ("", False, "no reason given"),
    ],
)
async def test_a_refusal_says_whether_to_try_again_and_the_cure(err, recoverable, cure):
    with pytest.raises(ActionError, match=cure) as refusal:
        await Said(err=err, status=1).backend().cancel("7")

    assert refusal.value.recoverable is recoverable
    assert "job 7: cancel" in str(refusal.value)


async def test_an_act_that_did_not_answer_may_be_tried_again_after_a_look():
    said = Said(raises=CommandTimeoutError("scancel did not answer in 30 s"))

    with pytest.raises(ActionError, match="did not answer") as refusal:
        await said.backend().cancel("7")
    assert refusal.value.recoverable


async def test_the_newest_submit_line_counts():
    said = Said("sbatch old.sh\nsbatch --signal=USR1@60 new.sh\n")

    assert await said.backend().submit_line("17_2") == "sbatch --signal=USR1@60 new.sh"
    assert said.argv[-4:] == ("-D", "-j", "17_2", "--format=SubmitLine")


async def test_settings_and_version_are_read():
    said = Said(
        "Configuration data as of x\nPrivateData             = jobs,usage\n"
        "SLURM_VERSION           = 22.05.8\n"
    )

    facts = await said.backend().facts()

    assert (facts.version, facts.settings["privatedata"]) == ((22, 5, 8), "jobs,usage")


async def test_accounting_is_asked_for_every_run_of_the_span_in_utc():
    said = Said("JobID|ElapsedRaw|AllocTRES|User\n17_2|60|gres/gpu=2|mira\n")

    found = await said.backend().accounting(1793613600.0, 1793617200.5)

    assert [(job.id, job.held) for job in found.jobs] == [("17_2", 120)]
    assert said.argv[1:11] == (
        "-a", "-D", "-X", "-P", "-T",
        "-S", "2026-11-02T10:00:00", "-E", "2026-11-02T11:00:00",
        said.argv[10],
    )  # fmt: skip
    assert "JobName" not in said.argv[10]


async def test_a_record_of_accounting_that_makes_no_sense_is_the_only_one_not_read():
    said = Said("JobID|ElapsedRaw|AllocTRES\n17|60|gres/gpu=2\n18|soon|\n19|60\n20|60|\n")

    found = await said.backend().accounting(0.0, 60.0)

    assert [job.id for job in found.jobs] == ["17", "20"]
    assert [(one.job, one.line) for one in found.unread] == [("18", 3), ("", 4)]


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("JobID|ElapsedRaw|AllocTRES\n17|60|gres/gpu=2\n18|6", "breaks off"),
        ("JobID|ElapsedRaw|AllocTRES\n17|60|gres/gpu=2", "breaks off"),
        ("sacct: no such table\n", "sacct:1: "),
    ],
)
async def test_an_answer_of_accounting_that_is_none_or_breaks_off_fails(answer, why):
    with pytest.raises(SourceError, match=why):
        await Said(answer).backend().accounting(0.0, 60.0)
