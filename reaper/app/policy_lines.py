"""A policy as the table of a scenario: what decides, and nobody's name."""

from collections.abc import Iterator

from exporter.contract.scenario import written
from reaper.domain.judgement.policy import Hours, Policy, Rung, Save

_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

#: Working hours that never end, for a time that is not that of any clock on a wall.
_ALWAYS = Hours(weekdays=tuple(range(7)), begin=0.0, end=24.0)


def policy_lines(policy: Policy, *, scale: float = 1.0) -> Iterator[str]:
    """
    Yield the lines of a policy that matches everything.

    `scale` is by how much longer a minute of the scenario is than a minute of the policy's own
    pace.  Quotas of teams are left out: they are told by GPUs that are not drawn.
    """
    yield "[[policy]]"
    yield f'name = "{policy.name}"'
    if any(rung.requeue for rung in policy.rungs):
        yield "match = { requeueable = true }"
    yield f"idle = {{ {', '.join(_idle(policy, scale))} }}"
    hours = policy.hours if scale == 1.0 else _ALWAYS
    yield f"when = {{ {', '.join(_when(policy, hours))} }}"
    yield "rungs = ["
    for number, rung in enumerate(policy.rungs):
        yield f"  {_rung(rung, policy, scale, first=number == len(policy.warnings))},"
    yield "]"
    keep = policy.keep
    yield (
        f'keep = {{ per_request = "{written(keep.per_request * scale)}", '
        f"per_day = {keep.per_day}, until_next_morning = {keep.mornings_per_week} }}"
    )
    yield f'mode = "{policy.mode}"'


def _idle(policy: Policy, scale: float) -> Iterator[str]:
    yield f'for = "{written(policy.idle_for * scale)}"'
    yield f'human_away = "{written(policy.away_for * scale)}"'
    yield f'presence_unknown = "{policy.presence_unknown}"'
    yield f"counting = {_texts(policy.counting)}"
    if policy.also:
        yield f"also = {_texts(policy.also)}"


def _when(policy: Policy, hours: Hours) -> Iterator[str]:
    yield f'demand = "{policy.demand}"'
    yield f"any_hour = {_flag(policy.any_hour)}"
    yield f"hours = {{ {', '.join(_hours(hours))} }}"


def _hours(hours: Hours) -> Iterator[str]:
    yield f'zone = "{hours.zone}"'
    yield f"weekdays = {_texts(tuple(_WEEKDAYS[day] for day in hours.weekdays))}"
    yield f'begin = "{_oclock(hours.begin)}"'
    yield f'end = "{_oclock(hours.end)}"'
    if hours.holidays:
        yield f"holidays = {_texts(hours.holidays)}"


def _rung(rung: Rung, policy: Policy, scale: float, *, first: bool) -> str:
    if rung.step == "warn":
        final = ", final = true" if rung.final else ""
        return f'{{ warn = {{ after = "{written(rung.after * scale)}"{final} }} }}'
    parts = [f'grace = "{written(policy.grace * scale)}"'] if first else []
    if rung.save is not None:
        parts += _save(rung.save, scale)
    if rung.requeue:
        parts.append("requeue = true")
    return f"{{ {rung.step} = {{ {', '.join(parts)} }} }}"


def _save(save: Save, scale: float) -> Iterator[str]:
    yield f'send = "{save.signal or "auto"}"'
    proof = f'path = "{{workdir}}/proof", within = "{written(save.within * scale)}"'
    yield f'proof = {{ {proof}, unproven = "{save.unproven}" }}'


def _texts(words: tuple[str, ...]) -> str:
    quoted = (f'"{word}"' for word in words)
    return f"[{', '.join(quoted)}]"


def _flag(value: bool) -> str:  # noqa: FBT001 - one word, and it is the subject
    return "true" if value else "false"


def _oclock(hours: float) -> str:
    whole, rest = divmod(round(hours * 60), 60)
    return f"{whole:02d}:{rest:02d}"
