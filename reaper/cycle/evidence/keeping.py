"""Hosts and servers as a picture keeps them, so that a restart does not forget them; pure."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from reaper.domain.facts.grid import Pace
from reaper.domain.facts.host import Host
from reaper.domain.facts.serving import NO_REQUEST, Requests, Service
from reaper.domain.facts.track import Track, short, whole
from reaper.domain.picture import Picture, RequestLine, Row

#: Minutes of a host that are kept: as many as are remembered while the reaper runs.
_HOST_MINUTES: Final = 1440


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What a picture's row keeps of the hosts and the servers of a run."""

    host: str = ""
    served: str = ""
    requests: tuple[RequestLine, ...] = ()


_NOTHING: Final = Kept()


def kept_lines(key: str, hosts: Mapping[str, Host], services: Mapping[str, Service]) -> Kept:
    """Return what is kept of a run."""
    host, service = hosts.get(key), services.get(key)
    if service is None:
        return Kept(host=short(host.track.letters[-_HOST_MINUTES:])) if host else _NOTHING
    letters = service.track.letters
    last = len(letters.rstrip(NO_REQUEST)) - 1
    return Kept(
        host=short(host.track.letters[-_HOST_MINUTES:]) if host else "",
        served=short(letters[max(last, 0) :]),
        requests=tuple(
            RequestLine(
                server=name,
                at=word.at,
                epoch=word.epoch,
                answered=word.answered,
                pending=word.pending,
            )
            for name, word in service.last.items()
        ),
    )


def hosts_of(picture: Picture, pace: Pace) -> Iterator[tuple[str, Host]]:
    """
    Yield the hosts that a picture keeps, by run key.

    What their counters said is not kept: the minutes of the restart stay unseen.
    """
    for row in picture.rows:
        if row.host:
            yield row.run_key, Host(track=_until(row.host, picture, pace))


def inputs_of(rows: Iterable[Row], now: float) -> dict[str, float]:
    """Return the last input that each run's signs tell of, by run key; what is ahead is now."""
    found: dict[str, float] = {}
    for row in rows:
        seen = [sign.last_seen for sign in row.signs if sign.last_seen is not None]
        if seen:
            found[row.run_key] = min(max(seen), now)
    return found


def services_of(picture: Picture, pace: Pace) -> Iterator[tuple[str, Service]]:
    """Yield the servers that a picture keeps, by run key, with what their counters said."""
    for row in picture.rows:
        if row.served or row.requests:
            last = {
                line.server: Requests(
                    run_key=row.run_key,
                    server=line.server.rpartition("/")[2],
                    at=line.at,
                    epoch=line.epoch,
                    answered=line.answered,
                    pending=line.pending,
                )
                for line in row.requests
            }
            yield row.run_key, Service(last=last, track=_until(row.served, picture, pace))


def _until(drawn: str, picture: Picture, pace: Pace) -> Track:
    letters = whole(drawn)
    end = pace.closed(picture.at) + 1
    return Track(start=end - len(letters), letters=letters)
