"""The clocks agree with the machine and with each other."""

import time

import pytest

from exporter.clock import FastClock, SystemClock


def test_a_fast_clock_agrees_with_the_machine_at_its_epoch():
    now = SystemClock().wall()

    assert FastClock(rate=60, epoch=now).wall() == pytest.approx(now, abs=6)


def test_a_fast_clock_runs_by_its_rate():
    now = SystemClock().wall()

    assert FastClock(rate=60, epoch=now - 10).wall() == pytest.approx(now + 590, abs=6)


def test_monotonic_time_runs_by_the_same_rate():
    clock = FastClock(rate=1000, epoch=0)
    first = clock.monotonic()
    clock.pause(20)

    assert clock.monotonic() - first >= 20


async def test_waiting_is_as_short_as_the_clock_is_fast():
    began = time.perf_counter()
    await FastClock(rate=1000, epoch=0).sleep(10)

    assert 0.01 <= time.perf_counter() - began < 10
