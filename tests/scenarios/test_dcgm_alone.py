"""A node on which only a dcgm-exporter answers: its owner is named and warned, nothing is ended."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from reaper.activity.prometheus.activity import PrometheusActivity
from reaper.activity.prometheus.settings import PrometheusSettings
from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.device import FOREIGN
from reaper.languages.catalogue import said
from tests import builders
from tests.builders import START
from tests.fake_engine import FakeEngine, engine
from tests.lab import Lab, lab

TARGET = {"job": "dcgm-exporter", "instance": "10.0.0.1:9400"}
IDLE = {
    "DCGM_FI_DEV_GPU_UTIL": 0,
    "DCGM_FI_PROF_SM_ACTIVE": 0,
    "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE": 0,
    "DCGM_FI_PROF_DRAM_ACTIVE": 0,
    "DCGM_FI_DEV_FB_USED": 40000,
    "DCGM_FI_DEV_POWER_USAGE": 70,
}


@pytest.fixture
async def served() -> AsyncIterator[FakeEngine]:
    async with engine() as running:
        yield running


async def observed(served: FakeEngine, *, gpus: int, job: str = "") -> Lab:
    """Let a job hold the first of two GPUs, or both, idle for two hours and a half."""
    settings = PrometheusSettings.model_validate(
        {"engines": [{"url": served.address, "dcgm": {"interval": "30s"}}], "delay": "0s"}
    )
    here = lab(replace(builders.policy(), name="quiet"))
    claim = builders.claim(gpus=gpus, purpose=Purpose.TRAINING)
    cards = [builders.device(index, generation=FOREIGN, gres_index=None) for index in range(2)]
    here.cluster.inputs.clear()
    here.cluster.add(claim, *cards)
    async with PrometheusActivity(settings, clock=here.clock) as activity:
        here.activity = activity
        for minute in range(150):
            for second in (5, 20, 35, 50):
                page = "".join(map(shown, (0, 1), ("101" if job else "", "")))
                served.scrape(page.encode(), START + 60 * minute + second, **TARGET)
            await here.minute()
    return here


def shown(index: int, job: str) -> str:
    labels = f'gpu="{index}",UUID="GPU-gpu01-{index}",Hostname="gpu01"'
    labels += f',hpc_job="{job}"' if job else ""
    return "".join(f"{name}{{{labels}}} {value}\n" for name, value in IDLE.items())


@pytest.mark.parametrize(("gpus", "job"), [(2, ""), (1, "101")])
async def test_an_owner_is_warned_and_nothing_is_ended(served, gpus, job):
    here = await observed(served, gpus=gpus, job=job)
    case = await here.case()

    assert case.owner == "mira"
    assert [notice.kind for notice in here.notifier.sent] == ["warning"]
    assert here.actor.begun == []
    assert here.cluster.claims


async def test_without_a_map_nobody_is_named(served):
    here = await observed(served, gpus=1)

    assert here.notifier.sent == []
    async with here.store.reading() as books:
        picture = await books.picture()
    (row,) = picture.rows
    assert "no exporter there tells which GPU has which GRES index" in said(row.reason)
