"""The arithmetic of the measurement on real GPUs, which runs without any."""

import subprocess
import sys
from dataclasses import replace

import pytest

from tests.gpu import kernels
from tests.gpu.comparison import Load, Scrape, energy, integral, near, row, shares, table
from tests.project import ROOT

BEGIN = Scrape(at=0.0, observed={"sm": 10.0, "power": 5.0}, active={"sm": 3.0}, joules=100.0)


def after(seconds=20.0, sm=0.0, watts=100.0, processes=1.0, **active):
    """A scrape so many seconds later, in which the multiprocessors had that mean."""
    signals = {"sm": sm} | active
    begun = {"sm": 10.0, "power": 5.0}
    return Scrape(
        at=seconds,
        observed={name: begun.get(name, 0.0) + seconds for name in (*signals, "power")},
        active={
            name: BEGIN.active.get(name, 0.0) + seconds * mean for name, mean in signals.items()
        },
        joules=100.0 + watts * seconds,
        processes=processes,
    )


def verdict(kind, later, duty=0.0, before=BEGIN):
    return row(Load(name="x", kind=kind, duty=duty), before, later).verdict


@pytest.mark.parametrize(("sm", "fits"), [(0.5, True), (0.524, True), (0.476, True), (0.53, False)])
def test_a_mean_must_lie_within_five_percent_of_the_duty_cycle(sm, fits):
    assert (verdict("product", after(sm=sm), duty=0.5) == "ok") is fits


def test_means_and_power_are_over_the_seconds_observed():
    found = row(Load(name="x", kind="product", duty=0.25), BEGIN, after(sm=0.25, watts=350.0))

    assert found.means["sm"] == pytest.approx(0.25)
    assert found.watts == pytest.approx(350.0)


def test_a_signal_that_is_not_there_is_no_zero():
    found = row(Load(name="x", kind="product", duty=0.25), BEGIN, after(sm=0.25))

    assert found.means["tensor"] is None
    assert "      -" in table([found])


def test_without_multiprocessors_nothing_fits():
    blind = replace(after(), observed={}, active={})

    assert verdict("product", blind, duty=0.5) == "no signal for multiprocessors"


@pytest.mark.parametrize("kind", ["nothing", "held"])
def test_at_rest_no_signal_may_rise(kind):
    assert verdict(kind, after(sm=0.004)) == "ok"
    assert "sm above" in verdict(kind, after(sm=0.006))


def test_a_held_context_must_show_as_a_process_or_as_memory():
    unlisted = after(processes=0.0)

    assert "shows neither" in verdict("held", unlisted)
    assert verdict("held", replace(unlisted, memory=2.5e9)) == "ok"


def test_a_copy_must_move_the_memory():
    still, moving = (
        replace(after(dram=mean), observed=after(dram=mean).observed) for mean in (0.001, 0.7)
    )
    before = replace(
        BEGIN, observed=BEGIN.observed | {"dram": 0.0}, active=BEGIN.active | {"dram": 0.0}
    )

    assert [verdict("copy", one, before=before) for one in (still, moving)] == [
        "a copy is not seen",
        "ok",
    ]


def test_joules_are_the_integral_of_power():
    assert integral([(0.0, 100.0), (1.0, 300.0), (3.0, 300.0)]) == pytest.approx(800.0)


def test_energy_is_compared_over_one_span():
    """The exporter read its meter four seconds less; at rest those are four times 100 W."""
    samples = [
        (second / 10, 100.0 if second < 100 or second > 300 else 700.0) for second in range(401)
    ]
    own = integral(samples)
    later = Scrape(at=40.0, observed={"power": 41.0}, joules=100.0 + own - 400.0)

    told, expected = energy(samples, BEGIN, later)

    assert near(told, expected, 1e-6)


def test_tensor_parts_are_of_the_full_load():
    rows = [
        row(Load(name="x", kind="product", duty=duty), replace(BEGIN, observed=BEGIN.observed
            | {"tensor": 0.0}, active=BEGIN.active | {"tensor": 0.0}),
            after(sm=duty, tensor=0.6 * duty))
        for duty in (0.25, 1.0)
    ]  # fmt: skip

    assert shares(rows) == pytest.approx({0.25: 0.25, 1.0: 1.0})


def test_the_kernels_are_text_that_ends():
    for text in (kernels.product(), kernels.arithmetic()):
        assert text.endswith(b"}\n\0")
        assert text.count(b".visible .entry load") == 1
    assert kernels.product().count(b"mma.sync") == 16
    assert b"mma" not in kernels.arithmetic()


def test_without_a_gpu_it_says_so_and_ends_with_2(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "tests.gpu.measure"],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={"PATH": "", "CUDA_VISIBLE_DEVICES": "", "LD_LIBRARY_PATH": str(tmp_path)},
    )

    assert (done.returncode, "GPU" in done.stdout or "libcuda" in done.stdout) == (2, True)
