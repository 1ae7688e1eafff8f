"""
Names of nodes, and when two of them may be one machine's in another spelling.

A scheduler, a kernel and a scrape each name a machine in their own way: short or with its domain,
in capitals or not.  Names are joined only where they are equal; this says what to tell a person.
"""

import re
from collections.abc import Iterable
from typing import Final

#: As the Domain Name System and schedulers write names, and no longer.
_LABEL: Final = r"[A-Za-z0-9_][A-Za-z0-9_-]{0,62}"
_NAME: Final = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(?:\.{_LABEL})*\.?")


def is_name(text: str) -> bool:
    """Tell whether a text can be a node's name at all."""
    return _NAME.fullmatch(text) is not None


def alike(one: str, other: str) -> bool:
    """Tell whether two names differ in case, in a last dot, or by a domain that one lacks."""
    first, second = _plain(one), _plain(other)
    host, _, domain = first.partition(".")
    other_host, _, other_domain = second.partition(".")
    if not host or _address(first) or _address(second):
        return first == second != ""
    return host == other_host and (domain == other_domain or not domain or not other_domain)


class Names:
    """Some names, to be looked for in other spellings."""

    def __init__(self, names: Iterable[str]) -> None:
        self._by_host: dict[str, list[str]] = {}
        for name in names:
            self._by_host.setdefault(_host(name), []).append(name)

    def meant(self, name: str) -> str:
        """Return the one other name that may be the same machine's; "" for none, or several."""
        near = self._by_host.get(_host(name), ())
        found = [one for one in near if one != name and alike(one, name)]
        return found[0] if len(found) == 1 else ""


def _host(name: str) -> str:
    return _plain(name).partition(".")[0]


def _plain(name: str) -> str:
    return name.strip().rstrip(".").casefold()


def _address(name: str) -> bool:
    """Tell whether a name is an address, whose parts mean nothing alone."""
    return ":" in name or name.replace(".", "").isdigit()
