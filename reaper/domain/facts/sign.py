"""Signs of people: what shows that a person is there, and what can prove that they are away."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from reaper.domain.reason import Reason, because

State = Literal["ok", "busy", "unreachable"]

#: Session kinds whose channel can prove that the person is away.
PROVES: Final = frozenset(("shell", "tmux", "screen", "jupyter", "code-server"))

#: Kinds that own the ttys of the shells inside them: their client's input counts instead.  They
#: are there so that work goes on without its person.
_OWNS_TTYS: Final = frozenset(("tmux", "screen"))

#: Kinds in which people work: a batch job that runs one is a session.
WORKPLACES: Final = frozenset(("jupyter", "code-server", "vscode", "rstudio"))

#: The last input that was ever seen of a run, where no session shows it any more.
EARLIER: Final = "earlier"

#: Kinds that are no person: they only keep a session alive, or tell of one who was there.
NOBODY: Final = frozenset(("keeper", EARLIER))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """
    A session and its last human activity; `last_seen` is None where nothing can tell.

    `state` is ``busy`` for a kernel at work and ``unreachable`` where the asking failed.
    """

    kind: str
    last_seen: float | None
    as_of: float
    state: State = "ok"


@dataclass(frozen=True, slots=True, kw_only=True)
class Presence:
    """Whether the person is proven away, since when, and why (or why not)."""

    away: bool
    since: float | None
    reason: Reason


def presence(
    signs: Iterable[Sign], *, now: float, stale_after: float, measured: bool = True
) -> Presence:
    """
    Return whether every session proves its person away; several kinds must all prove it.

    Where the hosts are not `measured`, nobody knows what was left behind in one that goes on alone.
    """
    people = _people(signs)
    behind = sorted({sign.kind for sign in people if sign.kind in _OWNS_TTYS})
    if behind and not measured:
        return Presence(
            away=False, since=None, reason=because("session-unmeasured", kind=behind[0])
        )
    if not people:
        return Presence(away=False, since=None, reason=because("no-session"))
    for sign in people:
        doubt = _doubt(sign, now=now, stale_after=stale_after)
        if doubt is not None:
            return Presence(away=False, since=None, reason=doubt)
    last = max(sign.last_seen for sign in people if sign.last_seen is not None)
    names = ", ".join(sorted({sign.kind for sign in people}))
    minutes = max(0, round((now - last) / 60))
    said = because("no-input", minutes=minutes, kinds=names)
    return Presence(away=True, since=last, reason=said)


def last_seen(signs: Iterable[Sign]) -> float | None:
    """Return the latest human activity that any sign shows."""
    return max((sign.last_seen for sign in signs if sign.last_seen is not None), default=None)


def remembering(signs: tuple[Sign, ...], last: float, *, now: float) -> tuple[Sign, ...]:
    """Return signs that tell of the `last` input ever seen, too, where none of them does."""
    shown = last_seen(signs)
    if shown is not None and shown >= last:
        return signs
    return (*signs, Sign(kind=EARLIER, last_seen=last, as_of=now))


def _people(signs: Iterable[Sign]) -> tuple[Sign, ...]:
    people = tuple(sign for sign in signs if sign.kind not in NOBODY)
    if any(sign.kind in _OWNS_TTYS for sign in people):
        return tuple(sign for sign in people if sign.kind != "shell")
    return people


def _doubt(sign: Sign, *, now: float, stale_after: float) -> Reason | None:
    if sign.kind not in PROVES:
        return because("session-unprovable", kind=sign.kind)
    if sign.state != "ok":
        return because("session-state", kind=sign.kind, state=sign.state)
    if sign.last_seen is None:
        return because("session-unread", kind=sign.kind)
    if now - sign.as_of > stale_after:
        minutes = round((now - sign.as_of) / 60)
        return because("session-old", kind=sign.kind, minutes=minutes)
    return None
