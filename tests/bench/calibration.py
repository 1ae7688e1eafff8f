"""What this machine is worth: CPU seconds of a fixed piece of plain Python, to read figures by."""

from time import process_time


def calibration() -> float:
    """Return the CPU seconds of a fixed loop over a dictionary and a list."""
    began = process_time()
    found: dict[int, float] = {}
    for number in range(1_000_000):
        found[number % 4096] = found.get(number % 4096, 0.0) + number * 0.5
    assert len(found) == 4096
    return process_time() - began
