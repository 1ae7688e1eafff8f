"""How long a month of a large cluster takes to be decided again under other policies."""

import random
import resource
import time
from dataclasses import replace

from reaper.cycle.rules import Rules
from reaper.cycle.simulation.fates import fates
from reaper.cycle.simulation.past import Past, PastRun
from reaper.cycle.simulation.play import play
from reaper.domain.facts.allocation import Allocation, Claim, Place, Purpose, Run
from reaper.domain.facts.device import Device
from reaper.domain.facts.grid import NORMAL
from reaper.domain.facts.inputs import History
from reaper.domain.facts.track import Track
from reaper.domain.judgement.policy import Match, Rung
from tests.bench.sizes import sized
from tests.builders import HOUR, MINUTE, START, policy

NODES, EACH, DAYS = sized(1000, 50), 8, 30
MINUTES = DAYS * 1440
LIMIT_SECONDS = 60.0
SIZES = (1, 1, 1, 2, 4, 8)
KINDS = (Purpose.INTERACTIVE, Purpose.TRAINING, Purpose.TRAINING, Purpose.OTHER)


def letters(chance: random.Random, minutes: int) -> str:
    """Return work with short pauses, and for one run in three a long idle end."""
    work = "".join(
        "A" * chance.randint(20, 400) + "L" * chance.randint(0, 5) + "H" * chance.randint(0, 20)
        for _ in range(minutes // 200 + 1)
    )[:minutes]
    if chance.random() < 0.33:
        idle = chance.randint(0, minutes)
        return work[: minutes - idle] + "H" * idle
    return work


def node(chance: random.Random, name: str, first: int) -> tuple[list[PastRun], dict[str, Track]]:
    """Return a month of one node: jobs of some size, one after the other, on its GPUs."""
    runs: list[PastRun] = []
    devices = [Device(gpu=f"{name}-{i}", node=name, model="NVIDIA H100") for i in range(EACH)]
    drawn: dict[str, list[str]] = {device.gpu: [] for device in devices}
    free = 0
    while free < EACH:
        size = min(chance.choice(SIZES), EACH - free)
        held = devices[free : free + size]
        free += size
        minute = 0
        while minute < MINUTES:
            length = min(chance.randint(120, 4320), MINUTES - minute)
            runs.append(_run(chance, name, held, first + minute, length, number=len(runs)))
            for device in held:
                drawn[device.gpu].append(letters(chance, length))
            minute += length
    return runs, {gpu: Track(start=first, letters="".join(parts)) for gpu, parts in drawn.items()}


def _run(
    chance: random.Random, name: str, held: list[Device], minute: int, length: int, *, number: int
) -> PastRun:
    begin = NORMAL.begins(minute)
    run = Run(
        cluster="c", platform="slurm", id=f"{name}.{number}", key=f"{name}.{number}", started=begin
    )
    claim = Claim(
        run=run,
        places=tuple(Place(node=name, gpu=device.gpu) for device in held),
        user=f"u{chance.randint(0, 400)}",
        as_of=begin,
        purpose=chance.choice(KINDS),
    )
    allocation = Allocation(run=run, devices=tuple(held), expected=len(held), claim=claim)
    return PastRun(
        allocation=allocation, begin=begin, end=begin + length * MINUTE, history=History()
    )


def month() -> Past:
    """Return 30 days of 8,000 GPUs."""
    chance = random.Random(11)
    first = NORMAL.minute(START) + 1
    runs: list[PastRun] = []
    tracks: dict[str, Track] = {}
    for number in range(NODES):
        held, drawn = node(chance, f"n{number}", first)
        runs += held
        tracks |= drawn
    return Past(begin=START, end=START + DAYS * 86400.0, runs=tuple(runs), tracks=tracks)


def test_a_month_of_eight_thousand_gpus_is_simulated() -> None:
    """Printed beside the limit; no test fails on time."""
    past = month()
    batch = policy(
        Rung(step="warn", after=4 * HOUR),
        Rung(step="warn", after=5 * HOUR, final=True),
        Rung(step="release", grace=HOUR),
        idle_for=5 * HOUR,
    )
    rules = Rules(
        cluster="c",
        policies=(
            policy(match=Match(purpose=(Purpose.INTERACTIVE,))),
            replace(batch, name="batch", version="v2"),
        ),
    )
    began, worked = time.perf_counter(), time.process_time()
    played = play(past, rules, lifts_after=HOUR)
    decided = time.perf_counter() - began
    found = fates(past, played, rules, back_within=4 * HOUR)
    took, cpu = time.perf_counter() - began, time.process_time() - worked

    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    released = sum(1 for fate in found if fate.released is not None)
    print(
        f"\nsimulated {DAYS} days of {NODES * EACH:,} GPUs in {len(past.runs):,} runs: "
        f"{took:.1f} s, {cpu:.1f} s of CPU, {decided:.1f} s deciding (limit {LIMIT_SECONDS:g} s), "
        f"{memory:.0f} MiB resident; {played.visits:,} visits, {len(found):,} warned, "
        f"{released:,} released"
    )
    assert len(found) > released > 0
