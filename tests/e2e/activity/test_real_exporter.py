"""A real exporter process plays letters; the direct scrape reads them back over real HTTP."""

import time
from pathlib import Path

import pytest

from exporter.contract.distortion import LOOKS, model
from exporter.contract.scenario import device_uuid
from reaper.activity.exporters.activity import ExporterActivity
from reaper.activity.exporters.settings import ExporterSettings
from reaper.domain.facts.grid import NORMAL
from reaper.domain.facts.minute import UNSEEN, Baseline, letter
from reaper.domain.facts.reading import Reading, between
from reaper.domain.facts.thresholds import DEFAULT
from reaper.edge.clock import FastClock
from reaper.ports import NodeReport
from tests.e2e.exporter.process import ExporterProcess

RATE = 20.0
DRAWN = "ALHEX!"
H100 = model("H100")
LEARNT = Baseline(empty=LOOKS["E"].power * H100.power, held=LOOKS["H"].power * H100.power)
SCENARIO = f"""
version = 1
title = "one letter a device"
start = 2026-03-02T09:00:00Z
[[node]]
name = "gpu01"
gpus = {list(DRAWN)}
[[allocation]]
id = "101"
user = "mira"
holds = "gpu01:0-{len(DRAWN) - 1}"
sessions = [{{kind = "shell", inputs = ["1s"]}}, {{kind = "vscode"}}]
"""


@pytest.fixture
def clock() -> FastClock:
    return FastClock(rate=RATE, epoch=time.time())


@pytest.fixture
def exporter(tmp_path: Path, clock: FastClock):
    (tmp_path / "drawn.toml").write_text(SCENARIO)
    running = ExporterProcess(
        tmp_path / "log",
        *("--driver", "simulated", "--node", "gpu01", "--period", "5"),
        *("--scenario", str(tmp_path / "drawn.toml"), "--scenario-start", str(clock.epoch)),
        *("--clock-rate", str(RATE), "--clock-epoch", str(clock.epoch)),
    )
    running.await_address()
    running.page_when(lambda page: page.values("gpunode_sm_active_seconds_total"))
    yield running
    running.close()


@pytest.fixture
async def activity(exporter: ExporterProcess, clock: FastClock):
    settings = ExporterSettings(targets=(exporter.address,))
    async with ExporterActivity(settings, clock=clock) as source:
        yield source


async def minute(activity: ExporterActivity, clock: FastClock) -> NodeReport:
    await clock.sleep(NORMAL.step)
    (report,) = (await activity.readings(0)).nodes
    assert report.error == ""
    return report


async def test_every_letter_comes_back_from_a_real_exporter(activity, clock):
    before: dict[str, Reading] = {}
    found: dict[str, str] = {}
    for _ in range(8):
        report = await minute(activity, clock)
        for reading in report.readings:
            seen = classified(before.get(reading.gpu), reading)
            found[reading.gpu] = seen if seen != UNSEEN else found.get(reading.gpu, UNSEEN)
            before[reading.gpu] = reading
        if UNSEEN not in found.values():
            break

    assert [found[device_uuid("gpu01", index)] for index in range(len(DRAWN))] == list(DRAWN)


def classified(earlier: Reading | None, later: Reading) -> str:
    delta = between(earlier, later) if earlier is not None else None
    if delta is None:
        return UNSEEN
    return letter(delta, thresholds=DEFAULT, pace=NORMAL, baseline=LEARNT).letter


async def test_a_real_page_holds_identities_shares_and_signs(activity, clock):
    await minute(activity, clock)
    (report,) = (await activity.ask(["gpu01"])).nodes

    assert (report.error, dict(report.faults)) == ("", {})
    assert [device.gres_index for device in report.devices] == list(range(len(DRAWN)))
    assert {(share.platform, share.id, share.start) for share in report.shares} == {
        ("recorded", "101", float(int(clock.epoch)))
    }
    assert {item.sign.kind: item.sign.last_seen is None for item in report.signs} == {
        "shell": False,
        "vscode": True,
    }
    assert abs(report.skew) < 30


async def test_a_dead_exporter_is_an_error(activity, exporter, clock):
    await minute(activity, clock)
    exporter.close()
    (report,) = (await activity.readings(0)).nodes

    assert "cannot be reached" in report.error
    assert report.node == "gpu01"
