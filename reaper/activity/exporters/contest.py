"""
What two targets say of themselves belongs to neither: one of them is a copy, or misnamed.

A device stays with the target that has shown it, be that silent, until it answers without it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from reaper.ports import NodeReport

Tellers = Mapping[str, set[str]]
"""The targets that report a thing, by its name; only things that several report."""


@dataclass(slots=True)
class Homes:
    """Remembers which node's target has shown a device, so that no other node brings it along."""

    _homes: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Target and node by device."""

    def take(self, reports: Iterable[NodeReport]) -> None:
        """Remember who shows what; among all targets' reports, those that are left out are gone."""
        every = tuple(reports)
        shown = {
            item.gpu: (report.target, report.node)
            for report in every
            if not report.error
            for item in report.devices
        }
        silent = {report.target for report in every if report.error}
        kept = {gpu: home for gpu, home in self._homes.items() if home[0] in silent}
        self._homes = {**kept, **shown}

    def at_home(
        self, reports: Iterable[NodeReport], *, silent_only: bool = False
    ) -> tuple[NodeReport, ...]:
        """
        Return the reports without devices that another node's target has shown before.

        With `silent_only` those stay that the other one still shows, for others to contest.
        """
        every = tuple(reports)
        silent = {report.target for report in every if report.error}
        there = {
            item.gpu
            for report in every
            for item in report.devices
            if not silent_only and self._homes.get(item.gpu) == (report.target, report.node)
        }
        return tuple(self._own(report, silent, there) for report in every)

    def _own(self, report: NodeReport, silent: set[str], there: set[str]) -> NodeReport:
        strange = {}
        for item in report.devices:
            target, node = self._homes.get(item.gpu, ("", report.node))
            if node != report.node and (target in silent or item.gpu in there):
                strange[item.gpu] = f"belongs to {node}, which has shown it before"
        return without(report, strange) if strange else report


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
    return without(report, reasons)


def without(report: NodeReport, reasons: Mapping[str, str]) -> NodeReport:
    """Return a report without some devices, each with its reason."""
    return replace(
        report,
        devices=tuple(item for item in report.devices if item.gpu not in reasons),
        readings=tuple(item for item in report.readings if item.gpu not in reasons),
        signals=tuple(item for item in report.signals if item.gpu not in reasons),
        shares=tuple(item for item in report.shares if item.gpu not in reasons),
        faults={**report.faults, **reasons},
    )


def _others(report: NodeReport, targets: set[str]) -> str:
    return ", ".join(sorted(targets - {report.target}))
