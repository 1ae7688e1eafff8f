"""
What must fit together in a policy: its ladder, its window, its keeps, its mode.

Each rule yields where, what and cure; it says nothing about parts that could not be read.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final

from reaper.config.draft import Draft, DraftRung
from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.grid import Pace
from reaper.domain.judgement.policy import Mode
from reaper.edge.problems import Where
from reaper.schema import duration

Finding = tuple[Where, str, str]

SHORTEST_GRACE: Final = 15
"""Minutes of the grid between the last warning and an act: time to see a message and answer."""

LONGEST_KEEP: Final = 30 * 86400.0
"""Beyond a month it is an operator's decision: an exemption."""


def findings(policy: Draft, pace: Pace) -> Iterator[Finding]:
    """Yield what does not fit together in one policy."""
    for rule in RULES:
        yield from rule(policy)
    yield from _act(policy, pace)


# ------------------------------------------------------------------ the ladder


def _order(policy: Draft) -> Iterator[Finding]:
    acted = ended = False
    for rung in policy.rungs:
        if ended and rung.step:
            yield rung.at(), "nothing can follow the release", "put it before the release"
        elif acted and rung.step == "warn":
            yield rung.at(), "a warning stands after an act", "put it before the first act"
        elif acted and rung.step == "save":
            yield rung.at(), "a second save", "keep one: its proof decides"
        acted, ended = acted or rung.acts, ended or rung.step == "release"
    if acted and not ended and policy.clear:
        yield policy.acts[-1].at(), "a save without a release frees nothing", "add - release: {}"


def _warned(policy: Draft) -> Iterator[Finding]:
    if policy.acts and not policy.warnings and policy.clear:
        cure = "put one before it, for example - warn: {after: 60m, final: true}"
        yield policy.acts[0].at(), "an act without a warning", cure


def _rising(policy: Draft) -> Iterator[Finding]:
    for rung, following in pairwise(policy.warnings):
        if rung.warn and following.warn and following.warn.after <= rung.warn.after:
            what = f"{duration(following.warn.after)} is not after the warning before it"
            yield following.at("after"), what, f"write more than {duration(rung.warn.after)}"


def _final(policy: Draft) -> Iterator[Finding]:
    warnings = policy.warnings
    if not warnings or not policy.clear or not all(rung.warn for rung in warnings):
        return
    finals = [rung for rung in warnings if rung.warn and rung.warn.final]
    if not policy.acts:
        for rung in finals:
            yield rung.at("final"), "no act follows it", "remove final, or add a release"
        return
    for rung in finals:
        if rung is not warnings[-1]:
            yield rung.at("final"), "another warning follows", "only the last one is final"
    if warnings[-1] not in finals:
        yield warnings[-1].at("final"), "missing", "write final: true on the last warning"


def _grace(policy: Draft) -> Iterator[Finding]:
    for position, rung in enumerate(policy.acts):
        step = rung.save or rung.release
        if step is None:
            continue
        if position == 0 and step.grace is None and policy.clear:
            yield rung.at("grace"), "missing", "write for example 30m"
        if position > 0 and step.grace is not None:
            yield rung.at("grace"), "stands on a later act", "write it on the first act only"


def _window(policy: Draft) -> Iterator[Finding]:
    if policy.idle is None:
        return
    window = policy.idle.window
    for rung in policy.warnings:
        if rung.warn and rung.warn.after > window:
            what = f"{duration(rung.warn.after)} is after the window (idle.for)"
            yield rung.at("after"), what, f"write at most {duration(window)}"


# ------------------------------------------------------------------ the rest


def _counting(policy: Draft) -> Iterator[Finding]:
    counting = policy.idle.counting if policy.idle else ()
    if "low" in counting and policy.acts:
        cure = "remove low, or remove the acts"
        yield ("idle", "counting"), "low counts only for policies that warn and never act", cure
    if counting and "idle" not in counting:
        yield ("idle", "counting"), "idle is missing", "write [idle, low]"


def _requeue(policy: Draft) -> Iterator[Finding]:
    if policy.match is None or policy.match.requeueable is True:
        return
    for rung in policy.acts:
        if rung.release and rung.release.requeue:
            cure = "write match: {requeueable: true}"
            yield rung.at("requeue"), "the policy also matches jobs that cannot be requeued", cure


def _save(policy: Draft) -> Iterator[Finding]:
    if policy.match is None or Purpose.INTERACTIVE not in policy.match.purpose:
        return
    for rung in policy.acts:
        if rung.step == "save":
            cure = "remove the save, or interactive from match.class"
            yield rung.at(), "an interactive session has nothing that could be saved", cure


def _keep(policy: Draft) -> Iterator[Finding]:
    if policy.keep and policy.keep.per_request > LONGEST_KEEP:
        what = f"{duration(policy.keep.per_request)} is no keep any more"
        cure = f"write at most {duration(LONGEST_KEEP)}, or an exemption"
        yield ("keep", "per_request"), what, cure


def _devices(policy: Draft) -> Iterator[Finding]:
    devices = policy.match.devices if policy.match else None
    if devices and devices.at_most is not None and devices.at_most < devices.at_least:
        what = f"{devices.at_most} is below at_least"
        yield ("match", "devices", "at_most"), what, f"write at least {devices.at_least}"


def _act(policy: Draft, pace: Pace) -> Iterator[Finding]:
    if policy.mode is not Mode.ACT:
        return
    if not policy.acts and policy.clear and policy.rungs:
        yield ("mode",), "act, but no rung acts", "add - release: {grace: 30m}, or write notify"
    shortest = SHORTEST_GRACE * pace.step
    for rung in policy.acts[:1]:
        grace = _grace_of(rung)
        if grace is not None and grace < shortest:
            what = f"{duration(grace)} is too short to answer in"
            yield rung.at("grace"), what, f"write at least {duration(shortest)}"


def _grace_of(rung: DraftRung) -> float | None:
    step = rung.save or rung.release
    return step.grace if step else None


RULES: Final[tuple[Callable[[Draft], Iterator[Finding]], ...]] = (
    _order,
    _warned,
    _rising,
    _final,
    _grace,
    _window,
    _counting,
    _requeue,
    _save,
    _keep,
    _devices,
)


# ------------------------------------------------------------------ between policies


def unreachable(policies: list[Draft]) -> Iterator[tuple[int, str, str]]:
    """Yield, by position, the policies that can never decide, and those whose name is taken."""
    for position, policy in enumerate(policies):
        earlier = policies[:position]
        if policy.name and any(other.name == policy.name for other in earlier):
            yield position, "its name is taken", "give each policy its own name"
        blocker = next((other for other in earlier if _covers(other, policy)), None)
        if blocker:
            what = f'never decides: "{blocker.name}" before it matches all that it matches'
            yield position, what, "put it before that one, or narrow that one's match"


def _covers(other: Draft, policy: Draft) -> bool:
    if other.match is None or policy.match is None:
        return False
    return not other.match.model_fields_set or other.match == policy.match
