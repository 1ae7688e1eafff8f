"""Where answers come from: the running reaper, or the store when nobody answers there."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from reaper.cli.ending import Unreachable
from reaper.cli.line import Line, usual
from reaper.ports.errors import ReaperError, StoreError

if TYPE_CHECKING:
    from reaper.config import Configuration
    from reaper.ports import Store

T = TypeVar("T")

RUNNING: Final = "from the running reaper"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What was said on the command line about where the reaper is."""

    config: Path | None
    socket: Path | None

    def line(self) -> Line | None:
        """Return a line to the running reaper; None when it is down."""
        return next((line for line in map(_line, self._sockets()) if line.up), None)

    def line_or_end(self) -> Line:
        """Return a line to the running reaper; without one only it could help, so end."""
        if line := self.line():
            return line
        raise Unreachable(f"no reaper answers at {self.places()}: only the running one can")

    def places(self) -> str:
        """Return where a reaper was looked for."""
        return ", ".join(str(path) for path in dict.fromkeys(self._sockets()))

    def configuration(self) -> "Configuration":
        """Read the configuration; raises ConfigError."""
        from reaper.config import load
        from reaper.config.configuration import find

        return load(self.config or find())

    def prepared(self) -> "Configuration":
        """Read the configuration with all that it needs to start; raises ConfigError."""
        from reaper.config import prepared
        from reaper.config.configuration import find

        return prepared(self.config or find())

    def configuration_or_defaults(self) -> "Configuration":
        """Read the configuration that was named; without one the defaults, whatever lies here."""
        from reaper.config import load

        return load(self.config)

    def _sockets(self) -> Iterator[Path]:
        """Yield the places to look, those that need no configuration first."""
        if self.socket:
            yield self.socket
            return
        if not self.config:
            yield from usual()
        elif plain := _plain_socket(self.config):
            yield plain
        try:
            configured = self.configuration().web.socket
        except ReaperError:
            # A broken file must not keep anybody from the brake of a reaper that runs.
            yield from usual()
            raise
        yield configured

    def from_store(self, ask: Callable[["Store"], Awaitable[T]]) -> T:
        """Ask the store; ends the command where there is none."""
        import asyncio

        configuration = self.configuration()
        try:
            return asyncio.run(_asked(configuration, ask))
        except StoreError as error:
            text = f"no reaper answers at {self.places()}, and {error}"
            raise Unreachable(text) from error


def now() -> float:
    """Return the time of this machine."""
    from reaper.edge.clock import SystemClock

    return SystemClock().now()


def _plain_socket(config: Path) -> Path | None:
    """
    Return the socket that a file names in plain words, without reading what else it says.

    None where only the whole configuration tells: that takes ten times as long.
    """
    import yaml

    try:
        told = yaml.load(config.read_bytes(), Loader=_loader())  # noqa: S506 - a safe loader
        named = told["web"]["socket"]
    except (OSError, ValueError, KeyError, TypeError, yaml.YAMLError):
        return None
    return Path(named) if isinstance(named, str) and Path(named).is_absolute() else None


def _loader() -> Any:  # noqa: ANN401 - a class of the vendor's, the quick one where there is one
    import yaml

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _line(path: Path) -> Line:
    return Line(path=path)


async def _asked(configuration: "Configuration", ask: Callable[["Store"], Awaitable[T]]) -> T:
    from reaper.store import open_reading

    store = await open_reading(configuration.store, cluster=configuration.cluster)
    try:
        return await ask(store)
    finally:
        await store.close()


def reaching(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that say where the reaper is, as one :class:`Reach`."""

    @click.option(
        "--config",
        "-c",
        type=click.Path(path_type=Path, dir_okay=False),
        envvar="GPU_REAPER_CONFIG",
        help="Configuration file  [/etc/gpu-reaper/gpu-reaper.yaml].",
    )
    @click.option(
        "--socket",
        type=click.Path(path_type=Path),
        envvar="GPU_REAPER_SOCKET",
        help="Unix socket of the running reaper  [from the configuration].",
    )
    def reached(config: Path | None, socket: Path | None, **given: object) -> object:
        return command(Reach(config=config, socket=socket), **given)

    reached.__name__, reached.__doc__ = command.__name__, command.__doc__
    reached.__click_params__ = [  # type: ignore[attr-defined]
        *getattr(command, "__click_params__", []),
        *getattr(reached, "__click_params__", []),
    ]
    return reached
