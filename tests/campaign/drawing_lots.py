"""Drawing a cluster by lot: its nodes, who holds them, what fails, what waits."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Final

from tests.campaign.living import SUSPENDED, Diary, job, server, session
from tests.campaign.truth import DAY, HOUR, Cluster, Held, Trouble

#: A Monday.
_MONDAY: Final = datetime(2026, 3, 2, tzinfo=UTC)

_SESSIONS: Final = (
    ("shell", 28),
    ("tmux", 8),
    ("jupyter", 30),
    ("code-server", 6),
    ("vscode", 22),
    ("", 6),
)
_USERS: Final = ("ada", "ben", "cleo", "dana", "emil", "fay")


def cluster(seed: int) -> Cluster:
    """Draw the cluster of a seed: always the same one."""
    rng = Random(seed)
    start = _MONDAY + timedelta(days=rng.randint(0, 6), hours=rng.choice((0, 6, 9, 13, 17)))
    length = rng.choice((DAY, DAY, 2 * DAY, 3 * DAY))
    gpus = tuple(rng.choice((1, 1, 2, 4)) for _ in range(rng.randint(1, 4)))
    lots = _Lots(rng, start, length, gpus)
    held = tuple(_alike(tuple(lots.allocations())))
    return Cluster(
        seed=seed,
        start=start,
        length=length,
        gpus=gpus,
        held=held,
        troubles=tuple(lots.troubles()),
        waiting=tuple(lots.waiting()),
    )


def _alike(held: Sequence[Held]) -> Iterator[Held]:
    """Yield allocations of which each owner is reached, or not, whatever is his."""
    lost = {one.user for one in held if not one.reached}
    return (replace(one, reached=one.user not in lost) for one in held)


@dataclass(frozen=True, slots=True)
class _Lots:
    rng: Random
    start: datetime
    length: int
    gpus: tuple[int, ...]

    def allocations(self) -> Iterator[Held]:
        """Yield who holds what: one allocation after another until the GPUs are given out."""
        rng = self.rng
        free = [(node, gpu) for node, gpus in enumerate(self.gpus) for gpu in range(gpus)]
        for number in range(rng.randint(1, 6)):
            if not free:
                return
            wanted = min(len(free), rng.choice((1, 1, 1, 2, 4)))
            places, free = tuple(free[:wanted]), free[wanted:]
            yield self._held(number, places)

    def _held(self, number: int, places: tuple[tuple[int, int], ...]) -> Held:
        rng = self.rng
        begin = rng.choice((-180, -60, rng.randint(1, 12 * HOUR)))
        purpose = rng.choices(("interactive", "training", "other", "inference"), (55, 28, 9, 8))[0]
        kind = ""
        if purpose == "interactive":
            kind = rng.choices([one for one, _ in _SESSIONS], [often for _, often in _SESSIONS])[0]
            day = self.start.hour * HOUR
            diary, ends = session(rng, begin, self.length, kind=kind, day=day)
        elif purpose == "inference":
            diary, ends = server(rng, begin, self.length)
        else:
            diary, ends = job(rng, begin, self.length)
        return Held(
            id=str(number + 1),
            user=rng.choice(_USERS),
            purpose=purpose,
            places=places,
            begin=begin,
            end=diary.at + 1 if ends and not diary.full else None,
            doings=tuple(diary.doings),
            session=kind,
            inputs=tuple(sorted(set(diary.inputs))) if kind else (),
            measured=rng.random() < 0.9,
            suspended=tuple((one.begin, one.end) for one in diary.doings if one.what == SUSPENDED),
            counted=purpose == "inference" and rng.random() < 0.8,
            keeps=tuple(self._keeps(diary)) if purpose == "interactive" else (),
            reached=rng.random() < 0.97,
            requeueable=purpose == "training" and rng.random() < 0.15,
        )

    def _keeps(self, diary: Diary) -> Iterator[tuple[int, int]]:
        """Yield keeps of a person who goes for a while and says so."""
        for one in diary.doings:
            if one.use in ("pause", "left") and one.begin > 0 and self.rng.random() < 0.15:
                yield one.begin, min(240, max(30, one.end - one.begin))

    def troubles(self) -> Iterator[Trouble]:
        """Yield what fails: in half of the clusters nothing."""
        rng = self.rng
        if rng.random() < 0.5:
            return
        kinds = ("exporter", "scheduler", "reaper", "channel", "pause", "host", "people")
        for of in rng.sample((*kinds, "profiling"), rng.randint(1, 3)):
            begin = rng.randint(30, self.length - 60)
            lasts = rng.choice((5, 15, 40, 120, 400, 1000))
            nodes = (None, rng.randrange(len(self.gpus)))
            apart = of in ("exporter", "host", "people", "profiling")
            yield Trouble(
                of=of,
                begin=begin,
                end=min(self.length, begin + lasts),
                node=rng.choice(nodes) if apart else None,
            )

    def waiting(self) -> Iterator[tuple[int, int]]:
        """Yield from when on how many GPUs are waited for."""
        rng = self.rng
        if rng.random() < 0.4:
            return
        at, wanted = rng.choice((0, 0, rng.randint(0, self.length))), 1
        while at < self.length:
            yield at, wanted
            at += rng.choice((3, 30, 300, 1200, 4000))
            wanted = 0 if wanted else rng.choice((1, 1, 2))
