"""
What the kernel log says of GPUs: Xid errors, a driver loaded anew, a GPU that was reset.

A thread of its own reads, so that neither a page nor a hanging driver ever waits for it, and it
goes on while NVML is stuck.  ``/dev/kmsg`` holds what was said since the boot, and its records
carry their time; any other file is read from its end on, through rotations.
"""

import os
import select
import stat
import threading
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final

from exporter.clock import Clock
from exporter.kernel.records import Event, Reader

_RECORD: Final = 8192
_CHUNK: Final = 1 << 16
_AGAIN: Final = 60.0
_LOOK: Final = 1.0
_MOST: Final = 10_000


class KernelLog:
    """Listens from :meth:`start` on; :meth:`take` hands out what was heard."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self.trouble = "not read yet"
        self._path = path
        self._clock = clock
        self._since = clock.wall()
        self._reader = Reader()
        self._heard: SimpleQueue[Event] = SimpleQueue()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="kernel log", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stop(self) -> None:
        """Stop listening; a read that never returns is not waited for."""
        self._ended.set()

    def take(self) -> tuple[Event, ...]:
        """Return what was heard since the call before."""
        found: list[Event] = []
        while len(found) < _MOST:
            try:
                found.append(self._heard.get_nowait())
            except Empty:
                break
        return tuple(found)

    def _run(self) -> None:
        while not self._ended.is_set():
            try:
                self._listen()
            except OSError as error:
                self.trouble = f"{self._path}: {error.strerror or error}"
            self._ended.wait(_AGAIN)

    def _listen(self) -> None:
        descriptor = os.open(self._path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            file = stat.S_ISREG(os.fstat(descriptor).st_mode)
            if file:
                os.lseek(descriptor, 0, os.SEEK_END)
            self.trouble = ""  # not before: whoever sees it gone may count on being heard
            if file:
                self._follow(descriptor)
            else:
                self._stream(descriptor)
        finally:
            os.close(descriptor)

    # ------------------------------------------------------------------ /dev/kmsg

    def _stream(self, descriptor: int) -> None:
        """Take record after record; each read gives exactly one."""
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        while not self._ended.is_set():
            try:
                record = os.read(descriptor, _RECORD)
            except BlockingIOError:
                poll.poll(_LOOK * 1000)
            except BrokenPipeError:
                continue  # records were overwritten before they were read
            else:
                if record:
                    self._record(record.decode(errors="replace"))
                else:
                    self._ended.wait(_LOOK)

    def _record(self, record: str) -> None:
        """Take ``priority,sequence,microseconds,flags;text``; what a program wrote is not said."""
        head, _, text = record.partition(";")
        fields = head.split(",")
        if len(fields) < 3 or not (fields[0].isdecimal() and fields[2].isdecimal()):
            return
        if int(fields[0]) >> 3 == 0:
            boot = self._clock.wall() - self._clock.monotonic()
            self._hear(text.partition("\n")[0], boot + int(fields[2]) / 1e6)

    # ------------------------------------------------------------------ another file

    def _follow(self, descriptor: int) -> None:
        """Read what is added; a file that was replaced or cut is opened again and read whole."""
        rest = b""
        while not self._ended.is_set():
            while chunk := os.read(descriptor, _CHUNK):
                *whole, rest = (rest[-_CHUNK:] + chunk).split(b"\n")
                for line in whole:
                    self._hear(line.decode(errors="replace"), self._clock.wall())
            if self._replaced(descriptor):
                fresh = os.open(self._path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
                os.dup2(fresh, descriptor, inheritable=False)
                os.close(fresh)
                rest = b""
            else:
                self._ended.wait(_LOOK)

    def _replaced(self, descriptor: int) -> bool:
        opened = os.fstat(descriptor)
        try:
            now = self._path.stat()
        except OSError:
            return False
        return now.st_ino != opened.st_ino or now.st_size < os.lseek(descriptor, 0, os.SEEK_CUR)

    def _hear(self, text: str, wall: float) -> None:
        for event in self._reader.read(text, wall, past=wall < self._since):
            self._heard.put(event)
