"""The past of an allocation in a terminal: its cases, events, notices and keeps."""

from collections.abc import Sequence
from datetime import tzinfo
from typing import Final

from rich.console import RenderableType

from reaper.cli import paint
from reaper.domain.escalation.keep import Keep
from reaper.domain.escalation.notice import Notice
from reaper.domain.money.entries import Event
from reaper.languages.catalogue import refused, said
from reaper.web import words
from reaper.web.html.past import Ended, Ruled
from reaper.web.html.past import evidence as evidence_of
from reaper.web.json_api.told import Explained

#: Events that are told, the newest ones.
_EVENTS: Final = 20


def past(one: Ended, zone: tzinfo) -> RenderableType:
    """Return what an ended allocation was."""
    end = words.stamp(one.end, zone) if one.end else "an end that is not known"
    return paint.facts(
        (
            ("GPUs", f"{words.gpus(one.gpus, one.model)} on {words.nodes(one.nodes)}"),
            ("ran", f"{words.stamp(one.begin, zone)} to {end}"),
            ("outcome", one.outcome),
        )
    )


def events(happened: Sequence[Event], told: Explained, zone: tzinfo) -> RenderableType:
    """Return what happened, the newest last."""
    shown = happened[-_EVENTS:]
    rows = [
        (
            words.instant(event.at, told.now, zone),
            f"{words.happening(event.kind)}: {said(event.text)}{_by(event)}{_evidence(event)}",
        )
        for event in shown
    ]
    left = len(happened) - len(shown)
    return paint.facts(
        [*([("", f"{left} earlier")] if left else []), *rows] or [("", "nothing yet")]
    )


def _evidence(event: Event) -> str:
    numbers = evidence_of(event)
    return f" [{numbers}]" if numbers else ""


def cases(rules: Sequence[Ruled], told: Explained, zone: tzinfo) -> RenderableType:
    """Return under which rules its cases ran."""
    return paint.facts(
        [(words.instant(one.opened, told.now, zone), _ruled(one, told, zone)) for one in rules]
    )


def _ruled(one: Ruled, told: Explained, zone: tzinfo) -> str:
    warned = ", ".join(words.instant(at, told.now, zone) for at in one.warned) or "not yet"
    end = f", {words.instant(one.closed, told.now, zone)}" if one.closed else ""
    held = f"; held by {'; '.join(map(refused, one.held_by))}" if one.held_by else ""
    outcome = f": {one.outcome}" if one.outcome else ""
    rule = f"{one.policy} {one.version} ({one.mode})"
    return f"under {rule}; warned {warned}; {one.state}{end}{outcome}{held}"


def _by(event: Event) -> str:
    return f" (by {event.by})" if event.by not in ("", "gpu-reaper") else ""


def notices(sent: Sequence[Notice], told: Explained, zone: tzinfo) -> RenderableType:
    """Return who was told what, and whether it arrived."""
    spent = _spent(sent, told)
    return paint.facts(
        [
            (words.instant(item.created, told.now, zone), f"{_fate(item)}{spent.get(item.id, '')}")
            for item in sent
        ]
    )


def _spent(sent: Sequence[Notice], told: Explained) -> dict[str, str]:
    """Say of which final warnings of an open case nothing follows any more."""
    row = told.explanation.row
    case = row.case if row else None
    if case is None:
        return {}
    finals = [item for item in sent if item.kind == "final" and item.case_id == case.id]
    old = finals if case.spent else finals[:-1]
    return {item.id: "; spent: another one comes before a release" for item in old}


def _fate(notice: Notice) -> str:
    through = f" by {notice.channel}" if notice.channel else ""
    error = f": {notice.error}" if notice.error else ""
    said = f"{words.happening(notice.kind)} to {notice.to}, {notice.delivery}{through}{error}"
    return f"{said}{_others(notice)}"


def _others(notice: Notice) -> str:
    """Tell how it went on the channels other than the one that took it."""
    others = (one for one in notice.trials if one.channel != notice.channel)
    tried = "; ".join(f"{one.channel} {one.delivery}" for one in others)
    return f" ({tried})" if tried else ""


def keeps(asked: Sequence[Keep], told: Explained, zone: tzinfo) -> RenderableType:
    """Return what its owner said."""
    return paint.facts(
        [
            (
                words.instant(keep.begin, told.now, zone),
                f"until {words.instant(keep.until, told.now, zone)} by {keep.by}: {keep.reason}",
            )
            for keep in asked
        ]
    )
