"""The whole configuration as one frozen value, and the defaults that depend on the machine."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from reaper.activity import LiveSettings
from reaper.activity.serving import ServerSettings
from reaper.domain.escalation.budget import Limits
from reaper.domain.escalation.interlock import Bounds
from reaper.domain.judgement.policy import Exemption, Hours, Mode, Policy
from reaper.domain.money.ledger import Whereabouts
from reaper.domain.money.waste import Waits
from reaper.domain.prices.rates import RateCard
from reaper.notifiers import NotifierSettings
from reaper.people import PeopleSettings
from reaper.reports.settings import ReportSettings
from reaper.schema import Settings
from reaper.store.settings import StoreSettings
from reaper.web.settings import Operators, WebSettings

__all__ = ["Configuration", "Operators", "find", "socket", "state_directory"]

#: Where a configuration is looked for when none is named.
PLACES: Final = (Path("/etc/gpu-reaper/gpu-reaper.yaml"),)

#: The variable that names a configuration.
VARIABLE: Final = "GPU_REAPER_CONFIG"


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """
    All that an operator decided.

    `path` is the file it came from (None for the defaults alone); `platforms` are settings by
    name, for `reaper.platforms.builder`; `policies` in the order in which they match.
    """

    path: Path | None
    cluster: str
    state_dir: Path
    activity: LiveSettings
    servers: tuple[ServerSettings, ...]
    platforms: tuple[tuple[str, Settings], ...]
    people: tuple[PeopleSettings, ...]
    notifiers: tuple[NotifierSettings, ...]
    policies: tuple[Policy, ...]
    exemptions: tuple[Exemption, ...]
    hours: Hours
    limits: Limits
    bounds: Bounds
    rates: RateCard
    zone: str
    currency: str
    waits: Waits
    places: tuple[Whereabouts, ...]
    report: ReportSettings
    operators: Operators
    kill_switch: Path
    web: WebSettings
    store: StoreSettings

    @property
    def acts(self) -> bool:
        """Tell whether any policy may act."""
        return any(policy.mode is Mode.ACT for policy in self.policies)


def find(environ: Mapping[str, str] = os.environ) -> Path | None:
    """Return the configuration of this machine where none was named; None for the defaults."""
    if named := environ.get(VARIABLE):
        return Path(named)
    return next((path for path in PLACES if path.exists()), None)


def state_directory(environ: Mapping[str, str], *, root: bool) -> Path:
    """Return the service's own directory, or the user's."""
    if service := environ.get("STATE_DIRECTORY"):
        return Path(service.partition(":")[0])
    if home := environ.get("XDG_STATE_HOME"):
        return Path(home) / "gpu-reaper"
    if root:
        return Path("/var/lib/gpu-reaper")
    return Path(environ.get("HOME") or "/") / ".local" / "state" / "gpu-reaper"


def socket(environ: Mapping[str, str], *, root: bool, state_dir: Path) -> Path:
    """Return where the command line asks: the service's runtime directory, or beside the state."""
    if service := environ.get("RUNTIME_DIRECTORY"):
        return Path(service.partition(":")[0]) / "reaper.sock"
    folder = Path("/run/gpu-reaper") if root else state_dir
    return folder / "reaper.sock"
