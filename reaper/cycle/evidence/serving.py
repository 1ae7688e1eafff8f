"""From the board's counters of requests to what is kept of each server; pure but for posts."""

from collections.abc import Mapping

from reaper.board import Board
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.serving import Answered, Requests, Service, after


def services(
    known: Mapping[str, Service], board: Board, *, now: float, pace: Pace
) -> dict[str, Service]:
    """
    Return the servers of every run by its key, after the newest closed minute.

    A run that fell silent keeps its track, which grows with ``?``; one that ended is dropped once
    nothing of it is kept any more.
    """
    heard = _heard(board, now, pace)
    minute = pace.closed(now)
    return {
        key: after(known.get(key), heard.get(key, {}), minute=minute)
        for key in {*known, *heard}
        if key in heard or known[key].track.letters.strip("?")
    }


def _heard(board: Board, now: float, pace: Pace) -> dict[str, dict[str, Requests]]:
    found: dict[str, dict[str, Requests]] = {}
    for post in board.of("serving"):
        if not isinstance(post.answer, Answered) or now - post.answer.as_of > pace.step:
            continue
        for item in post.answer.requests:
            found.setdefault(item.run_key, {})[f"{post.source}/{item.server}"] = item
    return found
