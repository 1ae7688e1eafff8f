"""A session of `requests` that asks at a unix socket, whatever host its URLs name."""

import socket
from pathlib import Path

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection
from urllib3.connectionpool import HTTPConnectionPool


class _Connection(HTTPConnection):
    def __init__(self, path: Path):
        super().__init__("localhost", timeout=60)
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(60)
        self.sock.connect(str(self.path))


class _Pool(HTTPConnectionPool):
    def __init__(self, path: Path):
        super().__init__("localhost", timeout=60)
        self.path = path

    def _new_conn(self):
        return _Connection(self.path)


class _Adapter(HTTPAdapter):
    def __init__(self, path: Path):
        self.pool = _Pool(path)
        super().__init__()

    def get_connection_with_tls_context(self, request, verify, proxies=None, cert=None):
        return self.pool

    def close(self):
        self.pool.close()
        super().close()


def unix_session(path: Path) -> requests.Session:
    """Return a session whose every request goes to the socket."""
    session = requests.Session()
    session.trust_env = False
    session.mount("http://", _Adapter(path))
    return session
