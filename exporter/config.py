"""The command line: options, environment (``GPU_EXPORTER_…``), and every mistake at once."""

import importlib.util
import ipaddress
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from exporter.clock import Clock, FastClock, SystemClock
from exporter.collectors.sight import GRES_MAP, JOBSTATS_MAP, Places
from exporter.contract import scenario
from exporter.contract.scenario import Scenario, ScenarioError
from exporter.frames import DriverName, Setup, SimulatedSetup
from exporter.state import Periods
from exporter.web import Access, Credential

#: Free of the ports that known exporters take by default.
DEFAULT_PORT: Final = 19440
#: On a fast clock the default period allows at most so many samples a real second.
_FASTEST: Final = 12.0


class ConfigError(click.ClickException):
    """The command line is wrong; the message holds every mistake, a line each."""

    exit_code = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The command line as it was written; see the help of each option for its meaning."""

    listen: str = f"127.0.0.1:{DEFAULT_PORT}"
    driver: DriverName = "nvml"
    node: str = ""
    period: float | None = None
    call_timeout: float = 5.0
    people: bool = True
    auth_file: str = ""
    tls_cert: str = ""
    tls_key: str = ""
    scenario: str = ""
    scenario_start: float | None = None
    holders: str = ""
    state: str = ""
    clock_rate: float = 1.0
    clock_epoch: float | None = None
    proc_root: str = "/proc"
    sys_root: str = "/sys"
    cgroup_root: str = "/sys/fs/cgroup"
    gres_map: str = GRES_MAP
    jobstats_map: str = JOBSTATS_MAP
    dcgm_map: str = ""
    kubelet_socket: str = ""
    once: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What the composition root builds from: checked, and whole."""

    host: str
    port: int
    node: str
    clock: Clock
    periods: Periods
    call_timeout: float
    setup: Setup
    access: Access
    tls: tuple[str, str] | None = None
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
        node = self.options.node or socket.gethostname().partition(".")[0]
        credentials = self._credentials()
        simulated = self._simulated(node, clock)
        config = Config(
            host=host,
            port=port,
            node=simulated.node if simulated else node,
            clock=clock,
            periods=self._periods(),
            call_timeout=self._call_timeout(),
            setup=self._setup(clock, simulated),
            access=self._access(host, credentials),
            tls=self._tls(),
            warnings=tuple(self._warnings(host, credentials)),
        )
        if self.mistakes:
            raise ConfigError("\n".join(self.mistakes))
        return config

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
        if rate == 1.0 and epoch is None:
            return SystemClock()
        if self.options.driver != "simulated":
            self.mistakes.append("--clock-rate, --clock-epoch: only with --driver simulated")
        if not 1 <= rate <= 3600:
            self.mistakes.append(f"--clock-rate {rate:g}: write 1 to 3600")
            return SystemClock()
        return FastClock(rate=rate, epoch=SystemClock().wall() if epoch is None else epoch)

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
            node=simulated.node if simulated else options.node,
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

    def _simulated(self, node: str, clock: Clock) -> SimulatedSetup | None:
        options = self.options
        if options.driver != "simulated":
            for name in ("scenario", "holders", "state"):
                if getattr(options, name):
                    self.mistakes.append(f"--{name}: only with --driver simulated")
            return None
        played = self._scenario()
        return SimulatedSetup(
            scenario=str(Path(options.scenario).absolute()),
            node=self._scenario_node(node, played) if played else node,
            origin=self._origin(clock),
            holders=options.holders,
            state=options.state,
        )

    def _scenario(self) -> Scenario | None:
        path = self.options.scenario
        if not path:
            self.mistakes.append("--scenario: name the scenario file that is to be played")
            return None
        try:
            return scenario.load(Path(path).read_text())
        except OSError as error:
            self.mistakes.append(f"--scenario {path}: {error.strerror}")
        except (ScenarioError, UnicodeDecodeError) as error:
            self.mistakes.append(f"--scenario {path}: {error}")
        return None

    def _scenario_node(self, node: str, played: Scenario) -> str:
        names = [item.name for item in played.nodes]
        if node in names:
            return node
        if not self.options.node and len(names) == 1:
            return names[0]
        self.mistakes.append(f"--node {node}: the scenario has {', '.join(names) or 'no node'}")
        return node

    def _origin(self, clock: Clock) -> float:
        if self.options.scenario_start is not None:
            return self.options.scenario_start
        return self.options.clock_epoch or clock.wall()

    def _credentials(self) -> tuple[Credential, ...]:
        path = self.options.auth_file
        if not path:
            return ()
        try:
            if Path(path).stat().st_mode & 0o007:
                self.mistakes.append(f"--auth-file {path}: others may read it; chmod o= {path}")
            lines = Path(path).read_text().splitlines()
        except OSError as error:
            self.mistakes.append(f"--auth-file {path}: {error.strerror}")
            return ()
        found = [self._credential(number, line) for number, line in enumerate(lines, 1)]
        credentials = tuple(item for item in found if item is not None)
        if not credentials and not self.mistakes:
            self.mistakes.append(f"--auth-file {path}: it holds no credential")
        return credentials

    def _credential(self, number: int, line: str) -> Credential | None:
        match line.split():
            case []:
                return None
            case [word, *_] if word.startswith("#"):
                return None
            case ["token", secret]:
                return Credential(name="", secret=secret)
            case ["user", name, secret]:
                return Credential(name=name, secret=secret)
        self.mistakes.append(
            f"--auth-file line {number}: write token <secret> or user <name> <secret>;"
            " a secret may be sha256:<hex>"
        )
        return None

    def _access(self, host: str, credentials: tuple[Credential, ...]) -> Access:
        people = self.options.people and (bool(credentials) or is_loopback(host))
        return Access(people=people, credentials=credentials)

    def _tls(self) -> tuple[str, str] | None:
        cert, key = self.options.tls_cert, self.options.tls_key
        if bool(cert) != bool(key):
            self.mistakes.append("--tls-cert, --tls-key: give both or none")
        for name, path in (("cert", cert), ("key", key)):
            if path and not Path(path).is_file():
                self.mistakes.append(f"--tls-{name} {path}: no such file")
        return (cert, key) if cert and key else None

    def _warnings(self, host: str, credentials: tuple[Credential, ...]) -> list[str]:
        if is_loopback(host):
            return []
        if credentials and not self.options.tls_cert:
            return ["credentials travel in clear text: give --tls-cert and --tls-key"]
        if self.options.people and not credentials:
            return ["/metrics/people is off on an open address: give --auth-file"]
        return []


def is_loopback(host: str) -> bool:
    """Say whether a bind address is reachable from this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
