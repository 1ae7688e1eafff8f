"""The audit as plain values, for programs: GPU-hours, seconds, shares of 0 to 1."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from reaper.domain.audit.bounds import Bounds, Worth
from reaper.domain.audit.filling import Filled
from reaper.domain.audit.profile import Profile, Share
from reaper.domain.audit.proposal import Returned
from reaper.domain.audit.spread import Spread
from reaper.domain.prices.amounts import Amounts
from reaper.reports.audit.report import AuditReport
from reaper.reports.words import HOUR, iso

_GROUPS: Final = ("by_class", "by_owner", "by_account", "by_partition", "by_model")


def to_json(report: AuditReport) -> str:
    """Return the audit as indented JSON."""
    return json.dumps(content(report), indent=1, ensure_ascii=False) + "\n"


def content(report: AuditReport) -> dict[str, Any]:
    """Return the audit as plain values; nothing is left out for length."""
    return {
        "sources": [
            {"source": one.source, "form": one.form, "records": one.rows, "steps": one.steps}
            for one in report.sources
        ],
        "jobs": report.jobs,
        "jobs_without_gpus": report.without,
        "never_began": report.waiting,
        "not_read": report.lost,
        "profile": _profile(report.profile),
        "total": _bounds(report.total),
        **{name: _named(getattr(report, name)) for name in _GROUPS},
        "worth": None if report.worth is None else _worth(report.worth),
        "capacity": [_filled(one) for one in report.filled],
        "policies": [_returned(one) for one in report.proposals],
        "findings": list(report.findings),
        "unread": [asdict(one) for one in report.unread],
        "rules": list(report.rules),
    }


def _profile(load: Profile) -> dict[str, Any]:
    groups = {
        "durations": load.durations,
        "sizes": load.sizes,
        "classes": load.classes,
        "outcomes": load.outcomes,
    }
    spreads = {
        "duration_seconds": load.duration,
        "gpus": load.size,
        "host_memory_bytes_per_gpu": load.memory_asked,
        "host_memory_used_share": load.memory_used,
        "gpu_memory_share": load.gpu_memory,
    }
    return {
        **{
            title: {name: _share(one) for name, one in group.items()}
            for title, group in groups.items()
        },
        **{title: _spread(one) for title, one in spreads.items()},
        "wait_seconds": {name: _spread(one) for name, one in load.waits.items()},
        "at_once": None if load.parallel is None else asdict(load.parallel),
    }


def _share(one: Share) -> dict[str, Any]:
    return {"jobs": one.jobs, "gpu_hours": _hours(one.held)}


def _spread(one: Spread | None) -> dict[str, Any] | None:
    return None if one is None else asdict(one)


def _named(group: Mapping[str, Bounds]) -> dict[str, Any]:
    return {name: _bounds(one) for name, one in group.items()}


def _bounds(one: Bounds) -> dict[str, Any]:
    """Return bounds; waste is null where no use is known at all: never zero."""
    known = one.held > one.unknown
    return {
        "gpu_hours": _hours(one.held),
        "unknown_gpu_hours": _hours(one.unknown),
        "zero_gpu_hours": _hours(one.zero) if known else None,
        "used_gpu_hours": _hours(one.used) if known else None,
        "unused_gpu_hours": _hours(one.unused) if known else None,
        "wasted_gpu_hours_at_least": _hours(one.least) if known else None,
        "wasted_gpu_hours_at_most": _hours(one.most) if known else None,
        "wasted_gpu_hours_if_unknown_idled": _hours(one.perhaps),
        "mean_utilisation": None if one.mean is None else round(one.mean, 6),
        "coverage": None if one.coverage is None else round(one.coverage, 6),
    }


def _returned(one: Returned) -> dict[str, Any]:
    return {
        "policy": one.policy,
        "releases": one.acts,
        "jobs": one.jobs,
        "gpu_hours": _hours(one.held),
        "released_at_least": one.released_least,
        "released_at_most": one.released_most,
        "returned_gpu_hours_at_least": _hours(one.least),
        "returned_gpu_hours_at_zero_if_away": _hours(one.away),
        "returned_gpu_hours_at_most": _hours(one.most),
        "returned_gpu_hours_if_unknown_idled": _hours(one.perhaps),
    }


def _filled(one: Filled) -> dict[str, Any]:
    return {
        "model": one.model,
        "begin": iso(one.begin),
        "end": iso(one.end),
        "capacity_gpu_hours": _hours(one.capacity),
        "held_gpu_hours": _hours(one.held),
        "held_share": round(one.share, 6),
        "beyond_gpu_hours": _hours(one.over),
    }


def _worth(one: Worth) -> dict[str, Any]:
    return {
        "at_least": _amounts(one.least),
        "at_most": _amounts(one.most),
        "unpriced_gpu_hours": _hours(one.unpriced),
        "unpriced_models": list(one.models),
    }


def _amounts(amounts: Amounts) -> dict[str, str]:
    return {name: str(amounts.of(name)) for name in amounts.currencies}


def _hours(seconds: float) -> float:
    return round(seconds / HOUR, 3) + 0.0
