"""Runs a credential plugin (`exec` of a kubeconfig) and reads the ExecCredential it prints."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from reaper.edge.command import CommandError, CommandMissingError, Runner
from reaper.edge.kubernetes.errors import KubeError
from reaper.edge.kubernetes.kubeconfig import Plugin

PATIENCE: Final = 20.0
"""Seconds that a plugin has: it may ask a cloud, and a round of claims waits for it."""

_VERSIONS: Final = ("client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1")
_LONGEST: Final = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Credential:
    """What a plugin printed; `expires` in Unix seconds, None where it holds until refused."""

    token: str = field(default="", repr=False)
    certificate: bytes = field(default=b"", repr=False)
    key: bytes = field(default=b"", repr=False)
    expires: float | None = None


async def ask(plugin: Plugin, run: Runner, environment: Mapping[str, str]) -> Credential:
    """
    Run a plugin once; raise KubeError.

    Nothing of what it prints is ever shown: it prints credentials.
    """
    if plugin.version not in _VERSIONS:
        cure = f"known are {' and '.join(_VERSIONS)}"
        raise _failed(plugin, f"speaks {plugin.version}; {cure}")
    spec: dict[str, Any] = {"interactive": False}
    if plugin.cluster:
        spec["cluster"] = plugin.cluster
    told = {"apiVersion": plugin.version, "kind": "ExecCredential", "spec": spec}
    try:
        ended = await run(
            (plugin.command, *plugin.args),
            environment={
                **environment,
                **plugin.environment,
                "KUBERNETES_EXEC_INFO": json.dumps(told),
            },
            within=PATIENCE,
            limit=_LONGEST,
        )
    except CommandMissingError:
        raise _failed(plugin, plugin.hint or "is not installed") from None
    except CommandError as error:
        raise KubeError(f"credential plugin {error}", reason="Access") from None
    if ended.status:
        raise _failed(plugin, f"ended with status {ended.status}; run it by hand as this user")
    return _read(plugin, ended.out)


def _read(plugin: Plugin, text: str) -> Credential:
    try:
        status = json.loads(text)["status"]
        expires = status.get("expirationTimestamp")
        found = Credential(
            token=str(status.get("token") or ""),
            certificate=str(status.get("clientCertificateData") or "").encode(),
            key=str(status.get("clientKeyData") or "").encode(),
            expires=instant(str(expires)) if expires else None,
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        raise _failed(plugin, "printed no ExecCredential") from None
    if not found.token and not (found.certificate and found.key):
        raise _failed(plugin, "printed neither a token nor a certificate with its key")
    return found


def instant(text: str) -> float:
    """Return the Unix seconds of an RFC 3339 instant; raise ValueError."""
    found = datetime.fromisoformat(text)
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def _failed(plugin: Plugin, what: str) -> KubeError:
    return KubeError(f"credential plugin {Path(plugin.command).name} {what}", reason="Access")
