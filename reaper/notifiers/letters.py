"""
What letters say: every kind of notice, several at once, and what has become of them since.

The order of what is told stands here, once for every language; the sentences are messages of
`notices`.  The figures are those of the notice's story, word for word those of the verdict.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from reaper.domain.escalation.notice import Notice, NoticeKind, Story
from reaper.domain.escalation.sequel import Sequel
from reaper.notifiers.sizes import advice
from reaper.notifiers.telling import Reader, Telling, tamed
from reaper.notifiers.texts import Answer, Message, Verb, tame
from reaper.ports import Letter

KEPT_SHORT: Final = 3600.0
"""Seconds of the shorter keep that is offered beside the longest."""


def write(letter: Letter) -> Message:
    """Write a letter for its person, in their language (English where it is not spoken)."""
    reader, kind = Reader.of(letter.person), letter.notice.kind
    told = tuple(Telling(story=tamed(one.story), reader=reader) for one in letter.notices)
    message = _single(kind, told[0]) if len(told) == 1 else _several(kind, told, letter.page)
    words = reader.words
    absent = (words.text("absent", person=reader.absent),) if reader.absent else ()
    late = (words.text("late"),) if any(one.story.late for one in told) else ()
    again = (words.text("twice"),) if any(notice.repeats for notice in letter.notices) else ()
    return replace(
        message,
        next=(*absent, *late, *message.next, *again),
        answers=tuple(_answers(letter, told)),
        why=words.text("why"),
        back=words.text("back"),
    )


def amended(letter: Letter, sequels: Mapping[str, Sequel]) -> Message:
    """
    Write a letter as it stands now, given the sequels of its notices by id.

    What was told stands, what is next is what has become of it; answers that no longer help are
    gone.
    """
    message, reader = write(letter), Reader.of(letter.person)
    over = {letter.tokens.get(ident, "") for ident in sequels}
    several = len(letter.notices) > 1
    told = tuple(
        f"{tame(notice.story.allocation)}: {said}" if several else said
        for notice in letter.notices
        if (said := _fate(sequels.get(notice.id), reader))
    )
    standing = message.next if len(sequels) < len(letter.notices) else ()
    answers = tuple(answer for answer in message.answers if answer.token not in over)
    return replace(message, next=(*told, *standing), answers=answers)


def _fate(sequel: Sequel | None, reader: Reader) -> str:
    if sequel is None:
        return ""
    by = tame(sequel.by, longest=60) or reader.words.text("operator-unnamed")
    fate = f"fate-{sequel.fate}".replace(" ", "-")
    return reader.words.text(fate, by=by, until=reader.moment(sequel.until))


# ------------------------------------------------------------------ answers


def offered(kind: NoticeKind, story: Story) -> tuple[tuple[Verb, float], ...]:
    """Return the answers that are taken, keeps with their seconds; none to what one asked for."""
    if kind in ("operator", "advice") or story.own:
        return ()
    if kind not in ("warning", "final"):
        return (("dispute", 0.0),)
    keeps = story.keeps_left > 0 and story.keep_seconds > 0
    lengths = dict.fromkeys((story.keep_seconds, min(story.keep_seconds, KEPT_SHORT)))
    return (
        *((("keep", seconds) for seconds in lengths) if keeps else ()),
        *((("until_morning", 0.0),) if story.mornings_left > 0 else ()),
        ("release", 0.0),
        ("dispute", 0.0),
    )


def _answers(letter: Letter, told: Sequence[Telling]) -> list[Answer]:
    """Return what may be answered: to several notices, the longest keep, else a dispute."""
    single = len(told) == 1
    return [
        _answer(verb, lasting, telling, letter.tokens.get(notice.id, ""), single=single)
        for notice, telling in zip(letter.notices, told, strict=True)
        for verb, lasting in _shown(notice, telling.story, single=single)
    ]


def _shown(notice: Notice, story: Story, *, single: bool) -> tuple[tuple[Verb, float], ...]:
    every = offered(notice.kind, story)
    return every if single else tuple(one for one in every if one[0] in ("keep", "dispute"))[:1]


def _answer(verb: Verb, lasting: float, told: Telling, token: str, *, single: bool) -> Answer:
    """Name an answer, and what is asked before it is done."""
    allocation = told.story.allocation
    label = told.text(f"answer-{verb}".replace("_", "-"), seconds=lasting)
    asked = verb in ("release", "dispute")
    return Answer(
        verb=verb,
        label=label if single else f"{allocation}: {label}",
        allocation=allocation,
        confirm=told.text(f"confirm-{verb}") if asked else "",
        seconds=lasting,
        token=token,
    )


# ------------------------------------------------------------------ each kind


def _single(kind: NoticeKind, told: Telling) -> Message:
    if kind == "advice":
        return advice((told,))
    asked = "-asked" if kind == "released" and told.story.own else ""
    lead = "idle" if kind in ("warning", "final") else f"{kind}{asked}"
    owned = "yes" if told.story.user else "no"
    return Message(
        title=told.text(f"{kind}-title{asked}"),
        lead=told.text(lead, owned=owned, user=told.story.user),
        facts=_facts(kind, told),
        next=_next(kind, told),
        link=told.story.page,
    )


def _facts(kind: NoticeKind, told: Telling) -> tuple[tuple[str, str], ...]:
    """Return the figures of a kind with their labels, in their order."""
    own = told.story.own
    order: dict[str, tuple[str, ...]] = {
        "released": ("seen", "costs", "policy", "outcome"),
        "reverted": ("holds", "since", "outcome"),
        "failed": ("outcome",) if own else ("since", "outcome"),
        "operator": ("outcome", "holds", "since-for", "seen", "costs", "policy"),
    }
    names = order.get(kind, ("seen", "costs", "policy"))
    figures = ((name, _figure(name, told)) for name in names)
    return tuple(
        (told.text(f"{name.removesuffix('-for')}-label"), figure)
        for name, figure in figures
        if figure is not None
    )


def _figure(name: str, told: Telling) -> str | None:
    """Return a figure of a story; None where it has none."""
    cost = told.story.cost_per_hour
    match name:
        case "seen":
            return told.seen
        case "costs":
            return None if cost is None else told.text("costs", amount=told.amount(cost))
        case "policy":
            return told.story.policy
        case "outcome":
            return told.outcome or None
        case "holds":
            return told.text("holding")
    return told.text(name)


def _next(kind: NoticeKind, told: Telling) -> tuple[str, ...]:
    """Tell what happens next, or can be done."""
    story = told.story
    match kind:
        case "warning" | "final":
            first = _conditions(told) if kind == "warning" else ()
            return (*_release(told), *first, *_still_needed(told))
        case "released":
            again = story.requeue and not story.would
            back = story.back and not story.would
            return (
                *((told.text("again"),) if again else ()),
                *((told.text("back-by", command=story.back),) if back else ()),
                *((told.text("was-not-ended"),) if story.would else ()),
                *(() if story.own else (told.text("is-this-wrong"),)),
            )
        case "reverted":
            return (told.text("until-seen"),)
        case "failed":
            return (told.text("yourself" if story.own else "until-seen"),)
    return ()


def _release(told: Telling) -> tuple[str, ...]:
    story = told.story
    if story.release_at is None:
        acts = story.acts and not story.would
        return (told.text("last-notice-first" if acts else "for-information"),)
    return (
        told.text("release-at", at=told.reader.moment(story.release_at)),
        told.text("saving" if story.can_save else "no-saving"),
        *_parting(told),
        *((told.text("will-not-be-ended"),) if story.would else ()),
    )


def _parting(told: Telling) -> tuple[str, ...]:
    """Tell what its programs have when they are asked to end, where the platform says."""
    story = told.story
    if story.parting <= 0:
        return ()
    hook = "own" if story.hooked else "none"
    return (told.text("parting", hook=hook, seconds=story.parting),)


_CONDITIONS: Final = frozenset(
    ("demand", "demand-workload", "presence", "host", "observed", "save", "paused")
)


def _conditions(told: Telling) -> tuple[str, ...]:
    """Tell, in a first warning, what has to come before anything is released."""
    rules = told.story.conditions if told.story.acts else ()
    return tuple(told.text(f"condition-{rule}") for rule in rules if rule in _CONDITIONS)


def _still_needed(told: Telling) -> tuple[str, ...]:
    back, keeps = told.text("answer-by-work"), told.story.keeps_left
    if told.story.keep_seconds <= 0:
        return (back,)
    return (back, told.text("keeps-left", keeps=keeps) if keeps > 0 else told.text("keeps-used-up"))


# ------------------------------------------------------------------ several at once


def _several(kind: NoticeKind, told: Sequence[Telling], page: str) -> Message:
    """Tell several notices of one kind in a line each."""
    if kind == "advice":
        return replace(advice(told), link=page)
    words = told[0].reader.words
    then = {"warning": "each-answers", "final": "each-answers", "released": "is-one-wrong"}
    devices = sum(one.story.devices for one in told)
    return Message(
        title=words.text(f"{kind}-several", count=len(told)),
        lead=words.text("together", kind=kind, devices=devices),
        facts=tuple((one.text("named"), _line(one)) for one in told),
        next=(*_saving_each(told), words.text(then.get(kind, "until-all-seen"))),
        link=page,
    )


def _saving_each(told: Sequence[Telling]) -> tuple[str, ...]:
    """Tell what becomes of the work of those that may be released."""
    words = told[0].reader.words
    due = [one.story for one in told if one.story.release_at is not None]
    lost = [story.allocation for story in due if not story.can_save]
    if not due:
        return ()
    if not lost:
        would = all(story.would for story in due)
        return (words.text("saving-each", mode="would" if would else "acts"),)
    which = "all" if len(lost) == len(told) else "some"
    return (words.text("no-saving-each", which=which, lost=", ".join(lost)),)


def _line(told: Telling) -> str:
    """Tell an allocation in a line."""
    if told.outcome:
        return told.text("line-outcome", outcome=told.outcome)
    at = told.reader.moment(told.story.release_at)
    return told.text("line-release", at=at) if at else told.text("line")
