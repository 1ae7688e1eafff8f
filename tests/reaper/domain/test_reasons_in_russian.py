"""Every reason for which somebody is warned is said in Russian: taken from the judge itself."""

import re

import pytest

from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.grid import NORMAL
from reaper.domain.facts.host import Host
from reaper.domain.judgement.idleness import judge
from reaper.domain.judgement.verdict import Verdict
from reaper.domain.reasons_in_russian import reason
from tests.builders import HOUR, START, allocation, run
from tests.tracks import drawn, seen


def judged(*tracks: str, counting: tuple[str, ...] = ("idle",)) -> Verdict:
    held = allocation(gpus=len(tracks), run=run(started=START - 9 * HOUR))
    known = {gpu: seen(track) for gpu, track in zip(held.gpus, tracks, strict=True)}
    return judge(held, known, now=START, pace=NORMAL, counting=counting)


def hosted(letters: str, host: str) -> Verdict:
    held = allocation()
    return judge(
        held, {held.gpus[0]: seen(letters)}, now=START, pace=NORMAL, host=Host(track=drawn(host))
    )


def warm() -> Verdict:
    held, served = allocation(purpose=Purpose.INFERENCE), drawn("." * 60)
    return judge(held, {held.gpus[0]: seen("H" * 60)}, now=START, pace=NORMAL, served=served)


VERDICTS = {
    "idle": judged("A" + "H" * 59),
    "empty": judged("E" * 60, "E" * 60),
    "idle for hours": judged("H" * 185),
    "low counts": judged("HL" * 30, counting=("idle", "low")),
    "idle, host busy": hosted("H" * 60, "Q" * 20 + "B" * 40),
    "its host rests": hosted("A" * 70 + "H" * 20, "B" * 75 + "Q" * 15),
    "warm": warm(),
}


@pytest.mark.parametrize("name", VERDICTS)
def test_a_reason_is_said_in_russian(name: str):
    verdict = VERDICTS[name]
    said = reason(verdict.reason)

    assert verdict.kind in ("idle", "empty", "idle, host busy", "warm")
    assert set(re.findall(r"[A-Za-z]+", said)) <= {"GPU"}
    assert re.findall(r"\d+", said) == re.findall(r"\d+", verdict.reason)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("2 of 2 devices at work", "устройств в работе: 2 из 2"),
        ("3 of 4 idle for 40 min", "простаивают 3 из 4: 40 мин"),
        ("1 of 8 devices unseen", "не видно устройств: 1 из 8"),
        ("no signal for 12 min", "нет сигнала: 12 мин"),
        ("pausing for 3 h 05 min", "пауза: 3 ч 05 мин"),
        ("a line of another shape", "a line of another shape"),
    ],
)
def test_what_is_at_work_or_unseen_is_said_in_russian_too(line, said):
    assert reason(line) == said
