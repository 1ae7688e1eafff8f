"""
What helps when an exporter is not heard, by the cause that its error names; pure.

A command is one that can be typed as it stands, on the machine that is named with it.
"""

from typing import Final
from urllib.parse import urlsplit

CLOCK: Final = "chronyc tracking on both machines shows which is off: let both follow one server"

#: Where the cause is no known one.
_UNKNOWN: Final = "gpu-exporter --once on {host} says what it sees; its log says the rest"

_CAUSES: Final[tuple[tuple[tuple[str, ...], str], ...]] = (
    (
        ("name is not known",),
        (
            "getent hosts {host} must find it here: correct the name in activity.targets or "
            "file_sd, or the DNS"
        ),
    ),
    (
        ("connection refused",),
        (
            "nothing listens there: systemctl start gpu-exporter on {host}; it listens on loopback "
            "alone until it is told --listen 0.0.0.0:{port}"
        ),
    ),
    (
        ("no answer within",),
        (
            "nc -vz {host} {port} from here: if that hangs too, {host} is down or a firewall drops "
            "it; if not, journalctl -u gpu-exporter on {host}"
        ),
    ),
    (
        ("No route", "unreachable"),
        "ip route get {host} from here: the network does not lead to it",
    ),
    (
        ("certificate has expired", "not yet valid"),
        "renew the certificate on {host}, or set its clock or ours right",
    ),
    (
        ("ostname mismatch", "IP address mismatch"),
        "ask it by the name in its certificate, or sign one for {host}",
    ),
    (
        ("certificate is not trusted",),
        (
            "write as activity.ca the authority that signed it: openssl s_client -showcerts "
            "-connect {host}:{port} </dev/null shows which"
        ),
    ),
    (
        ("does not speak TLS",),
        "write scheme: http for it, or give it a certificate with --web.config.file",
    ),
    (("node clock",), CLOCK),
    (
        ("is no HTTP", "broke off"),
        (
            "if it speaks TLS write scheme: https; else look whether {port} on {host} is a "
            "gpu-exporter's"
        ),
    ),
)
"""Words of an error that tell its cause, and the cure; the first that fits decides."""


def cure_of(error: str, target: str) -> str:
    """Return what helps against an exporter's error; nothing where the error says so itself."""
    if "; " in error and not any(word in error for words, _ in _CAUSES for word in words):
        return ""
    known = (cure for words, cure in _CAUSES if any(word in error for word in words))
    cure = next(known, _UNKNOWN)
    host, port = _place(target)
    return cure.replace("{host}", host).replace("{port}", port)


def _place(target: str) -> tuple[str, str]:
    """Return host and port of a target as it was written."""
    address = (target.rpartition("=")[0] or target).strip()
    try:
        parts = urlsplit(address if "://" in address else f"//{address}")
        port = parts.port or (443 if parts.scheme == "https" else 19440)
    except ValueError:
        return address, "19440"
    return parts.hostname or address, str(port)
