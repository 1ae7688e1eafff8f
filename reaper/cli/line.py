"""The line to the running reaper: HTTP over its unix socket."""

import json
import os
import socket
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Final, TypeVar

from reaper.cli.ending import Ending, Unreachable

#: Where a service listens that systemd started.
SERVICE_SOCKET: Final = Path("/run/gpu-reaper/reaper.sock")

T = TypeVar("T")

_PATIENCE: Final = 30.0


class _Connection(HTTPConnection):
    def __init__(self, path: Path, within: float) -> None:
        super().__init__("localhost", timeout=within)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line to the reaper that listens at `path`."""

    path: Path

    @property
    def up(self) -> bool:
        """Tell whether somebody answers; ends the command where connecting is forbidden."""
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
                client.settimeout(_PATIENCE)
                client.connect(str(self.path))
        except PermissionError:
            text = f"{self.path}: you may not connect; its folder must be open to you"
            raise Unreachable(text) from None
        except OSError:
            return False
        return True

    def told(self, kind: type[T], path: str) -> T:
        """Ask for a value of a type."""
        from reaper.store.codec import decode

        text = self.get(path)
        try:
            return decode(kind, text)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            text = f"{self.path}: the answer is not one of this version; restart the reaper"
            raise Unreachable(text) from error

    def get(self, path: str, *, within: float = _PATIENCE) -> str:
        """Ask; ends the command with the reaper's own words when it says no."""
        return self._ask("GET", path, None, within=within)

    def post(self, path: str, asked: Mapping[str, object]) -> str:
        """Request a change."""
        return self._ask("POST", path, json.dumps(asked))

    def _ask(self, method: str, path: str, body: str | None, *, within: float = _PATIENCE) -> str:
        connection = _Connection(self.path, within)
        try:
            connection.request(method, path, body)
            response = connection.getresponse()
            text = response.read().decode("utf-8", "replace")
        except (OSError, HTTPException) as error:
            text = f"{self.path}: the reaper did not answer ({error}); see `gpu-reaper doctor`"
            raise Unreachable(text) from error
        finally:
            connection.close()
        if response.status >= 400:
            raise Ending(_said(text))
        return text


def _said(text: str) -> str:
    try:
        return str(json.loads(text)["error"])
    except (ValueError, KeyError, TypeError):
        return text.strip() or "the reaper said no, and not why"


def usual() -> Iterator[Path]:
    """Yield where a reaper of this machine, or one that this user started, would listen."""
    yield SERVICE_SOCKET
    home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    yield Path(home) / "gpu-reaper" / "reaper.sock"
