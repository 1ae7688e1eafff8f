"""The week's report as a page of the site: its own sheets, and the way to others above them."""

from typing import Final

from reaper.domain.money.calendar import week_of
from reaper.web.html.page import Guest, Page
from reaper.web.json_api.asks import FOR_OPERATORS, FORMS

#: Weeks that are offered, this one so far among them: a quarter.
WEEKS: Final = 14

#: Forms that a report can be taken away in, as a page calls them.
_LABELS: Final = {"pdf": "PDF", "csv": "CSV", "focus": "FOCUS", "markdown": "Markdown"}


def framed(page: Page, report: str, *, guest: Guest, week: str) -> str:
    """Return a report, which is a page of its own, with what leads to the other pages."""
    known = weeks(page, guest.now)
    shown = week or known[0]
    at = known.index(shown) if shown in known else -1
    top = page.render(
        "report_top.html",
        guest,
        picture=None,
        week=shown,
        weeks=known if at >= 0 else (*known, shown),
        earlier=known[at + 1] if 0 <= at < len(known) - 1 else "",
        later=known[at - 1] if at > 0 else "",
        forms=[(form, label) for form, label in _LABELS.items() if _may(guest, form)],
    )
    head = page.render("report_head.html", guest, picture=None)
    own = report.replace("<style>", f'<style nonce="{guest.nonce}">', 1)
    # What scrolls by itself must be reached by keyboard.
    own = own.replace('<div class="scroll">', '<div class="scroll" tabindex="0">')
    return own.replace("</head>", f"{head}</head>", 1).replace("<body>", f"<body>{top}", 1)


def weeks(page: Page, now: float) -> tuple[str, ...]:
    """Return the ISO weeks that are offered, the newest first."""
    this = week_of(now, page.zone)
    return tuple(str(this.shifted(-back)) for back in range(WEEKS))


def _may(guest: Guest, form: str) -> bool:
    """Tell whether somebody may have a form."""
    return form in FORMS and (guest.visitor.sees_all or form not in FOR_OPERATORS)
