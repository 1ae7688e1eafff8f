"""How people and jobs spend their minutes: random, by one generator, as on real clusters."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Final

from tests.campaign.truth import DAY, HOUR, Doing, Use

#: What a job does that its scheduler has suspended.
SUSPENDED: Final = "is suspended"

#: What people do at their GPUs: words, how often, minutes, and what it looks like.
_AT_WORK: Final = (
    ("computes on the GPU", 40, (10, 120), {"letter": "A"}),
    ("computes a little on the GPU", 4, (10, 40), {"letter": "L"}),
    ("computes on the host", 12, (15, 150), {"cores": 4.0}),
    ("computes on one core", 6, (15, 120), {"cores": 1.0}),
    ("reads and writes files", 5, (10, 60), {"cores": 0.2, "waits": 0.5}),
    ("copies over the network", 6, (15, 90), {"cores": 0.3, "network": 6e7}),
    ("downloads slowly", 1, (15, 60), {"cores": 0.2}),
)
_TYPES: Final = ("types", 26, (5, 45), {})

#: What typing is called where no session shows it.
_UNSEEN: Final = {"vscode": "edits", "": "works at it without a session"}

#: Longest time between two things that a person at a terminal types, in minutes.
_APART: Final = 20


@dataclass(slots=True)
class Diary:
    """What one allocation does, written down in order."""

    rng: Random
    begin: int
    length: int
    doings: list[Doing] = field(default_factory=list)
    inputs: list[int] = field(default_factory=list)

    @property
    def at(self) -> int:
        """Return the minute up to which it is written."""
        return self.doings[-1].end if self.doings else self.begin

    @property
    def full(self) -> bool:
        """Tell whether it is written to the end."""
        return self.at >= self.length

    def write(self, what: str, minutes: int, use: Use, **looks: object) -> None:
        """Go on with something for some minutes."""
        end = min(self.length, self.at + max(1, minutes))
        if end > self.at:
            self.doings.append(
                Doing(begin=self.at, end=end, what=what, use=use, **looks)  # type: ignore[arg-type]
            )

    def types(self, minutes: int) -> None:
        """Have its person type now and then for some minutes."""
        at, end = self.at, min(self.length, self.at + minutes)
        while at < end:
            self.inputs.append(at)
            at += self.rng.randint(4, _APART)


def session(rng: Random, begin: int, length: int, *, kind: str, day: int) -> tuple[Diary, bool]:
    """
    Return the diary of an interactive allocation, and whether its person ends it in time.

    `day` is the minute of the day at which the scenario begins.
    """
    diary = Diary(rng, begin, length)
    visits, last = 0, rng.randint(1, 5)
    while not diary.full and visits < last:
        _visit(diary, kind)
        visits += 1
        if visits < last:
            _absence(diary, day)
    if rng.random() < 0.25 and not diary.full:
        _leaves_running(diary)
    ends = rng.random() < 0.35
    if not ends:
        _rests(diary, rng)
    return diary, ends


def _visit(diary: Diary, kind: str) -> None:
    """Write what a person does at a stretch: a few things, some of them at the keyboard."""
    rng = diary.rng
    for _ in range(rng.randint(2, 6)):
        if diary.full:
            return
        choices = (*_AT_WORK, _TYPES)
        what, _, (least, most), looks = rng.choices(choices, [one[1] for one in choices])[0]
        minutes = rng.randint(least, most)
        diary.inputs.append(diary.at)
        if what == "types":
            what = _UNSEEN.get(kind, what)
            diary.types(minutes)
        busy = kind == "jupyter" and what != "types"
        diary.write(what, minutes, "use", **looks, busy=busy)


def _absence(diary: Diary, day: int) -> None:
    """Write an absence: a short one, or the night."""
    rng = diary.rng
    hour = (day + diary.at) % DAY // HOUR
    if 7 <= hour < 17 and rng.random() < 0.75:
        minutes = rng.choices((rng.randint(10, 30), rng.randint(35, 75)), (3, 1))[0]
        diary.write("its person is away for a while", minutes, "pause")
        return
    if rng.random() < 0.3:
        _leaves_running(diary)
    morning = DAY + 9 * HOUR - (day + diary.at) % DAY
    minutes = morning % DAY + rng.randint(-30, 90)
    diary.write("its person went home", minutes, "left")


def _leaves_running(diary: Diary) -> None:
    """Write something long that was started before its person left."""
    looks = diary.rng.choices(({"letter": "A"}, {"cores": 6.0}), (3, 1))[0]
    what = "computes on alone" if "letter" in looks else "computes on the host alone"
    diary.write(what, diary.rng.randint(60, 600), "use", **looks)


def _rests(diary: Diary, rng: Random) -> None:
    """Write what is left when nobody comes back."""
    if rng.random() < 0.08:
        for _ in range(diary.length // 10 + 1):
            diary.write("is kept alive", 1, "waste", letter="A")
            diary.write("is kept alive", 9, "waste")
        return
    letter = "E" if rng.random() < 0.2 else "H"
    diary.write("nobody comes back", diary.length, "abandoned", letter=letter)


def job(rng: Random, begin: int, length: int) -> tuple[Diary, bool]:
    """Return the diary of a batch job, and whether it ends by itself."""
    diary = Diary(rng, begin, length)
    for what, looks in _beginnings(rng):
        diary.write(what, rng.randint(5, 150), "use", **looks)
    for _ in range(rng.randint(1, 6)):
        diary.write("trains", rng.randint(30, 600), "use", letter="A")
        for what, most, looks in _between(rng):
            diary.write(what, rng.randint(3, most), "use", **looks)
    ending = rng.random()
    if ending < 0.5:
        return diary, True
    if ending < 0.6:
        diary.write("hangs", length, "waste", letter="X")
    else:
        diary.write("has done its work and stays", length, "abandoned")
    return diary, False


def _beginnings(rng: Random) -> Iterator[tuple[str, dict[str, object]]]:
    if rng.random() < 0.4:
        yield "stages its data", {"letter": "E", "cores": 0.3, "network": 8e7}
    if rng.random() < 0.4:
        yield "prepares its data", {"letter": "E", "cores": 8.0}


def _between(rng: Random) -> Iterator[tuple[str, int, dict[str, object]]]:
    chosen = rng.random()
    if chosen < 0.3:
        yield "evaluates on the host", 240, {"cores": 3.0}
    elif chosen < 0.45:
        yield "writes a checkpoint", 30, {"cores": 0.1, "waits": 0.6}
    elif chosen < 0.5:
        yield "waits for a lock", 420, {}
    elif chosen < 0.53:
        yield "downloads slowly", 400, {"cores": 0.2}
    elif chosen < 0.57:
        yield SUSPENDED, 500, {}


def server(rng: Random, begin: int, length: int) -> tuple[Diary, bool]:
    """Return the diary of an inference server: asked now and then, perhaps no more at the end."""
    diary = Diary(rng, begin, length)
    while not diary.full and rng.random() < 0.8:
        diary.write("answers", rng.randint(5, 240), "use", letter="A", served=True)
        diary.write("stands by", rng.randint(5, 600), "use")
    diary.write("nobody asks any more", length, "abandoned")
    return diary, False
