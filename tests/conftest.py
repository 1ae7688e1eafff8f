"""What holds for every test: loopback only, a set order, no silent skip.

Folders say what a test is: `tests/e2e` starts whole programs, `tests/real` needs real components,
`tests/bench` prints figures, `tests/gpu` needs a device and runs only when it is named on the
command line.
Fast tests come first, so that a mistake shows early.
"""

import ipaddress
import os
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest

from tests.components import FORBIDDEN, under_ci
from tests.components import require as require_components
from tests.project import ROOT
from tests.public_traces import ABSENT
from tests.real.engines import (  # noqa: F401 - one of each for all suites
    prometheus_address,
    victoria_address,
)
from tests.real.postgresql import postgresql_url  # noqa: F401 - one server for all suites

# Its handlers at a fork break whoever forks beside a server of its: a terminal that a test opens.
# It reads this when it is first used.
os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "false"

TESTS = ROOT / "tests"
MARKED_FOLDERS = ("e2e", "real", "bench", "gpu")
ORDER = ("meta", "exporter", "reaper", "properties", "contracts", "golden", "scenarios")
LATE = ("e2e", "real", "bench", "gpu")

hypothesis.settings.register_profile("dev", deadline=None, max_examples=20)
hypothesis.settings.register_profile(
    "ci", deadline=None, max_examples=100, derandomize=True, print_blob=True
)
hypothesis.settings.load_profile("ci" if under_ci() else "dev")


# ------------------------------------------------------------------ fixtures


@pytest.fixture
def require() -> Callable[..., None]:
    """Give `require("slurm", …)`: skip without the component, fail under CI."""
    return require_components


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Give `golden(name, text)`: compare with `tests/golden/<name>`, or write it on `--golden`."""

    def compare(name: str, text: str) -> None:
        path = TESTS / "golden" / name
        if request.config.getoption("--golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.exists(), f"no tests/golden/{name}; write it with: make golden"
        assert text == path.read_text(encoding="utf-8"), f"tests/golden/{name} differs"

    return compare


# ------------------------------------------------------------------ choice and order


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer the one flag that rewrites the golden files."""
    parser.addoption("--golden", action="store_true", help="rewrite the golden files")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave `tests/gpu` alone unless the command line names it."""
    if collection_path != TESTS / "gpu":
        return None
    named = any("gpu" in Path(argument).parts for argument in config.invocation_params.args)
    return None if named else True


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark by folder and put the fast tests first."""
    for item in items:
        folder = _folder(item.path)
        if folder in MARKED_FOLDERS:
            item.add_marker(folder)
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> tuple[int, int]:
    folder = _folder(item.path)
    slow = 1 + LATE.index(folder) if folder in LATE else 0
    if item.get_closest_marker("browser"):
        slow = max(slow, 1)
    return slow, ORDER.index(folder) if folder in ORDER else len(ORDER)


def _folder(path: Path) -> str:
    return path.relative_to(TESTS).parts[0] if path.is_relative_to(TESTS) else ""


# ------------------------------------------------------------------ no silent skip


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Turn a skip into a failure under CI."""
    report = yield
    return _refuse_skip(report)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    """Turn the skip of a whole module into a failure under CI."""
    report = yield
    return _refuse_skip(report)


def _refuse_skip(report):
    if under_ci() and report.skipped and not hasattr(report, "wasxfail"):
        reason = str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr)
        if not any(permitted in reason for permitted in (ABSENT, FORBIDDEN)):
            report.outcome = "failed"
            report.longrepr = f"{reason}: nothing may be skipped where CI is set"
    return report


# ------------------------------------------------------------------ loopback guard


def _only_loopback(event: str, arguments: tuple[object, ...]) -> None:
    """Refuse to listen on, or to send to, anything but this machine.

    pytest-socket guards Python's own `connect`; the interpreter's audit events also cover `bind`,
    datagrams and connections that a library makes on its own.
    """
    if event not in {"socket.bind", "socket.connect", "socket.sendto"}:
        return
    connection, address = arguments[0], arguments[1]
    if not isinstance(connection, socket.socket) or not isinstance(address, tuple):
        return
    if connection.family in {socket.AF_INET, socket.AF_INET6} and not _is_loopback(address[0]):
        raise PermissionError(f"{event} {address[0]!r}: tests stay on loopback")


def _is_loopback(host: object) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(str(host)).is_loopback
    except ValueError:
        return False


sys.addaudithook(_only_loopback)
