"""
Which of an engine's targets may speak for which node.

The engine's own label says whom it scraped, which no page can change as long as the scrape does
not honour the page's labels; listed addresses go before it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from exporter.contract import catalog
from exporter.contract.node_name import is_name
from reaper.activity.exporters.address import AddressError, named, read
from reaper.activity.exporters.binding import Bindings, Teller
from reaper.activity.prometheus.queries.answer import Metric
from reaper.activity.prometheus.settings import PrometheusSettings
from reaper.activity.prometheus.targets import INSTANCE, MOVED, Key
from reaper.ports import NodeReport


@dataclass(slots=True)
class Bound:
    """The nodes to which an engine's targets are bound, "" for those that are bound to none."""

    settings: PrometheusSettings
    nodes: dict[Key, str] = field(default_factory=dict)
    _bindings: Bindings = field(default_factory=Bindings)

    def meet(self, found: Iterable[tuple[Key, Metric]]) -> None:
        """Take over what labels say of targets; one that is away now stays bound."""
        pairs = self._pairs()
        for key, metric in found:
            self.nodes[key] = pairs.get(key[0]) or self._labelled(metric)
        self._bindings = Bindings.of((key[0], node) for key, node in self.nodes.items())

    def forget(self, instances: set[str]) -> None:
        """Forget targets that are scraped no more."""
        self.nodes = {key: node for key, node in self.nodes.items() if key[0] not in instances}

    def refusal(self, key: Key, claimed: str) -> str:
        """Return why a target may not say that it is the node `claimed`; "" when it may."""
        return self._bindings.refusal(Teller(name=key[0], node=self.nodes.get(key, "")), claimed)

    def called(self, key: Key) -> str:
        """Return what a target is called that speaks for another node."""
        return self.nodes.get(key, "") or key[0]

    def believed(self, key: Key, report: NodeReport) -> NodeReport:
        """Return a target's report, or why nothing of it is believed."""
        if report.error:
            return report
        if refusal := self.refusal(key, report.node):
            return NodeReport(
                node=self.called(key),
                target=report.target,
                as_of=report.as_of,
                error=refusal,
                claims=report.node,
            )
        return report if self.nodes.get(key) else replace(report, unbound=True)

    def _pairs(self) -> Mapping[str, str]:
        if not self.settings.listed:
            return {}
        return {item.name: item.node for item in self.settings.exporters.discovery().refresh()}

    def _labelled(self, metric: Metric) -> str:
        label = self.settings.node_label
        if label in catalog.NODE_INFO.labels and MOVED + label not in metric:
            return ""  # It is the page's own word.
        value = metric.get(label, "")
        if label == INSTANCE:
            return _host(value)
        return value if is_name(value) else ""


def _host(instance: str) -> str:
    try:
        return read(instance).node
    except AddressError:
        return named(instance) if is_name(instance) else ""
