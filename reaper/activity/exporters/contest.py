"""
A device that two targets report belongs to neither: one of them is a copy or a lie.

Pure.
"""

from collections.abc import Iterable
from dataclasses import replace

from reaper.ports import NodeReport


def contested(reports: Iterable[NodeReport], every: Iterable[NodeReport]) -> tuple[NodeReport, ...]:
    """Return the reports without the devices that another target among `every` reports too."""
    holders: dict[str, set[str]] = {}
    for report in every:
        for device in report.devices:
            holders.setdefault(device.gpu, set()).add(report.target)
    shared = {gpu: targets for gpu, targets in holders.items() if len(targets) > 1}
    return tuple(_without(report, shared) for report in reports) if shared else tuple(reports)


def _without(report: NodeReport, shared: dict[str, set[str]]) -> NodeReport:
    mine = {device.gpu for device in report.devices if device.gpu in shared}
    if not mine:
        return report
    reasons = {
        gpu: f"also reported by {', '.join(sorted(shared[gpu] - {report.target}))}: "
        "list each node's exporter once"
        for gpu in sorted(mine)
    }
    return replace(
        report,
        devices=tuple(item for item in report.devices if item.gpu not in mine),
        readings=tuple(item for item in report.readings if item.gpu not in mine),
        signals=tuple(item for item in report.signals if item.gpu not in mine),
        shares=tuple(item for item in report.shares if item.gpu not in mine),
        faults={**report.faults, **reasons},
    )
