"""What a page says of the tenants of shared devices.  Pure."""

from collections.abc import Sequence
from math import inf

from exporter.contract import node_key
from reaper.activity.exporters.plan import Plan
from reaper.domain.facts.share import tenant_key


def tenants(chosen: Plan, values: Sequence[float]) -> dict[str, dict[str, float]]:
    """Return engine seconds by device and tenant; what is no number or has no key is left out."""
    found: dict[str, dict[str, float]] = {}
    for series, slot in chosen.tenants:
        if not 0 <= values[slot] < inf:
            continue
        try:
            key = node_key.parse(series.label("allocation"))
            name = tenant_key(node_key.platform(series.label("platform")), key.id, float(key.start))
        except (ValueError, OverflowError):
            continue
        found.setdefault(series.label("gpu"), {})[name] = values[slot]
    return found
