"""
The pydantic base and the field types of every adapter's settings.

A field type turns what an operator writes into one plain value: durations and ratios into
`float`, lists of patterns into tuples.  What it refuses it refuses with a :class:`Mistake`, which
says what is wrong and what to write instead.  Nothing here reads a file or the environment.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Final
from zoneinfo import available_timezones

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    PlainSerializer,
    WithJsonSchema,
    model_validator,
)

from exporter.contract import durations

#: The longest duration that can be meant: ten years.
LONGEST_DAYS: Final = 3650
LONGEST: Final = LONGEST_DAYS * 86400.0

_NUMBER: Final = r"[0-9]+(?:\.[0-9]+)?"


class Mistake(ValueError):
    """What is wrong with a value, and the cure: what to write instead."""

    def __init__(self, what: str, cure: str) -> None:
        super().__init__(f"{what}; {cure}")
        self.what = what
        self.cure = cure


class Settings(BaseModel):
    """
    The base of all settings: frozen, unknown keys refused, values never shown by pydantic.

    Defaults are plain values (seconds, ratios); only what an operator wrote is parsed.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        hide_input_in_errors=True,
        str_strip_whitespace=True,
        allow_inf_nan=False,
        regex_engine="python-re",
    )


class Secret(Settings):
    """
    Where a secret lies: a `file` that holds nothing else, or an `env` variable.

    The secret itself never stands in a configuration; `reaper.edge.secrets` reads it when needed.
    """

    model_config = ConfigDict(json_schema_extra={"examples": ["{file: /path/to/it}"]})

    file: Path | None = None
    env: str = ""

    @model_validator(mode="before")
    @classmethod
    def _refuse_plain(cls, value: Any) -> Any:  # noqa: ANN401 - whatever the file holds
        if isinstance(value, str | int | float):
            raise Mistake(
                "a secret is written into the configuration",
                "take it out, then write {file: /path/to/it} or {env: NAME_OF_VARIABLE}",
            )
        return value

    @model_validator(mode="after")
    def _exactly_one(self) -> "Secret":
        if (self.file is None) == (not self.env):
            raise Mistake(
                "needs exactly one of file and env",
                "write {file: /path/to/it} or {env: NAME_OF_VARIABLE}",
            )
        if self.env and not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", self.env):
            raise Mistake("env is no variable's name", "write for example {env: SLACK_TOKEN}")
        return self

    def __str__(self) -> str:
        return f"file {self.file}" if self.file else f"variable {self.env}"


@dataclass(frozen=True, slots=True)
class Address:
    """A host and a port to listen on or to ask, written ``host:port`` or ``[::1]:port``."""

    host: str
    port: int

    @property
    def loopback(self) -> bool:
        """Tell whether only this machine can reach it."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


# ------------------------------------------------------------------ durations


def seconds(text: object) -> float:
    """Return the seconds of a duration such as "90s", "30 min" or "1h30m"; raise Mistake."""
    if isinstance(text, int | float) and not isinstance(text, bool):
        if text == 0:
            return 0.0
        raise Mistake(f"{text:g} has no unit", f"write for example {text:g}m or {text:g}s")
    words = text.strip() if isinstance(text, str) else ""
    found = durations.read(words)
    if found is not None and found <= LONGEST:
        return found
    if found is not None:
        raise Mistake(f"{shown(text)} is longer than ten years", f"write at most {LONGEST_DAYS}d")
    if re.fullmatch(_NUMBER, words):
        raise Mistake(f"{shown(text)} has no unit", f"write for example {words}m or {words}s")
    near = durations.meant(words)
    cure = f"write {near}" if near else "write for example 90s, 30m, 1h30m or 7d"
    raise Mistake(f"{shown(text)} is no duration", cure)


def duration(value: float) -> str:
    """Write seconds as an operator would: "1h30m"; the inverse of :func:`seconds`."""
    return durations.short(value)


def _positive(text: object) -> float:
    value = seconds(text)
    if value <= 0:
        raise Mistake(f"{shown(text)} is not above zero", "write for example 30m")
    return value


# ------------------------------------------------------------------ the other parsers


def ratio(value: object) -> float:
    """Return a ratio of 0 to 1, written 0.05 or "5%"; raise Mistake."""
    text = str(value).strip()
    number = text.removesuffix("%").strip()
    if isinstance(value, bool) or not re.fullmatch(rf"-?{_NUMBER}", number):
        raise Mistake(f"{shown(value)} is no ratio", "write for example 0.05 or 5%")
    result = float(number) / (100 if text.endswith("%") else 1)
    if result > 1:
        raise Mistake(f"{text} is above 1", f"write a ratio, for example {result / 100:g}")
    if result < 0:
        raise Mistake(f"{text} is below 0", "write a ratio, for example 0.05")
    return result


def patterns(value: object) -> tuple[str, ...]:
    """Return shell-style patterns, from one or from a list of them; raise Mistake."""
    items = list(value) if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    if not items:
        raise Mistake("an empty list fits nothing", "write for example [gpu*, dev*], or remove it")
    texts = [str(item) if _is_integer(item) else item for item in items]
    if not all(isinstance(text, str) and text for text in texts):
        raise Mistake(f"{shown(value)} is no list of patterns", "write for example [gpu*, dev*]")
    return tuple(str(text) for text in texts)


def address(value: object) -> Address:
    """Return an address written ``host:port``; raise Mistake."""
    if isinstance(value, Address):
        return value
    host, _, port = value.strip().rpartition(":") if isinstance(value, str) else ("", "", "")
    host = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    if not host or not port.isdecimal() or not 0 <= int(port) <= 65535:
        raise Mistake(f"{shown(value)} is no address", "write host:port, for example 127.0.0.1:80")
    return Address(host, int(port))


def zone(value: object) -> str:
    """Return the name of a time zone that this machine knows; raise Mistake."""
    known = _zones()
    name = value.strip() if isinstance(value, str) else ""
    if name not in known:
        near = closest(name, sorted(known))
        raise Mistake(
            f"{shown(value)} is no time zone", f"write for example {near or 'Europe/Berlin'}"
        )
    return name


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


def closest(word: str, known: Sequence[str]) -> str:
    """Return the known word that `word` most probably means, or an empty text."""
    return next(iter(get_close_matches(word, known, n=1, cutoff=0.6)), "")


#: What must not be repeated even where it stands by mistake: Slack's tokens, a URL's password.
_PRIVATE = re.compile(r"(?:xox[a-z]|xapp)-\S+|(?<=://)[^/@\s]*@")


def shown(value: object) -> str:
    """Write a value into a message, in quotes, on a line, without what looks like a secret."""
    if isinstance(value, str | int | float):
        return f'"{_PRIVATE.sub("…", " ".join(str(value).split()))[:60]}"'
    return "a group of keys" if isinstance(value, Mapping) else "a list" if value else "nothing"


def _is_integer(item: object) -> bool:
    return isinstance(item, int) and not isinstance(item, bool)


# ------------------------------------------------------------------ field types

_DURATION_SCHEMA = WithJsonSchema(
    {"type": "string", "pattern": durations.PATTERN, "examples": ["90s", "30m", "1h30m", "7d"]}
)

Duration = Annotated[float, BeforeValidator(seconds), _DURATION_SCHEMA]
"""Seconds, written with units; zero is allowed."""

Span = Annotated[float, BeforeValidator(_positive), _DURATION_SCHEMA]
"""Seconds above zero, written with units."""

Ratio = Annotated[
    float,
    BeforeValidator(ratio),
    WithJsonSchema({"anyOf": [{"type": "number", "minimum": 0, "maximum": 1}, {"type": "string"}]}),
]
"""A ratio of 0 to 1."""

Globs = Annotated[
    tuple[str, ...],
    BeforeValidator(patterns),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
]
"""Shell-style patterns; one alone may stand without a list."""

HostPort = Annotated[
    Address,
    BeforeValidator(address),
    PlainSerializer(str),
    WithJsonSchema({"type": "string", "examples": ["127.0.0.1:8080"]}),
]
"""An address written ``host:port``."""

Zone = Annotated[
    str,
    BeforeValidator(zone),
    WithJsonSchema({"type": "string", "examples": ["UTC", "Europe/Berlin"]}),
]
"""The name of a time zone."""
