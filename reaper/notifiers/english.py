"""
Notices in English: short, calm, no blame.

"would be" wherever the policy does not act, so that no one fears what will not happen.
"""

from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from reaper.domain.escalation.notice import Story
from reaper.notifiers.texts import Language, Message, Verb, local

_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS: Final = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)


def warning(story: Story, zone: ZoneInfo) -> Message:
    """Tell that GPUs are idle and that there is time to answer."""
    have = "has" if story.devices == 1 else "have"
    return Message(
        title=f"Your {_gpus(story)} {have} been idle for {lasting(story.idle_seconds)}",
        lead=_idle(story, zone),
        facts=_facts(story),
        next=(*_release(story, zone), *_answers(story)),
        link=story.page,
    )


def final(story: Story, zone: ZoneInfo) -> Message:
    """Tell that this is the last notice before the release, and what becomes of the work."""
    be = "is" if story.devices == 1 else "are"
    return Message(
        title=f"Last notice: your {_gpus(story)} {be} still idle",
        lead=_idle(story, zone),
        facts=_facts(story),
        next=(*_release(story, zone), *_answers(story)),
        link=story.page,
    )


def released(story: Story, zone: ZoneInfo) -> Message:
    """Tell that it is over, why, and what can be done about it."""
    was = "was" if story.devices == 1 else "were"
    ended = "would have been" if story.would else was
    again = "It goes back into the queue and starts again from its beginning."
    return Message(
        title=f"Your {_gpus(story)} {ended} released",
        lead=f"{_named(story)} had done no GPU work since {moment(story.idle_since, zone)}, "
        f"for {lasting(story.idle_seconds)}.",
        facts=(*_facts(story), *_outcome(story)),
        next=(
            *((again,) if story.requeue and not story.would else ()),
            *(("This policy does not act yet: nothing was ended.",) if story.would else ()),
            "Was this wrong? Please say so: the figures are kept, and an operator will look.",
        ),
        link=story.page,
    )


def reverted(story: Story, zone: ZoneInfo) -> Message:
    """Tell that something started again what was released."""
    return Message(
        title=f"{story.allocation} came back after its release",
        lead=f"{_named(story)} was released and has been started again by something else.",
        facts=(
            ("Holds", _holding(story)),
            ("Idle since", moment(story.idle_since, zone)),
            *_outcome(story),
        ),
        next=("Nothing more is done to it until an operator has looked at it.",),
        link=story.page,
    )


def failed(story: Story, zone: ZoneInfo) -> Message:
    """Tell that a release did not work and that no one tries again blindly."""
    return Message(
        title=f"{story.allocation} could not be released",
        lead=f"{_named(story)} still holds {_holding(story)}.",
        facts=(("Idle since", moment(story.idle_since, zone)), *_outcome(story)),
        next=("Nothing more is done to it until an operator has looked at it.",),
        link=story.page,
    )


def operator(story: Story, zone: ZoneInfo) -> Message:
    """Ask an operator to look."""
    return Message(
        title=f"Please look at {story.allocation}",
        lead=f"{_named(story)} of {story.user or 'an unknown owner'} needs an operator.",
        facts=(
            *_outcome(story),
            ("Holds", _holding(story)),
            ("Idle since", f"{moment(story.idle_since, zone)} ({lasting(story.idle_seconds)})"),
            *_facts(story),
        ),
        link=story.page,
    )


def asking(verb: Verb, story: Story, seconds: float) -> tuple[str, str]:
    """Name an answer, and ask before it is done."""
    if verb == "keep":
        return f"Keep for {lasting(seconds)}", ""
    if verb == "until_morning":
        return "Keep until the next working morning", ""
    if verb == "release":
        return "Release now", (
            f"Release {_named(story)} now? It ends, and what is not saved is lost."
        )
    return "This is wrong", (
        f"Say that this is wrong? Nothing more is done to {_named(story)} until an operator has "
        "looked at it."
    )


ENGLISH: Final = Language(
    writers={
        "warning": warning,
        "final": final,
        "released": released,
        "reverted": reverted,
        "failed": failed,
        "operator": operator,
    },
    asking=asking,
    twice="You may get this twice: it is not known whether it arrived the first time.",
)


# ------------------------------------------------------------------ phrases


def lasting(seconds: float) -> str:
    """Write a duration as it is said: "45 minutes", "1 h 30 min", "2 days 3 h"."""
    minutes = int(seconds // 60)
    if minutes < 1:
        return f"{int(seconds)} seconds"
    if minutes == 60:
        return "1 hour"
    if minutes < 90:
        return f"{minutes} minute{'' if minutes == 1 else 's'}"
    hours, minutes = divmod(minutes, 60)
    days, rest = divmod(hours, 24)
    if days >= 2:
        return f"{days} days {rest} h" if rest else f"{days} days"
    return f"{hours} h {minutes} min" if minutes else f"{hours} hours"


def moment(at: float, zone: ZoneInfo) -> str:
    """Write an instant with its weekday and zone: "Tue 1 Dec 14:05 CET"."""
    when: datetime = local(at, zone)
    day = f"{_DAYS[when.weekday()]} {when.day} {_MONTHS[when.month - 1]}"
    return f"{day} {when:%H:%M} {when.tzname()}"


def _gpus(story: Story) -> str:
    return "GPU" if story.devices == 1 else f"{story.devices} GPUs"


def _named(story: Story) -> str:
    return f"{story.allocation} “{story.name}”" if story.name else story.allocation


def _holding(story: Story) -> str:
    shown, more = story.nodes[:3], len(story.nodes) - 3
    places = ", ".join(shown) + (f" and {more} more nodes" if more > 0 else "")
    what = f"{story.devices} × {story.model or 'GPU'}"
    return f"{what} on {places}" if places else what


def _idle(story: Story, zone: ZoneInfo) -> str:
    since = moment(story.idle_since, zone)
    return f"{_named(story)} holds {_holding(story)} and has done no GPU work since {since}."


def _facts(story: Story) -> tuple[tuple[str, str], ...]:
    cost = story.cost_per_hour
    return (
        ("Seen", story.reason),
        *((("Costs", f"{cost:.2f} {story.currency} an hour".strip()),) if cost is not None else ()),
        ("Policy", story.policy),
    )


def _outcome(story: Story) -> tuple[tuple[str, str], ...]:
    return (("Outcome", story.outcome),) if story.outcome else ()


def _release(story: Story, zone: ZoneInfo) -> tuple[str, ...]:
    if story.release_at is None:
        return ("Nothing will be released: this is for your information.",)
    at = moment(story.release_at, zone)
    if not story.would:
        return (f"If it stays idle, it will be released, at the earliest {at}.", _saving(story))
    return (
        f"If it stayed idle, it would be released, at the earliest {at}.",
        _saving(story),
        "This policy does not act yet: nothing will be ended.",
    )


def _saving(story: Story) -> str:
    if story.can_save:
        return f"Before that it {'would be' if story.would else 'is'} asked to save its work."
    return "It cannot be saved for you: please save what you need."


def _answers(story: Story) -> tuple[str, ...]:
    back = "Working with it again is answer enough: that ends the notice."
    if story.keep_seconds <= 0:
        return (back,)
    if story.keeps_left <= 0:
        return (back, "Its keeps for today are used up.")
    left = f"{story.keeps_left} keep{'' if story.keeps_left == 1 else 's'} left today"
    return (back, f"Still needed? Say so, and it is left alone for that time ({left}).")
