"""
The page, rendered on the server: one overview, one sheet for each allocation, one for a message.

Everything is escaped; what a template names and nobody gave is an error, not a blank.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from reaper.domain.picture import DeviceLine, Picture, Row
from reaper.questions import Explanation
from reaper.web import drawn, view, words
from reaper.web.evidence import host_words, request_words, signals
from reaper.web.headline import blind_nodes, headline
from reaper.web.languages.english import ENGLISH
from reaper.web.languages.language import Language
from reaper.web.offer import Offer
from reaper.web.past import ended, evidence, ruled
from reaper.web.visitor import STRANGER, Visitor

#: Class names of the letters that are no names.
_CLASSES: Final = {"?": "U", "!": "C"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Guest:
    """
    For whom a page is made and when; `form` seals this person's forms, "" where none may be sent.

    `told` is what was done just now.
    """

    now: float
    nonce: str
    visitor: Visitor = STRANGER
    form: str = ""
    told: str = ""
    language: Language = ENGLISH


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What all pages of one server share; `rate` is how many times as fast its clock runs."""

    zone: tzinfo
    version: str
    rows: int = 200
    rate: float = 1.0
    refresh: float = 15.0
    """Real seconds after which a page fetches itself again."""
    signs_out: bool = False
    """Whether this site itself signs people out."""
    sign_out: str = ""
    """Path at which a proxy does; "" for none."""


class Page:
    """Renders pages of one look."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._environment = _environment()

    def overview(self, picture: Picture, *, guest: Guest, query: str = "") -> str:
        """Return the page of the whole cluster; `query` narrows the table of allocations."""
        rows = view.by_owner(view.matching(picture.rows, query))
        return self.render(
            "overview.html",
            guest,
            picture=picture,
            query=query,
            idle=view.burning(picture)[: self._look.rows],
            rows=rows[: self._look.rows],
            more=max(0, len(rows) - self._look.rows),
            first=view.soonest(picture),
            segments=view.segments(picture),
            headline=headline(picture, guest.now, self._look.rate),
            blind=blind_nodes(picture),
            doubted=[node for node in picture.nodes if node.doubt],
        )

    def allocation(
        self,
        explanation: Explanation,
        picture: Picture,
        *,
        name: str,
        guest: Guest,
        offer: Offer | None = None,
    ) -> str:
        """Return the sheet of one allocation, live or ended, with what may be asked of it."""
        return self.render(
            "allocation.html", guest, picture=picture, offer=offer, **sheet(explanation, name)
        )

    def message(
        self,
        title: str,
        text: str,
        *,
        guest: Guest,
        picture: Picture | None = None,
        foreign: str = "",
        again: str = "",
    ) -> str:
        """
        Return a page that says one thing; `again` is where to go from there.

        `foreign` is said after the text, in the words that it came in.
        """
        return self.render(
            "message.html",
            guest,
            picture=picture,
            title=title,
            text=text,
            foreign=foreign,
            again=again,
        )

    def render(
        self, template: str, guest: Guest, *, picture: Picture | None, **given: object
    ) -> str:
        """Return a page from its template."""
        look = self._look
        now, language = guest.now, guest.language
        banners = view.banners(picture, now, look.zone, look.rate, language) if picture else ()
        return self._environment.get_template(template).render(
            picture=picture,
            now=now,
            nonce=guest.nonce,
            guest=guest,
            visitor=guest.visitor,
            zone=look.zone,
            version=look.version,
            refresh=f"{look.refresh:g}",
            signs_out=look.signs_out,
            sign_out=look.sign_out,
            banners=banners,
            letters_of_tracks=drawn.LETTERS,
            language=language,
            say=language.texts,
            english=ENGLISH,
            ruler=drawn.ruler(picture.step) if picture else "",
            **given,
        )


def sheet(explanation: Explanation, name: str) -> dict[str, object]:
    """Return what a template tells of one allocation."""
    return {
        "name": name,
        "row": explanation.row,
        "ended": ended(explanation),
        "past": explanation.drawn,
        "cases": ruled(explanation),
        "events": tuple(reversed(explanation.events)),
        "notices": tuple(reversed(explanation.notices)),
        "keeps": explanation.keeps,
    }


# ------------------------------------------------------------------ the templates' words


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("reaper.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(_PLAIN)
    environment.filters.update(_TIMED)
    return environment


def _letter_class(letter: str) -> str:
    return _CLASSES.get(letter, letter if letter.isalpha() else "U")


def _language(context: Context) -> Language:
    found: Language = context["language"]
    return found


@pass_context
def _foreign(context: Context, text: str) -> str | Markup:
    """Say a line of ours in the page's language; one that has no words there is marked English."""
    language = _language(context)
    said = words.plain(language.phrase(text))
    if language.native or said != words.plain(text) or not text:
        return said
    return Markup('<span lang="en">{}</span>').format(escape(said))


@pass_context
def _duration(context: Context, seconds: float) -> str:
    return _language(context).duration(seconds)


@pass_context
def _nodes(context: Context, names: tuple[str, ...]) -> str:
    return _language(context).nodes(names)


@pass_context
def _counted(context: Context, number: int, key: str, *others: object) -> str:
    return _language(context).counted(key, number, *others)


@pass_context
def _instant(context: Context, at: float) -> str:
    return _language(context).instant(at, context["now"], context["zone"])


@pass_context
def _moment(context: Context, at: float) -> str:
    return words.moment(at, context["now"], context["zone"])


@pass_context
def _stamp(context: Context, at: float) -> str:
    return words.stamp(at, context["zone"])


@pass_context
def _ago(context: Context, at: float | None) -> str:
    return _language(context).ago(at, context["now"])


@pass_context
def _money(context: Context, amount: float) -> str:
    return words.money(amount, words.plain(context["picture"].currency))


@pass_context
def _next(context: Context, row: Row) -> view.Next:
    return view.next_step(row, context["now"], context["zone"], _language(context))


@pass_context
def _drawings(context: Context, row: Row, last: int = 0) -> tuple[drawn.Drawing, ...]:
    return drawn.drawings(row.devices, context["picture"].step, last, _language(context))


@pass_context
def _past(context: Context, devices: Sequence[DeviceLine]) -> tuple[drawn.Drawing, ...]:
    return drawn.drawings(devices, context["picture"].step, 0, _language(context))


@pass_context
def _lines(context: Context, drawing: drawn.Drawing) -> tuple[drawn.Line, ...]:
    return tuple(drawn.lines(drawing, context["picture"].step, context["zone"]))


_PLAIN: Final[Mapping[str, Callable[..., Any]]] = {
    "plain": words.plain,
    "iso": words.iso,
    "share": words.share,
    "count": words.count,
    "happening": words.happening,
    "sentence": words.sentence,
    "path": words.path,
    "gpus": words.gpus,
    "model": words.model,
    "signals": signals,
    "host_words": host_words,
    "request_words": request_words,
    "evidence": evidence,
    "letter_class": _letter_class,
}
"""Filters that say the same at any time."""

_TIMED: Final[Mapping[str, Callable[..., Any]]] = {
    "foreign": _foreign,
    "duration": _duration,
    "nodes": _nodes,
    "counted": _counted,
    "instant": _instant,
    "moment": _moment,
    "stamp": _stamp,
    "ago": _ago,
    "money": _money,
    "next": _next,
    "drawings": _drawings,
    "past": _past,
    "lines": _lines,
}
"""Filters that need the page's language, clock, zone, currency or step."""
