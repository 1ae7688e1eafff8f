"""Every piece of advice is said in Russian: taken from the judge itself."""

import re
from collections.abc import Iterator

import pytest

from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.evidence import Evidence
from reaper.domain.facts.grid import NORMAL
from reaper.domain.facts.host import Host
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.judgement.idleness import judge
from reaper.domain.judgement.pattern import CORES, STUCK
from reaper.domain.judgement.sizing import advice
from reaper.domain.judgement.verdict import Kind
from reaper.domain.reasons_in_russian import reason
from tests.builders import HOUR, START, allocation, device, reading
from tests.tracks import drawn, seen

QUIET = drawn("Q" * 60)
HOSTS = {
    "nobody measures": None,
    "reading": Host(track=QUIET, stuck=STUCK, cores=0.0),
    "loading": Host(track=drawn("B" * 60), stuck=0.0, cores=CORES + 2.5),
    "quiet": Host(track=QUIET, stuck=0.0, cores=0.0),
}


def evidence(sm: float) -> Evidence:
    seconds = 2 * HOUR
    return Evidence(
        seconds=seconds,
        seen={"sm": seconds, "tensor": seconds},
        active={"sm": sm * seconds, "tensor": 0.0},
    )


def sizes(purpose: Purpose, sm: float, *letters: str) -> Iterator[str]:
    held = allocation(gpus=len(letters), purpose=purpose)
    tracks = dict(zip(held.gpus, map(drawn, letters), strict=True))
    small = reading(START, memory_used=4e9)
    record = DeviceRecord(device=device(), reading=small, evidence=evidence(sm))
    yield from (one.text for one in advice(held, tracks, dict.fromkeys(held.gpus, record)))


def starving(host: Host | None) -> str:
    held = allocation(purpose=Purpose.TRAINING)
    track = ("AAHHHAHHHH" * 6)[-60:]
    verdict = judge(held, {held.gpus[0]: seen(track)}, now=START, pace=NORMAL, host=host)
    assert verdict.kind is Kind.STARVED
    return verdict.reason


def texts() -> Iterator[str]:
    yield from sizes(Purpose.TRAINING, 0.6, "A" * 60, "H" * 60)
    yield from sizes(Purpose.TRAINING, 0.6, "A" * 120)
    yield from sizes(Purpose.INTERACTIVE, 0.05, "A" * 120)
    yield from sizes(Purpose.INTERACTIVE, 0.6, "AAHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHH" * 3 + "A")
    yield from map(starving, HOSTS.values())


TEXTS = tuple(texts())


@pytest.mark.parametrize("text", TEXTS)
def test_advice_is_said_in_russian(text: str) -> None:
    said = reason(text)

    names = {"GPU", "SM", "bf", "tf", "NVIDIA", "H", "GB", "HBM"}
    assert set(re.findall(r"[A-Za-z]+", said)) <= names
    assert re.findall(r"\d+", said) == re.findall(r"\d+", text)


def test_every_kind_is_among_them() -> None:
    assert len(TEXTS) == 4 + len(HOSTS)
