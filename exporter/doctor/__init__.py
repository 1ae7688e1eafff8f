"""
The doctor: what works on this node, what does not, and what to do about it, in words.

It knows states, rights and cures.  It refuses to measure, to change anything, and to name people,
commands or secrets: its report may be pasted into a bug report.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from exporter.contract import catalog
from exporter.doctor.cures import of_signal, of_source
from exporter.doctor.rights import Place, rights
from exporter.kernel import faults
from exporter.parts import Exporter
from exporter.serving import exposition
from exporter.serving.vitals import RowsByFamily

__all__ = ["report"]


def report(exporter: Exporter) -> str:
    """Return the whole report; it ends with a line feed."""
    rows = exposition.metrics(exporter.state, exporter.moment())
    parts = (
        _head(exporter),
        *(_device(exporter, gpu, rows) for gpu in exporter.state.devices),
        _unidentified(exporter),
        _sources(rows),
        _rights(exporter),
    )
    return "\n".join("\n".join(part) + "\n" for part in map(tuple, parts) if part)


def _head(exporter: Exporter) -> Iterator[str]:
    yield (
        f"gpu-exporter {exporter.version}, contract {catalog.VERSION},"
        f" node {exporter.config.node}: {exporter.status()}"
    )
    if not exporter.state.devices:
        yield f"  → {exporter.supervisor.trouble}"
    stuck = exporter.supervisor.stuck()
    if stuck is not None:
        call, age = stuck
        yield f"  the call {call.name} {call.target} has not returned for {age:.0f} s"
        yield "  → docs/runbooks/driver-stuck.md"


def _device(exporter: Exporter, gpu: str, rows: RowsByFamily) -> Iterator[str]:
    device = exporter.state.devices[gpu].device
    words = (device.model, device.architecture, device.mig_profile)
    yield f"{'instance of ' if device.parent else ''}GPU {device.index}  {gpu}  " + ", ".join(
        filter(None, words)
    )
    works: dict[str, list[str]] = defaultdict(list)
    fails: dict[tuple[str, str], list[str]] = defaultdict(list)
    for (owner, signal, source, state, reason), _ in rows[catalog.SIGNAL_INFO.name]:
        if owner == gpu and state == "ok":
            works[source].append(signal)
        elif owner == gpu:
            fails[state, reason].append(signal)
    yield "  works: " + ("; ".join(f"{', '.join(n)} ({s})" for s, n in works.items()) or "nothing")
    for (state, reason), signals in fails.items():
        yield f"  {state}: {', '.join(signals)}: {reason}"
        for cure in dict.fromkeys(of_signal(one, state, reason, device) for one in signals):
            yield from _cure(cure)
    for number, (count, _) in exporter.state.devices[gpu].tally.xids.items():
        fault = faults.of_xid(number)
        yield f"  Xid {number}, counted {count:g}: {fault.words} ({fault.meaning})"
    for labels, _ in rows[catalog.OWNERSHIP_INFO.name]:
        if labels[0] == gpu and labels[1] == "unknown":
            yield f"  its holder is unknown: {labels[3]}"


def _unidentified(exporter: Exporter) -> Iterator[str]:
    for one in exporter.moment().unidentified:
        yield f"not identified: {one}"
        yield from _cure("docs/runbooks/gpu-lost.md")


def _sources(rows: RowsByFamily) -> Iterator[str]:
    yield "sources"
    for (source, state, reason), _ in rows[catalog.SOURCE_INFO.name]:
        yield f"  {source} is {state}" + (f": {reason}" if reason else "")
        if state != "ok":
            yield from _cure(of_source(source))


def _rights(exporter: Exporter) -> Iterator[str]:
    yield "rights (docs/rights.md)"
    states = exporter.state.devices.values()
    place = Place(
        kubelet=exporter.config.setup.places.kubelet,
        kernel_log=str(exporter.config.kernel_log or ""),
        sliced=any(one.device.parent for one in states),
        people=exporter.config.access.people,
    )
    for right in rights(place):
        words: Mapping[bool | None, str] = {True: "ok", False: "missing", None: "not needed"}
        yield f"  {right.feature}: {words[right.granted]}" + (
            f" ({right.detail})" if right.detail else ""
        )
        if right.granted is False:
            yield from _cure(right.cure)


def _cure(words: str) -> Iterator[str]:
    if words:
        yield f"    → {words}"
