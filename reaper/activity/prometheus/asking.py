"""
The nodes' own exporters, asked directly in this mode too; what they said of people is kept.

An engine never holds what speaks of people, so this is the only way to it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from reaper.activity.exporters.activity import ExporterActivity
from reaper.activity.exporters.address import AddressError, read
from reaper.activity.exporters.discovery import Discovery
from reaper.activity.exporters.settings import ExporterSettings
from reaper.domain.facts.share import NodeSign
from reaper.ports import Clock, NodeReport, Readings


class Direct:
    """Asks the exporters of some nodes; `listed` when the settings name their addresses."""

    def __init__(self, settings: ExporterSettings, *, listed: bool, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._listed = (
            Discovery(settings.targets, settings.file_sd, scheme=settings.scheme)
            if listed
            else None
        )
        self._signs: dict[str, tuple[NodeSign, ...]] = {}

    @property
    def problems(self) -> tuple[str, ...]:
        """Return what is wrong with the lists of targets, a sentence each."""
        return self._listed.problems if self._listed else ()

    async def ask(self, nodes: Sequence[str], instances: Mapping[str, str]) -> Readings:
        """Ask these nodes' exporters now; `instances` are their labels in the engine."""
        wrong: dict[str, str] = {}
        addresses = dict(self._addresses(nodes, instances, wrong))
        settings = self._settings.model_copy(
            update={"targets": tuple(addresses.values()), "file_sd": ()}
        )
        reports: tuple[NodeReport, ...] = ()
        if addresses:
            async with ExporterActivity(settings, clock=self._clock) as exporters:
                reports = (await exporters.ask(list(addresses))).nodes
        self._remember(reports)
        failed = tuple(self._failed(node, error) for node, error in wrong.items())
        return Readings(as_of=self._clock.now(), nodes=(*reports, *failed))

    def _addresses(
        self, nodes: Iterable[str], instances: Mapping[str, str], wrong: dict[str, str]
    ) -> Iterator[tuple[str, str]]:
        """Yield each node's address; name in `wrong` those that have none."""
        listed = self._listed.refresh() if self._listed else ()
        for node in nodes:
            instance = instances.get(node, "")
            fits = [item.name for item in listed if node == item.host or instance == item.name]
            found = fits[0] if fits else "" if self._listed else instance
            if not found:
                wrong[node] = "no exporter of ours is known there: its people are unknown"
                continue
            try:
                read(found, scheme=self._settings.scheme)
            except AddressError as error:
                wrong[node] = f"{error}; list the exporters' addresses under exporters"
                continue
            yield node, found

    def _failed(self, node: str, error: str) -> NodeReport:
        return NodeReport(node=node, target="", as_of=self._clock.now(), error=error)

    # -------------------------------------------------------------- people

    def _remember(self, reports: Iterable[NodeReport]) -> None:
        for report in reports:
            if not report.error:
                self._signs[report.node] = report.signs
            else:
                self._signs[report.node] = tuple(
                    replace(item, sign=replace(item.sign, state="unreachable"))
                    for item in self._signs.get(report.node, ())
                )

    def seen(self, report: NodeReport) -> NodeReport:
        """Return a report with the signs of people that its node gave when last asked."""
        signs = self._signs.get(report.node)
        return replace(report, signs=signs) if signs and not report.error else report
