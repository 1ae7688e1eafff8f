"""
Holdings: tenures as they count, each device-second given out once.

Repeated records of one tenure are joined, a run ends at the latest when its job starts again, and
where tenures together want more of a device than it has, that time is contested: each gets its
part, and nobody knows what was done in it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf
from typing import Final

from reaper.domain.money.entries import Tenure
from reaper.domain.money.findings import OVERLAP, Finding
from reaper.domain.money.spans import Span, clip, merge, subtract

#: Shares are sums of fractions: below this they are equal.
ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a holding's time: its weight in cards, and whether others claim it too."""

    begin: float
    end: float
    weight: float
    contested: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """A tenure as it counts, in parts of constant weight; `tenure.end` is None while it lasts."""

    tenure: Tenure
    begin: float
    end: float
    parts: tuple[Part, ...]

    @property
    def blind(self) -> tuple[Span, ...]:
        """Return when nobody knows what it did, whatever the letters say."""
        if self.tenure.doubt:
            return ((self.begin, self.end),)
        return tuple((part.begin, part.end) for part in self.parts if part.contested)


def holdings(
    tenures: Iterable[Tenure], *, as_of: float
) -> tuple[tuple[Holding, ...], tuple[Finding, ...]]:
    """Return what tenures hold up to an instant, and the devices that were claimed twice."""
    known = [tenure for tenure in tenures if tenure.begin < as_of]
    once = _requeued(_joined(known), _starts(known))
    found: list[Holding] = []
    findings: list[Finding] = []
    for device, held in _by_device(once).items():
        sharing = _shared(held, as_of)
        found += sharing
        findings += _overlaps(device, sharing)
    return tuple(found), tuple(findings)


def _joined(tenures: Iterable[Tenure]) -> list[Tenure]:
    """Return each run's time on each device once."""
    records: dict[tuple[str, str, float], list[Tenure]] = defaultdict(list)
    for tenure in tenures:
        apart = 0.0 if tenure.gpu else tenure.begin
        records[tenure.run.key, tenure.gpu, apart].append(tenure)
    return [one for key in sorted(records) for one in _once(records[key])]


def _once(records: Sequence[Tenure]) -> Iterable[Tenure]:
    """Yield one run's time on one device, joined where the records say the same."""
    if len(records) == 1:
        yield records[0]
        return
    alike: dict[tuple[float, float, bool], list[Tenure]] = defaultdict(list)
    for record in _in_order(records):
        alike[record.share, record.size, bool(record.doubt)].append(record)
    taken: list[Span] = []
    for group in sorted(alike.values(), key=lambda same: same[-1].begin, reverse=True):
        spans = subtract(((one.begin, _until(one)) for one in group), taken)
        taken += spans
        for begin, end in spans:
            yield replace(group[-1], begin=begin, end=None if end == inf else end)


def _in_order(records: Sequence[Tenure]) -> list[Tenure]:
    """Return the records by begin, one each; an open one lasts until the next begins."""
    latest = {record.begin: record for record in sorted(records, key=_age)}
    begins = [*latest, inf]
    return [
        record if record.end is not None else replace(record, end=following)
        for record, following in zip(latest.values(), begins[1:], strict=True)
    ]


def _age(tenure: Tenure) -> tuple[object, ...]:
    return tenure.begin, tenure.end is not None, tenure.end or 0.0, repr(tenure)


def _starts(tenures: Iterable[Tenure]) -> Mapping[tuple[str, ...], set[float]]:
    """Return when each job's runs started, also those that held nothing for any time."""
    starts: dict[tuple[str, ...], set[float]] = defaultdict(set)
    for tenure in tenures:
        starts[_job(tenure)].add(tenure.run.started)
    return starts


def _requeued(
    tenures: Iterable[Tenure], starts: Mapping[tuple[str, ...], set[float]]
) -> list[Tenure]:
    """Return tenures that end at the latest when the same job's next run starts."""
    cut = [_before_next(tenure, starts[_job(tenure)]) for tenure in tenures]
    return [tenure for tenure in cut if _until(tenure) > tenure.begin]


def _job(tenure: Tenure) -> tuple[str, ...]:
    return tenure.run.cluster, tenure.run.platform, tenure.run.id, tenure.owner


def _before_next(tenure: Tenure, starts: Iterable[float]) -> Tenure:
    following = min((start for start in starts if start > tenure.run.started), default=inf)
    return tenure if _until(tenure) <= following else replace(tenure, end=following)


def _by_device(tenures: Iterable[Tenure]) -> Mapping[str, list[Tenure]]:
    """Return tenures by device, in order; one without a known device stands alone."""
    devices: dict[str, list[Tenure]] = defaultdict(list)
    for tenure in sorted(tenures, key=lambda one: (one.gpu, one.begin, one.run.key)):
        devices[tenure.gpu or f"{tenure.run.key} {tenure.begin}"].append(tenure)
    return devices


def _shared(held: Sequence[Tenure], as_of: float) -> list[Holding]:
    """Return one device's holdings, each cut where its neighbours come and go."""
    if all(_until(one) <= other.begin for one, other in pairwise(held)):
        return [_holding(one, (_part(one, one.begin, min(_until(one), as_of)),)) for one in held]
    edges = sorted({min(at, as_of) for one in held for at in (one.begin, _until(one))})
    return [_holding(one, tuple(_cut(one, held, edges))) for one in held]


def _holding(tenure: Tenure, parts: tuple[Part, ...]) -> Holding:
    return Holding(tenure=tenure, begin=parts[0].begin, end=parts[-1].end, parts=parts)


def _cut(tenure: Tenure, held: Sequence[Tenure], edges: Sequence[float]) -> Iterable[Part]:
    for begin, end in clip(pairwise(edges), tenure.begin, _until(tenure)):
        load = sum(_share(one) for one in held if one.begin <= begin < _until(one))
        yield _part(tenure, begin, end, load=load)


def _part(tenure: Tenure, begin: float, end: float, *, load: float = 0.0) -> Part:
    contested = load > tenure.size + ROUNDING
    weight = _share(tenure) * tenure.size / load if contested else _share(tenure)
    return Part(begin=begin, end=end, weight=weight, contested=contested)


def _share(tenure: Tenure) -> float:
    return min(tenure.share, tenure.size)


def _until(tenure: Tenure) -> float:
    return inf if tenure.end is None else tenure.end


def _overlaps(device: str, held: Sequence[Holding]) -> list[Finding]:
    """Return a finding where several tenures wanted more of a device than it has."""
    spans = merge(
        (part.begin, part.end) for holding in held for part in holding.parts if part.contested
    )
    if not spans:
        return []
    names = sorted({str(one.tenure.run) for one in held if any(p.contested for p in one.parts)})
    seconds = sum(end - begin for begin, end in spans)
    text = f"claimed by {', '.join(names)} together: counted once, as unknown"
    return [Finding(kind=OVERLAP, subject=device, seconds=seconds, text=text)]
