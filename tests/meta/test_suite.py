"""The suite keeps to loopback and misses nothing where CI is set."""

import socket

import pytest

from tests.components import Component

ELSEWHERE = "192.0.2.1"
"""An address reserved for documentation."""


def test_listening_beyond_loopback_is_refused():
    with socket.socket() as server, pytest.raises(PermissionError, match="stay on loopback"):
        server.bind(("0.0.0.0", 0))  # noqa: S104


def test_a_datagram_beyond_loopback_is_refused():
    with socket.socket(type=socket.SOCK_DGRAM) as sender, pytest.raises(PermissionError):
        sender.sendto(b"x", (ELSEWHERE, 9))


def test_loopback_is_allowed():
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()) as client,
    ):
        client.sendall(b"x")


def test_a_missing_component_says_its_cure():
    component = Component(commands=("no-such-command",), packages="some-package")

    assert component.missing() == "no no-such-command; install with: apt-get install some-package"
