"""The line to the running reaper: HTTP over its unix socket."""

import json
import os
import socket
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Final, TypeVar

from reaper.cli.ending import Ending, Unreachable, Unsure, Wrong

#: Where a service listens that systemd started.
SERVICE_SOCKET: Final = Path("/run/gpu-reaper/reaper.sock")

T = TypeVar("T")

_PATIENCE: Final = 30.0
_MALFORMED: Final = 400
_OWN_FAULT: Final = 500


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
        connection = _Connection(self.path, within)
        try:
            self._connect(connection)
            status, text = _exchange(connection, "GET", path, None)
        except (OSError, HTTPException) as error:
            raise self._silent(error) from error
        finally:
            connection.close()
        _accepted(status, text)
        return text

    def post(self, path: str, asked: Mapping[str, object], *, cure: str) -> str:
        """
        Request a change; `cure` is what to do where nobody knows whether it was made.

        Once it is sent, an answer that does not come, or a fault of the reaper's own, leaves that
        open.
        """
        connection = _Connection(self.path, _PATIENCE)
        try:
            self._connect(connection)
            status, text = _exchange(connection, "POST", path, json.dumps(asked))
        except (OSError, HTTPException, KeyboardInterrupt) as error:
            why = str(error) or type(error).__name__
            raise _unsure(f"the reaper did not answer ({why})", cure) from error
        finally:
            connection.close()
        if status >= _OWN_FAULT:
            raise _unsure(_said(text), cure)
        _accepted(status, text)
        return text

    def _connect(self, connection: HTTPConnection) -> None:
        try:
            connection.connect()
        except OSError as error:
            raise self._silent(error) from error

    def _silent(self, error: Exception) -> Unreachable:
        text = f"{self.path}: the reaper did not answer ({error}); see `gpu-reaper doctor`"
        return Unreachable(text)


def _exchange(
    connection: HTTPConnection, method: str, path: str, body: str | None
) -> tuple[int, str]:
    connection.request(method, path, body)
    response = connection.getresponse()
    return response.status, response.read().decode("utf-8", "replace")


def _accepted(status: int, text: str) -> None:
    """End the command by what the reaper answers where it does not do what was asked."""
    if status == _MALFORMED:
        raise Wrong(_said(text))
    if status > _MALFORMED:
        raise Ending(_said(text))


def _unsure(what: str, cure: str) -> Unsure:
    return Unsure(f"{what}; its fate is unknown, it may have been made: {cure}")


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
