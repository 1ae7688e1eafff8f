"""
A folder with one file whose server may fall silent: whoever asks then hangs in the kernel.

Spoken over /dev/fuse, without a library.  Once the server has taken a request, no signal ends the
wait, SIGKILL included; so this makes what a driver makes that never returns.
"""

import ctypes
import errno
import os
import struct
import threading
from pathlib import Path

_DEVICE = "/dev/fuse"
_HEADER = struct.Struct("<IIQQIIII")
_REPLY = struct.Struct("<IiQ")
_ATTRIBUTES = struct.Struct("<6Q10I")
_LOOKUP, _FORGET, _GETATTR, _OPEN, _READ = 1, 2, 3, 14, 15
_RELEASE, _FLUSH, _INIT, _INTERRUPT, _DESTROY, _FORGETS = 18, 25, 26, 36, 38, 42
_ROOT, _FILE = 1, 2
_NAME = b"file"
_FOLDER_MODE, _FILE_MODE = 0o040755, 0o100444
_DIRECT = 1
_NOSUID, _NODEV, _DETACH = 2, 4, 2
_LARGEST = 1 << 17


class SilentFiles:
    """Shows the file at `source` as ``folder/file`` until it is told to be silent."""

    def __init__(self, folder: Path, source: Path):
        self.path = folder / _NAME.decode()
        self._folder = folder
        self._source = source
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._silent = threading.Event()
        self._kept: list[bytes] = []
        self._lock = threading.Lock()

    def mount(self) -> str:
        """Begin; return why that cannot be, or nothing."""
        try:
            self._fuse = os.open(_DEVICE, os.O_RDWR | os.O_CLOEXEC)
        except OSError as error:
            return f"{_DEVICE}: {error.strerror}"
        words = f"fd={self._fuse},rootmode=40000,user_id=0,group_id=0,allow_other".encode()
        place = os.fsencode(self._folder)
        if self._libc.mount(b"fuse", place, b"fuse", _NOSUID | _NODEV, words):
            os.close(self._fuse)
            return f"mount of a fuse folder: {os.strerror(ctypes.get_errno())}"
        threading.Thread(target=self._serve, daemon=True).start()
        return ""

    def unmount(self):
        """End; whoever still waits gets an error."""
        self._libc.umount2(os.fsencode(self._folder), _DETACH)
        self.speak()

    def be_silent(self):
        """Take requests from now on, and answer none."""
        self._silent.set()

    def speak(self):
        """Answer again, the requests that were kept first."""
        with self._lock:
            self._silent.clear()
            kept, self._kept = self._kept, []
        for request in kept:
            self._answer(request)

    def _serve(self):
        while True:
            try:
                request = os.read(self._fuse, _LARGEST + 4096)
            except OSError as error:
                if error.errno in {errno.EINTR, errno.EAGAIN, errno.ENOENT}:
                    continue
                return
            with self._lock:
                if self._silent.is_set():
                    self._kept.append(request)
                    continue
            self._answer(request)

    def _answer(self, request: bytes):
        _, operation, unique, node, *_ = _HEADER.unpack_from(request)
        if operation in {_FORGET, _FORGETS, _INTERRUPT}:
            return
        body = self._body(operation, node, request[_HEADER.size :])
        code = -body if isinstance(body, int) else 0
        data = body if isinstance(body, bytes) else b""
        try:
            os.write(self._fuse, _REPLY.pack(_REPLY.size + len(data), code, unique) + data)
        except OSError:  # whoever asked is gone
            return

    def _body(self, operation: int, node: int, words: bytes) -> bytes | int:
        """Return the answer to an operation, or the error."""
        match operation:
            case _ if operation == _INIT:
                return struct.pack("<IIIIHHIIHH32x", 7, 31, 0, 0, 12, 9, _LARGEST, 1, 32, 0)
            case _ if operation == _LOOKUP:
                if words.rstrip(b"\0") != _NAME:
                    return errno.ENOENT
                return struct.pack("<QQQQII", _FILE, 0, 0, 0, 0, 0) + self._attributes(_FILE)
            case _ if operation == _GETATTR:
                return struct.pack("<QII", 0, 0, 0) + self._attributes(node)
            case _ if operation == _OPEN:
                return struct.pack("<QII", 0, _DIRECT, 0)
            case _ if operation == _READ:
                _, offset, size = struct.unpack_from("<QQI", words)
                return self._source.read_bytes()[offset : offset + size]
            case _ if operation in {_RELEASE, _FLUSH, _DESTROY}:
                return b""
        return errno.ENOSYS

    def _attributes(self, node: int) -> bytes:
        status = self._source.stat()
        second, rest = divmod(status.st_mtime_ns, 10**9)
        size, mode = (status.st_size, _FILE_MODE) if node == _FILE else (0, _FOLDER_MODE)
        return _ATTRIBUTES.pack(
            node, size, 1, second, second, second, rest, rest, rest, mode, 1, 0, 0, 0, 4096, 0
        )
