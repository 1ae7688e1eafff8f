"""Names of hosts: whether one is this machine alone, and the one that a request names."""

import ipaddress


def is_loopback(host: str) -> bool:
    """Say whether a name or address is reachable from this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def host_of(header: str) -> str:
    """Return the host of a Host header, without its port: ``[::1]:19440`` is ``::1``."""
    text = header.strip().lower()
    name, _, port = text.rpartition(":")
    host = name if name and port.isdecimal() and not name.endswith(":") else text
    return host.removeprefix("[").removesuffix("]").removesuffix(".")
