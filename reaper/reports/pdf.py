"""
The printed page as a PDF, by WeasyPrint: the extra ``pdf``; the only door to it.

Nothing is fetched: the page holds all that it shows.
"""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, NoReturn

from reaper.edge.extras import installing
from reaper.ports import ReaperError


class PdfError(ReaperError):
    """No PDF can be made here; the message says what is missing."""


def _weasyprint() -> Any:  # noqa: ANN401 - an untyped library's class
    from weasyprint import HTML

    return HTML


def missing() -> bool:
    """Tell whether the extra is not installed; its libraries may lack all the same."""
    return find_spec("weasyprint") is None


def render(page: str, *, library: Callable[[], Any] = _weasyprint) -> bytes:
    """Return a page as PDF; raise PdfError where WeasyPrint or its libraries are missing."""
    try:
        document = library()
    except (ImportError, OSError) as error:
        raise PdfError(
            f"no PDF: {_first_line(error)}; install the extra with `{installing('pdf')}` and the "
            "Debian package libpangoft2-1.0-0, or print the HTML report from a browser"
        ) from error
    made: bytes = document(string=page, url_fetcher=_refuse).write_pdf()
    return made


def _refuse(url: str, **_options: Any) -> NoReturn:  # noqa: ANN401 - WeasyPrint's signature
    raise ValueError(f"{url[:60]}: a report fetches nothing")


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).partition("\n")[0]
