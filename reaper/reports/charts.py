"""
Charts as SVG inside a page: read by colour, by pattern and by label, so on any printer.

Every chart carries its own patterns and its words for those who do not see it.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from typing import Final

from markupsafe import Markup, escape

from reaper.domain.money.closing import Closing
from reaper.domain.money.figures import Figures
from reaper.reports.languages import Tongue
from reaper.reports.shares import Bar, Part
from reaper.reports.words import clean, hours, part, percent

INK: Final = "#1d1c1a"
_MUTED: Final = "#4d4a44"
_RULE: Final = "#8d887d"

#: Fill, and the lines drawn over it, of every state; dark to light by what was made of the time.
LOOKS: Final = {
    "active": ("#0b5d4b", ""),
    "low": ("#79b8a3", "M0 6L6 0"),
    "startup": ("#d9ead9", "M3 0V6"),
    "pause": ("#f6d7b0", "M0 3H6"),
    "too_long": ("#e07b2c", "M0 0L6 6M0 6L6 0"),
    "unknown": ("#ffffff", "M0 0L6 6"),
    "reserved": ("#cfd6e4", "M0 1.5H6M0 4.5H6"),
    "drained": ("#b9bfca", "M1.5 0V6M4.5 0V6"),
    "down": ("#6f7480", "M0 1.5H6M0 4.5H6M3 0V6"),
    "stranded": ("#efe7f5", "M0 3H6M3 0V6"),
    "unallocated": ("#ffffff", ""),
}

WIDTH: Final = 720
_BAR: Final = 20


def swatch(state: str, of: str) -> Markup:
    """Return the little square of a legend; `of` makes its pattern its own within the page."""
    name = f"{of}-{state}"
    body = _rect((0.5, 0.5, 13, 9), state, name)
    return _svg(14, 10, (_pattern(state, name), body), spoken="", css="swatch")


def capacity(bar: Bar, name: str, tongue: Tongue) -> Markup:
    """Return the bar of one model; `name` makes its patterns its own within the page."""
    shapes: list[Markup] = []
    labels: list[Markup] = []
    at = 0.0
    for piece in bar.parts:
        width = WIDTH * piece.share
        shapes.append(_rect((at, 0, width, _BAR), piece.state, f"{name}-{piece.state}"))
        labels += _label(piece, at, width, tongue)
        at += width
    patterns = (_pattern(piece.state, f"{name}-{piece.state}") for piece in bar.parts)
    said = "; ".join(
        tongue.text(
            "bar_part",
            state=tongue.text(f"state_{piece.state}"),
            hours=hours(piece.seconds),
            share=percent(piece.share),
        )
        for piece in bar.parts
    )
    return _svg(
        WIDTH, _BAR + 14, (*patterns, *shapes, *labels), spoken=f"{clean(bar.name)}: {said}"
    )


def _label(piece: Part, at: float, width: float, tongue: Tongue) -> Iterator[Markup]:
    """Yield what stands under a state that is wide enough for it."""
    short = f"{tongue.text(f'state_{piece.state}')} {percent(piece.share)}"
    if width >= 6.2 * len(short):
        yield _text(at + width / 2, _BAR + 11, short, size=9.5, anchor="middle")
    elif width >= 26:
        yield _text(at + width / 2, _BAR + 11, percent(piece.share), size=9.5, anchor="middle")


# ------------------------------------------------------------------ the weeks before

_HIGH: Final = 92
"""Height of the tallest bar."""


def trend(weeks: Sequence[tuple[str, Figures]], marks: Sequence[int], tongue: Tongue) -> Markup:
    """
    Return the share of held time that was wasted, week by week, the last one darkest.

    A thin line goes up to the high end of the range.  `marks` are the weeks, by their number in
    the row, in which policies changed; rows of figures stand under the bars.
    """
    width, left = 430, 52
    step = (width - left) / max(len(weeks), 8)
    most = min(1.0, ceil(10 * max(_shares(one)[1] for _, one in weeks) + 0.7) / 10)
    shapes: list[Markup] = [*_scale(most, left, width)]
    for number, (name, figures) in enumerate(weeks):
        middle = left + step * (number + 0.5)
        shapes += _column(figures, middle, step * 0.62, most, last=number == len(weeks) - 1)
        shapes.append(_text(middle, _HIGH + 31, name, size=9, anchor="middle"))
        shapes.append(
            _text(middle, _HIGH + 45, percent(figures.coverage), size=8.5, anchor="middle")
        )
        if number in marks:
            at = marks.index(number) + 1
            shapes.append(_text(middle, _HIGH + 59, f"▲{at}", size=9, anchor="middle"))
    shapes += [
        _text(0, _HIGH + 31, tongue.text("chart_week"), size=8.5),
        _text(0, _HIGH + 45, tongue.text("chart_seen"), size=8.5),
        *([_text(0, _HIGH + 59, tongue.text("chart_policies"), size=8.5)] if marks else []),
    ]
    said = "; ".join(
        tongue.text(
            "chart_said", week=name, wasted=percent(_shares(one)[0]), seen=percent(one.coverage)
        )
        for name, one in weeks
    )
    pattern = _hatch("trend-past", "#f0c9a0", "M0 6L6 0")
    return _svg(width, _HIGH + 64, (pattern, *shapes), spoken=tongue.text("chart_title", said=said))


def _column(
    figures: Figures, middle: float, width: float, most: float, *, last: bool
) -> Iterator[Markup]:
    low, high = _shares(figures)
    top, peak = _y(low, most), _y(high, most)
    fill = "#b4510c" if last else "url(#trend-past)"
    yield Markup(
        '<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="{}" stroke="{}" '
        'stroke-width="0.8"/>'
    ).format(middle - width / 2, top, width, _y(0, most) - top, fill, INK)
    if peak < top - 0.8:
        yield Markup('<path d="M{0:.1f} {1:.1f}V{2:.1f}M{3:.1f} {2:.1f}H{4:.1f}" {5}/>').format(
            middle, top, peak, middle - 4, middle + 4, _stroke(INK, 1)
        )
    yield _text(middle, min(top, peak) - 3, percent(low), size=9, anchor="middle")


def _scale(most: float, left: float, width: float) -> Iterator[Markup]:
    for share in (0.0, most / 2, most):
        y = _y(share, most)
        yield Markup('<path d="M{:.1f} {:.1f}H{:.1f}" {}/>').format(
            left, y, width, _stroke(_RULE, 0.5)
        )
        yield _text(left - 6, y + 3, percent(share), size=8.5, anchor="end")


def _y(share: float, most: float) -> float:
    return 14 + _HIGH * max(0.0, 1 - share / most)


def _shares(figures: Figures) -> tuple[float, float]:
    held = figures.allocated
    return part(figures.wasted, held) or 0.0, part(figures.high, held) or 0.0


def changed(past: Iterable[Closing], policies: tuple[str, ...]) -> tuple[int, ...]:
    """Return in which weeks of a trend the policies were others than in the week before."""
    known = [*(head.policies for head in past), policies]
    return tuple(number for number in range(1, len(known)) if known[number] != known[number - 1])


def meter(share: float, name: str) -> Markup:
    """Return a small bar for a cell, 0 to 1; `name` makes its pattern its own within the page."""
    inner = _rect((0, 0.5, max(1.0, 98 * min(1.0, share)), 8), "too_long", name)
    return _svg(100, 9, (_pattern("too_long", name), inner), spoken="", css="meter")


# ------------------------------------------------------------------ shapes


def _rect(place: tuple[float, float, float, float], state: str, name: str) -> Markup:
    x, y, width, height = place
    box = Markup('x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}"').format(
        x, y, max(0.0, width), height
    )
    plain, lines = LOOKS[state]
    fill = f"url(#{name})" if lines else plain
    return Markup('<rect {} fill="{}" stroke="{}" stroke-width="0.8"/>').format(box, fill, INK)


def _pattern(state: str, name: str) -> Markup:
    fill, lines = LOOKS[state]
    return _hatch(name, fill, lines) if lines else Markup("")


def _hatch(name: str, fill: str, lines: str) -> Markup:
    return Markup(
        '<defs><pattern id="{}" width="6" height="6" patternUnits="userSpaceOnUse">'
        '<rect width="6" height="6" fill="{}"/><path d="{}" {}/></pattern></defs>'
    ).format(name, fill, lines, _stroke(INK, 0.7))


def _text(x: float, y: float, text: str, *, size: float, anchor: str = "start") -> Markup:
    return Markup(
        '<text x="{:.1f}" y="{:.1f}" font-size="{}" text-anchor="{}" fill="{}" '
        'font-family="Inter, DejaVu Sans, sans-serif">{}</text>'
    ).format(x, y, size, anchor, INK, clean(text))


def _stroke(colour: str, width: float) -> Markup:
    return Markup('fill="none" stroke="{}" stroke-width="{}"').format(colour, width)


def _svg(
    width: float, height: float, body: Iterable[Markup], *, spoken: str, css: str = "chart"
) -> Markup:
    hidden = Markup('aria-hidden="true"')
    role = Markup('role="img" aria-label="{}"').format(spoken) if spoken else hidden
    return Markup(
        '<svg class="{0}" viewBox="0 0 {1} {2}" width="{1}" height="{2}" {3}>{4}</svg>'
    ).format(css, width, height, role, Markup("").join(escape(shape) for shape in body))
