"""
The child process that owns the driver and reads /proc: the only one that may hang.

It answers one request at a time with frozen values and keeps no counter, so that killing it costs
nothing but the seconds until the next one answers.
"""

import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, Final

from exporter.clock import Clock, SystemClock
from exporter.collectors import Collector, Sight, collectors
from exporter.collectors.allocation import AllocationCollector
from exporter.kernel.cost import cpu_seconds, give_back, resident_bytes
from exporter.sampling import frames
from exporter.sampling.calls import CallBoard, Calls
from exporter.sampling.circuit_breaker import CircuitBreaker
from exporter.sampling.driver import Driver, DriverError
from exporter.sampling.frames import Ask, Setup, SimulatedSetup
from exporter.sampling.snapshot import Device, DeviceProcesses, Round, Turn
from exporter.sampling.unidentified import Unidentified

#: Seconds between two enumerations while an instance answers nothing at all.
_MOVED: Final = 5.0


class Worker:
    """Answers requests; opens the driver when it is not open, closes it when it was restarted."""

    def __init__(self, setup: Setup, calls: Calls) -> None:
        self._clock = setup.clock
        self._calls = calls
        self._driver, extra = _driver(setup, calls)
        self._collectors: tuple[Collector, ...] = (
            *collectors(setup.places, people=setup.people),
            *extra,
        )
        self._open = False
        self._listed = 0.0
        self._devices: tuple[Device, ...] = ()
        self._spared: frozenset[int] = frozenset()
        self._processes: tuple[DeviceProcesses, ...] = ()

    def answer(self, ask: Ask) -> Round:
        """Take every turn that is due; a driver that does not serve is an answer, too."""
        try:
            self._ready(ask)
            turns = tuple(self._turns(ask))
        except DriverError as error:
            self.close()
            return self._round((), trouble=str(error))
        return replace(self._round(turns), unidentified=tuple(self._unidentified(ask)))

    def _unidentified(self, ask: Ask) -> Iterator[Unidentified]:
        """A card that is left alone says why in the words of whoever leaves it alone."""
        for one in self._driver.unidentified:
            told = None if one.index is None or one.mig else ask.reasons.get(one.index)
            yield one if told is None else replace(one, reason=told)

    def _ready(self, ask: Ask) -> None:
        fresh = not self._open
        if fresh:
            self._driver.open()
            self._open = True
        spared = frozenset(ask.spared)
        if fresh or "health" in ask.due or self._spared != spared or self._moved():
            self._devices = self._driver.devices(ask.spared)
            self._spared = spared
            self._listed = self._clock.monotonic()

    def _moved(self) -> bool:
        return self._driver.moved and self._clock.monotonic() - self._listed >= _MOVED

    def _turns(self, ask: Ask) -> Iterator[Turn]:
        driver = CircuitBreaker.over(self._driver, ask, self._clock)
        for collector in self._collectors:
            if collector.cadence in ask.due:
                turn = self._turn(collector, driver, ask)
                if collector.name == "processes":
                    self._processes = _processes(turn)
                yield turn

    def _turn(self, collector: Collector, driver: Driver, ask: Ask) -> Turn:
        begun = self._clock.monotonic()
        sight = Sight(
            driver=driver,
            devices=self._devices,
            processes=self._processes,
            clock=self._clock,
            calls=self._calls,
            avoided=ask.avoided,
        )
        finding, error = None, ""
        try:
            finding = collector.collect(sight)
        except DriverError:
            raise
        except Exception as failure:  # noqa: BLE001 - one collector never costs the others
            error = f"{type(failure).__name__}: {failure}"
        duration = self._clock.monotonic() - begun
        return Turn(collector=collector.name, duration=duration, finding=finding, error=error)

    def _round(self, turns: tuple[Turn, ...], trouble: str = "") -> Round:
        return Round(
            at=self._clock.monotonic(),
            wall=self._clock.wall(),
            driver="" if trouble else self._driver.name,
            devices=self._devices,
            turns=turns,
            trouble=trouble,
            cpu_seconds=cpu_seconds(),
            resident_bytes=resident_bytes(),
        )

    def close(self) -> None:
        """Let the driver go."""
        self._open = False
        self._devices = ()
        self._driver.close()

    def end(self) -> None:
        """Let everything go: the driver, and commands that still run."""
        for collector in self._collectors:
            if isinstance(collector, AllocationCollector):
                collector.close()
        self.close()


def _driver(setup: Setup, calls: Calls) -> tuple[Driver, tuple[Collector, ...]]:
    if setup.simulated is not None:
        return _simulated(setup.simulated, setup.clock)
    from exporter.nvml import NvmlDriver

    return NvmlDriver(setup.clock, calls, setup.places), ()


def _simulated(wanted: SimulatedSetup, clock: Clock) -> tuple[Driver, tuple[Collector, ...]]:
    from exporter.collectors.recorded import RecordedCollector, RecordedTenants
    from exporter.contract import scenario
    from exporter.contract.stage import Stage
    from exporter.simulation.driver import SimulatedDriver
    from exporter.simulation.play import Play

    stage = Stage(
        scenario=scenario.load(Path(wanted.scenario).read_text()),
        origin=wanted.origin,
        state=Path(wanted.state) if wanted.state else None,
    )
    holders = Path(wanted.holders) if wanted.holders else None
    play = Play(stage=stage, node=wanted.node, holders_file=holders)
    return SimulatedDriver(play, clock), (RecordedCollector(play), RecordedTenants(play))


def _processes(turn: Turn) -> tuple[DeviceProcesses, ...]:
    found = turn.finding if isinstance(turn.finding, tuple) else ()
    return tuple(item for item in found if isinstance(item, DeviceProcesses))


def _die_with_parent() -> None:
    """Ask the kernel for SIGKILL when the parent ends, as a stuck worker reads no end of file."""
    import ctypes

    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer until the parent closes the pipe."""
    setup = frames.read(requests)
    if not isinstance(setup, Setup):
        raise TypeError(f"the first frame is {type(setup).__name__}, not Setup")
    worker = Worker(setup, Calls(CallBoard(setup.board), SystemClock().monotonic))
    give_back()
    while True:
        try:
            ask = frames.read(requests)
        except EOFError:
            break
        if isinstance(ask, Ask):
            frames.write(answers, worker.answer(ask))
    worker.end()


def main() -> None:
    """Serve on standard input and output; whatever else is printed goes to standard error."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _die_with_parent()
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
