"""
A command that is asked in the background: started, looked at later, ended when it takes too long.

Nothing here waits.  A command that cannot be ended is never joined by a second one.
"""

import os
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Final

_LONGEST: Final = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a command said on both its outputs; `failure` is empty when it ended well."""

    text: str
    failure: str = ""


class Probe:
    """One command; `timeout` in seconds of the clock that is passed in."""

    def __init__(self, arguments: Sequence[str], timeout: float = 30.0) -> None:
        self._arguments = tuple(arguments)
        self._timeout = timeout
        self._running: subprocess.Popen[bytes] | None = None
        self._output: IO[bytes] | None = None
        self._since = 0.0

    @property
    def running(self) -> bool:
        """Say whether an answer is still awaited, or a stuck command still in the way."""
        return self._running is not None

    def start(self, now: float) -> str:
        """Start the command unless it still runs; return why it could not be started."""
        if self._running is not None:
            return ""
        self._output = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the answer
        try:
            self._running = subprocess.Popen(
                self._arguments,
                stdin=subprocess.DEVNULL,
                stdout=self._output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            self._output.close()
            return f"{self._arguments[0]}: {error.strerror or error}"
        self._since = now
        return ""

    def poll(self, now: float) -> Answer | None:
        """Return the answer once it is there."""
        if self._running is None:
            return None
        status = self._running.poll()
        if status is None:
            if now - self._since > self._timeout:
                self._kill()
            return None
        late = now - self._since > self._timeout and status < 0
        return self._finish(f"no answer within {self._timeout:g} s" if late else _failure(status))

    def close(self) -> None:
        """End the command if it runs."""
        if self._running is not None:
            self._kill()
            with suppress(subprocess.TimeoutExpired):
                self._running.wait(1)
            self._finish("")

    def _finish(self, failure: str) -> Answer:
        text = ""
        if self._output is not None:
            self._output.seek(0)
            text = self._output.read(_LONGEST).decode(errors="replace")
            self._output.close()
        self._running = self._output = None
        named = f"{self._arguments[0]}: {failure}" if failure else ""
        return Answer(text=text, failure=named)

    def _kill(self) -> None:
        if self._running is not None:
            try:
                os.killpg(self._running.pid, signal.SIGKILL)
            except ProcessLookupError:
                return


def _failure(status: int) -> str:
    if status == 0:
        return ""
    return f"ended by signal {-status}" if status < 0 else f"ended with status {status}"
