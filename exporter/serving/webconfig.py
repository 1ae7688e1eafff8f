"""
Who may come in and over what: a file in the format of Prometheus' exporter-toolkit.

``tls_server_config``, ``basic_auth_users`` (bcrypt) and the headers of ``http_server_config`` are
obeyed.  What the format knows and this program cannot keep is a mistake, never silently weaker.
Relative paths are relative to the file.
"""

import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

Clients = Literal["none", "if given", "required"]
"""Whether a client must show a certificate; one that is shown is always verified."""

_CLIENTS: Final[Mapping[str, Clients]] = {
    "": "none",
    "NoClientCert": "none",
    "VerifyClientCertIfGiven": "if given",
    "RequireAndVerifyClientCert": "required",
}
_VERSIONS: Final[Mapping[str, ssl.TLSVersion]] = {
    "TLS12": ssl.TLSVersion.TLSv1_2,
    "TLS13": ssl.TLSVersion.TLSv1_3,
}
_TOP: Final = frozenset({"tls_server_config", "http_server_config", "basic_auth_users"})
_TLS: Final = frozenset(
    {
        "cert_file",
        "key_file",
        "client_ca_file",
        "client_auth_type",
        "client_allowed_sans",
        "min_version",
        "max_version",
        "cipher_suites",
        "prefer_server_cipher_suites",
    }
)
_HTTP: Final = frozenset({"http2", "headers"})
_HEADERS: Final = frozenset(
    {
        "Content-Security-Policy",
        "X-Frame-Options",
        "X-Content-Type-Options",
        "X-XSS-Protection",
        "Strict-Transport-Security",
    }
)
_BCRYPT: Final = ("$2a$", "$2b$", "$2y$")


class WebConfigError(ValueError):
    """The file is wrong; the message holds every mistake, a line each, and no secret."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tls:
    """The server's side of TLS; `sans` are the names a client's certificate must hold one of."""

    cert: Path
    key: Path
    clients: Clients = "none"
    client_ca: Path | None = None
    sans: frozenset[str] = field(default_factory=frozenset)
    minimum: ssl.TLSVersion = ssl.TLSVersion.TLSv1_2
    maximum: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3
    ciphers: str = ""

    @property
    def files(self) -> tuple[Path, ...]:
        """Every file that the context is made from."""
        return (self.cert, self.key, *((self.client_ca,) if self.client_ca else ()))

    def context(self) -> ssl.SSLContext:
        """Make the context; raise :class:`WebConfigError` when the files do not serve."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version, context.maximum_version = self.minimum, self.maximum
        try:
            context.load_cert_chain(self.cert, self.key)
            if self.ciphers:
                context.set_ciphers(self.ciphers)
            if self.client_ca is not None:
                context.load_verify_locations(self.client_ca)
        except OSError as error:
            raise WebConfigError(f"tls_server_config: no matching PEM files ({error})") from error
        if self.clients != "none":
            required = self.clients == "required"
            context.verify_mode = ssl.CERT_REQUIRED if required else ssl.CERT_OPTIONAL
        return context


@dataclass(frozen=True, slots=True, kw_only=True)
class WebConfig:
    """The whole file; `users` maps a name to its bcrypt hash."""

    tls: Tls | None = None
    users: Mapping[str, bytes] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def authenticates(self) -> bool:
        """Whether nobody gets in without having proved who they are."""
        return bool(self.users) or (self.tls is not None and self.tls.clients == "required")


def read(path: Path) -> WebConfig:
    """Read the file; raise :class:`WebConfigError` with every mistake."""
    import yaml  # only where there is such a file

    try:
        content = yaml.safe_load(path.read_text())
    except OSError as error:
        raise WebConfigError(f"{path}: {error.strerror}") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise WebConfigError(f"{path}: it is no YAML{_place(error)}") from error
    return _Reading(path).config(content)


def _place(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    return f" (line {mark.line + 1})" if mark is not None else ""


class _Reading:
    """Reads the parts one after the other and gathers mistakes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._mistakes: list[str] = []

    def config(self, content: object) -> WebConfig:
        top = self._section("", {} if content is None else content, _TOP)
        config = WebConfig(
            tls=self._tls(top.get("tls_server_config")),
            users=dict(self._users(top.get("basic_auth_users"))),
            headers=dict(self._headers(top.get("http_server_config"))),
        )
        if self._mistakes:
            raise WebConfigError("\n".join(f"{self._path}: {one}" for one in self._mistakes))
        return config

    def _section(self, name: str, content: object, keys: frozenset[str]) -> dict[str, Any]:
        if not isinstance(content, dict):
            self._mistakes.append(f"{name or 'the file'}: write keys and values")
            return {}
        for key in content.keys() - keys:
            place, known = f"{name}." if name else "", ", ".join(sorted(keys))
            self._mistakes.append(f"{place}{key}: not kept here; known: {known}")
        return content

    def _tls(self, content: object) -> Tls | None:
        if not content:
            return None
        section = self._section("tls_server_config", content, _TLS)
        cert, key = self._file(section, "cert_file"), self._file(section, "key_file")
        if cert is None or key is None:
            self._mistakes.append("tls_server_config: cert_file and key_file are needed")
            return None
        ca = self._file(section, "client_ca_file")
        return Tls(
            cert=cert,
            key=key,
            clients=self._clients(section, ca),
            client_ca=ca,
            sans=frozenset(map(str, section.get("client_allowed_sans") or ())),
            minimum=self._version(section, "min_version", "TLS12"),
            maximum=self._version(section, "max_version", "TLS13"),
            ciphers=self._ciphers(section),
        )

    def _file(self, section: Mapping[str, Any], key: str) -> Path | None:
        if not section.get(key):
            return None
        path = self._path.parent / str(section[key])
        if not path.is_file():
            self._mistakes.append(f"tls_server_config.{key}: no file {path}")
        return path

    def _clients(self, section: Mapping[str, Any], ca: Path | None) -> Clients:
        word = str(section.get("client_auth_type") or "")
        clients = _CLIENTS.get(word)
        if clients is None:
            known = ", ".join(filter(None, _CLIENTS))
            self._mistakes.append(f"tls_server_config.client_auth_type: {word}: write {known}")
            return "none"
        if (clients == "none") != (ca is None):
            self._mistakes.append(
                "tls_server_config: client_ca_file and a client_auth_type that verifies go together"
            )
        if section.get("client_allowed_sans") and clients != "required":
            self._mistakes.append(
                "tls_server_config.client_allowed_sans: needs RequireAndVerifyClientCert"
            )
        return clients

    def _version(self, section: Mapping[str, Any], key: str, usual: str) -> ssl.TLSVersion:
        word = str(section.get(key) or usual)
        if word not in _VERSIONS:
            self._mistakes.append(f"tls_server_config.{key}: {word}: write TLS12 or TLS13")
        return _VERSIONS.get(word, _VERSIONS[usual])

    def _ciphers(self, section: Mapping[str, Any]) -> str:
        names = [_openssl(str(one)) for one in section.get("cipher_suites") or ()]
        for name in names:
            try:
                ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).set_ciphers(name)
            except ssl.SSLError:
                self._mistakes.append(f"tls_server_config.cipher_suites: {name} is not known")
        return ":".join(names)

    def _users(self, content: object) -> Iterator[tuple[str, bytes]]:
        if not content:
            return
        if not isinstance(content, dict):
            self._mistakes.append("basic_auth_users: write name: bcrypt hash")
            return
        for name, hashed in content.items():
            if not str(hashed).startswith(_BCRYPT):
                cure = f"write the bcrypt hash ($2y$…) that `htpasswd -nBC 10 {name}` prints"
                self._mistakes.append(f"basic_auth_users.{name}: {cure}")
            yield str(name), str(hashed).encode()

    def _headers(self, content: object) -> Iterator[tuple[str, str]]:
        if not content:
            return
        section = self._section("http_server_config", content, _HTTP)
        wanted = section.get("headers") or {}
        for name, value in self._section("headers", wanted, _HEADERS).items():
            yield str(name), str(value)


def _openssl(name: str) -> str:
    """Turn ``TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256`` into ``ECDHE-RSA-AES128-GCM-SHA256``."""
    short = name.removeprefix("TLS_").replace("_WITH_", "_")
    short = short.replace("_", "-").replace("AES-128", "AES128").replace("AES-256", "AES256")
    short = short.replace("CHACHA20-POLY1305-SHA256", "CHACHA20-POLY1305")
    return short.replace("-CBC-", "-").removeprefix("RSA-")
