"""The doctor: every signal, source and right that does not work, with what to do."""

import json
from pathlib import Path

import pytest

from exporter.app import examine
from exporter.config import check
from exporter.debug import dump, plain
from exporter.doctor import report
from exporter.doctor.cures import of_signal, of_source
from exporter.doctor.rights import Place, rights
from exporter.options import Options
from exporter.sampling.snapshot import Device, Session
from exporter.sampling.unidentified import Unidentified
from tests.exporter.scenes import TEXT
from tests.project import ROOT

AMPERE = Device(uuid="GPU-0", index=0, architecture="ampere")
HOPPER = Device(uuid="GPU-0", index=0, architecture="hopper")


@pytest.fixture
def simulated(tmp_path):
    path = tmp_path / "scenario.toml"
    path.write_text(TEXT)
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc" / "stat").write_text("btime 1700000000\n")
    return check(
        Options(
            driver="simulated",
            scenario=str(path),
            node="gpu02",
            proc_root=str(tmp_path / "proc"),
            cgroup_root=str(tmp_path / "cgroup"),
        )
    )


async def test_a_report_says_per_gpu_what_works_and_what_does_not(simulated):
    text = await examine(simulated, report)

    assert "works: engine, codec, pcie, memory, power, processes (simulated)" in text
    assert "unsupported: sm, tensor, dram, nvlink: the simulated model has no profiling" in text
    assert "→ run dcgm-exporter with the profiling fields on this node and give --dcgm-url" in text
    assert "lost: sm, tensor, dram, engine, codec, pcie, nvlink, memory, power, processes: " in text


async def test_a_report_says_why_there_is_no_gpu(tmp_path, monkeypatch):
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    text = await examine(check(Options(kernel_log="")), report)

    assert "→ libnvidia-ml.so.1 is not found: install the NVIDIA driver on this node" in text


async def test_a_report_names_sources_and_rights(simulated):
    text = await examine(simulated, report)

    assert "kubelet is off: no --kubelet-socket is given" in text
    assert "measuring: " in text


@pytest.mark.parametrize(
    ("signal", "state", "reason", "device", "words"),
    [
        ("sm", "unsupported", "the device does not support it", AMPERE, "--dcgm-url"),
        ("sm", "unsupported", "the device does not support it", HOPPER, ""),
        ("nvlink", "unsupported", "the device does not support it", AMPERE, ""),
        ("sm", "unsupported", "the driver is too old for it", HOPPER, "newer driver"),
        ("power", "unsupported", "the driver refuses it to this user", HOPPER, "rights.md"),
        ("sm", "lost", "the GPU is lost", HOPPER, "gpu-lost.md"),
        ("sm", "stale", "not read", HOPPER, "driver-stuck.md"),
        ("sm", "paused", "let go", HOPPER, "by itself"),
    ],
)
def test_a_cure_fits_the_state_and_the_card(signal, state, reason, device, words):
    cure = of_signal(signal, state, reason, device)

    assert words in cure
    assert bool(words) is bool(cure)


def test_documents_that_a_cure_names_exist():
    named = [
        word.rstrip(";:,")
        for state in ("lost", "stale")
        for word in of_signal("sm", state, "", HOPPER).split()
        if word.startswith("docs/")
    ]

    assert named
    assert [one for one in named if not (ROOT / one).exists()] == []


@pytest.mark.parametrize("source", ["kernel_log", "kubelet", "gres", "pressure io_stall"])
def test_every_source_has_a_cure(source):
    assert of_source(source)


# ------------------------------------------------------------------ rights


class Node:
    """A node whose kernel shows itself under a folder."""

    def __init__(self, folder: Path):
        self.dev, self.proc = folder / "dev", folder / "proc"
        (self.proc / "self/ns").mkdir(parents=True)
        (self.proc / "1/ns").mkdir(parents=True)
        (self.proc / "1/stat").write_text("1 (init) S")
        (self.proc / "1/ns/mnt").symlink_to("mnt:[1]")
        (self.proc / "self/ns/pid").symlink_to("pid:[4026531836]")
        self.capable(0)
        self.dev.mkdir()
        (self.dev / "nvidiactl").touch()
        (self.dev / "nvidia0").touch()

    def capable(self, bits: int):
        (self.proc / "self/status").write_text(f"CapPrm:\t0\nCapEff:\t{bits:016x}\n")

    def right(self, feature, **words):
        place = Place(dev=self.dev, proc=self.proc, **words)
        (found,) = [one for one in rights(place) if feature in one.feature]
        return found


@pytest.fixture
def node(tmp_path):
    return Node(tmp_path)


def test_open_devices_can_be_measured(node):
    assert node.right("measuring").granted


def test_a_node_without_devices_cannot(node):
    (node.dev / "nvidiactl").unlink()
    (node.dev / "nvidia0").unlink()

    assert not node.right("measuring").granted
    assert "load the driver" in node.right("measuring").cure


def test_a_hidden_proc_is_missed_with_its_cure(node):
    (node.proc / "1/stat").unlink()

    assert node.right("whose process").granted is False
    assert "CAP_SYS_PTRACE" in node.right("whose process").cure


def test_a_container_of_its_own_is_told(node):
    (node.proc / "self/ns/pid").unlink()
    (node.proc / "self/ns/pid").symlink_to("pid:[4026532000]")

    assert node.right("only a container's").granted is False


def test_terminals_of_containers_need_the_namespace_of_the_first_process(node):
    (node.proc / "1/ns/mnt").unlink()

    assert node.right("terminals").granted is False
    assert node.right("terminals", people=False).granted is None


@pytest.mark.parametrize(("bits", "granted"), [(0, False), (1 << 2, True)])
def test_closed_homes_need_their_capability(node, bits, granted):
    node.capable(bits)

    assert node.right("closed homes").granted is granted


def test_mig_instances_are_a_right_only_where_there_are_some(node):
    assert node.right("MIG").granted is None
    assert node.right("MIG", sliced=True).granted is False


def test_mig_instances_are_seen_through_the_monitors_node(node):
    monitor = node.proc / "driver/nvidia/capabilities/mig/monitor"
    monitor.parent.mkdir(parents=True)
    monitor.write_text("DeviceFileMinor: 2\nDeviceFileMode: 292\n")
    (node.dev / "nvidia-caps").mkdir()
    (node.dev / "nvidia-caps/nvidia-cap2").touch()

    assert node.right("MIG", sliced=True).granted


def test_sockets_and_logs_are_asked_for_only_where_they_are_configured(node, tmp_path):
    assert node.right("kubelet").granted is None
    assert node.right("kernel log").granted is None
    assert node.right("kubelet", kubelet=str(tmp_path / "none")).granted is False
    assert node.right("kernel log", kernel_log=str(tmp_path / "none")).granted is False


def test_the_table_of_the_documents_names_every_feature(node):
    text = (ROOT / "docs/rights.md").read_text(encoding="utf-8")
    missing = [one.feature for one in rights(Place()) if one.feature not in text]

    assert missing == []


# ------------------------------------------------------------------ the dump


async def test_a_dump_holds_the_round_and_the_report(simulated):
    content = json.loads(await examine(simulated, dump))

    assert content["round"]["driver"] == "simulated"
    assert len(content["devices"]) == 4
    assert any("gpunode_info" in line for line in content["metrics"])
    assert content["doctor"]


def test_a_dump_says_nothing_of_who_and_when():
    session = Session(platform="slurm", allocation="1@2", kind="shell", uid=1000, last_activity=5.0)

    assert plain((session,)) == [
        {"platform": "slurm", "allocation": "1@2", "kind": "shell", "count": 1}
    ]


def _lost(exporter):
    exporter.state.unidentified = (Unidentified(index=3, reason="the GPU is lost"),)
    return exporter


async def test_report_and_dump_name_what_cannot_be_identified(simulated):
    text = await examine(simulated, lambda exporter: report(_lost(exporter)))
    dumped = json.loads(await examine(simulated, lambda exporter: dump(_lost(exporter))))

    assert "not identified: GPU 3: the GPU is lost" in text
    assert "; 1 cannot be identified" in text
    assert dumped["unidentified"] == ["GPU 3: the GPU is lost"]
