"""The sections of a configuration file, and what a policy file may hold."""

from pathlib import Path
from typing import Any

from pydantic import Field, create_model

from reaper.activity import LiveSettings
from reaper.activity.exporters.settings import ExporterSettings
from reaper.activity.serving import ServerSettings
from reaper.config.policy_settings import ExemptionSettings, HoursSettings, PolicySettings
from reaper.domain.escalation.budget import Limits
from reaper.domain.escalation.interlock import Bounds
from reaper.notifiers import NotifierSettings
from reaper.notifiers.console import ConsoleSettings
from reaper.people import Directories
from reaper.people.unix import UnixSettings
from reaper.platforms import NAMES, builder
from reaper.reports.settings import ReportSettings
from reaper.schema import Ratio, Settings, Span
from reaper.store.settings import StoreSettings
from reaper.web.settings import Operators, WebSettings

_LIMITS = Limits()
_BOUNDS = Bounds()


class BudgetSettings(Settings):
    """How many acts may begin; the defaults let a mistake hurt few."""

    per_cycle: int = Field(default=_LIMITS.per_cycle, ge=1)
    """Acts in one cycle, that is a minute."""
    per_hour: int = Field(default=_LIMITS.per_hour, ge=1)
    per_owner: int = Field(default=_LIMITS.per_owner, ge=1)
    """Acts an hour against one owner."""
    per_node: int = Field(default=_LIMITS.per_node, ge=1)
    """Acts an hour on one node."""
    share: Ratio = _LIMITS.share
    """Share of the allocated GPUs in an hour; one allocation is always allowed."""
    approval: int = Field(default=_LIMITS.approval, ge=0)
    """GPUs above which two operators must approve."""


class InterlockSettings(Settings):
    """When the system no longer trusts itself and stops to act, until an operator clears it."""

    coverage: Ratio = _BOUNDS.coverage
    """Least share of the allocated devices that must be seen."""
    jump: Ratio = _BOUNDS.jump
    """Share of the devices that may turn idle within a quarter of an hour."""
    jump_devices: int = Field(default=_BOUNDS.jump_devices, ge=1)
    """Fewer devices than this never trip `jump`."""
    restarts: Ratio = _BOUNDS.restarts
    """Share of the exporters that may restart within an hour."""
    restarts_at_least: int = Field(default=_BOUNDS.restarts_at_least, ge=1)
    """Fewer exporters than this never trip `restarts`."""
    clock_step: Span = _BOUNDS.clock_step
    """How far the clock may step."""
    failures: int = Field(default=_BOUNDS.failures, ge=1)
    """Verifications in a row that may fail."""


class FileSettings(Settings):
    """A configuration file; every section may be left out."""

    cluster: str = Field(
        default="local", pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$", examples=["gpu-cluster"]
    )
    """Name of the cluster; it is part of every key in the store, so choose it once."""
    state_dir: Path | None = None
    """Where everything is kept; default: the service's own directory, or the user's."""
    activity: LiveSettings = ExporterSettings()
    servers: tuple[ServerSettings, ...] = ()
    """Inference servers whose own pages count their requests; without these none is ever warm."""
    platforms: dict[str, Any] = Field(default={})
    """Where allocations come from, each by its name; without one there is nobody to warn."""
    people: Directories = (UnixSettings(),)
    """Who is behind a user; the first directory that knows them answers."""
    notifiers: tuple[NotifierSettings, ...] = (ConsoleSettings(),)
    policies: Any = None
    """Policies, or paths of policy files; default: the built-in ones, which only observe."""
    exemptions: tuple[ExemptionSettings, ...] = ()
    working_hours: HoursSettings = HoursSettings()
    budgets: BudgetSettings = BudgetSettings()
    interlocks: InterlockSettings = InterlockSettings()
    rates: Path | None = None
    """File of prices; without it hours have no price, and none is made up."""
    report: ReportSettings = ReportSettings()
    operators: Operators = Operators()
    kill_switch: Path | None = None
    """While this file exists nothing acts; default: STOP in the state directory."""
    web: WebSettings = WebSettings()
    store: StoreSettings = StoreSettings()


class PolicyFile(Settings):
    """A policy file: what it holds stands in the order of the files."""

    policies: Any = None
    exemptions: tuple[ExemptionSettings, ...] = ()


def schema() -> dict[str, Any]:
    """Return the JSON schema of a configuration file, for editors."""
    platforms = create_model(
        "Platforms",
        __base__=Settings,
        **{name: (builder(name).settings | None, None) for name in NAMES},  # type: ignore[call-overload]
    )
    whole = create_model(
        "Configuration",
        __base__=FileSettings,
        platforms=(platforms, platforms()),
        policies=(tuple[PolicySettings | str, ...], ()),
    )
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **whole.model_json_schema()}
