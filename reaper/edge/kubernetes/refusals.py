"""Turns what an API server refused, or why it was not reached, into the one error of this door."""

import json
from collections.abc import Sequence
from typing import Any, Final

import aiohttp

from reaper.edge.kubernetes.errors import KubeError

_SHOWN: Final = 400
_CURES: Final = {
    301: "give the address it points to instead",
    302: "give the address it points to instead",
    307: "give the address it points to instead",
    308: "give the address it points to instead",
    401: "check the credential of this context",
}


def refusal(
    said: str, response: aiohttp.ClientResponse, body: bytes, secrets: Sequence[str]
) -> KubeError:
    """Return what a status other than success means."""
    status = _status(body)
    message = _without(_line(status.get("message")) or (response.reason or ""), secrets)
    details = status.get("details")
    details = details if isinstance(details, dict) else {}
    cure = _CURES.get(response.status, "")
    shown = f"{said}: answers {response.status}: {message}"
    return KubeError(
        f"{shown}; {cure}" if cure else shown,
        status=response.status,
        reason=_line(status.get("reason")) or (response.reason or ""),
        message=message,
        causes=tuple(_causes(details, secrets)),
        retry_after=_seconds(response.headers.get("Retry-After", details.get("retryAfterSeconds"))),
    )


def stated(said: str, status: object) -> KubeError:
    """Return what a watch's ERROR event means: a Status without a status line."""
    found = status if isinstance(status, dict) else {}
    code = found.get("code")
    message = _line(found.get("message")) or "the watch failed"
    return KubeError(
        f"{said}: {message}",
        status=code if isinstance(code, int) else 0,
        reason=_line(found.get("reason")),
        message=message,
    )


def unreached(said: str, error: Exception) -> KubeError:
    """Return why there was no answer, in words of an operator."""
    return KubeError(f"{said}: {_why(error)}", reason="Unreachable")


def _why(error: Exception) -> str:
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        why = getattr(error.certificate_error, "verify_message", "") or "it is refused"
        return f"its certificate is not trusted: {why}; check certificate-authority"
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return "its host's name is not known here"
    if isinstance(error, aiohttp.ClientConnectorSSLError):
        return "it does not speak TLS as asked for"
    if isinstance(error, aiohttp.ServerTimeoutError):
        return "cannot be reached: no connection in time"
    if isinstance(error, aiohttp.ClientConnectorError):
        refused = isinstance(error.os_error, ConnectionRefusedError)
        why = "connection refused" if refused else error.strerror or "unknown"
        return f"cannot be reached: {why}"
    if isinstance(error, OSError):
        return f"cannot be reached: {error.strerror or type(error).__name__}"
    return f"its answer broke off or is no HTTP ({type(error).__name__})"


def _status(body: bytes) -> dict[str, Any]:
    try:
        found = json.loads(body)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _causes(details: dict[str, Any], secrets: Sequence[str]) -> list[str]:
    listed = details.get("causes")
    found = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    texts = (
        ": ".join(filter(None, map(_line, map(one.get, ("reason", "message"))))) for one in found
    )
    return [_without(text, secrets) for text in texts]


def _seconds(text: object) -> float | None:
    try:
        found = float(str(text))
    except ValueError:
        return None
    return found if 0 <= found < float("inf") else None


def _line(text: object) -> str:
    return " ".join(text.split())[:_SHOWN] if isinstance(text, str) else ""


def _without(text: str, secrets: Sequence[str]) -> str:
    for secret in secrets:
        text = text.replace(secret, "…")
    return text
