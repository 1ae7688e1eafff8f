"""Whole answers with something odd in them: the odd record alone is unclear, all others are not."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reaper.domain.facts.allocation import Inventory
from reaper.edge.clock import JumpingClock
from reaper.platforms.slurm.checks import check
from reaper.platforms.slurm.demand import SlurmDemand
from reaper.platforms.slurm.holder import SlurmHolder
from reaper.platforms.slurm.poll import Poll
from reaper.platforms.slurm.records.jobs import read_jobs
from reaper.platforms.slurm.records.nodes import read_node_lines
from tests.reaper.platforms.slurm.drawn import NOON, SlurmInMemory, raw

#: gres.conf without Type= but with a topology: Slurm writes the missing type as "(null)".
UNTYPED = """\
NodeName=gpu01 Gres=gpu:4(S:0-1) GresUsed=gpu:(null):4(IDX:0-3) State=ALLOCATED Partitions=gpu
NodeName=gpu02 Gres=gpu:4(S:0-1) GresUsed=gpu:(null):2(IDX:0-1) State=MIXED Partitions=gpu
NodeName=gpu03 Gres=gpu:4(S:0-1) GresUsed=gpu:(null):0(IDX:N/A) State=IDLE Partitions=gpu
"""


def running(ident: int, nodes: str, *gres, **more):
    return raw(
        "structured",
        job_id=ident,
        nodes=nodes,
        gres_detail=list(gres),
        start_time=NOON - 60,
        end_time=NOON + 60,
        **more,
    )


def slurm(lines: str, *records) -> SlurmInMemory:
    return SlurmInMemory(*read_jobs({"jobs": list(records)}), nodes=read_node_lines(lines))


async def claimed(answers: SlurmInMemory):
    poll = Poll(answers, JumpingClock(at=NOON))
    found = await SlurmHolder(poll, cluster="grove").claims(Inventory())
    await SlurmDemand(poll).waiting()
    return {claim.run.id: claim for claim in found.claims}, found.capacities


async def agreement(answers: SlurmInMemory):
    found = await check(answers, user="root")
    return [item for item in found if item.subject == "slurm: jobs and nodes agree"]


async def test_gpus_of_no_configured_type_are_counted_and_told_apart():
    answers = slurm(
        UNTYPED,
        running(101, "gpu01", "gpu:4(IDX:0-3)"),
        running(102, "gpu02", "gpu:(null):2(IDX:0-1)"),
    )

    found, capacities = await claimed(answers)

    assert {ident: claim.doubt for ident, claim in found.items()} == {"101": "", "102": ""}
    assert [place.index for place in found["101"].places] == [0, 1, 2, 3]
    assert [(item.gpus, item.allocated) for item in capacities] == [(4, 4), (4, 2), (4, 0)]
    assert [item.ok for item in await agreement(answers)] == [True]


async def test_a_node_whose_text_is_not_understood_is_the_only_one_in_doubt():
    lines = UNTYPED.replace("gpu:(null):4(IDX:0-3)", "gpu:[new]:4(IDX:0-3)=x")
    answers = slurm(
        lines, running(101, "gpu01", "gpu:4(IDX:0-3)"), running(102, "gpu02", "gpu:2(IDX:0-1)")
    )

    found, _ = await claimed(answers)
    (finding,) = await agreement(answers)

    assert "'gpu:[new]:4(IDX:0-3)=x'" in found["101"].doubt
    assert found["102"].doubt == ""
    assert "'gpu:[new]:4(IDX:0-3)=x'" in finding.what
    assert "AdminLevel" not in finding.what + finding.cure


async def test_null_for_the_gpus_on_one_node_is_none_there():
    lines = UNTYPED.replace("gpu:(null):4(IDX:0-3)", "gpu:(null):2(IDX:0-1)")
    answers = slurm(
        lines,
        running(101, "gpu01", "gpu:2(IDX:0-1)"),
        running(102, "gpu[01-02]", "gpu:0", None),
        running(103, "gpu02", "gpu:2(IDX:0-1)"),
    )

    found, _ = await claimed(answers)

    assert {ident: claim.doubt for ident, claim in found.items()} == {"101": "", "103": ""}


async def test_a_job_whose_gpus_are_odd_is_in_doubt_with_its_node_and_no_further():
    answers = slurm(
        UNTYPED,
        running(101, "gpu01", "gpu:3(IDX:0-2)"),
        running(102, "gpu01", {"gpu": 1}),
        running(103, "gpu02", "gpu:2(IDX:0-1)"),
    )

    found, _ = await claimed(answers)

    assert "gres_detail" in found["102"].doubt
    assert "job 102 cannot be read" in found["101"].doubt
    assert found["103"].doubt == ""


FIELDS = sorted({*running(101, "gpu01", "gpu:1")} - {"job_id", "submit_time", "restart_cnt"})
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)
TEXTS = st.sampled_from(["gpu:(null):9", "gpu[1-", "RUNNING", "PENDING", "-1", "\0", "gpu:1"])


@pytest.mark.filterwarnings("error")
@given(st.sampled_from(FIELDS), JUNK | TEXTS | st.lists(TEXTS, max_size=2))
async def test_no_junk_in_one_job_blinds_a_job_elsewhere(field, value):
    odd = running(101, "gpu01", "gpu:4(IDX:0-3)") | {field: value}
    answers = slurm(UNTYPED, odd, running(102, "gpu02", "gpu:2(IDX:0-1)"))

    found, _ = await claimed(answers)

    assert found["102"].doubt == ""
    assert "102" in found
    assert await check(answers, user="root")


@given(st.sampled_from(re.findall(r"\S+", UNTYPED.splitlines()[0])[1:]), st.text(max_size=12))
async def test_no_junk_in_one_node_blinds_another(word, junk):
    spoilt = junk.replace("\n", "")
    lines = UNTYPED.replace(word, word.partition("=")[0] + "=" + spoilt, 1)
    answers = slurm(
        lines, running(101, "gpu01", "gpu:4(IDX:0-3)"), running(102, "gpu02", "gpu:2(IDX:0-1)")
    )

    found, capacities = await claimed(answers)

    assert found["102"].doubt == ""
    assert [item.gpus for item in capacities if item.node != "gpu01"] == [4, 4]
