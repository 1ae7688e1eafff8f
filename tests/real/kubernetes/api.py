"""A plain client of an API server: verbs on paths, JSON in and out, no library between."""

import base64
import http.client
import json
import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

PATIENCE = 60.0
"""Seconds in which a small cluster does what it was asked."""

_JSON = "application/json"

Object = Mapping[str, Any]


class Refused(AssertionError):
    """The API server said no: `status` as it answered, `body` its Status object."""

    def __init__(self, what: str, status: int, body: Mapping[str, Any]) -> None:
        super().__init__(f"{what}: {status} {body.get('message', body)}")
        self.status = status
        self.body = body


class Missing(Refused):
    """There is no such object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """One user's way to the API server."""

    port: int
    authority: str
    """The server's certificate as PEM."""
    token: str
    identity: tuple[tuple[str, str], ...] = ()
    """Headers that make the token's user somebody else."""

    def acting_as(self, user: str, *groups: str) -> "Api":
        """Return the same way as somebody else takes it; the token's user must be allowed to."""
        of = (("Impersonate-Group", group) for group in groups)
        return replace(self, identity=(("Impersonate-User", user), *of))

    def with_token(self, token: str) -> "Api":
        """Return the way of whoever has this token."""
        return replace(self, token=token, identity=())

    def kubeconfig(self) -> Mapping[str, Any]:
        """Return what any client needs to come here as this user."""
        authority = base64.b64encode(self.authority.encode()).decode()
        server = f"https://127.0.0.1:{self.port}"
        cluster = {"server": server, "certificate-authority-data": authority}
        return {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "lab", "cluster": cluster}],
            "users": [{"name": "self", "user": {"token": self.token}}],
            "contexts": [{"name": "lab", "context": {"cluster": "lab", "user": "self"}}],
            "current-context": "lab",
        }

    # -------------------------------------------------------------- verbs

    def get(self, path: str, **query: str) -> Any:
        """Read an object or a list."""
        return self._ask("GET", path, query)

    def items(self, path: str, **query: str) -> list[Any]:
        """Read what a list holds."""
        found: list[Any] = self.get(path, **query)["items"]
        return found

    def post(self, path: str, body: Object, **query: str) -> Any:
        """Make an object."""
        return self._ask("POST", path, query, body)

    def put(self, path: str, body: Object, **query: str) -> Any:
        """Write an object over what is there."""
        return self._ask("PUT", path, query, body)

    def merge(self, path: str, body: Object, **query: str) -> Any:
        """Change an object by a merge patch."""
        return self._ask("PATCH", path, query, body, "application/merge-patch+json")

    def apply(self, path: str, body: Object, manager: str = "tests") -> Any:
        """Make an object or bring it to what is written, on the server's side."""
        query = {"fieldManager": manager, "force": "true"}
        return self._ask("PATCH", path, query, body, "application/apply-patch+yaml")

    def delete(self, path: str, **query: str) -> None:
        """Delete an object; one that is not there is deleted already."""
        with suppress(Missing):
            self._ask("DELETE", path, query)

    def find(self, path: str) -> Any | None:
        """Read an object, or None where there is none."""
        with suppress(Missing):
            return self.get(path)
        return None

    def is_ready(self) -> bool:
        """Say whether the server is ready for everything; raise where nobody answers."""
        connection = self._connect(timeout=PATIENCE)
        try:
            return self._send(connection, "GET", "/readyz").status == 200
        finally:
            connection.close()

    def watch(self, path: str, **query: str) -> "Watch":
        """Begin to watch a list from now on, or from `resourceVersion`."""
        connection = self._connect(timeout=None)
        asked = f"{path}?{urlencode({**query, 'watch': '1'})}"
        with ExitStack() as undone:
            undone.callback(connection.close)
            answer = self._send(connection, "GET", asked)
            if answer.status != 200:
                raise Refused(f"GET {asked}", answer.status, _said(answer.read()))
            undone.pop_all()
        return Watch(connection, answer)

    # -------------------------------------------------------------- the wire

    def _ask(
        self,
        verb: str,
        path: str,
        query: Mapping[str, str],
        body: Object | None = None,
        form: str = _JSON,
    ) -> Any:
        connection = self._connect(timeout=PATIENCE)
        try:
            asked = f"{path}?{urlencode(query)}" if query else path
            sent = b"" if body is None else json.dumps(body).encode()
            answer = self._send(connection, verb, asked, sent, form)
            text = answer.read()
        except http.client.HTTPException as cut:
            raise ConnectionError(f"{verb} {path}: the answer was cut off") from cut
        finally:
            connection.close()
        if answer.status >= 300:
            kind = Missing if answer.status == 404 else Refused
            raise kind(f"{verb} {path}", answer.status, _said(text))
        return json.loads(text)

    def _send(
        self,
        connection: http.client.HTTPSConnection,
        verb: str,
        asked: str,
        body: bytes = b"",
        form: str = _JSON,
    ) -> http.client.HTTPResponse:
        connection.putrequest(verb, asked)
        named = {
            "Content-Type": form,
            "Content-Length": str(len(body)),
            "Accept": "application/json",
        }
        for name, value in (*named.items(), *self.identity):
            connection.putheader(name, value)
        connection.putheader("Authorization", f"Bearer {self.token}")
        connection.endheaders(body)
        try:
            return connection.getresponse()
        except http.client.HTTPException as cut:
            raise ConnectionError(f"{verb} {asked}: the answer was cut off") from cut

    def _connect(self, timeout: float | None) -> http.client.HTTPSConnection:
        trust = ssl.create_default_context(cadata=self.authority)
        return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=timeout, context=trust)


class Watch:
    """The events of a list as they come; whoever closes it ends it, from any thread."""

    def __init__(
        self, connection: http.client.HTTPSConnection, answer: http.client.HTTPResponse
    ) -> None:
        self._connection = connection
        self._answer = answer

    def __iter__(self) -> Iterator[Any]:
        """Yield events until the server or somebody here ends the watch."""
        with suppress(OSError, ValueError, http.client.HTTPException, AttributeError):
            while line := self._answer.readline():
                yield json.loads(line)

    def close(self) -> None:
        """End the watch; a reader that waits is let go."""
        if self._connection.sock is not None:
            with suppress(OSError):
                self._connection.sock.shutdown(socket.SHUT_RDWR)
        self._connection.close()


def _said(text: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        return {"message": text.decode(errors="replace")}
    return found if isinstance(found, dict) else {"message": str(found)}
