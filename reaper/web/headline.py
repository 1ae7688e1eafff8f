"""
The headline of a picture: what idles, and of how much nothing can be said, with the reason; pure.

Page, terminal and API say the same words.  What is not seen is never told as healthy.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from reaper.domain.picture import NodeLine, Picture, Row
from reaper.web import words
from reaper.web.view import stale

Level = Literal["calm", "burning", "doubtful", "blind"]

#: Steps after which a source's last answer, or a node's last page, is too old to tell of now.
OLD: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """
    What is said first: `what` is its weighty part, `rest` follows it, `doubt` is a sentence more.

    `level` is calm only where every held GPU was seen and none idles; blind where of none anything
    can be said.
    """

    level: Level
    what: str
    rest: str
    doubt: str = ""

    @property
    def text(self) -> str:
        """Return the whole of it as sentences."""
        said = f"{self.what} {self.rest}."
        return f"{said} {self.doubt}." if self.doubt else said


def headline(picture: Picture, now: float, rate: float = 1.0) -> Headline:
    """Return the headline of a picture that is read at `now` on a clock of a rate."""
    then = _headline(picture)
    if not stale(picture, now, rate):
        return then
    age = words.duration(now - picture.at)
    return Headline(
        level="blind",
        what="Nothing",
        rest=f"can be said of now: no cycle was written for {age}",
        doubt=f"Then: {then.text}".rstrip("."),
    )


def _headline(picture: Picture) -> Headline:
    if nobody := _unasked(picture):
        return Headline(level="blind", what="Who holds the GPUs", rest=f"is not known: {nobody}")
    if not picture.allocated:
        return Headline(level="calm", what="No GPU", rest="is held")
    blind = unsaid(picture)
    if blind >= picture.allocated:
        held = words.count(picture.allocated, "held GPU")
        whom = f"{_whether(picture.allocated)} {held}" if picture.allocated > 1 else "the held GPU"
        return Headline(
            level="blind", what="Nothing", rest=f"can be said of {whom}: {because(picture)}"
        )
    return _seen(picture, _doubt(picture, blind))


def _whether(number: int) -> str:
    return "either of the" if number == 2 else "any of the"


def _seen(picture: Picture, doubt: str) -> Headline:
    if not picture.idle:
        rest = "that is seen is held and idle" if doubt else "is held and idle"
        return Headline(
            level="doubtful" if doubt else "calm", what="No GPU", rest=rest, doubt=doubt
        )
    verb = "is" if picture.idle == 1 else "are"
    burns = words.money(picture.cost_per_hour, words.plain(picture.currency))
    cost = f", burning {burns} an hour" if picture.cost_per_hour else ""
    return Headline(
        level="burning",
        what=f"{picture.idle} of {words.count(picture.gpus, 'GPU')}",
        rest=f"{verb} held and idle{cost}",
        doubt=doubt,
    )


def _doubt(picture: Picture, blind: int) -> str:
    if not blind:
        return ""
    held = words.count(picture.allocated, "held GPU")
    return f"Of {blind} of {held} nothing can be said: {because(picture)}"


def unsaid(picture: Picture) -> int:
    """Return of how many held GPUs nothing can be said: not judged, or not seen of late."""
    unseen = picture.allocated - round(picture.coverage * picture.allocated)
    return min(max(picture.unknown, unseen), picture.allocated - picture.idle)


def blind_nodes(picture: Picture) -> list[NodeLine]:
    """Return the nodes of which nothing is seen now."""
    return [node for node in picture.nodes if not is_seen(node, picture)]


def is_seen(node: NodeLine, picture: Picture) -> bool:
    """Tell whether a node's newest page is there and new."""
    fresh = node.as_of is not None and picture.at - node.as_of <= OLD * picture.step
    return fresh and not node.error


# ------------------------------------------------------------------ why


def because(picture: Picture) -> str:
    """Return why nothing can be said of what is unknown: the cause that explains most of it."""
    for say in (_sources, _nodes, _doubted, _judged):
        if said := say(picture):
            return said
    return "it was not seen in the last step"


def _unasked(picture: Picture) -> str:
    """
    Return why it is not known who holds anything; "" where at least one holder answered.

    A picture without any source is what one person may see of it.
    """
    holders = [source for source in picture.sources if source.role == "holder"]
    answered = any(source.as_of is not None for source in holders)
    if picture.allocated or answered or not picture.sources:
        return ""
    if not holders:
        return "no platform is configured that says so"
    failed = next((source for source in holders if source.error), holders[0])
    return f"{words.plain(failed.name)}: {words.plain(failed.error) or 'no answer yet'}"


def _sources(picture: Picture) -> str:
    for source in picture.sources:
        late = source.as_of is None or picture.at - source.as_of > OLD * picture.step
        if source.role in ("holder", "activity") and late:
            last = words.ago(source.as_of, picture.at)
            why = words.plain(source.error) or f"answered {last}"
            return f"{words.plain(source.name)}: {why}"
    return ""


def _nodes(picture: Picture) -> str:
    """Return the commonest fault of the nodes that hold what is unknown, or of any."""
    holding = {name for row in _unknown(picture) for name in row.nodes}
    blind = blind_nodes(picture)
    found = [node for node in blind if node.node in holding] or blind
    return _told((node.node, _fault(node, picture.at)) for node in found)


def _fault(node: NodeLine, at: float) -> str:
    if node.error:
        return node.error
    return "no page yet" if node.as_of is None else f"last seen {words.ago(node.as_of, at)}"


def _doubted(picture: Picture) -> str:
    holding = {name for row in _unknown(picture) for name in row.nodes}
    return _told(
        (one.node, one.doubt) for one in picture.nodes if one.doubt and one.node in holding
    )


def _judged(picture: Picture) -> str:
    return _told((f"{row.platform}/{row.id}", row.reason) for row in _unknown(picture))


def _told(found: Iterable[tuple[str, str]]) -> str:
    """Return the first of those with the commonest fault, and how many more there are."""
    faults = list(found)
    if not faults:
        return ""
    common, _ = Counter(fault for _, fault in faults).most_common(1)[0]
    name = next(name for name, fault in faults if fault == common)
    more = f", and {len(faults) - 1} more" if len(faults) > 1 else ""
    return f"{words.plain(name)}: {words.plain(common)}{more}"


def _unknown(picture: Picture) -> Iterator[Row]:
    return (row for row in picture.rows if row.verdict == "unknown")
