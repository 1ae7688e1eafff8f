"""The command line: options, environment (``GPU_EXPORTER_…``), and every mistake at once."""

import importlib.util
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import click

from exporter.clock import Clock, FastClock, PacedClock, SystemClock
from exporter.collectors.sight import Places
from exporter.contract.node_name import is_name
from exporter.contract.tempo import TempoError
from exporter.options import DEFAULT_PORT, Options
from exporter.sampling.frames import Setup, SimulatedSetup
from exporter.sampling.state import Periods
from exporter.serving.hosts import is_loopback
from exporter.serving.web import Access
from exporter.serving.webconfig import WebConfig, WebConfigError, read
from exporter.simulation.casting import Casting

#: On a fast clock the default period allows at most so many samples a real second.
_FASTEST: Final = 12.0

#: Letters of a wrong name that are shown.
_SHOWN: Final = 60


class ConfigError(click.ClickException):
    """The command line is wrong; the message holds every mistake, a line each."""

    exit_code = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class DcgmPlace:
    """Where this node's dcgm-exporter serves, and its collection interval in seconds."""

    url: str
    interval: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What the composition root builds from: checked, and whole.

    `control`, `release_file` and `kernel_log` are None where there is nothing real to let go of.
    """

    host: str
    port: int
    node: str
    clock: Clock
    periods: Periods
    call_timeout: float
    setup: Setup
    access: Access
    web_config: Path | None = None
    control: Path | None = None
    release_file: Path | None = None
    kernel_log: Path | None = None
    dcgm: DcgmPlace | None = None
    warnings: tuple[str, ...] = ()


def check(options: Options) -> Config:
    """Return the configuration; raise :class:`ConfigError` with every mistake."""
    return _Check(options).config()


class _Check:
    """Reads the options one after the other and gathers mistakes."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.mistakes: list[str] = []

    def config(self) -> Config:
        host, port = self._address()
        clock = self._clock()
        node = self._node_name()
        web = self._web()
        simulated = Casting(self.options, self.mistakes).setup(node, clock)
        if self.options.node is not None or simulated is None:
            self._examine(node)
        config = Config(
            host=host,
            port=port,
            node=simulated.node if simulated else node,
            clock=clock,
            periods=self._periods(),
            call_timeout=self._call_timeout(),
            setup=self._setup(clock, simulated),
            access=self._access(host, node),
            web_config=Path(self.options.web_config_file) if self.options.web_config_file else None,
            control=self._real(self.options.control),
            release_file=self._real(self.options.release_file),
            kernel_log=self._real(self.options.kernel_log),
            dcgm=self._dcgm(),
            warnings=tuple(self._warnings(host, web)),
        )
        if self.mistakes:
            raise ConfigError("\n".join(self.mistakes))
        return config

    def _node_name(self) -> str:
        """Return the node's name as it was given, or as this machine is called."""
        given = self.options.node
        return socket.gethostname().partition(".")[0] if given is None else given

    def _examine(self, node: str) -> None:
        """Note where a text is no node's name: pages, metrics and joins all go by it."""
        if is_name(node):
            return
        said = "the host name" if self.options.node is None else "--node"
        self.mistakes.append(
            f"{said} {node[:_SHOWN]!r} is no node's name: write it as the scheduler does, for "
            f"example --node gpu01 (letters, digits, - and _; at most 63 of them between dots)"
        )

    def _address(self) -> tuple[str, int]:
        host, _, port = self.options.listen.rpartition(":")
        if not host or not port.isdecimal() or int(port) > 65535:
            self.mistakes.append(
                f"--listen {self.options.listen}: write host:port, e.g. 127.0.0.1:{DEFAULT_PORT}"
            )
            return "127.0.0.1", 0
        return host.strip("[]"), int(port)

    def _clock(self) -> Clock:
        rate, epoch = self.options.clock_rate, self.options.clock_epoch
        if rate == 1.0 and epoch is None and not self.options.clock_file:
            return SystemClock()
        if self.options.driver != "simulated":
            self.mistakes.append("--clock-rate, --clock-epoch: only with --driver simulated")
        if self.options.clock_file:
            return self._paced(self.options.clock_file)
        if not 1 <= rate <= 3600:
            self.mistakes.append(f"--clock-rate {rate:g}: write 1 to 3600")
            return SystemClock()
        return FastClock(rate=rate, epoch=SystemClock().wall() if epoch is None else epoch)

    def _paced(self, path: str) -> Clock:
        clock = PacedClock(path)
        try:
            clock.wall()
        except (OSError, TempoError) as error:
            self.mistakes.append(f"--clock-file {path}: {error}")
            return SystemClock()
        return clock

    def _periods(self) -> Periods:
        chosen = self.options.period
        if chosen is None:
            return Periods.of(max(1.0, self.options.clock_rate / _FASTEST))
        if not 0.1 <= chosen <= 60:
            self.mistakes.append(f"--period {chosen:g}: write 0.1 to 60 seconds")
            return Periods()
        return Periods.of(chosen)

    def _call_timeout(self) -> float:
        chosen = self.options.call_timeout
        if not 0.5 <= chosen <= 60:
            self.mistakes.append(f"--call-timeout {chosen:g}: write 0.5 to 60 seconds")
        return chosen

    def _setup(self, clock: Clock, simulated: SimulatedSetup | None) -> Setup:
        options = self.options
        places = Places(
            node=simulated.node if simulated else options.node or "",
            proc=options.proc_root,
            sys=options.sys_root,
            cgroup=options.cgroup_root,
            gres_map=options.gres_map,
            jobstats_map=options.jobstats_map,
            dcgm_map=options.dcgm_map,
            kubelet=self._kubelet(),
        )
        return Setup(
            driver=options.driver,
            clock=clock,
            places=places,
            board=-1,
            people=options.people,
            simulated=simulated,
        )

    def _kubelet(self) -> str:
        if self.options.kubelet_socket and importlib.util.find_spec("grpc") is None:
            self.mistakes.append("--kubelet-socket: needs grpcio; install gpu-reaper[kubelet]")
        return self.options.kubelet_socket

    def _dcgm(self) -> DcgmPlace | None:
        """Never repeat the address: it may hold a password."""
        url, interval = self.options.dcgm_url, self.options.dcgm_interval
        if not url:
            return None
        if self.options.driver != "nvml":
            self.mistakes.append("--dcgm-url: only with --driver nvml")
        if not 1 <= interval <= 600:
            self.mistakes.append(f"--dcgm-interval {interval:g}: write 1 to 600 seconds")
        host = _host(url)
        if not host:
            self.mistakes.append("--dcgm-url: write an address, e.g. http://127.0.0.1:9400/metrics")
        elif not (self.options.dcgm_remote or is_loopback(host)):
            self.mistakes.append(
                f"--dcgm-url: {host} is not this machine; add --dcgm-remote if that is meant"
            )
        return DcgmPlace(url=url, interval=interval)

    def _real(self, path: str) -> Path | None:
        """What touches the machine is for its real GPUs alone."""
        return Path(path) if path and self.options.driver == "nvml" else None

    def _web(self) -> WebConfig:
        path = self.options.web_config_file
        try:
            config = read(Path(path)) if path else WebConfig()
            if config.tls is not None:
                config.tls.context()
        except WebConfigError as error:
            self.mistakes += [f"--web.config.file {line}" for line in str(error).splitlines()]
            return WebConfig()
        return config

    def _access(self, host: str, node: str) -> Access:
        crowd = self.options.max_requests
        if not 1 <= crowd <= 10_000:
            self.mistakes.append(f"--max-requests {crowd}: write 1 to 10000")
        return Access(
            people=self.options.people,
            loopback=is_loopback(host),
            operators=frozenset(self.options.operator),
            crowd=crowd,
            hosts=frozenset(name.lower() for name in (host, node, socket.gethostname())),
        )

    def _warnings(self, host: str, web: WebConfig) -> list[str]:
        if is_loopback(host):
            return []
        if web.users and web.tls is None:
            return ["passwords travel in clear text: add tls_server_config to --web.config.file"]
        if self.options.people and not web.authenticates:
            return ["/metrics/people is off on an open address: give --web.config.file"]
        return []


def _host(url: str) -> str:
    """Return the host that an address of the web names, if it is one."""
    try:
        parts = urlsplit(url)
        return (
            (parts.hostname or "") if parts.scheme in {"http", "https"} and parts.port != 0 else ""
        )
    except ValueError:
        return ""
