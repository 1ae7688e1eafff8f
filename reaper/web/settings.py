"""Where the reaper listens and what it shows, as an operator writes it."""

from pathlib import Path

from pydantic import Field

from reaper.schema import Address, HostPort, Secret, Settings, Zone

#: Beside the exporter's 19440, free of the ports that known exporters take by default.
DEFAULT_PORT = 19450

DEFAULT_SOCKET = Path("/run/gpu-reaper/reaper.sock")


class WebSettings(Settings):
    """
    The page, the metrics and the unix socket.

    ```yaml
    web:
      listen: 127.0.0.1:19450
      zone: Europe/Berlin
    ```
    """

    listen: HostPort = Address("127.0.0.1", DEFAULT_PORT)
    """Only loopback is served: the page names people, and asks nobody who they are."""

    socket: Path = DEFAULT_SOCKET
    """Where the command line asks; who asks is who the kernel says."""

    address: str = Field(
        default="", pattern=r"^(https?://[^\s?#]+)?$", examples=["https://gpus.example.org/"]
    )
    """The page as people reach it, through a proxy; notices link to it.  "" where nobody can."""

    key: Secret | None = None
    """Signs links and buttons; replicas share it.  Default: one of its own beside the state."""

    zone: Zone = "UTC"
    """Time zone of the page; everything that is stored and every JSON answer is UTC."""

    hosts: tuple[str, ...] = ()
    """Host names under which a proxy on this machine asks, beside localhost."""

    owners_on_metrics: bool = False
    """Whether metrics name owners; teams are enough for most dashboards."""

    rows: int = Field(default=200, ge=1)
    """Allocations that the page lists before it says how many more there are."""

    idle_on_metrics: int = Field(default=1000, ge=0)
    """Idle allocations with metrics of their own, costliest first."""


class Operators(Settings):
    """
    Who may pause, resume and act for others; root always may.

    ```yaml
    operators:
      users: [mira]
      groups: [hpc-admins]
    ```
    """

    users: tuple[str, ...] = ()
    """User names of this machine."""

    groups: tuple[str, ...] = ()
    """Groups of this machine, primary or supplementary."""
