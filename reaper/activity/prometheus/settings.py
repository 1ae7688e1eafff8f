"""Settings of a Prometheus-compatible source, as an operator writes them under ``activity``."""

import re
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema, model_validator
from yarl import URL

from reaper.activity.credentials import BasicSettings, must_be_private, one_of
from reaper.activity.exporters.settings import ExporterSettings
from reaper.schema import Duration, Mistake, Secret, Settings, Span, shown

EXAMPLE: Final = "http://prometheus:9090"
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_DAY: Final = 86400.0


def _url(text: str) -> str:
    try:
        url = URL(text)
    except ValueError:
        url = URL()
    if url.scheme not in {"http", "https"} or not url.host or url.query_string or url.fragment:
        raise Mistake(f"{shown(text)} is no engine's address", f"write for example {EXAMPLE}")
    if url.user is not None or url.password is not None:
        raise Mistake("an address holds a name or password", "put it under basic")
    return text.rstrip("/")


def _pinned(value: Any) -> Any:  # noqa: ANN401 - as written
    if not isinstance(value, dict) or not value:
        raise Mistake("no label is pinned", "write for example {job: gpu-exporter}")
    for name in value:
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise Mistake(f"{shown(name)} is no label's name", "write for example job")
    return value


EngineUrl = Annotated[
    str, AfterValidator(_url), WithJsonSchema({"type": "string", "examples": [EXAMPLE]})
]
"""Where the engine's API begins: everything before ``/api/v1``."""

Labels = Annotated[
    dict[str, str],
    BeforeValidator(_pinned),
    WithJsonSchema(
        {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "minProperties": 1,
            "examples": ["{job: gpu-exporter}"],
        }
    ),
]
"""Labels and their exact values, at least one: they are part of every query."""


class DcgmSettings(Settings):
    """A dcgm-exporter in the same engine, for nodes without an exporter of ours."""

    match: Labels = Field(default={"job": "dcgm-exporter"})
    """The labels that its series carry."""
    interval: Span = 30.0
    """How often it collects, or is scraped where that is rarer; a value counts so long."""
    node_label: str = Field(default="", pattern=r"^(?:[A-Za-z_][A-Za-z0-9_]*)?$")
    """The label that holds the node; without it ``Hostname``, or ``node`` where that is a pod."""
    short_names: bool = False
    """Cut the domain off its nodes' names, where the scheduler knows nodes without it."""


class SmiSettings(DcgmSettings):
    """A nvidia_gpu_exporter in the same engine, for nodes without an exporter of ours."""

    match: Labels = Field(default={"job": "nvidia_gpu_exporter"})
    """The labels that its series carry."""


class HintSettings(Settings):
    """Exporters whose labels say which job has which GPU: hints, never a proof."""

    jobstats: Labels | None = None
    """The labels of the GPU exporter of jobstats (``nvidia_gpu_…``)."""
    slurm_job_exporter: Labels | None = None
    """The labels of slurm-job-exporter (``slurm_job_utilization_gpu``)."""


class EngineSettings(Settings):
    """One engine and what to ask it for."""

    url: EngineUrl
    match: Labels = Field(default={"job": "gpu-exporter"})
    """The labels that our exporters' series carry, such as job, cluster or namespace."""
    replica_labels: tuple[str, ...] = ()
    """Labels by which a pair of engines tells its copies apart; of each pair one is read."""
    dcgm: DcgmSettings | None = None
    nvidia_gpu_exporter: SmiSettings | None = None
    hints: HintSettings = HintSettings()
    timeout: Span = 20.0
    """After which a query counts as unanswered."""
    concurrency: int = Field(default=2, ge=1, le=64)
    """Queries under way at the same time."""
    bearer: Secret | None = None
    basic: BasicSettings | None = None
    in_clear: bool = False
    """Whether the credential may travel readably, by http beyond this machine."""
    headers: dict[str, str] = Field(default={})
    """Sent with every query, such as the tenant: {X-Scope-OrgID: gpu}."""
    ca: Path | None = None
    """Certificates (PEM) that alone are trusted for https."""
    answer_limit: int = Field(default=256 * 1024**2, ge=64 * 1024)
    """Bytes one answer may have; a shard's family takes some ten mebibytes."""

    @model_validator(mode="after")
    def _checked(self) -> "EngineSettings":
        one_of(self.bearer, self.basic)
        must_be_private((self.url,), self.bearer, self.basic, allowed=self.in_clear)
        if any(name.lower() == "authorization" for name in self.headers):
            raise Mistake("a secret is written under headers", "use bearer or basic")
        return self


def _some(engines: tuple[EngineSettings, ...]) -> tuple[EngineSettings, ...]:
    if not engines:
        raise Mistake("no engine is named", f"write for example {_EXAMPLES}")
    return engines


_EXAMPLES: Final = f"[{{url: {EXAMPLE}}}]"
Engines = Annotated[tuple[EngineSettings, ...], AfterValidator(_some), Field(examples=[_EXAMPLES])]


class PrometheusSettings(Settings):
    """Which engines to ask, and how the nodes' own exporters are reached before an act."""

    kind: Literal["prometheus"] = "prometheus"
    engines: Engines
    exporters: ExporterSettings = ExporterSettings()
    """For the last look before an act; without targets and file_sd, the ``instance`` labels."""
    node_label: str = "instance"
    """The targets' label that names the node for which a target may speak; "" for none."""
    delay: Duration = 30.0
    """After the end of a minute, how long until its samples can be asked for."""
    nodes_per_query: int = Field(default=500, ge=1, le=5000)
    """Every family is asked for so many nodes at once."""
    identities_every: Span = 300.0
    """How often what seldom changes is asked; a restart of an exporter shows at once."""
    backfill: Duration = _DAY
    """After an outage, how far back minutes are asked for."""

    @property
    def listed(self) -> bool:
        """Tell whether the exporters' addresses are written, not taken from labels."""
        asked = self.exporters
        return bool(asked.targets or asked.file_sd or asked.kubernetes)
