"""
The page, rendered on the server: one overview, one sheet for each allocation, one for a message.

Everything is escaped; what a template names and nobody gave is an error, not a blank.
"""

from dataclasses import dataclass
from datetime import tzinfo

from reaper.domain.brief import burning
from reaper.domain.picture import Picture
from reaper.languages.language import Language
from reaper.questions import Explanation
from reaper.web.access.visitor import STRANGER, Visitor
from reaper.web.html import drawn, view
from reaper.web.html.filters import environment
from reaper.web.html.headline import blind_nodes, headline
from reaper.web.html.offer import Offer
from reaper.web.html.past import ended, ruled
from reaper.web.languages import ENGLISH


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
        self._environment = environment()

    @property
    def zone(self) -> tzinfo:
        """Return the time zone of all pages."""
        return self._look.zone

    def overview(self, picture: Picture, *, guest: Guest, query: str = "") -> str:
        """Return the page of the whole cluster; `query` narrows the table of allocations."""
        rows = view.by_owner(view.matching(picture.rows, query))
        return self.render(
            "overview.html",
            guest,
            picture=picture,
            query=query,
            idle=burning(picture.rows)[: self._look.rows],
            rows=rows[: self._look.rows],
            more=max(0, len(rows) - self._look.rows),
            first=view.soonest(picture),
            segments=view.segments(picture),
            headline=headline(picture, guest.now, self._look.rate, guest.language),
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
        label: str = "back",
    ) -> str:
        """
        Return a page that says one thing; `again` is where to go from there, `label` why.

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
            label=label,
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
            meanings=drawn.meanings(language),
            language=language,
            say=language.plain,
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
