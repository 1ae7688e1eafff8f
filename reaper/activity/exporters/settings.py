"""Settings of the direct scrape, as an operator writes them under ``activity``."""

import re
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema, model_validator

from reaper.activity.credentials import BasicSettings, must_be_private, one_of
from reaper.activity.endpoints import ServiceSettings, of
from reaper.activity.exporters.address import EXAMPLE, AddressError, Scheme, read
from reaper.activity.exporters.discovery import Discovery, no_service
from reaper.schema import Mistake, Secret, Settings, Span, shown
from reaper.schema.hostlist import HostlistError, expand

#: Brackets that hold numbers and ranges alone; those of an IPv6 address hold a colon.
_RANGE: Final = re.compile(r"\[[0-9,\s-]+\]|,")

_RANGED: Final = "write for example gpu[01-04]:19440"

#: Where an exporter of this machine listens by default.
HERE: Final = "127.0.0.1:19440"


def _address(text: str) -> str:
    if _RANGE.search(text):
        _expanded(text)
    if text.count("[") != text.count("]"):
        raise Mistake(f"{shown(text)} has a bracket without its other one", _RANGED)
    try:
        read(text)
    except AddressError as error:
        raise Mistake(str(error), f"write for example {EXAMPLE}") from None
    return text


ExporterAddress = Annotated[
    str,
    AfterValidator(_address),
    WithJsonSchema(
        {"type": "string", "examples": [EXAMPLE, "https://gpu01:19440", "10.0.0.7:19440=gpu01"]}
    ),
]
"""
``host:port``, or a URL where scheme or path differ; after a ``=`` the node that it is bound to.

Without that it is bound to the node that its host names; an IP address names none.
"""


def _each(value: object) -> object:
    """Return targets one by one: a hostlist stands for all that it names."""
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list | tuple):
        return value
    return tuple(name for item in items for name in _named(item))


def _named(item: object) -> tuple[object, ...]:
    """Expand ``gpu[01-04]:19440``; what cannot be is refused by itself, and no other with it."""
    if not isinstance(item, str) or not _RANGE.search(item):
        return (item,)
    try:
        return _expanded(item)
    except Mistake:
        return (item,)


def _expanded(item: str) -> tuple[str, ...]:
    """Return what a hostlist names; brackets around an IPv6 address are no range."""
    try:
        if "=" in item:
            return _pairs(*item.rsplit("=", maxsplit=1))
        return expand(item)
    except HostlistError as error:
        raise Mistake(str(error), _RANGED) from None


def _pairs(addresses: str, nodes: str) -> tuple[str, ...]:
    """Expand both sides of ``10.0.0.[1-4]:19440=gpu[01-04]``, the first for the first."""
    told, bound = expand(addresses), expand(nodes)
    if len(told) != len(bound):
        cure = "write as many nodes as addresses, for example 10.0.0.[1-4]:19440=gpu[01-04]"
        raise Mistake(f"{len(told)} addresses are bound to {len(bound)} nodes", cure)
    return tuple(f"{one}={node}" for one, node in zip(told, bound, strict=True))


class ExporterSettings(Settings):
    """Which exporters to ask, how often and how."""

    kind: Literal["exporters"] = "exporters"
    targets: Annotated[tuple[ExporterAddress, ...], BeforeValidator(_each)] = ()
    """
    Addresses; without these and `file_sd`, the exporter of this machine.

    Many at once as Slurm writes them, in quotes: `"gpu[01-04]:19440"`.
    """
    file_sd: tuple[Path, ...] = ()
    """Prometheus ``file_sd`` files (.json, .yml, .yaml); the name may be a pattern."""
    kubernetes: ServiceSettings | None = None
    """A Service of Kubernetes whose pods are the exporters, each bound to the node it is on."""
    node_label: str = "node"
    """Label of a ``file_sd`` group of one target that names the node to which that is bound."""
    scheme: Scheme = "http"
    """Of addresses that are no URL, as in ``file_sd`` files."""
    interval: Span = 15.0
    """How often every node is asked; four times a minute survives a lost answer."""
    people_interval: Span = 60.0
    """How often the people page is asked; human signs are whole minutes anyway."""
    timeout: Span = 5.0
    """After which a node counts as silent; a page takes milliseconds, even with a hung driver."""
    concurrency: int = Field(default=256, ge=1, le=4096)
    """Nodes asked at the same time; each takes an open file."""
    page_limit: int = Field(default=8 * 1024**2, ge=64 * 1024)
    """Bytes a page may have; eight cards cut into seven instances each take half a mebibyte."""
    bearer: Secret | None = None
    """Token sent to every exporter."""
    basic: BasicSettings | None = None
    """Name and password sent to every exporter."""
    in_clear: bool = False
    """Whether the credential may travel readably, by http beyond this machine."""
    ca: Path | None = None
    """Certificates (PEM) that alone are trusted for https targets; ``act`` needs it there."""
    server_name: str = ""
    """Name on the certificates of all, where they are asked by addresses that none bears."""

    @model_validator(mode="after")
    def _one_credential(self) -> "ExporterSettings":
        one_of(self.bearer, self.basic)
        targets = (read(text, scheme=self.scheme).metrics for text in self.targets)
        must_be_private(targets, self.bearer, self.basic, allowed=self.in_clear)
        return self

    @model_validator(mode="after")
    def _file_kinds(self) -> "ExporterSettings":
        for path in self.file_sd:
            if path.suffix not in {".json", ".yml", ".yaml"}:
                raise Mistake(
                    f"file_sd {shown(str(path))} is no .json, .yml or .yaml file",
                    "name the file as Prometheus wants it",
                )
        return self

    @property
    def addresses(self) -> tuple[str, ...]:
        """Return the static targets, or this machine's own where nothing was said."""
        return self.targets or (() if self.file_sd or self.kubernetes else (HERE,))

    def discovery(self) -> Discovery:
        """Return the list of targets that these settings describe."""
        named = self.kubernetes
        return Discovery(
            self.addresses,
            self.file_sd,
            scheme=self.scheme,
            label=self.node_label,
            service=of(named, self.scheme).targets if named else no_service,
        )
