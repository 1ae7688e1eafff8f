"""
What several targets and engines say of the same, told apart or refused.  Pure.

Where an exporter of ours reports, it alone is believed.  A device that two targets report is
contradicted; a node that two targets report differently belongs to neither.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from reaper.ports import NodeReport


def ours_first(ours: Iterable[NodeReport], others: Iterable[NodeReport]) -> tuple[NodeReport, ...]:
    """Return the reports without those of others on what ours report, be they silent now."""
    own = tuple(ours)
    nodes = {report.node for report in own}
    shown = {
        name
        for report in own
        for device in report.devices
        for name in (device.gpu, device.parent)
        if name
    }
    return (*own, *_left(others, nodes, shown))


def _left(others: Iterable[NodeReport], nodes: set[str], shown: set[str]) -> Iterator[NodeReport]:
    for report in others:
        if report.node in nodes:
            continue
        gone = {item.gpu for item in report.devices if {item.gpu, item.parent} & shown}
        yield without(report, gone) if gone else report


def without(
    report: NodeReport, gone: set[str], faults: Mapping[str, str] | None = None
) -> NodeReport:
    """Return a report without some devices, and why."""
    return replace(
        report,
        devices=tuple(item for item in report.devices if item.gpu not in gone),
        readings=tuple(item for item in report.readings if item.gpu not in gone),
        signals=tuple(item for item in report.signals if item.gpu not in gone),
        shares=tuple(item for item in report.shares if item.gpu not in gone),
        faults={**report.faults, **(faults or {})},
    )


def contested(reports: Iterable[NodeReport]) -> tuple[NodeReport, ...]:
    """
    Return the reports with every device in one of them only.

    The first target keeps what several report, as contradicted: which of them is right, nobody
    can tell.
    """
    told = sorted(reports, key=lambda item: item.target)
    first: dict[str, str] = {}
    twice: dict[str, list[str]] = {}
    for report in told:
        for device in report.devices:
            teller = first.setdefault(device.gpu, report.target)
            if teller != report.target:
                targets = twice.setdefault(device.gpu, [teller])
                targets += [report.target] if report.target not in targets else []
    return tuple(_kept(told, twice))


def _kept(told: list[NodeReport], twice: Mapping[str, list[str]]) -> Iterator[NodeReport]:
    left = [_first_only(report, twice) for report in told]
    targets: dict[str, set[str]] = {}
    for report in left:
        if report.devices:
            targets.setdefault(report.node, set()).add(report.target)
    for report in left:
        others = targets.get(report.node, set()) - {report.target}
        if report.error or not others:
            yield report
        elif report.devices:
            said = f"node {report.node} is also reported by {', '.join(sorted(others))}"
            cure = "pin the labels of one, or start each exporter with its own --node"
            yield replace(without(report, {*_gpus(report)}), error=f"{said}: {cure}")


def _first_only(report: NodeReport, twice: Mapping[str, list[str]]) -> NodeReport:
    mine = _gpus(report) & set(twice)
    if not mine:
        return report
    others = {gpu for gpu in mine if twice[gpu][0] != report.target}
    faults = {gpu: f"reported by {' and '.join(twice[gpu])}" for gpu in sorted(mine)}
    return replace(without(report, others, faults), contradicted=frozenset(mine - others))


def _gpus(report: NodeReport) -> set[str]:
    return {device.gpu for device in report.devices}
