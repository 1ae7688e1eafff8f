"""
Telling systemd: ready, alive, ending, and one line of status.

The protocol is a datagram to a socket that the service manager names.  Alive means that the loop
runs and that the sampler takes its turns; a driver that hangs is no reason to be restarted, for
the next exporter would hang on the same call.
"""

import os
import socket
from collections.abc import Mapping
from typing import Final

#: Without a turn of the sampler for so many seconds this process is ill.
_ILL: Final = 180.0


class Manager:
    """The service manager, if there is one; `environment` is what it gave this process."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._path = environment.get("NOTIFY_SOCKET", "")
        mine = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        microseconds = environment.get("WATCHDOG_USEC", "") if mine else ""
        self._between = int(microseconds) / 2e6 if microseconds.isdecimal() else 0.0
        self._pinged = float("-inf")
        self._turns = -1
        self._turned = 0.0
        self._status = ""

    def ready(self, status: str) -> None:
        """Say that requests are answered."""
        self._tell(f"READY=1\nSTATUS={status}")

    def stopping(self) -> None:
        """Say that the end has begun."""
        self._tell("STOPPING=1")

    def attend(self, now: float, turns: int, status: str) -> None:
        """Say what is new, and that this process is alive as long as `turns` grows."""
        if turns != self._turns:
            self._turns, self._turned = turns, now
        words = [f"STATUS={status}"] if status != self._status else []
        self._status = status
        if self._between and now - self._pinged >= self._between and now - self._turned < _ILL:
            self._pinged = now
            words.append("WATCHDOG=1")
        if words:
            self._tell("\n".join(words))

    def _tell(self, words: str) -> None:
        if not self._path:
            return
        address = "\0" + self._path[1:] if self._path.startswith("@") else self._path
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
            sender.setblocking(False)
            try:
                sender.sendto(words.encode(), address)
            except OSError:
                return
