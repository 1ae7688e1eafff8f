"""
What ``slurmd -G`` says of the order of the GPUs, through device files to devices.

It knows the command's text and how files name cards and MIG instances; it refuses to wait.
"""

import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from exporter.attribution.gres import Found
from exporter.kernel.probe import Probe
from exporter.sampling.snapshot import Device

_SBIN: Final = "/usr/local/sbin:/usr/sbin:/sbin"
_MOST: Final = 1024
_LINE: Final = re.compile(r"\bGres Name=gpu (.*)$", re.MULTILINE)
_FIELD: Final = re.compile(r"(\w+)=(\S+)")
_PARTS: Final = re.compile(r"(?:[^,\[]|\[[^\]]*\])+")
_BRACKETS: Final = re.compile(r"(.*?)\[([\d,-]+)\](.*)")
_CARD: Final = re.compile(r"nvidia(\d+)")
_CAPABILITY: Final = re.compile(r"nvidia-cap(\d+)")
_MIG_MINOR: Final = re.compile(r"^gpu(\d+)/gi(\d+)/(?:ci\d+/)?access (\d+)$", re.MULTILINE)


class SlurmdListing:
    """What ``slurmd -G`` prints, asked in the background."""

    name = "slurmd"

    def __init__(self, command: str, node: str, proc: Path) -> None:
        path = f"{os.environ.get('PATH', os.defpath)}:{_SBIN}"
        self._program = shutil.which(command, path=path)
        self._probe = Probe((self._program or command, *(("-N", node) if node else ()), "-G"))
        self._proc = proc

    def look(self, devices: tuple[Device, ...], now: float) -> Found | None:
        """Start the command, or take its answer; a node without slurmd has nothing to say."""
        if self._program is None:
            return ""
        if not self._probe.running:
            return self._probe.start(now) or None
        answer = self._probe.poll(now)
        if answer is None:
            return None
        if answer.failure:
            return f"{answer.failure} {_first_error(answer.text)}".strip()
        found = mapped(listed(answer.text), devices, mig_minors(self._proc))
        return found or "slurmd -G lists none of these devices"

    def close(self) -> None:
        """End the command if it runs."""
        self._probe.close()


def _first_error(text: str) -> str:
    """Return the first complaint, such as a munge socket out of reach."""
    errors = (line.partition("error:")[2].strip() for line in text.splitlines())
    first = next((f"({error})" for error in errors if error), "")
    return first[:200]


def listed(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the files of each GRES index in turn; empty where a line names none."""
    found: list[tuple[str, ...]] = []
    for line in _LINE.findall(text):
        fields = dict(_FIELD.findall(line))
        count = min(int(fields["Count"]), _MOST) if fields.get("Count", "").isdecimal() else 0
        files = tuple(_expanded(fields.get("File", "")))
        if len(files) == count:
            found += [(file,) for file in files]
        else:
            found += [files if count == 1 else ()] * count
    return tuple(found)


def mapped(
    files: Iterable[tuple[str, ...]],
    devices: tuple[Device, ...],
    capabilities: Mapping[int, tuple[int, int]],
) -> Mapping[str, int]:
    """Map devices to indices through minor numbers, MIG instances through their capabilities."""
    minors = {device.uuid: device.minor for device in devices}
    places: dict[tuple[int | None, int | None], str] = {}
    for device in devices:
        minor = minors.get(device.parent) if device.parent else device.minor
        places[minor, device.gpu_instance] = device.uuid
    keys = (_key(names, capabilities) for names in files)
    return {places[key]: index for index, key in enumerate(keys) if key in places}


def mig_minors(proc: Path) -> Mapping[int, tuple[int, int]]:
    """Return (card minor, GPU instance) by the number of a capability file."""
    try:
        text = (proc / "driver/nvidia-caps/mig-minors").read_text(errors="replace")
    except OSError:
        return {}
    return {int(cap): (int(card), int(gi)) for card, gi, cap in _MIG_MINOR.findall(text)}


def _key(
    files: tuple[str, ...], capabilities: Mapping[int, tuple[int, int]]
) -> tuple[int | None, int | None]:
    names = [file.rpartition("/")[2] for file in files]
    instances = {
        capabilities.get(int(match[1]))
        for name in names
        if (match := _CAPABILITY.fullmatch(name)) is not None
    }
    cards = {int(match[1]) for name in names if (match := _CARD.fullmatch(name)) is not None}
    if instances:
        (only,) = instances if len(instances) == 1 else (None,)
        return only or (None, -1)
    return (cards.pop(), None) if len(cards) == 1 else (None, -1)


def _expanded(text: str) -> Iterator[str]:
    """Expand Slurm's ``/dev/nvidia[0-3,6],/dev/nvidia9``; ``(null)`` is no file."""
    for part in _PARTS.findall(text):
        match = _BRACKETS.fullmatch(part)
        if match is None:
            if part != "(null)":
                yield part
            continue
        for span in match[2].split(","):
            first, _, last = span.partition("-")
            if first.isdecimal() and (last or first).isdecimal():
                numbers = range(int(first), min(int(last or first), int(first) + _MOST) + 1)
                yield from (f"{match[1]}{number}{match[3]}" for number in numbers)
