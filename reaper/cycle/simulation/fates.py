"""What would have become of each run, what its devices really did then, and the sums; pure."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from reaper.cycle.evaluation.docket import team_of
from reaper.cycle.rules import Rules
from reaper.cycle.simulation.past import Past, PastRun
from reaper.cycle.simulation.play import Played
from reaper.domain.escalation.decision import Refusal
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.minute import ACTIVE, BLIND, IDLE
from reaper.domain.facts.track import Track
from reaper.domain.judgement.policy import Mode
from reaper.domain.money.entries import Event
from reaper.domain.money.reclaim import CREDIT
from reaper.domain.reason import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Aftermath:
    """
    What a run's devices did from its would-be release to its real end, at most a day.

    Seconds of devices.  `back` is when work came back, None where it did not within the time
    looked at; `known` is False where that cannot be told: the run was really released, or the
    past ends too early.
    """

    until: float
    idle: float
    active: float
    unseen: float
    back: float | None
    known: bool

    @property
    def total(self) -> float:
        """Return the device-seconds that the release would have freed."""
        return self.idle + self.active + self.unseen


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """One run under the simulated policies; instants in Unix seconds, money per hour."""

    run_key: str
    run: str
    owner: str
    team: str
    purpose: str
    policy: str
    mode: Mode
    devices: int
    model: str
    nodes: tuple[str, ...]
    warned: tuple[float, ...]
    final: tuple[float, ...]
    kept: tuple[float, ...]
    """When its owner really kept it."""
    released: float | None
    held: tuple[Refusal, ...]
    """What still held its case when the past ended."""
    closed: tuple[Words, ...]
    """How its cases ended by themselves."""
    after: Aftermath | None
    price: float | None
    """Price of one GPU-hour, None where unpriced."""
    inputs: bool = False
    """Whether people, hosts, requests and witnesses are known of every turn that decided."""


def fates(past: Past, played: Played, rules: Rules, *, back_within: float) -> tuple[Fate, ...]:
    """Return the fate of every run that had a case, the longest freed first."""
    events: dict[str, list[Event]] = defaultdict(list)
    for event in played.events:
        events[event.run_key].append(event)
    modes = {policy.name: policy.mode for policy in rules.policies}
    found = (
        _fate(run, past, played, events[run.key], modes, rules, back_within)
        for run in past.runs
        if run.key in events
    )
    return tuple(sorted(found, key=_weight))


def _weight(fate: Fate) -> tuple[float, float, str]:
    freed = fate.after.total if fate.after else 0.0
    return (-freed, min(fate.warned, default=0.0), fate.run_key)


def _fate(  # noqa: PLR0917 - a value's parts
    run: PastRun,
    past: Past,
    played: Played,
    events: Sequence[Event],
    modes: Mapping[str, Mode],
    rules: Rules,
    back_within: float,
) -> Fate:
    allocation = run.allocation
    released = played.released.get(run.key)
    policy = played.policies.get(run.key, "")
    return Fate(
        run_key=run.key,
        run=str(allocation.run),
        owner=allocation.owner,
        team=team_of(allocation),
        purpose=str(allocation.purpose),
        policy=policy,
        mode=modes.get(policy, Mode.OBSERVE),
        devices=allocation.expected,
        model=allocation.model,
        nodes=allocation.nodes,
        warned=tuple(event.at for event in events if event.kind == "warning"),
        final=tuple(event.at for event in events if event.kind == "final"),
        kept=tuple(keep.begin for keep in run.keeps),
        released=released,
        held=played.held.get(run.key, ()),
        closed=tuple(event.text for event in events if event.kind in ("case closed", "given back")),
        after=None if released is None else aftermath(run, past, rules.pace, released, back_within),
        price=rules.price(allocation, released or past.end),
        inputs=run.history is None
        or all(
            run.kept(rules.pace.closed(event.at)) is not None
            for event in events
            if run.end is None or event.at < run.end
        ),
    )


def aftermath(
    run: PastRun, past: Past, pace: Pace, released: float, back_within: float
) -> Aftermath:
    """Return what a run's devices did after an instant at which it would have been released."""
    end = past.end if run.end is None else min(run.end, past.end)
    until = min(end, released + CREDIT)
    tracks = [past.tracks[gpu] for gpu in run.allocation.gpus if gpu in past.tracks]
    parts = [track.clip(pace.closed(released) + 1, pace.closed(until) + 1) for track in tracks]
    idle, active, unseen = (
        pace.step * sum(part.count(letters) for part in parts)
        for letters in ("".join(IDLE), "ALX", "".join(BLIND))
    )
    back = min(_back(parts, pace, released + back_within), default=None)
    ours = run.ended_by_us is not None and run.ended_by_us <= released + back_within
    cut = (run.end is None or run.end > past.end) and past.end < released + back_within
    return Aftermath(
        until=until,
        idle=idle,
        active=active,
        unseen=unseen,
        back=back,
        known=back is not None or not (ours or cut),
    )


def _back(parts: Sequence[Track], pace: Pace, latest: float) -> Iterator[float]:
    for part in parts:
        place = part.letters.find(ACTIVE)
        if place >= 0 and pace.begins(part.start + place) < latest:
            yield pace.begins(part.start + place)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sum:
    """
    Counts of runs, device-seconds, and money in the currency of the rate card.

    `released` counts what a policy in mode act would have released, `would` what one in another
    mode would only have written down; device-seconds and returns are of both.  A release of which
    `known` says nothing is counted in neither `back` nor the estimate.
    """

    runs: int = 0
    inputs: int = 0
    """Runs of which all that decided is known, not letters only."""
    warned: int = 0
    final: int = 0
    kept: int = 0
    released: int = 0
    would: int = 0
    held: int = 0
    """Runs whose case was still open when the past ended."""
    came_back: int = 0
    """Cases that closed by themselves because work or the person came back."""
    freed: float = 0.0
    idle: float = 0.0
    active: float = 0.0
    unseen: float = 0.0
    money: float | None = None
    """Price of the idle device-seconds; None where nothing is priced."""
    unpriced: float = 0.0
    """Idle device-seconds without a price."""
    back: int = 0
    known: int = 0

    @property
    def false_releases(self) -> float | None:
        """Return which share of the releases work came back after; None where none is known."""
        return self.back / self.known if self.known else None


def summed(fates: Iterable[Fate]) -> Sum:
    """Sum some fates up."""
    listed = tuple(fates)
    after = [fate.after for fate in listed if fate.after is not None]
    priced = [
        fate.price * fate.after.idle / 3600.0
        for fate in listed
        if fate.price is not None and fate.after is not None
    ]
    acting = [fate for fate in listed if fate.released is not None and fate.mode is Mode.ACT]
    return Sum(
        runs=len(listed),
        inputs=sum(1 for fate in listed if fate.inputs),
        warned=sum(1 for fate in listed if fate.warned or fate.final),
        final=sum(1 for fate in listed if fate.final),
        kept=sum(1 for fate in listed if fate.kept),
        released=len(acting),
        would=len(after) - len(acting),
        held=sum(1 for fate in listed if fate.held and fate.released is None),
        came_back=sum(1 for fate in listed if _returned(fate)),
        freed=sum(item.total for item in after),
        idle=sum(item.idle for item in after),
        active=sum(item.active for item in after),
        unseen=sum(item.unseen for item in after),
        money=sum(priced) if priced else None,
        unpriced=sum(
            fate.after.idle for fate in listed if fate.price is None and fate.after is not None
        ),
        back=sum(1 for item in after if item.back is not None),
        known=sum(1 for item in after if item.known),
    )


def grouped(fates: Iterable[Fate], key: Callable[[Fate], str]) -> Mapping[str, Sum]:
    """Sum up by a key, in order of its values."""
    groups: dict[str, list[Fate]] = {}
    for fate in fates:
        groups.setdefault(key(fate), []).append(fate)
    return {name: summed(groups[name]) for name in sorted(groups)}


def _returned(fate: Fate) -> bool:
    return any(text in ("activity returned", "its person came back") for text in fate.closed)
