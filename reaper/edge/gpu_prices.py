"""
A catalogue of GPU offers: gpuhunt's files in a folder, or fetched by gpuhunt when told to.

The files are read here, not by gpuhunt: it skips what it cannot read and only logs it.  Fetching
needs the extra `rates` and leaves this machine; nothing else does.
"""

import csv
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, Final

from reaper.domain.buying.offers import Offer
from reaper.edge.extras import installing
from reaper.ports.errors import WrongError

#: The variable by which gpuhunt itself is told of a folder.
VARIABLE: Final = "GPUHUNT_CATALOG_DIR"

_NEEDED: Final = ("instance_name", "location", "price", "gpu_count", "gpu_name")


class CatalogueError(WrongError):
    """A catalogue cannot be had: what, which one, what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """A provider's offers with GPUs of NVIDIA, the version they are of, and rows not read."""

    provider: str
    version: str
    offers: tuple[Offer, ...]
    unread: tuple[str, ...] = ()


def providers_in(folder: Path) -> tuple[str, ...]:
    """Return the providers that a folder has a file of; raise CatalogueError."""
    if not folder.is_dir():
        raise CatalogueError(f"{folder} is no folder; name one that holds <provider>.csv files")
    return tuple(sorted(path.stem for path in folder.glob("*.csv")))


def read_catalogue(folder: Path, provider: str) -> Catalogue:
    """Read a provider's file; raise CatalogueError where there is none."""
    path = folder / f"{provider}.csv"
    known = providers_in(folder)
    if provider not in known:
        there = ", ".join(known) or "none"
        raise CatalogueError(f"{path} is not there; providers in that folder: {there}")
    try:
        raw = path.read_bytes()
        rows = list(csv.DictReader(raw.decode("utf-8-sig").splitlines()))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise CatalogueError(f"{path} cannot be read: {error}; fetch it again") from error
    offers, unread = _offers(provider, path.name, rows)
    digest = hashlib.sha256(raw).hexdigest()[:12]
    return Catalogue(
        provider=provider, version=f"sha256 {digest}", offers=tuple(offers), unread=tuple(unread)
    )


def fetch_catalogue(provider: str, version: str = "") -> Catalogue:
    """Have gpuhunt fetch its catalogue over the network; raise CatalogueError."""
    try:
        import gpuhunt
    except ImportError as error:
        cure = f"{installing('rates')}, or name a folder with --catalogue"
        raise CatalogueError(f"gpuhunt is not installed; {cure}") from error
    catalog = gpuhunt.Catalog(auto_reload=False)
    try:
        catalog.load(version=version or None)
        items = catalog.query(provider=provider, gpu_vendor="nvidia", min_gpu_count=1)
    except (gpuhunt.GPUHuntError, ValueError, OSError) as error:
        cure = "look at the version and the network, or name a folder with --catalogue"
        raise CatalogueError(f"{provider}: gpuhunt: {error}; {cure}") from error
    found = catalog.catalog.get(provider)
    return Catalogue(
        provider=provider,
        version=f"{found.version if found else 'unknown'}, gpuhunt {_version()}",
        offers=tuple(offer_of(item) for item in items if item.gpu_name),
    )


def offer_of(item: Any) -> Offer:  # noqa: ANN401 - gpuhunt has no types
    """Return gpuhunt's item as an offer."""
    return Offer(
        provider=item.provider,
        instance=item.instance_name,
        region=item.location,
        price=Decimal(str(item.price)),
        gpus=int(item.gpu_count),
        model=item.gpu_name,
        memory=None if not item.gpu_memory else Decimal(str(item.gpu_memory)),
        spot=bool(item.spot),
    )


def _version() -> str:
    from importlib.metadata import version

    return version("gpuhunt")


def _offers(
    provider: str, name: str, rows: Iterable[Mapping[str, str | None]]
) -> tuple[list[Offer], list[str]]:
    offers: list[Offer] = []
    unread: list[str] = []
    for line, row in enumerate(rows, start=2):
        try:
            offer = _offer(provider, row)
        except ValueError as error:
            unread.append(f"{name}:{line}: {error}")
            continue
        offers += [offer] if offer else []
    return offers, unread


def _offer(provider: str, row: Mapping[str, str | None]) -> Offer | None:
    """Return a row's offer, None for one without GPUs of NVIDIA; raise ValueError."""
    if missing := [column for column in _NEEDED if row.get(column) is None]:
        raise ValueError(f"lacks {', '.join(missing)}")
    gpus = _number(row, "gpu_count")
    vendor, model = (row.get("gpu_vendor") or "").lower(), row.get("gpu_name") or ""
    if not gpus or vendor not in ("", "nvidia") or model.startswith("tpu-"):
        return None
    price = _number(row, "price")
    if gpus != int(gpus) or not model:
        raise ValueError("gpu_count is no whole number, or gpu_name is blank")
    if not price:
        raise ValueError("price is zero or blank: free GPUs are a mistake")
    return Offer(
        provider=provider,
        instance=row["instance_name"] or "",
        region=row["location"] or "",
        price=price,
        gpus=int(gpus),
        model=model,
        memory=_number(row, "gpu_memory") or None,
        spot=(row.get("spot") or "").lower() == "true",
    )


def _number(row: Mapping[str, str | None], column: str) -> Decimal:
    """Return a number of zero or more, 0 for a blank; raise ValueError."""
    written = (row.get(column) or "").strip()
    try:
        value = Decimal(written or 0)
    except InvalidOperation as error:
        raise ValueError(f"{column}: {written[:40]!r} is no number") from error
    if not value.is_finite() or value < 0:
        raise ValueError(f"{column}: {written[:40]!r} is no price or count")
    return value
