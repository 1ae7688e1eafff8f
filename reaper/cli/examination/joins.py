"""
Whether what exporters say and what platforms say can be joined: by nodes, and by what they hold.

Each side may be well by itself and the two never meet, because they spell a name differently.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from exporter.contract.node_name import Names
from reaper.config import Configuration
from reaper.domain.facts.allocation import Capacity, Inventory
from reaper.domain.facts.device import FOREIGN
from reaper.platforms import Finding
from reaper.ports import Claims, Clock, NodeReport, SourceError
from reaper.web import words

#: Names that are listed one by one.
_NAMED: Final = 10

Told = Mapping[str, Claims]
"""What each holder says, by its name."""


async def joins(
    configuration: Configuration, clock: Clock, reports: Sequence[NodeReport]
) -> tuple[Finding, ...]:
    """Return what of the exporters' reports meets nothing of the platforms, and the reverse."""
    from reaper.app.compose import platforms

    told: dict[str, Claims] = {}
    for platform in platforms(configuration, clock):
        if platform.holder is not None:
            try:
                told[platform.name] = await platform.holder.claims(Inventory())
            except SourceError:
                # Its own look says so.
                continue
            finally:
                await platform.close()
    return tuple(unjoined(reports, told)) if told else ()


def unjoined(reports: Sequence[NodeReport], told: Told) -> Iterator[Finding]:
    """Yield nodes, and jobs, that one side alone knows, each with both sides and the cure."""
    holders = {item.node: item for claims in told.values() for item in claims.capacities}
    who = " and ".join(told)
    answering = {report.node: report for report in reports if not report.error and report.node}
    reported = {report.node for report in reports}
    absent = {name for name in holders if name not in reported}
    spelt = Names(absent)
    for name, report in answering.items():
        if name not in holders and report.devices:
            meant = spelt.meant(name)
            absent.discard(meant)
            yield _stranger(report, meant, who, holders)
    for report in reports:
        if report.error:
            absent -= {spelt.meant(name) for name in _names(report)} | {*_names(report)}
    if absent:
        yield _unseen([holders[name] for name in sorted(absent)], who)
    yield from _strange_jobs(tuple(answering.values()), told)


def _stranger(report: NodeReport, meant: str, who: str, holders: Mapping[str, Capacity]) -> Finding:
    """Return that an exporter speaks for a node that no platform has."""
    subject = f"exporter {report.target}"
    said = f"speaks for node {report.node}, which {who} does not have"
    foreign = any(device.generation == FOREIGN for device in report.devices)
    if meant:
        cure = _foreign_cure(report.node, meant) if foreign else f"start it with --node {meant}"
        return Finding(subject=subject, ok=False, what=f"{said}; {who} has {meant}", cure=cure)
    there = _some(sorted(holders)) or "no node with GPUs"
    cure = "set its `node_label`" if foreign else "start it with --node and the name there"
    return Finding(
        subject=subject,
        ok=False,
        what=f"{said}; {who} has {there}: nothing on it is anybody's",
        cure=f"{cure}, or take it out of the targets",
    )


def _foreign_cure(name: str, meant: str) -> str:
    if name.partition(".")[0] == meant:
        return "set `short_names: true` where that exporter is configured"
    return f"set `node_label` there to the label that holds {meant}"


def _names(report: NodeReport) -> tuple[str, ...]:
    """Return the names of the node of which an exporter that fails may be."""
    place = report.target.partition("://")[2] or report.target
    return report.node, report.claims, place.partition("/")[0].rpartition(":")[0]


def _unseen(nodes: Sequence[Capacity], who: str) -> Finding:
    gpus = sum(item.gpus for item in nodes)
    names = _some(
        [f"{item.node}{'' if item.state == 'up' else f' ({item.state})'}" for item in nodes]
    )
    return Finding(
        subject="nodes without exporter",
        ok=False if any(item.state == "up" for item in nodes) else None,
        what=f"of {who}: {names}; nothing is known of their {words.count(gpus, 'GPU')}",
        cure="start gpu-exporter there and name it under activity.targets or activity.file_sd",
    )


def _shown(node: Capacity) -> str:
    return node.node if node.state == "up" else f"{node.node} ({node.state})"


def _strange_jobs(reports: Sequence[NodeReport], told: Told) -> Iterator[Finding]:
    """Yield runs that nodes see on their GPUs and that their platform does not have."""
    for platform, claims in told.items():
        known = {ident for item in claims.claims for ident in (item.run.id, *item.node_ids)}
        ended = {item.key.partition(".")[0] for item in claims.ended}
        seen = {
            share.id: report.node
            for report in reports
            for share in report.shares
            if share.platform == platform and share.id not in known | ended
        }
        if seen:
            shown = _some([f"{ident} on {node}" for ident, node in seen.items()])
            yield Finding(
                subject=f"{platform}: jobs that nodes see",
                ok=None,
                what=f"{platform} has none of these, nodes see them on GPUs: {shown}",
                cure="ask again; if it stays: do the exporters belong to this cluster?",
            )


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
