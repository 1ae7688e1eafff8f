"""Over which channels a notice goes, and in which order."""

from collections.abc import Sequence

from reaper.domain.escalation.notice import Delivery, Notice
from reaper.ports import Notifier, Person


def order(notifiers: Sequence[Notifier], person: Person, notice: Notice) -> list[Notifier]:
    """
    Return the channels to try for a notice: personal ones in the person's order, then the others.

    Where a person names channels, no other personal one is tried; operators have none.  A channel
    that brought the notice back is not tried again, nor one that is not personal and has shown it.
    """
    named = {name: place for place, name in enumerate(person.channels)}
    if notice.kind == "operator":
        notifiers = [item for item in notifiers if not item.personal]
    fits = [
        item
        for item in fitting(notifiers, notice)
        if not (item.personal and named) or item.name in named
    ]
    over = {True: (Delivery.RETURNED,), False: (Delivery.RETURNED, Delivery.DELIVERED)}
    left = [item for item in fits if notice.fate(item.name) not in over[item.personal]]
    return sorted(left, key=lambda item: (not item.personal, named.get(item.name, len(named))))


def fitting(notifiers: Sequence[Notifier], notice: Notice) -> list[Notifier]:
    """Leave out, for advice, the channels that write over what their reader is doing."""
    calm = notice.kind == "advice"
    return [item for item in notifiers if not (calm and getattr(item, "interrupts", False))]
