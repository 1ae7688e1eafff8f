"""The field types of addresses of mail."""

import re
from collections.abc import Sequence
from typing import Annotated, Final

from pydantic import BeforeValidator, WithJsonSchema

from reaper.schema import Mistake, shown

_ATOM: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"

ADDRESS: Final = rf"^(?=[^@]{{1,64}}@.{{1,254}}$){_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*$"
"""An address as mail servers everywhere take it: ASCII, no quotes, no comments, no name."""


def address(value: object) -> str:
    """Return an address of mail; raise Mistake."""
    text = value.strip() if isinstance(value, str) else ""
    if not re.fullmatch(ADDRESS, text):
        raise Mistake(
            f"{shown(value)} is no mail address",
            "write it alone, for example gpu-board@example.org",
        )
    return text


def _listed(value: object) -> object:
    single = not isinstance(value, Sequence) or isinstance(value, str)
    return (address(value),) if single else value


def addresses(value: object) -> tuple[str, ...]:
    """Return addresses of mail, from one or from a list of them; raise Mistake."""
    items = _listed(value)
    return tuple(address(item) for item in items) if isinstance(items, Sequence) else ()


MailAddress = Annotated[
    str,
    BeforeValidator(address),
    WithJsonSchema({"type": "string", "pattern": ADDRESS, "examples": ["gpu-board@example.org"]}),
]
"""One address of mail."""

MailAddresses = Annotated[tuple[MailAddress, ...], BeforeValidator(_listed)]
"""Addresses of mail; one alone may stand without a list."""
