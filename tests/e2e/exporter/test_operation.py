"""What an operator does with it: service manager, web configuration, doctor, dump."""

import http.client
import json
import socket
import ssl
import subprocess
import sys

import bcrypt
import pytest

from tests.certificates import Authority
from tests.exporter.serving.test_auth import basic

SM = "gpunode_sm_active_seconds_total"


@pytest.fixture
def node(fake_library, fake_node):
    fake_node.add_hopper()
    fake_node.add_ampere()
    return fake_node.environment(fake_library)


def program(*words, environment=None):
    return subprocess.run(
        [sys.executable, "-m", "exporter", *words],
        check=False,
        capture_output=True,
        text=True,
        env=environment,
    )


@pytest.fixture
def manager(tmp_path):
    """The service manager's end of the notification socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.bind(str(tmp_path / "notify"))
        receiver.settimeout(60)
        yield receiver


def heard(manager, word):
    """Read what the manager is told until a word comes."""
    while True:
        text = manager.recv(4096).decode()
        if word in text:
            return text


def test_the_service_manager_hears_ready_alive_and_the_end(start, node, manager, tmp_path):
    told = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "1000000"}
    running = start(environment=node | told)
    ready = heard(manager, "READY=1")
    alive = [heard(manager, "WATCHDOG=1") for _ in range(3)]
    measuring = heard(manager, "WATCHDOG=1")
    running.process.terminate()

    assert "STATUS=" in ready
    assert (len(alive), "WATCHDOG=1" in measuring) == (3, True)
    assert heard(manager, "STOPPING=1")


def test_the_watchdog_is_fed_while_the_driver_hangs(start, node, manager, fake_node, tmp_path):
    told = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "1000000"}
    running = start(environment=node | told)
    fake_node.change({"hang.nvmlDeviceGetUtilizationRates": 1})
    running.page_when(lambda page: page.values("gpunode_driver_call_stuck_seconds"))
    for _ in range(20):
        heard(manager, "WATCHDOG=1")

    assert running.page().values("gpunode_driver_call_stuck_seconds")


# ------------------------------------------------------------------ the web configuration


@pytest.fixture
def web(tmp_path):
    """A web configuration with TLS and one user; give the authority and the file."""
    authority = Authority(tmp_path)
    authority.sign("server", "IP:127.0.0.1")
    path = tmp_path / "web.yml"

    def write(password):
        hashed = bcrypt.hashpw(password.encode(), bcrypt.gensalt(4)).decode()
        path.write_text(
            "tls_server_config: {cert_file: server.pem, key_file: server.key}\n"
            f"basic_auth_users: {{prom: '{hashed}'}}\n"
        )

    write("pass")
    return authority, path, write


def status(running, authority, password):
    host, _, port = running.address.rpartition(":")
    context = ssl.create_default_context(cafile=authority.certificate)
    connection = http.client.HTTPSConnection(host, int(port), context=context, timeout=60)
    connection.request("GET", "/metrics", headers=basic("prom", password))
    try:
        return connection.getresponse().status
    finally:
        connection.close()


def test_pages_are_served_over_tls_to_a_user_and_the_file_is_read_again(start, node, web):
    authority, path, write = web
    running = start("--web.config.file", str(path), environment=node)

    assert status(running, authority, "pass") == 200
    assert status(running, authority, "other") == 401
    write("other")
    assert running.until(lambda: status(running, authority, "other") == 200)
    assert status(running, authority, "pass") == 401


def test_a_web_configuration_can_be_given_as_a_variable(start, node, web):
    authority, path, _ = web
    running = start(environment=node | {"GPU_EXPORTER_WEB_CONFIG_FILE": str(path)})

    assert status(running, authority, "pass") == 200


# ------------------------------------------------------------------ doctor and dump


def test_the_doctor_asks_the_running_exporter(start, node):
    running = start(environment=node)
    running.page_when(lambda page: page.values(SM))
    done = program("--control", str(running.control), "doctor")

    assert done.returncode == 0
    assert "NVIDIA H100 80GB HBM3, hopper" in done.stdout
    assert "measuring 2 devices" in done.stdout
    assert "give --dcgm-url" in done.stdout


def test_the_doctor_names_a_stuck_call(start, node, fake_node):
    running = start(environment=node)
    fake_node.change({"hang.nvmlDeviceGetUtilizationRates": 1})
    running.page_when(lambda page: page.values("gpunode_driver_call_stuck_seconds"))

    assert "the call nvmlDeviceGetUtilizationRates" in (
        program("--control", str(running.control), "doctor").stdout
    )


def test_the_doctor_looks_by_itself_where_no_exporter_runs(node, tmp_path):
    done = program("--control", str(tmp_path / "none"), "doctor", environment=node)

    assert done.returncode == 0
    assert "No exporter was asked" in done.stdout
    assert "works: " in done.stdout


def test_a_dump_is_json_without_secrets_or_people(node, web, tmp_path):
    _, path, _ = web
    sleeper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)", "hunter2"])
    try:
        done = program("--web.config.file", str(path), "--debug-dump", environment=node)
    finally:
        sleeper.kill()
        sleeper.wait()
    content = json.loads(done.stdout)

    assert content["round"]["driver"] == "nvml"
    assert len(content["devices"]) == 2
    assert not any(word in done.stdout for word in ("hunter2", "$2b$", '"uid"', '"prom"'))
