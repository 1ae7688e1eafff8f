"""On a machine with a GPU: the exporter against the real driver."""

import subprocess
import sys


def page() -> str:
    """Return what the exporter prints once."""
    done = subprocess.run(
        [sys.executable, "-m", "exporter", "--once"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_gpu_has_an_identity_and_observed_seconds() -> None:
    """At least one device, and its counters grow."""
    text = page()

    assert 'gpunode_info{gpu="GPU-' in text
    assert "gpunode_driver_up 1" in text
    assert 'gpunode_observed_seconds_total{gpu="GPU-' in text


def test_absence_has_a_reason() -> None:
    """Every signal that is not ok says why."""
    states = [line for line in page().splitlines() if line.startswith("gpunode_signal_info")]

    assert states
    assert all('state="ok"' in line or 'reason=""' not in line for line in states)
