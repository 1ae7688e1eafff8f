"""What doctor says about Slurm, each with its cure."""

from dataclasses import replace

import pytest

from reaper.platforms.slurm.checks import check
from reaper.ports import SourceError
from tests.reaper.platforms.slurm.drawn import SlurmInMemory, job, node


def healthy() -> SlurmInMemory:
    return SlurmInMemory(job(7, "gpu:a100:2(IDX:0-1)"), nodes=[node(used=2)])


async def findings(slurm: SlurmInMemory, user: str = "gr-reaper"):
    return {item.subject.removeprefix("slurm: "): item for item in await check(slurm, user=user)}


async def test_a_healthy_cluster_has_nothing_to_cure():
    found = await findings(healthy())

    assert [item.subject for item in found.values() if item.ok is not True] == []
    assert all(item.what for item in found.values())


async def test_a_silent_controller_is_the_one_finding():
    slurm = healthy()
    slurm.refusals["facts"] = SourceError("slurm: scontrol did not answer; scontrol ping")

    found = await findings(slurm)

    assert list(found) == ["controller"]
    assert found["controller"].ok is False


@pytest.mark.parametrize(
    ("version", "ok"),
    [
        ("21.08.8", False),
        ("22.05.8", True),
        ("24.11.5", True),
        ("25.11.1", True),
        ("26.05.0", None),
    ],
)
async def test_the_version_is_known_too_old_or_new(version, ok):
    slurm = healthy()
    slurm.settings["slurm_version"] = version

    finding = (await findings(slurm))["version"]

    assert finding.ok is ok
    assert version in finding.what
    assert bool(finding.cure) is (ok is not True)


@pytest.mark.parametrize(
    ("user", "level", "ok"),
    [
        ("root", "", True),
        ("slurm", "", True),
        ("gr-reaper", "Operator", True),
        ("gr-reaper", "Administrator", True),
        ("gr-reaper", "None", False),
        ("gr-reaper", "", False),
    ],
)
async def test_rights_are_told_with_the_command_that_grants_them(user, level, ok):
    slurm = healthy()
    slurm.level = level

    finding = (await findings(slurm, user))["rights"]

    assert (finding.ok, finding.needed) == (ok, "act")
    assert ok or "AdminLevel=Operator" in finding.cure


async def test_rights_are_unknown_without_accounting():
    slurm = healthy()
    slurm.refusals["admin_level"] = SourceError("slurm: sacctmgr: status 1")

    assert (await findings(slurm))["rights"].ok is None


@pytest.mark.parametrize(("level", "ok"), [("Operator", True), ("None", False)])
async def test_hidden_jobs_matter_to_ordinary_accounts_only(level, ok):
    slurm = healthy()
    slurm.level = level
    slurm.settings["privatedata"] = "accounts,jobs"

    finding = (await findings(slurm))["PrivateData"]

    assert finding.ok is ok
    assert ok or "PrivateData" in finding.cure


async def test_accounting_that_counts_no_gpus_is_told():
    slurm = healthy()
    slurm.settings["accountingstoragetres"] = "cpu,mem,gres/gpfs"

    finding = (await findings(slurm))["AccountingStorageTRES"]

    assert finding.ok is None
    assert "gres/gpu" in finding.cure


async def test_slack_beyond_limits_is_told():
    slurm = healthy()
    slurm.settings["overtimelimit"] = "5 min"

    assert "5 min" in (await findings(slurm))["OverTimeLimit"].what


async def test_nodes_whose_sums_differ_are_named_after_a_second_look():
    slurm = healthy()
    slurm.known_nodes = (node(used=4),)

    finding = (await findings(slurm))["jobs and nodes agree"]

    assert finding.ok is False
    assert "gpu01" in finding.what
    assert slurm.asked == 2


async def test_a_list_that_cannot_be_read_is_a_finding_of_its_own():
    slurm = healthy()
    slurm.refusals["nodes"] = SourceError("slurm: scontrol show node: status 1")

    found = await findings(slurm)

    assert "status 1" in found["jobs and nodes agree"].what
    assert found["rights"].ok


async def test_a_text_that_cannot_be_read_is_quoted_and_is_no_matter_of_rights():
    slurm = healthy()
    slurm.known_nodes = (node(used=None, unclear="GresUsed: 'gpu:(x):4' cannot be read"),)

    found = await findings(slurm)

    assert "'gpu:(x):4'" in found["jobs and nodes agree"].what
    assert "AdminLevel" not in found["jobs and nodes agree"].what
    assert found["a record"].what.startswith("node gpu01: GresUsed")
    assert found["a record"].cure


async def test_a_job_with_an_odd_value_is_named_though_the_sums_agree():
    slurm = healthy()
    slurm.standing["7"] = replace(slurm.standing["7"], odd="name is 5, no text")

    found = await findings(slurm)

    assert found["jobs and nodes agree"].ok
    assert found["a record"].ok is None
    assert found["a record"].what == "job 7: name is 5, no text"
