"""
Samples of processes as a drawing: letters from their GPUs' utilisation, hosts from their CPUs.

A letter lasts as long as the samples are apart.  The samples know utilisation alone; a drawing
grants a second witness, as letters do.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from exporter.contract.scenario import (
    Scenario,
    ScenarioAllocation,
    ScenarioNode,
    ScenarioWaiting,
)
from reaper.reports.traces import processes
from reaper.reports.traces.table import Row, TraceError, read_table

#: Percent of a core from which on a process works on its host.
_WORKS: Final = 50.0

_MINUTE: Final = 60.0
_LONGEST: Final = 20


def scenario_of(path: Path) -> Scenario:
    """Draw recorded samples of one host; raise TraceError with every mistake."""
    table = read_table(path)
    missing = [name for name in processes.FORMAT.columns if name not in table.columns]
    if missing:
        lacks = f"is no file of process samples: it lacks {', '.join(missing)}"
        raise TraceError(table.source, (lacks,))
    drawing = _Drawing.of(table.rows)
    drawn = drawing.scenario(path.name)
    table.refuse_mistakes()
    return drawn


@dataclass(frozen=True, slots=True, kw_only=True)
class _Drawing:
    """The rows by the place of their sample in time."""

    start: float
    step: float
    samples: Mapping[int, Sequence[Row]]

    @classmethod
    def of(cls, rows: Sequence[Row]) -> "_Drawing":
        instants = [processes.instant(row) for row in rows]
        step = processes.interval(sorted(set(instants))) or _MINUTE
        start = min(instants, default=0.0) // _MINUTE * _MINUTE
        samples: dict[int, list[Row]] = defaultdict(list)
        for row, at in zip(rows, instants, strict=True):
            samples[round((at - start) // step)].append(row)
        return cls(start=start, step=step, samples=samples)

    def scenario(self, name: str) -> Scenario:
        hosts = sorted({row.text("host") for rows in self.samples.values() for row in rows})
        return Scenario(
            title=f"recorded: {name}"[: _LONGEST * 5],
            start=datetime.fromtimestamp(self.start, UTC),
            step=self.step,
            nodes=tuple(self._node(host) for host in hosts),
            allocations=tuple(self._jobs()),
            waiting=(ScenarioWaiting(at=0.0, gpus=1),),
        )

    def _node(self, host: str) -> ScenarioNode:
        masks = [
            processes.mask(row)
            for rows in self.samples.values()
            for row in rows
            if row.text("host") == host
        ]
        gpus = max(masks, default=0).bit_length() or 1
        tracks = tuple(self._track(host, gpu) for gpu in range(gpus))
        return ScenarioNode(name=host, tracks=tracks, model="NVIDIA A100-SXM4-40GB")

    def _track(self, host: str, gpu: int) -> str:
        letters = []
        for place in range(max(self.samples) + 1):
            rows = self.samples.get(place)
            here = [
                row
                for row in rows or ()
                if row.text("host") == host and processes.mask(row) >> gpu & 1
            ]
            letters.append("?" if rows is None else _letter(here))
        return "".join(letters)

    def _jobs(self) -> Iterator[ScenarioAllocation]:
        found: dict[tuple[str, str, str], list[tuple[int, Row]]] = defaultdict(list)
        for place, rows in sorted(self.samples.items()):
            for row in rows:
                found[row.text("host"), row.text("user"), row.text("job")].append((place, row))
        for (host, user, job), own in found.items():
            held = [(place, mask) for place, row in own if (mask := processes.mask(row))]
            if held:
                yield self._job(host, user, job, own, held)

    def _job(
        self,
        host: str,
        user: str,
        job: str,
        rows: Sequence[tuple[int, Row]],
        held: Sequence[tuple[int, int]],
    ) -> ScenarioAllocation:
        gpus = sorted(
            {gpu for _, mask in held for gpu in range(mask.bit_length()) if mask >> gpu & 1}
        )
        return ScenarioAllocation(
            id=job,
            user=user,
            holds=tuple((host, gpu) for gpu in gpus),
            begin=held[0][0] * self.step,
            end=(held[-1][0] + 1) * self.step,
            purpose=processes.purpose([row for _, row in rows]),
            host_works=self._spans(_working(rows)),
            serves=self._spans(_serving(rows)),
        )

    def _spans(self, places: set[int] | None) -> tuple[tuple[float, float], ...] | None:
        """Return the spans of samples, those that follow each other as one; None for None."""
        if places is None:
            return None
        found: list[tuple[int, int]] = []
        for place in sorted(places):
            if found and found[-1][1] == place:
                found[-1] = (found[-1][0], place + 1)
            else:
                found.append((place, place + 1))
        return tuple((first * self.step, last * self.step) for first, last in found)


def _working(rows: Sequence[tuple[int, Row]]) -> set[int] | None:
    """Return the samples in which processes worked on their host; None where none says so."""
    if not any(row.given("cpu_pct") for _, row in rows):
        return None
    used: dict[int, float] = defaultdict(float)
    for place, row in rows:
        used[place] += row.known("cpu_pct") or 0.0
    return {place for place, percent in used.items() if percent >= _WORKS}


def _serving(rows: Sequence[tuple[int, Row]]) -> set[int] | None:
    """
    Return the samples in which requests were answered; None where nobody counted them.

    A sample without a count between others is one in which requests may have come.
    """
    said = [(place, processes.serving(row)) for place, row in rows]
    if all(serves is None for _, serves in said):
        return None
    return {place for place, serves in said if serves is not False}


def _letter(rows: Sequence[Row]) -> str:
    """Return what a GPU did in a sample: unseen where its utilisation was not recorded."""
    if not rows:
        return "E"
    shares = [row.known("gpu_pct") for row in rows]
    if any(share is None for share in shares):
        return "?"
    return "A" if any(shares) else "H"
