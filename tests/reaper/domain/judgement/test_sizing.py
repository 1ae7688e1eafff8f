"""Advice on sizes, with its arithmetic."""

from dataclasses import replace

import pytest

from reaper.domain.facts.allocation import Allocation, Purpose
from reaper.domain.facts.evidence import Evidence
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.judgement.sizing import Advice, advice
from reaper.languages.catalogue import said
from tests.builders import HOUR, START, allocation, device, reading
from tests.tracks import drawn


def advised(held: Allocation, letters: list[str], **given: object) -> tuple[Advice, ...]:
    """Return the advice on an allocation whose devices played these tracks."""
    record = DeviceRecord(device=device(), **given)
    tracks = {gpu: drawn(track) for gpu, track in zip(held.gpus, letters, strict=True)}
    return advice(held, tracks, dict.fromkeys(held.gpus, record))


def used(sm: float, tensor: float = 0.0, hours: float = 2.0) -> Evidence:
    """Return evidence of so much work over some hours."""
    seconds = hours * HOUR
    return Evidence(
        seconds=seconds,
        seen={"sm": seconds, "tensor": seconds},
        active={"sm": sm * seconds, "tensor": tensor * seconds},
    )


def test_partly_idle_says_how_many_would_do() -> None:
    """Eight less five is three."""
    found = advised(allocation(gpus=8), ["A" * 60] * 3 + ["H" * 60] * 5)

    assert [item.kind for item in found] == ["partial"]
    assert "8 - 5 = 3 would do" in said(found[0].text)
    assert found[0].spare == 5


@pytest.mark.parametrize(
    "letters",
    [
        pytest.param(["H" * 60, "H" * 60], id="all idle: a release, no advice"),
        pytest.param(["A" * 60, "H" * 59], id="not long enough"),
        pytest.param(["A" * 60, "A" * 60], id="all at work"),
    ],
)
def test_nothing_is_advised_without_ground(letters: list[str]) -> None:
    """Silence is the default."""
    assert advised(allocation(gpus=2), letters) == ()


def test_a_whole_card_behind_a_small_session_would_fit_a_slice() -> None:
    """A notebook with 4 GB on an H100."""
    small = reading(START, memory_used=4e9)

    found = advised(allocation(), ["A" * 120], reading=small, evidence=used(0.05))

    assert [item.kind for item in found] == ["slice"]
    assert "4.0 of 80 GB and 5% of the SMs" in said(found[0].text)
    assert advised(allocation(), ["A" * 120], reading=small, evidence=used(0.3)) == ()


def test_work_without_tensor_cores_is_worth_a_word() -> None:
    """Only for training, only when it is long."""
    job = allocation(purpose=Purpose.TRAINING)

    assert [item.kind for item in advised(job, ["A" * 120], evidence=used(0.6))] == ["tensor"]
    assert advised(job, ["A" * 120], evidence=used(0.6, tensor=0.2)) == ()
    assert advised(job, ["A" * 120], evidence=used(0.6, hours=0.5)) == ()


def test_a_doubtful_owner_gets_no_advice() -> None:
    """Nobody is told about GPUs that may not be theirs."""
    held = replace(allocation(gpus=2), doubt="not confirmed")

    assert advised(held, ["A" * 60, "H" * 60]) == ()


def test_a_card_to_spare_is_not_counted_again_as_one_that_a_slice_would_serve() -> None:
    """Of two cards one idles and the other does little: one and six sevenths could go."""
    small = reading(START, memory_used=4e9)

    found = advised(allocation(gpus=2), ["A" * 120, "H" * 120], reading=small, evidence=used(0.05))

    assert [(item.kind, item.spare) for item in found] == [("partial", 1.0), ("slice", 1 - 1 / 7)]
