"""A cure belongs to the cause, and names the machine and the port that it is about."""

import socket

import pytest

from reaper.activity.exporters.activity import ExporterActivity
from reaper.activity.exporters.settings import ExporterSettings
from reaper.cli.examination.cures import cure_of
from reaper.edge.clock import SystemClock


@pytest.mark.parametrize(
    ("error", "cure"),
    [
        ("cannot be reached: its host's name is not known here (x)", "getent hosts gpu01 "),
        ("cannot be reached: connection refused", "systemctl start gpu-exporter on gpu01"),
        ("no answer within 5 s", "nc -vz gpu01 9000"),
        ("cannot be reached: No route to host", "ip route get gpu01"),
        ("its certificate is not trusted: certificate has expired", "renew the certificate on"),
        ("its certificate is not trusted: Hostname mismatch", "sign one for gpu01"),
        ("its certificate is not trusted: self-signed certificate", "-connect gpu01:9000"),
        ("cannot be reached: it does not speak TLS as asked for", "scheme: http"),
        ("node clock is off by +61 s; check its time service", "chronyc"),
        ("its answer broke off or is no HTTP: x", "scheme: https"),
        ("something new", "gpu-exporter --once on gpu01"),
    ],
)
def test_each_cause_has_its_own_cure(error, cure):
    assert cure in cure_of(error, "gpu01:9000")


def test_an_error_that_says_what_to_do_needs_no_other_cure():
    assert cure_of("answers 401 Unauthorized; check bearer or basic", "gpu01:9000") == ""


@pytest.mark.parametrize(
    "target",
    ["gpu01:9000", "https://gpu01:9000/metrics", "gpu01:9000=node7", "https://gpu01:9000=n"],
)
def test_host_and_port_are_those_of_the_target(target):
    assert "nc -vz gpu01 9000 " in cure_of("no answer within 5 s", target)


def test_braces_in_a_name_do_no_harm():
    assert "{0}" in cure_of("no answer within 5 s", "{0}:9000")


async def heard(target: str, **settings: object) -> str:
    """Return the error with which a target is not heard."""
    read = ExporterSettings.model_validate({"targets": [target], "timeout": "2s", **settings})
    activity = ExporterActivity(read, clock=SystemClock())
    try:
        (report,) = (await activity.readings(0)).nodes
    finally:
        await activity.close()
    return report.error


async def test_a_port_where_nothing_listens_refuses():
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]

    assert await heard(f"127.0.0.1:{port}") == "cannot be reached: connection refused"


async def test_a_name_that_is_nobodys_is_not_known():
    assert "name is not known" in await heard("nobody.invalid:19440")
