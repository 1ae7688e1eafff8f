"""
What two targets say of themselves belongs to neither: one of them is a copy, or misnamed.

Pure.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from reaper.ports import NodeReport

Tellers = Mapping[str, set[str]]
"""The targets that report a thing, by its name; only things that several report."""


def contested(reports: Iterable[NodeReport], every: Iterable[NodeReport]) -> tuple[NodeReport, ...]:
    """
    Return the reports without what another target among `every` reports too.

    A device of two targets leaves both with a fault; a node of two targets is an error of both.
    """
    told = [report for report in every if not report.error]
    nodes = _shared((report.node, report.target) for report in told)
    gpus = _shared((device.gpu, report.target) for report in told for device in report.devices)
    return tuple(_without(_refused(report, nodes), gpus) for report in reports)


def _shared(pairs: Iterable[tuple[str, str]]) -> Tellers:
    tellers: dict[str, set[str]] = {}
    for name, target in pairs:
        tellers.setdefault(name, set()).add(target)
    return {name: targets for name, targets in tellers.items() if len(targets) > 1}


def _refused(report: NodeReport, nodes: Tellers) -> NodeReport:
    if report.error or report.node not in nodes:
        return report
    return NodeReport(
        node=report.node,
        target=report.target,
        as_of=report.as_of,
        error=f"node {report.node} is also reported by {_others(report, nodes[report.node])}: "
        "list it once, or start each exporter with its own --node",
    )


def _without(report: NodeReport, gpus: Tellers) -> NodeReport:
    mine = {device.gpu for device in report.devices if device.gpu in gpus}
    if not mine:
        return report
    reasons = {gpu: f"also reported by {_others(report, gpus[gpu])}" for gpu in sorted(mine)}
    return replace(
        report,
        devices=tuple(item for item in report.devices if item.gpu not in mine),
        readings=tuple(item for item in report.readings if item.gpu not in mine),
        signals=tuple(item for item in report.signals if item.gpu not in mine),
        shares=tuple(item for item in report.shares if item.gpu not in mine),
        faults={**report.faults, **reasons},
    )


def _others(report: NodeReport, targets: set[str]) -> str:
    return ", ".join(sorted(targets - {report.target}))
