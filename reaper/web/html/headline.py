"""
The headline of a picture: what idles, and of how much nothing can be said, with the reason; pure.

Page, terminal and API say the same words.  What is not seen is never told as healthy.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from reaper.domain.picture import NodeLine, Picture, Row
from reaper.domain.reason import Reason, Words
from reaper.languages.catalogue import said
from reaper.languages.language import Language
from reaper.web import words
from reaper.web.html.view import stale, unsaid
from reaper.web.languages import ENGLISH, phrase

Level = Literal["calm", "burning", "doubtful", "blind"]

#: Steps after which a source's last answer, or a node's last page, is too old to tell of now.
OLD: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """Why nothing can be said: of what, its fault in the words of whose fault it is, what else."""

    name: str = ""
    fault: Words
    ours: bool = True
    """Whether the fault is told in the page's language; else in the words that it came in."""
    more: str = ""

    @property
    def text(self) -> str:
        """Return the whole of it."""
        fault = words.plain(said(self.fault))
        return f"{self.name}: {fault}{self.more}" if self.name else f"{fault}{self.more}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A part of a headline, and why it is so."""

    text: str
    why: Why | None = None

    @property
    def whole(self) -> str:
        """Return it with its reason."""
        return f"{self.text}: {self.why.text}" if self.why else self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """
    What is said first: `what` is its weighty part, `said` follows it, `doubts` are sentences more.

    `level` is calm only where every held GPU was seen and none idles; blind where of none anything
    can be said.
    """

    level: Level
    what: str
    said: Said
    doubts: tuple[Said, ...] = ()

    @property
    def rest(self) -> str:
        """Return what follows the weighty part, with its reason."""
        return self.said.whole

    @property
    def doubt(self) -> str:
        """Return what is doubtful as sentences, without the last stop; "" where nothing is."""
        return ". ".join(one.whole for one in self.doubts)

    @property
    def text(self) -> str:
        """Return the whole of it as sentences."""
        said = f"{self.what} {self.rest}."
        return f"{said} {self.doubt}." if self.doubts else said


def headline(
    picture: Picture, now: float, rate: float = 1.0, language: Language = ENGLISH
) -> Headline:
    """Return the headline of a picture that is read at `now` on a clock of a rate."""
    then = _headline(picture, language)
    if not stale(picture, now, rate):
        return then
    last = f"{then.what} {then.said.text}"
    no_cycle = language.text("head_no_cycle", span=language.duration(now - picture.at))
    return Headline(
        level="blind",
        what=language.text("head_now"),
        said=Said(text=no_cycle),
        doubts=(Said(text=language.text("head_then", said=last), why=then.said.why), *then.doubts),
    )


def _headline(picture: Picture, language: Language) -> Headline:
    if nobody := _unasked(picture, language):
        said = Said(text=language.text("head_not_known"), why=nobody)
        return Headline(level="blind", what=language.text("head_who_holds"), said=said)
    if not picture.allocated:
        said = Said(text=language.text("head_is_held"))
        return Headline(level="calm", what=language.text("head_none"), said=said)
    blind = unsaid(picture)
    if blind >= picture.allocated:
        either = language.text("head_of_either") if picture.allocated == 2 else ""
        text = either or language.text("head_of_any", count=picture.allocated)
        said = Said(text=text, why=because(picture, language))
        return Headline(level="blind", what=language.text("head_nothing"), said=said)
    return _seen(picture, _doubts(picture, blind, language), language)


def _seen(picture: Picture, doubts: tuple[Said, ...], language: Language) -> Headline:
    if not picture.idle:
        return Headline(
            level="doubtful" if doubts else "calm",
            what=language.text("head_no_gpu"),
            said=Said(text=language.text("head_seen_idle" if doubts else "head_idle")),
            doubts=doubts,
        )
    burns = words.money(picture.cost_per_hour, words.plain(picture.currency))
    idle = language.text("head_are_idle", count=picture.idle)
    cost = language.text("head_burning", amount=burns) if picture.cost_per_hour else ""
    return Headline(
        level="burning",
        what=language.text("of_gpus", count=picture.gpus, idle=picture.idle),
        said=Said(text=f"{idle}{cost}"),
        doubts=doubts,
    )


def _doubts(picture: Picture, blind: int, language: Language) -> tuple[Said, ...]:
    if not blind:
        return ()
    text = language.text("head_of_some", count=picture.allocated, unclear=blind)
    return (Said(text=text, why=because(picture, language)),)


def blind_nodes(picture: Picture) -> list[NodeLine]:
    """Return the nodes of which nothing is seen now."""
    return [node for node in picture.nodes if not is_seen(node, picture)]


def is_seen(node: NodeLine, picture: Picture) -> bool:
    """Tell whether a node's newest page is there and new."""
    fresh = node.as_of is not None and picture.at - node.as_of <= OLD * picture.step
    return fresh and not node.error


# ------------------------------------------------------------------ why


def because(picture: Picture, language: Language = ENGLISH) -> Why:
    """Return why nothing can be said of what is unknown: the cause that explains most of it."""
    for say in (_sources, _nodes, _doubted, _judged):
        if said := say(picture, language):
            return said
    return Why(fault=language.text("why_unseen"))


def _unasked(picture: Picture, language: Language) -> Why | None:
    """
    Return why it is not known who holds anything; None where at least one holder answered.

    A picture without any source is what one person may see of it.
    """
    holders = [source for source in picture.sources if source.role == "holder"]
    answered = any(source.as_of is not None for source in holders)
    if picture.allocated or answered or not picture.sources:
        return None
    if not holders:
        return Why(fault=language.text("why_no_platform"))
    failed = next((source for source in holders if source.error), holders[0])
    return _why(failed.name, failed.error, language.text("why_no_answer"))


def _why(name: str, error: Words, otherwise: str, more: str = "") -> Why:
    """Return a fault by its error, which is in its own words, or by what we say of it."""
    fault = error if isinstance(error, Reason) else words.plain(error) or otherwise
    return Why(name=words.plain(name), fault=fault, ours=not error, more=more)


def _sources(picture: Picture, language: Language) -> Why | None:
    for source in picture.sources:
        late = source.as_of is None or picture.at - source.as_of > OLD * picture.step
        if source.role in ("holder", "activity") and late:
            answered = _ago("why_answered", source.as_of, picture, language)
            return _why(source.name, source.error, answered)
    return None


def _ago(key: str, at: float | None, picture: Picture, language: Language) -> str:
    if at is None:
        return language.text(f"{key}_never")
    return language.text(key, ago=language.ago(at, picture.at))


def _nodes(picture: Picture, language: Language) -> Why | None:
    """Return the commonest fault of the nodes that hold what is unknown, or of any."""
    holding = {name for row in _unknown(picture) for name in row.nodes}
    blind = blind_nodes(picture)
    found = [node for node in blind if node.node in holding] or blind
    faults = ((node.node, node.error, _seen_last(node, picture, language)) for node in found)
    return _told(faults, language)


def _seen_last(node: NodeLine, picture: Picture, language: Language) -> str:
    return "" if node.error else _ago("why_seen", node.as_of, picture, language)


def _doubted(picture: Picture, language: Language) -> Why | None:
    holding = {name for row in _unknown(picture) for name in row.nodes}
    doubted = (one for one in picture.nodes if one.doubt and one.node in holding)
    return _told(((one.node, one.doubt, "") for one in doubted), language)


def _judged(picture: Picture, language: Language) -> Why | None:
    found = ((f"{row.platform}/{row.id}", row.reason, "") for row in _unknown(picture))
    return _told(found, language)


def _told(found: Iterable[tuple[str, Words, str]], language: Language) -> Why | None:
    """Return the first of those with the commonest fault, and how many more there are."""
    faults = list(found)
    if not faults:
        return None
    said_so = [(phrase(error, language), otherwise) for _, error, otherwise in faults]
    common, _ = Counter(said_so).most_common(1)[0]
    name, error, otherwise = faults[said_so.index(common)]
    more = language.text("why_more", count=len(faults) - 1) if len(faults) > 1 else ""
    return _why(name, error, otherwise, more)


def _unknown(picture: Picture) -> Iterator[Row]:
    return (row for row in picture.rows if row.verdict == "unknown")
