"""What an operator would have seen in a replay: the queue, and the conditions of alerts."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Final

import yaml
from prometheus_client.parser import text_string_to_metric_families

import reaper
from exporter.contract.scenario import Expectation
from reaper.app.past.promql import PromqlError, Samples, holds
from reaper.questions import Questions
from reaper.store.memory import MemoryStore
from reaper.web.exposition.metrics import Scene, render

#: Where the alerts of the project stand, beside the package.
ALERTS: Final = Path(str(reaper.__file__)).parents[1] / "alerts" / "gpu-reaper.yaml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """Something that was to be seen at a Unix second, of an allocation or (empty) of none."""

    at: float
    text: str
    allocation: str = ""


@dataclass(slots=True, kw_only=True)
class Onlooker:
    """Looks after each turn, where a scenario expects something of what is to be seen."""

    expect: Expectation
    store: MemoryStore
    queued: list[Seen] = field(default_factory=list)
    alerts: list[Seen] = field(default_factory=list)
    """Names of alerts, as expected, whose condition held."""
    faults: dict[str, str] = field(default_factory=dict)
    """Alerts that could not be looked at, and why."""

    async def look(self, now: float) -> None:
        """Look at the queue and at the alerts that are expected."""
        if self.expect.operator:
            queue = await Questions(store=self.store).queue()
            self.queued += _items(queue, now)
        wanted = {item.words for item in (*self.expect.alerts, *self.expect.never_alerts)}
        if wanted:
            async with self.store.reading() as books:
                picture = await books.picture()
            if picture is not None:
                samples = _samples(Scene(picture=picture, now=now, version="", bound=10**6))
                self.alerts += self._pending(sorted(wanted), samples, now)

    def _pending(self, names: list[str], samples: Samples, now: float) -> Iterator[Seen]:
        conditions = _conditions()
        for name in names:
            try:
                if holds(conditions.get(name, name), samples, now):
                    yield Seen(at=now, text=name)
            except PromqlError as error:
                self.faults[name] = str(error)


def _conditions() -> dict[str, str]:
    """Return the condition of every alert of the project, by name; none where it is not here."""
    if not ALERTS.exists():
        return {}
    document = yaml.safe_load(ALERTS.read_text(encoding="utf-8"))
    rules = (rule for group in document["groups"] for rule in group["rules"])
    return {rule["alert"]: rule["expr"] for rule in rules if "alert" in rule}


def _samples(scene: Scene) -> Samples:
    page = render(scene).decode()
    return [
        (sample.name, sample.labels, sample.value)
        for family in text_string_to_metric_families(page)
        for sample in family.samples
    ]


def _items(queue: object, now: float) -> Iterator[Seen]:
    """Yield each item of the queue with every word in it, whatever part it stands in."""
    for part in fields(queue):  # type: ignore[arg-type]
        value = getattr(queue, part.name)
        for item in value if isinstance(value, tuple) else ():
            words = [part.name.replace("_", " "), *_words(item)]
            yield Seen(at=now, text=": ".join(words), allocation=_named(item))


def _words(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield from (value,) if value else ()
    elif is_dataclass(value) and not isinstance(value, type):
        for part in fields(value):
            yield from _words(getattr(value, part.name))
    elif isinstance(value, tuple):
        for item in value:
            yield from _words(item)


def _named(item: object) -> str:
    """Return the drawn id of the allocation that an item is about."""
    case = getattr(item, "case", None)
    run = getattr(case, "run", None)
    key = getattr(item, "run_key", "") or getattr(run, "key", "")
    return str(key).rpartition("@")[0]
