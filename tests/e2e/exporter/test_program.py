"""The program from its command line to its pages."""

import subprocess
import sys
import time

import pytest

from tests.components import require
from tests.exporter.scenes import TEXT
from tests.fake_nvml.library import build

UP = "gpunode_driver_up"


@pytest.fixture
def scenario(tmp_path):
    path = tmp_path / "scenario.toml"
    path.write_text(TEXT)
    return ("--driver", "simulated", "--scenario", str(path), "--node", "gpu01")


def once(*words, environment=None):
    return subprocess.run(
        [sys.executable, "-m", "exporter", "--once", *words],
        check=False,
        capture_output=True,
        text=True,
        env=environment,
    )


def test_without_driver_it_serves_says_so_and_keeps_trying(start, tmp_path):
    running = start(environment={"LD_LIBRARY_PATH": str(tmp_path / "none")})
    running.until(lambda: "libnvidia-ml.so.1 is not found" in running.log.read_text())

    assert running.page().value(UP) == 0
    assert running.get("/healthz")[0] == 200
    assert running.get("/readyz") == (
        503,
        "no pass yet: libnvidia-ml.so.1 is not found: install the NVIDIA driver on this node\n",
    )


def test_a_driver_that_is_installed_later_is_found(start, fake_node, tmp_path):
    require("compiler")
    fake_node.add_hopper()
    library = tmp_path / "later" / "libnvidia-ml.so.1"
    running = start(environment=fake_node.environment(library))
    running.until(lambda: "no driver" in running.log.read_text())
    build(library.parent)

    assert running.page_when(lambda page: page.value(UP) == 1)


def test_an_old_driver_is_measured_by_what_it_has(start, fake_node, tmp_path):
    require("compiler")
    missing = (
        "nvmlGpmQueryDeviceSupport",
        "nvmlDeviceGetMemoryInfo_v2",
        "nvmlDeviceGetTotalEnergyConsumption",
        "nvmlDeviceGetCurrentClocksEventReasons",
        "nvmlDeviceGetFieldValues",
        "nvmlDeviceGetArchitecture",
    )
    fake_node.add_hopper()
    running = start(environment=fake_node.environment(build(tmp_path / "old", without=missing)))
    page = running.page_when(
        lambda page: (
            (page.value("gpunode_engine_active_seconds_total") or 0) > 0
            and (page.value("gpunode_energy_joules_total") or 0) > 0
        )
    )

    assert page.values("gpunode_sm_active_seconds_total") == []
    assert page.values("gpunode_memory_used_bytes")
    assert {
        labels["signal"]
        for labels in page.labels("gpunode_signal_info")
        if labels["state"] == "unsupported"
    } == {"sm", "tensor", "dram", "pcie", "nvlink"}


def test_promtool_accepts_the_live_pages(start, scenario):
    require("promtool")
    running = start(*scenario)
    running.page_when(lambda page: page.values("gpunode_allocation_share"))
    text = running.get("/metrics")[1] + running.get("/metrics/people")[1]
    done = subprocess.run(
        ["promtool", "check", "metrics"], check=False, input=text, text=True, capture_output=True
    )

    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_people_are_served_on_loopback(start, scenario):
    running = start(*scenario)
    running.page_when(lambda page: page.values("gpunode_allocation_share"))

    assert running.page("/metrics/people").labels("gpunode_sessions")
    assert "gpunode_sessions" not in running.get("/metrics")[1]


def test_people_can_be_switched_off(start, scenario):
    assert start(*scenario, "--no-people").get("/metrics/people")[0] == 404


def test_a_released_allocation_frees_its_simulated_gpus(start, scenario, tmp_path):
    running = start(*scenario, "--state", str(tmp_path))
    running.page_when(lambda page: len(page.values("gpunode_allocation_share")) == 2)
    (tmp_path / "released").mkdir()
    (tmp_path / "released" / "42").touch()
    page = running.page_when(lambda page: not page.values("gpunode_allocation_share"))

    assert running.page_when(lambda page: set(page.values("gpunode_memory_used_bytes")) == {0})
    assert page.value(UP) == 1


def test_a_fast_clock_counts_in_its_own_time(start, scenario):
    running = start(*scenario, "--clock-rate", "60", "--period", "15")
    begun = time.monotonic()
    running.page_when(
        lambda page: max(page.values("gpunode_observed_seconds_total", signal="sm"), default=0) > 60
    )

    assert time.monotonic() - begun < 60


def test_ready_means_that_a_sample_is_young(start, scenario):
    running = start(*scenario)

    assert running.until(lambda: running.get("/readyz") == (200, "ready\n"))


def test_once_prints_both_pages(scenario):
    done = once(*scenario)

    assert done.returncode == 0
    assert "gpunode_sm_active_seconds_total{" in done.stdout
    assert "gpunode_sessions{" in done.stdout


def test_once_without_a_gpu_is_a_failure(tmp_path):
    done = once(environment={"LD_LIBRARY_PATH": str(tmp_path)})

    assert done.returncode == 1
    assert "no GPU: libnvidia-ml.so.1 is not found" in done.stderr
    assert f"{UP} 0" in done.stdout


def test_every_mistake_of_the_command_line_is_printed():
    done = once("--listen", "nowhere", "--period", "1000")

    assert done.returncode == 2
    assert done.stderr == (
        "Error: --listen nowhere: write host:port, e.g. 127.0.0.1:19440\n"
        "--period 1000: write 0.1 to 60 seconds\n"
    )


def test_an_address_in_use_is_one_clear_line(start, scenario):
    running = start(*scenario)
    done = subprocess.run(
        [sys.executable, "-m", "exporter", *scenario, "--listen", running.address],
        check=False,
        capture_output=True,
        text=True,
    )

    assert done.returncode == 2
    assert f"Error: --listen {running.address}: " in done.stderr
    assert "Traceback" not in done.stderr


def test_a_certificate_that_is_none_is_one_clear_line(scenario, tmp_path):
    (tmp_path / "none.pem").write_text("none")
    config = tmp_path / "web.yml"
    config.write_text("tls_server_config: {cert_file: none.pem, key_file: none.pem}\n")
    words = ("--web.config.file", str(config))
    done = subprocess.run(
        [sys.executable, "-m", "exporter", *scenario, *words],
        check=False,
        capture_output=True,
        text=True,
    )

    assert done.returncode == 2
    assert done.stderr.startswith(
        "Error: --web.config.file tls_server_config: no matching PEM files"
    )
