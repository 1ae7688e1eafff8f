"""
Forms that change something: sent by this site's own page, by whom the page was made for.

Two proofs are asked for, each enough alone: a sealed word in the form, and the browser's own word
about where the form was sent from.
"""

from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from aiohttp import web

from reaper.ports import ReaperError
from reaper.web.access.sealing import Seal

#: Seconds for which a form may be sent after its page was made.
LASTS: Final = 12 * 3600.0

#: The field that carries the sealed word.
FIELD: Final = "form"

_TYPE: Final = "application/x-www-form-urlencoded"
_MOST_FIELDS: Final = 20


class ForgedError(ReaperError):
    """A form did not come from a page of ours; the message says what to do."""


def word(seal: Seal, bound: str, now: float) -> str:
    """Return the sealed word of a form that only `bound` may send."""
    return seal.close("form", [bound], until=now + LASTS)


async def posted(
    request: web.Request, seal: Seal, *, bound: str, now: float, own: frozenset[str]
) -> Mapping[str, str]:
    """Return the fields of a form; raise ForgedError, or an HTTP error for what is no form."""
    _refuse_foreign(request, own)
    if request.content_type != _TYPE:
        raise web.HTTPUnsupportedMediaType(reason="a form is asked for")
    text = (await request.read()).decode("utf-8", "replace")
    try:
        fields = dict(parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS))
    except ValueError:
        raise web.HTTPBadRequest(reason="too many fields") from None
    if seal.open("form", fields.pop(FIELD, ""), now=now) != [bound]:
        raise ForgedError("this form is too old, or of another sign-in: open its page again")
    return fields


def _refuse_foreign(request: web.Request, own: frozenset[str]) -> None:
    site = request.headers.get("Sec-Fetch-Site", "same-origin")
    origin = request.headers.get("Origin")
    if site != "same-origin" or (origin is not None and origin not in own):
        raise ForgedError("this form was sent from another site: open the page itself")


def origins(request: web.Request, address: str) -> frozenset[str]:
    """
    Return the origins of our own pages: as people reach them, and as this request did.

    Where nobody said how people reach them, a proxy may do it by https.
    """
    found = {f"{request.scheme}://{request.host}"}
    if not address:
        found.add(f"https://{request.host}")
    else:
        parts = urlsplit(address)
        found.add(f"{parts.scheme}://{parts.netloc}")
    return frozenset(found)


def own_path(text: str) -> str:
    """Return a path of this site that somebody named; the start page for anything else."""
    plain = text.isascii() and text.isprintable() and not set(text) & set("\\ ")
    inside = text.startswith("/") and not text.startswith("//") and len(text) <= 500
    return text if plain and inside else "/"
