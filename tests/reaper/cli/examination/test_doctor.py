import asyncio
from pathlib import Path

from reaper.cli.examination import doctor
from reaper.cli.examination.checks import _clock, _reports, _running, examine
from reaper.cli.reach import Reach
from reaper.domain.escalation.interlock import Bounds
from reaper.domain.facts.device import Device, SignalState
from reaper.edge.clock import FastClock
from reaper.platforms import Finding
from reaper.ports import NodeReport
from reaper.reports.layout import plain
from reaper.web.json_api.showing import Status
from tests.builders_gallery import gallery
from tests.builders_picture import HOUR, NOW, hold, node, picture
from tests.served import serving


def report(name="gpu01", **given) -> NodeReport:
    known = {"devices": (Device(gpu="GPU-1", node=name),)} | given
    return NodeReport(node=name, target=f"{name}:19440", as_of=NOW, **known)


def wrong(findings) -> list[str]:
    return [f"{item.subject}: {item.what}" for item in findings if not item.ok]


def test_findings_are_a_table_with_their_cures():
    found = (
        Finding(subject="store", ok=True, what="readable"),
        Finding(subject="exporters", ok=False, what="0 of 1 answer", cure="start it"),
        Finding(subject="slack", ok=None, what="not asked", needed="notify"),
    )

    text = plain(doctor.page(found))

    assert "start it" in text
    assert text.endswith("1 ok, 1 wrong, 1 unsure\n")


def test_exporters_that_answer_are_right():
    assert wrong(_reports([report()])) == []


def test_a_silent_exporter_is_wrong_and_named():
    found = list(_reports([report(), report("gpu02", error="timed out", devices=())]))

    assert wrong(found) == [
        "exporters: 1 of 2 answer, with 1 GPU",
        "exporter gpu02: timed out",
    ]


def test_many_silent_exporters_are_counted():
    silent = [report(f"gpu{n:02d}", error="timed out", devices=()) for n in range(15)]

    assert "exporters: and 5 more" in wrong(_reports(silent))


def test_no_target_is_wrong():
    assert wrong(_reports([])) == ["exporters: 0 of 0 answer, with 0 GPUs"]


def test_a_clock_that_is_off_is_wrong():
    assert wrong(_reports([report(skew=4.25)])) == ["clock of gpu01: its clock is +4.2 s off ours"]


def test_an_old_sample_is_not_taken_for_a_clock_that_is_surely_behind():
    (found,) = (one for one in _reports([report(skew=-8.75)]) if "clock" in one.subject)

    assert found.ok is None
    assert found.what == "its newest sample is 8.8 s old, or its clock is behind ours"


def test_a_gpu_without_profiling_is_told():
    signals = (SignalState(gpu="GPU-1", signal="sm", source="none", state="unsupported"),)

    assert wrong(_reports([report(signals=signals)])) == [
        "signals of gpu01: 1 GPU without profiling: idle is told by utilisation"
    ]


def test_a_node_without_gpus_is_told():
    assert wrong(_reports([report(devices=())])) == ["exporter gpu01: it sees no GPU"]


def test_a_running_reaper_with_all_in_view_is_right():
    told = Status(now=NOW, rate=1.0, picture=picture())

    assert wrong(_running(told, Bounds())) == []


def test_low_coverage_holds_and_doubts_are_found():
    shown = picture(coverage=0.5, holds=(hold(),), nodes=(node(doubt="sums differ"),))

    assert wrong(_running(Status(now=NOW, rate=1.0, picture=shown), Bounds())) == [
        "coverage: 50 % of the held GPUs seen",
        "paused: maintenance of the file system (by root)",
        "owners on node01: sums differ",
    ]


def test_a_reaper_that_no_longer_cycles_is_wrong():
    told = Status(now=NOW + HOUR, rate=1.0, picture=picture())

    assert wrong(_running(told, Bounds())) == ["reaper: last cycled 1 h ago"]


def test_it_ends_with_1_where_something_is_wrong(stored, run):
    answer = run("doctor", "--config", stored)

    assert answer.exit_code == 1
    assert "0 of 1 answer" in answer.output
    assert "gpu-reaper: 2 to cure" in answer.stderr


def test_mistakes_of_the_configuration_are_findings(tmp_path, run):
    path = tmp_path / "wrong.yaml"
    path.write_text("clusters: x\n")

    answer = run("doctor", "--config", path)

    assert answer.exit_code == 2
    assert "clusters" in answer.output


async def test_the_running_reaper_is_looked_at(configuration, tmp_path, ask):
    async with serving(tmp_path, gallery()):
        answer = await ask("doctor", "--config", configuration)

    assert "last cycled 12 s ago" in answer.output
    assert "only 88 % of the allocated devices" in answer.output


async def found_over(socket: Path, config: Path | None = None) -> dict[str, str]:
    """Return what the doctor finds by subject, while something is served here."""
    reach = Reach(config=config, socket=socket)
    found = await asyncio.to_thread(asyncio.run, examine(reach))
    return {item.subject: item.what for item in found}


async def test_a_reaper_behind_a_socket_says_by_which_configuration_it_runs(
    configuration, tmp_path
):
    """As in a demo, whose socket alone another terminal knows."""
    async with serving(tmp_path, gallery(), configuration=str(configuration)) as served:
        found = await found_over(served.socket)

    assert found["configuration"].startswith(f"{configuration}: ")
    assert found["exporters"] == "0 of 1 answer, with 0 GPUs"


async def test_a_configuration_that_is_named_is_looked_at_whatever_runs(configuration, tmp_path):
    async with serving(tmp_path, gallery(), configuration="/elsewhere.yaml") as served:
        found = await found_over(served.socket, configuration)

    assert found["configuration"].startswith(f"{configuration}: ")


async def test_a_configuration_that_may_not_be_read_is_a_finding(tmp_path):
    async with serving(tmp_path, gallery(), configuration=f"{tmp_path}/gone.yaml") as served:
        found = await found_over(served.socket)

    assert found["configuration"].startswith(f"{tmp_path}/gone.yaml: cannot be read")


async def test_a_reaper_on_a_fast_clock_is_looked_at_by_its_own(tmp_path):
    """The exporters of a demo run as fast."""
    async with serving(tmp_path, gallery(), rate=30.0) as served:
        clock = await asyncio.to_thread(_clock, Reach(config=None, socket=served.socket))

    assert isinstance(clock, FastClock)
    assert clock.rate == 30.0
    assert abs(clock.now() - NOW) < 30 * 600.0
