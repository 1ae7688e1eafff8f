"""
What the page says of a picture, in words: banners, the headline's figures, what happens next.

Pure.  It chooses and orders; every figure is the picture's own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Final, Literal

from reaper.domain.escalation.decision import Refusal
from reaper.domain.escalation.interlock import KIND
from reaper.domain.picture import CaseLine, HoldLine, Picture, Row
from reaper.domain.reason import Words
from reaper.languages.catalogue import said
from reaper.languages.language import Language, named
from reaper.web import words
from reaper.web.languages import ENGLISH, phrase

#: Steps without a cycle after which a picture is stale.
STALE: Final = 3

#: Real seconds that a cycle may take on a clock so fast that three steps pass meanwhile.
_REAL: Final = 10.0

#: Seconds by which a picture may lie ahead of who reads it: two machines' clocks differ.
_AHEAD: Final = 5.0

#: The kind of a hold that ends by itself once the store has room.
NO_ROOM: Final = "store"

#: Seconds after which what was due and has not happened is overdue.
LATE: Final = 120.0

#: Who holds where no person does.
OURSELVES: Final = "gpu-reaper"

Level = Literal["alarm", "warning", "note"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Banner:
    """
    Something that must be read first; `cure` is a command or empty.

    `kind` and `why` are in the words that they came in; `why` is typed by a person, or else ours.
    """

    level: Level
    head: str
    text: str
    cure: str = ""
    kind: str = ""
    why: Words = ""
    typed: bool = False
    then: str = ""
    """When what is told was so."""

    @property
    def title(self) -> str:
        """Return what stands first."""
        head = f"{self.kind[:1].upper()}{self.kind[1:]}{self.head}"
        return f"{head}: {said(self.why)}{self.then}" if self.why else head


@dataclass(frozen=True, slots=True, kw_only=True)
class Next:
    """What happens to an allocation next: in short, the rest of it, and what holds it."""

    short: str
    rest: str = ""
    held: tuple[Refusal, ...] = ()
    due: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """One state's part of the bar of all GPUs; `offset` and `width` in percent of it."""

    state: str
    gpus: int
    offset: float
    width: float


def stale(picture: Picture, now: float, rate: float = 1.0) -> bool:
    """
    Tell whether no cycle was written for three steps; a fast clock gets some real seconds.

    A picture from the future is one too: how old it is, nobody can tell.
    """
    age = now - picture.at
    return age > max(STALE * picture.step, _REAL * rate) or age < -_AHEAD


def by_owner(rows: Sequence[Row]) -> list[Row]:
    """Return allocations in reading order: owner, then id."""
    return sorted(rows, key=lambda row: (row.owner, row.platform, row.id))


def matching(rows: Sequence[Row], text: str) -> list[Row]:
    """Return the allocations in which a text occurs: id, name, owner, team, partition, node."""
    wanted = text.casefold().strip()
    return [row for row in rows if not wanted or any(wanted in word for word in _searched(row))]


def _searched(row: Row) -> Iterator[str]:
    names = (row.id, row.name, row.owner, row.team, row.account, row.partition, row.verdict)
    yield from (word.casefold() for word in (*names, f"{row.platform}/{row.id}", *row.nodes))


# ------------------------------------------------------------------ what happens next


def next_step(row: Row, now: float, zone: tzinfo, language: Language = ENGLISH) -> Next:
    """Say what happens to an allocation next, and when."""
    if row.case is None:
        return _without_case(row, language)
    if row.case.state != "open":
        return Next(short=_sentence(phrase(row.case.next_step or row.case.state, language)))
    if row.kept_until is not None and row.kept_until > now:
        return _kept(row.case, row.kept_until, now, zone, language)
    return _of_case(row.case, now, zone, language)


def _kept(case: CaseLine, until: float, now: float, zone: tzinfo, language: Language) -> Next:
    """Say until when it is kept, what comes then, and what holds it beside the keep."""
    step = _step(case, language) if case.next_step else ""
    then = f"{step[:1].lower()}{step[1:]}" or language.text("then_nothing")
    return Next(
        short=language.text("kept_until", at=language.instant(until, now, zone)),
        rest=language.text("then", step=then),
        held=tuple(one for one in case.held_by if one.rule != "keep"),
        due=until,
    )


def _without_case(row: Row, language: Language) -> Next:
    if not row.idle_gpus:
        return Next(short="")
    if not row.policy:
        return _nothing("no_policy", language)
    return _nothing("in_part" if row.idle_since is None else "not_yet", language)


def _nothing(key: str, language: Language, held: tuple[Refusal, ...] = ()) -> Next:
    return Next(short=language.text(key), rest=language.text(f"{key}_text"), held=held)


def _of_case(case: CaseLine, now: float, zone: tzinfo, language: Language) -> Next:
    held = case.held_by
    if not case.next_step:
        return _nothing("no_more", language, held)
    step = _step(case, language)
    if case.due is None:
        return Next(short=language.text("step_held", step=step) if held else step, held=held)
    if held and case.due <= now:
        return Next(short=language.text("step_held", step=step), held=held, due=case.due)
    at = language.instant(case.due, now, zone)
    if case.due < now - LATE:
        short = language.text("step_overdue", step=step)
        return Next(short=short, rest=language.text("since", at=at), held=held, due=case.due)
    when = language.countdown(case.due, now)
    rest = (language.text("at", at=at), *_release(case, now, zone, language))
    return Next(short=f"{step} {when}", rest="; ".join(rest), held=held, due=case.due)


def _release(case: CaseLine, now: float, zone: tzinfo, language: Language) -> Iterator[str]:
    """Say when the release comes at the earliest that a final warning is followed by."""
    if case.release_at is not None:
        would = "" if case.mode == "act" else "would_be_"
        at = language.instant(case.release_at, now, zone)
        yield language.text(f"{would}released_from", at=at)


def _step(case: CaseLine, language: Language) -> str:
    """Say a step as it is meant, or as it is only recorded."""
    acts = case.next_step in ("release", "save")
    real = case.mode == "act" or (case.mode == "notify" and not acts)
    key = f"{'meant' if real else 'would'}_{named(case.next_step)}"
    if language.messages.knows(key):
        return language.text(key)
    return _sentence(phrase(case.next_step, language))


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def soonest(picture: Picture) -> Row | None:
    """Return the allocation whose case has something due first."""
    due = [(row.case.due, row.run_key, row) for row in picture.rows if row.case and row.case.due]
    return min(due, key=lambda item: item[:2])[2] if due else None


# ------------------------------------------------------------------ the whole cluster


def unsaid(picture: Picture) -> int:
    """Return of how many held GPUs nothing can be said: not judged, or not seen of late."""
    unseen = picture.allocated - round(picture.coverage * picture.allocated)
    return min(max(picture.unknown, unseen), picture.allocated - picture.idle)


def segments(picture: Picture) -> tuple[Segment, ...]:
    """Return the bar of all GPUs by state, from the left; it contradicts no headline."""
    unknown = unsaid(picture)
    states = [
        ("idle", picture.idle),
        ("unknown", unknown),
        ("working", max(0, picture.allocated - picture.idle - unknown)),
        ("free", picture.free),
    ]
    # What is rare stands there only where there is some.
    rare = (("free slices", picture.free_slices), ("unusable", picture.unusable))
    states += [item for item in rare if item[1]]
    whole = sum(number for _, number in states) or 1
    found, offset = [], 0.0
    for state, number in states:
        width = 100 * number / whole
        found.append(Segment(state=state, gpus=number, offset=round(offset, 3), width=width))
        offset += width
    return tuple(found)


def banners(
    picture: Picture, now: float, zone: tzinfo, rate: float = 1.0, language: Language = ENGLISH
) -> tuple[Banner, ...]:
    """Return what must be read before the figures, the worst first."""
    found = [_stale(picture, now, zone, language)] if stale(picture, now, rate) else []
    found += [_hold(hold, now, zone, language) for hold in picture.holds]
    if rate != 1 or not picture.pace_normal:
        found.append(_pace(picture, rate, language))
    return tuple(found)


def _stale(picture: Picture, now: float, zone: tzinfo, language: Language) -> Banner:
    age = now - picture.at
    stands = "stale" if age > 0 else "stale_ahead"
    title = language.text(stands, span=language.duration(abs(age)))
    return Banner(
        level="alarm",
        head=title,
        text=language.text("stale_text", at=words.moment(picture.at, now, zone)),
        cure="gpu-reaper doctor",
    )


def _hold(hold: HoldLine, now: float, zone: tzinfo, language: Language) -> Banner:
    scope = language.text("stop_for", scope=hold.scope) if hold.scope else ""
    since, until = language.instant(hold.begin, now, zone), language.text("stop_lifted")
    if hold.until:
        until = language.text("stop_until", at=language.instant(hold.until, now, zone))
    by = phrase(hold.by, language)
    # What tripped it was so then: read as a figure of now it would mislead.
    then = language.text("as_of", at=since) if hold.kind == KIND else ""
    return Banner(
        level="warning",
        kind=hold.kind,
        head=scope,
        why=hold.reason,
        typed=hold.by != OURSELVES,
        then=then,
        text=language.text("stop_text", by=by, since=since, scope=scope, until=until),
        cure="" if hold.kind == NO_ROOM else f'gpu-reaper resume --hold {hold.id} --reason "…"',
    )


def _pace(picture: Picture, rate: float, language: Language) -> Banner:
    beat = f"{rate:g}"
    clock = language.text("usual_clock") if rate == 1 else language.text("fast_clock", rate=beat)
    step = language.text("fast_step", seconds=f"{picture.step:g}")
    return Banner(level="note", head=language.text("fast"), text=f"{clock}; {step}.")
