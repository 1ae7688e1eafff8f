"""
Which node a dcgm-exporter's series are of, and what to say where they do not tell.  Pure.

The exporter calls its node by its own host's name, which in a pod is the pod's; the node's is then
in a label that the scrape added.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from reaper.activity.exporters.address import AddressError, read
from reaper.activity.prometheus.queries.answer import Metric, RawSeries
from reaper.activity.prometheus.queries.columns import NAME
from reaper.activity.prometheus.targets import INSTANCE

#: What scrapes call the label that holds a pod's node.
_NODES: Final = ("node", "exported_node", "kubernetes_node", "node_name", "nodename")
#: A pod of a DaemonSet: its name and five signs.
_POD: Final = re.compile(r"(?:.*-)?dcgm-exporter-[a-z0-9]{5}", re.ASCII)
#: Labels that are named in a message.
_SHOWN: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeLabels:
    """
    How a node is found in the labels: by `label` alone, or "" for what is usual.

    `short` cuts the domain off; `hosts` are the labels in which the exporter itself names it, and
    `speaker` is what messages call that exporter.
    """

    label: str = ""
    short: bool = False
    hosts: tuple[str, ...] = ("hostname", "Hostname")
    speaker: str = "dcgm-exporter"

    def node(self, metric: Metric, scraped: str) -> str:
        """Return a series' node, "" where it tells none; `scraped` is the pod it was scraped in."""
        found = self._named(metric) if self.label else self._usual(metric, scraped)
        return found.partition(".")[0] if self.short and not _is_address(found) else found

    def missing(self, rows: Iterable[RawSeries]) -> str:
        """Return why these series tell no node, and the setting that helps."""
        metric = next((row.metric for row in rows), {})
        there = ", ".join(sorted(metric.keys() - {NAME})[:_SHOWN])
        host = next((metric[name] for name in self.hosts if metric.get(name)), "")
        why = f"its label Hostname is {host}, a pod's name" if host else "it has no label Hostname"
        if self.label or not self.hosts:
            why = f"it has no node's name in {self.label or INSTANCE}"
        return (
            f"{self.speaker} does not tell its node: {why}; set its `node_label` to the label that "
            f"holds it ({there}; of instance the host counts)"
        )

    def _usual(self, metric: Metric, scraped: str) -> str:
        """Return the exporter's own word, or the scrape's where that is the name of a pod."""
        host = next((metric[name] for name in self.hosts if metric.get(name)), "")
        if host and host != scraped and not _POD.fullmatch(host):
            return host
        found = next((metric[name] for name in _NODES if metric.get(name)), "")
        # One that never names its node is known by where it was scraped, as our own are.
        return found or ("" if self.hosts else _name(metric.get(INSTANCE, "")))

    def _named(self, metric: Metric) -> str:
        value = metric.get(self.label, "")
        return _host(value) if self.label == INSTANCE else value


def _host(instance: str) -> str:
    try:
        return read(instance).metrics.host or ""
    except AddressError:
        return instance


def _name(instance: str) -> str:
    host = _host(instance)
    return "" if _is_address(host) else host


def _is_address(name: str) -> bool:
    return ":" in name or name.replace(".", "").isdigit()
