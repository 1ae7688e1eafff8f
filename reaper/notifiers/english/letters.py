"""Every kind of notice in English, and the digest of several."""

from collections.abc import Mapping
from typing import Final

from reaper.domain.escalation.notice import NoticeKind, Story
from reaper.domain.spoken import count
from reaper.domain.spoken import english as lasting
from reaper.notifiers.english.phrases import holding, moment, named, whose
from reaper.notifiers.texts import Message, Reader, Verb


def warning(story: Story, reader: Reader) -> Message:
    """Tell that GPUs are idle and that there is time to answer."""
    have = "has" if story.devices == 1 else "have"
    return Message(
        title=f"{whose(story, reader)} {have} been idle for {lasting(story.idle_seconds)}",
        lead=_idle(story, reader),
        facts=_facts(story),
        next=(*_release(story, reader), *_conditions(story), *_answers(story)),
        link=story.page,
    )


def final(story: Story, reader: Reader) -> Message:
    """Tell that this is the last notice before the release, and what becomes of the work."""
    be = "is" if story.devices == 1 else "are"
    return Message(
        title=f"Last notice: {whose(story, reader, begins=False)} {be} still idle",
        lead=_idle(story, reader),
        facts=_facts(story),
        next=(*_release(story, reader), *_answers(story)),
        link=story.page,
    )


def released(story: Story, reader: Reader) -> Message:
    """Tell that it is over, why, and what can be done about it."""
    was = "was" if story.devices == 1 else "were"
    ended = "would have been" if story.would else was
    asked = " as you asked" if story.own else ""
    again = "It goes back into the queue and starts again from its beginning."
    idle = (
        f"{named(story)} had done no GPU work since {moment(story.idle_since, reader.zone)}, "
        f"for {lasting(story.idle_seconds)}."
    )
    return Message(
        title=f"{whose(story, reader)} {ended} released{asked}",
        lead=f"{named(story)} no longer holds {holding(story)}." if story.own else idle,
        facts=(*_facts(story), *_outcome(story)),
        next=(
            *((again,) if story.requeue and not story.would else ()),
            *(("This policy does not act yet: nothing was ended.",) if story.would else ()),
            *(() if story.own else (_WRONG,)),
        ),
        link=story.page,
    )


_UNTIL_SEEN: Final = "Nothing more is done to it until an operator has looked at it."
_YOURSELF: Final = "You asked for its release: you can end it yourself, or ask again later."
_WRONG: Final = "Was this wrong? Please say so: the figures are kept, and an operator will look."


def reverted(story: Story, reader: Reader) -> Message:
    """Tell that something started again what was released."""
    back = f"{named(story)} was released and has been started again by something else."
    return Message(
        title=f"{story.allocation} came back after its release",
        lead=back,
        facts=(
            ("Holds", holding(story)),
            ("Idle since", moment(story.idle_since, reader.zone)),
            *_outcome(story),
        ),
        next=(_UNTIL_SEEN,),
        link=story.page,
    )


def failed(story: Story, reader: Reader) -> Message:
    """Tell that a release did not work and that no one tries again blindly."""
    return Message(
        title=f"{story.allocation} could not be released",
        lead=f"{named(story)} still holds {holding(story)}.",
        facts=(
            *(() if story.own else (("Idle since", moment(story.idle_since, reader.zone)),)),
            *_outcome(story),
        ),
        next=(_YOURSELF if story.own else _UNTIL_SEEN,),
        link=story.page,
    )


def operator(story: Story, reader: Reader) -> Message:
    """Ask an operator to look."""
    since = moment(story.idle_since, reader.zone)
    return Message(
        title=f"Please look at {story.allocation}",
        lead=f"{named(story)} of {story.user or 'an unknown owner'} needs an operator.",
        facts=(
            *_outcome(story),
            ("Holds", holding(story)),
            ("Idle since", f"{since} ({lasting(story.idle_seconds)})"),
            *_facts(story),
        ),
        link=story.page,
    )


_SEVERAL: Final[Mapping[NoticeKind, str]] = {
    "warning": "{} allocations are idle",
    "final": "Last notice: {} allocations are still idle",
    "released": "{} allocations were released",
    "reverted": "{} allocations came back after their release",
    "failed": "{} allocations could not be released",
    "operator": "Please look at {} allocations",
}


def digest(kind: NoticeKind, stories: tuple[Story, ...], reader: Reader) -> Message:
    """Tell several notices of one kind in a line each."""
    hold = "held" if kind == "released" else "hold"
    devices = sum(story.devices for story in stories)
    back = "Each is answered for itself. Working with one again ends the notice for it."
    wrong = "Was one of these wrong? Please say so on its page, and an operator will look."
    then = {"warning": back, "final": back, "released": wrong}
    return Message(
        title=_SEVERAL[kind].format(len(stories)),
        lead=f"Together they {hold} {devices} GPUs.",
        facts=tuple((named(story), _line(story, reader)) for story in stories),
        next=(
            *_saving_several(stories),
            then.get(kind, "Nothing more is done to them until an operator has looked."),
        ),
    )


def _saving_several(stories: tuple[Story, ...]) -> tuple[str, ...]:
    """Tell what becomes of the work of those that may be released."""
    due = [story for story in stories if story.release_at is not None]
    lost = [story.allocation for story in due if not story.can_save]
    if not due:
        return ()
    if not lost:
        would = all(story.would for story in due)
        return (f"Before that each {'would be' if would else 'is'} asked to save its work.",)
    which = "They" if len(lost) == len(stories) else ", ".join(lost)
    return (f"{which} cannot be saved for you: please save what you need.",)


def _line(story: Story, reader: Reader) -> str:
    """Tell an allocation in a digest's line."""
    idle = f"{holding(story)}; idle for {lasting(story.idle_seconds)}"
    if story.outcome:
        return f"{idle}; {story.outcome}"
    if story.release_at is None:
        return idle
    would = "if it stayed idle, would be" if story.would else "if it stays idle, will be"
    return f"{idle}; {would} released {moment(story.release_at, reader.zone)} or later"


def asking(verb: Verb, story: Story, seconds: float) -> tuple[str, str]:
    """Name an answer, and ask before it is done."""
    if verb == "keep":
        return f"Keep for {lasting(seconds)}", ""
    if verb == "until_morning":
        return "Keep until the next working morning", ""
    if verb == "release":
        return "Release now", (
            f"Release {named(story)} now? It ends, and what is not saved is lost."
        )
    return "This is wrong", (
        f"Say that this is wrong? Nothing more is done to {named(story)} until an operator has "
        "looked at it."
    )


# ------------------------------------------------------------------ sentences


def _idle(story: Story, reader: Reader) -> str:
    since = moment(story.idle_since, reader.zone)
    return f"{named(story)} holds {holding(story)} and has done no GPU work since {since}."


def _facts(story: Story) -> tuple[tuple[str, str], ...]:
    cost = story.cost_per_hour
    return (
        ("Seen", story.reason),
        *((("Costs", f"{cost:.2f} {story.currency} an hour".strip()),) if cost is not None else ()),
        ("Policy", story.policy),
    )


def _outcome(story: Story) -> tuple[tuple[str, str], ...]:
    return (("Outcome", story.outcome),) if story.outcome else ()


def _release(story: Story, reader: Reader) -> tuple[str, ...]:
    if story.release_at is None and story.acts and not story.would:
        return ("Nothing is released yet: if it stays idle, a last notice comes first.",)
    if story.release_at is None:
        return ("Nothing will be released: this is for your information.",)
    at = moment(story.release_at, reader.zone)
    if not story.would:
        first = f"If it stays idle, it will be released, at the earliest {at}."
        return (first, _saving(story))
    return (
        f"If it stayed idle, it would be released, at the earliest {at}.",
        _saving(story),
        "This policy does not act yet: nothing will be ended.",
    )


def _conditions(story: Story) -> tuple[str, ...]:
    """Tell, in a first warning, what has to come before anything is released."""
    if not story.acts:
        return ()
    return tuple(_CONDITIONS[rule] for rule in story.conditions if rule in _CONDITIONS)


_CONDITIONS: Final[Mapping[str, str]] = {
    "demand": "It is released only while a job waits for its GPUs.",
    "presence": "Whether its person is away cannot be told now: it is left alone for longer.",
    "host": "What its host does is not measured: it is left alone for longer.",
    "observed": "This policy is still being watched: it releases nothing yet.",
    "save": "It cannot be saved for you, and without a save it is not released.",
    "paused": "An operator has paused every release.",
}


def _saving(story: Story) -> str:
    if story.can_save:
        return f"Before that it {'would be' if story.would else 'is'} asked to save its work."
    return "It cannot be saved for you: please save what you need."


def _answers(story: Story) -> tuple[str, ...]:
    back = "Working with it again is answer enough: that ends the notice."
    if story.keep_seconds <= 0:
        return (back,)
    if story.keeps_left <= 0:
        return (back, "Its keeps are used up.")
    left = f"{count(story.keeps_left, 'keep')} left today"
    return (back, f"Still needed? Say so, and it is left alone for that time ({left}).")
