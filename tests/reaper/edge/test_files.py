"""Texts that people write are read whole; what is no file is refused instead of waited for."""

import os
import socket
from pathlib import Path

import pytest

from reaper.edge.files import read_text

MARK = b"\xef\xbb\xbf"


def test_the_mark_that_editors_begin_with_is_none_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "marked.yaml"
    path.write_bytes(MARK + "cluster: köln\r\n".encode())

    assert read_text(path) == "cluster: köln\n"


def test_a_named_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)

    with pytest.raises(OSError, match="it is a named pipe, not a file"):
        read_text(path)


def test_a_directory_and_a_socket_are_called_what_they_are(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as held:
        held.bind(str(tmp_path / "socket"))
        with pytest.raises(OSError, match="it is a socket, not a file"):
            read_text(tmp_path / "socket")
    with pytest.raises(OSError, match="it is a directory, not a file"):
        read_text(tmp_path)


def test_a_device_that_never_ends_is_refused() -> None:
    with pytest.raises(OSError, match="it is a device, not a file"):
        read_text(Path("/dev/zero"))


def test_the_empty_device_is_an_empty_file() -> None:
    assert read_text(Path(os.devnull)) == ""


def test_what_a_shell_passes_from_a_program_is_read() -> None:
    reader, writer = os.pipe()
    os.write(writer, b"cluster: aurora\n")
    os.close(writer)

    assert read_text(Path(f"/dev/fd/{reader}")) == "cluster: aurora\n"
    os.close(reader)
