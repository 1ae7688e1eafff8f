"""The whole pages of a small node, compared line by line and accepted by promtool."""

import subprocess

import pytest

from exporter.contract import catalog
from exporter.kernel.network import Traffic
from exporter.sampling.ownership import Ownership
from exporter.sampling.snapshot import (
    Activity,
    Attribution,
    CaughtSignal,
    Health,
    Measured,
    Pressure,
    Round,
    Session,
    Share,
    TenantUse,
    Turn,
)
from exporter.sampling.sources import SourceState
from exporter.sampling.state import NodeState, Periods
from exporter.sampling.unidentified import Unidentified
from exporter.serving import exposition
from exporter.serving.exposition import Moment
from exporter.serving.page import Page
from tests.components import require
from tests.exporter.scenes import Scene

KINDS = ("activity", "memory", "power", "health", "processes")


def played(scene):
    """Return a state after three minutes of a scene, a reading every second."""
    state = NodeState(Periods())
    for _ in range(180):
        scene.clock.pause(1)
        state.take(round_of(scene))
    return state


def round_of(scene):
    turns = [
        Turn(
            collector=kind,
            duration=0.001,
            finding=tuple(getattr(scene.driver, kind)(device) for device in scene.devices),
        )
        for kind in KINDS
    ]
    turns.append(Turn(collector="tenants", duration=0.001, finding=shared(scene)))
    turns.append(Turn(collector="allocation", duration=0.002, finding=held(scene)))
    return Round(
        at=scene.clock.monotonic(),
        wall=scene.clock.wall(),
        driver="simulated",
        devices=scene.devices,
        turns=tuple(turns),
    )


def held(scene):
    key = "42@1700000000"
    return Attribution(
        shares=(Share(gpu=scene.devices[0].uuid, platform="slurm", allocation=key, share=0.5),),
        caught=(
            CaughtSignal(
                platform="slurm", allocation=key, target="batch", signal="USR1", caught=True
            ),
        ),
        pressures=(
            Pressure(
                platform="slurm",
                allocation=key,
                resource="cpu",
                seconds=scene.clock.monotonic() / 2,
            ),
        ),
        traffic=(
            Traffic(device="eth0", received=7e9, sent=3e6),
            Traffic(device="mlx5_0/1", received=4e12, sent=5e12),
        ),
        ownership=(
            Ownership(
                gpu=scene.devices[0].uuid, at=scene.clock.now - 2, state="held", source="driver"
            ),
        ),
        sources=(SourceState(source="kubelet", state="failing", reason="unavailable"),),
        sessions=(
            Session(platform="slurm", allocation=key, kind="shell", uid=1000, last_activity=1e9),
            Session(platform="slurm", allocation=key, kind="vscode", uid=1000, count=2),
            Session(platform="slurm", allocation=key, kind="ssh", uid=1000, count=2, doubtful=1),
        ),
    )


def shared(scene):
    tenants = {("slurm", "42@1700000000"): 0.25, ("slurm", "43@1700000000"): 0.0}
    at = scene.clock.monotonic()
    return (TenantUse(gpu=scene.devices[0].uuid, at=at, tenants=tenants),)


def trouble(scene):
    """Return readings with a cut value and an Xid."""
    device = scene.devices[1]
    at = scene.clock.monotonic()
    signals = {"sm": Measured(value=1.0, source="simulated")}
    return (
        (Activity(gpu=device.uuid, at=at, signals=signals, links={}, clamped=("sm",)),),
        (Health(gpu=device.uuid, at=at, lost=False, xids=((79, 1.7e9),)),),
    )


@pytest.fixture
def pages(tmp_path):
    scene = Scene(tmp_path)
    state = played(scene)
    turns = tuple(Turn(collector="health", duration=0.001, finding=item) for item in trouble(scene))
    now, wall = scene.clock.monotonic(), scene.clock.wall()
    state.take(Round(at=now, wall=wall, driver="simulated", devices=scene.devices, turns=turns))
    moment = Moment(
        now=now,
        wall_offset=wall - now,
        version="0.0.0",
        node='gpu"01"',
        boot="0000",
        started=1_700_001_000.0,
        cpu_seconds=1.25,
        resident_bytes=60e6,
        stuck=("nvmlDeviceGetPowerUsage gpu 7", 12.5),
        unidentified=(
            Unidentified(index=3, pci_bus_id="0000:b3:00.0", reason="the GPU is lost"),
            Unidentified(index=4, mig="1", reason="the UUID that the driver gives is no text"),
        ),
    )
    families = {
        kind: Page(item for item in catalog.FAMILIES if item.page == kind)
        for kind in ("metrics", "people")
    }
    return {
        "metrics": families["metrics"].render(exposition.metrics(state, moment)).decode(),
        "people": families["people"].render(exposition.people(state, now)).decode(),
    }


@pytest.mark.parametrize("kind", ["metrics", "people"])
def test_the_page_is_the_golden_one(pages, golden, kind):
    golden({"metrics": "metrics.txt", "people": "metrics-people.txt"}[kind], pages[kind])


@pytest.mark.parametrize("kind", ["metrics", "people"])
def test_promtool_accepts_the_page(pages, kind):
    require("promtool")
    done = subprocess.run(
        ["promtool", "check", "metrics"],
        check=False,
        input=pages[kind],
        text=True,
        capture_output=True,
    )

    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_the_golden_page_shows_every_family_but_throttling_and_a_release(pages):
    text = pages["metrics"] + pages["people"]
    absent = [item.name for item in catalog.FAMILIES if f"# TYPE {item.name} " not in text]

    assert absent == [
        "gpunode_throttled_seconds_total",
        "gpunode_release_until_timestamp_seconds",
    ]
