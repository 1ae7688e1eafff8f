"""
Load a real GPU in known ways and compare what the exporter says of it.  Unattended, 4 minutes.

Run `python -m tests.gpu.measure`; `--quick` takes one minute.  It ends with 0 when all fits, 1
when something does not, 2 when there is no GPU, and 3 when somebody else is at work on it.
Needs the driver and what the exporter needs, no toolkit and no framework: the kernels are PTX
text that the driver compiles.
"""

import sys
import tempfile
import threading
import time
from pathlib import Path

import pynvml

from tests.e2e.exporter.process import ExporterProcess, Page
from tests.gpu import kernels
from tests.gpu.comparison import (
    ENERGY_WITHIN,
    HELD,
    NOISE,
    WITHIN,
    Load,
    Scrape,
    energy,
    near,
    row,
    shares,
    table,
)
from tests.gpu.cuda import Cuda, NoGpu

DUTIES = (0.25, 0.5, 0.75, 1.0)
CYCLE = 0.1
SETTLED = 4.0
ROOM = HELD // 2
#: A real driver holds its locks for seconds while a context is made.
PATIENCE = ("--call-timeout", "10")


class Power(threading.Thread):
    """Reads the board's power ten times a second, on its own."""

    def __init__(self, uuid):
        super().__init__(daemon=True)
        pynvml.nvmlInit()
        cards = map(pynvml.nvmlDeviceGetHandleByIndex, range(pynvml.nvmlDeviceGetCount()))
        self._handle = next(card for card in cards if pynvml.nvmlDeviceGetUUID(card) == uuid)
        self.samples = []

    def run(self):
        while True:
            watts = pynvml.nvmlDeviceGetPowerUsage(self._handle) / 1e3
            self.samples.append((time.monotonic(), watts))
            time.sleep(0.1)


def scrape(exporter, uuid) -> Scrape:
    """Read what the page says of one device."""
    page = exporter.page()
    active = {
        name: value
        for name in ("sm", "tensor", "dram", "engine")
        if (value := page.value(f"gpunode_{name}_active_seconds_total", gpu=uuid)) is not None
    }
    return Scrape(
        at=time.monotonic(),
        observed=by_label(page, "gpunode_observed_seconds_total", uuid, "signal"),
        active=active,
        links=by_label(page, "gpunode_link_bytes_total", uuid, "direction", link="pcie"),
        joules=page.value("gpunode_energy_joules_total", gpu=uuid),
        memory=page.value("gpunode_memory_used_bytes", gpu=uuid),
        processes=page.value("gpunode_processes", gpu=uuid),
        cpu=page.value("gpunode_exporter_cpu_seconds_total") or 0.0,
    )


def by_label(page: Page, family: str, uuid: str, label: str, **more: str):
    return {
        labels[label]: value
        for name, labels, value in page.samples
        if name == family and {"gpu": uuid, **more}.items() <= labels.items()
    }


def sources(page: Page, uuid: str) -> list[str]:
    """Say where each signal comes from, or why it is not there."""
    rows = (labels for labels in page.labels("gpunode_signal_info") if labels["gpu"] == uuid)
    return sorted(
        " ".join(filter(None, (one["signal"], one["source"], one["state"], one["reason"])))
        for one in rows
    )


class Measurement:
    """One GPU, its exporter, and the rows so far."""

    def __init__(self, cuda: Cuda, exporter: ExporterProcess, seconds: float):
        self.cuda = cuda
        self.exporter = exporter
        self.seconds = seconds
        self.rows = []

    def during(self, name, kind, turn):
        """Take turns of a load until the time is over; compare its settled part."""
        end = time.monotonic() + SETTLED
        while time.monotonic() < end:
            turn()
        before = scrape(self.exporter, self.cuda.uuid)
        done, moved, begun = 0.0, 0.0, time.monotonic()
        while time.monotonic() < begun + self.seconds:
            amount, took = turn()
            done, moved = done + took, moved + amount
        after, length = scrape(self.exporter, self.cuda.uuid), time.monotonic() - begun
        load = Load(
            name=name, kind=kind, duty=min(1.0, done / length), bytes_per_second=moved / length
        )
        self.rows.append(row(load, before, after))
        print(f"  {name}: {self.rows[-1].verdict}", flush=True)

    def rest(self):
        time.sleep(0.2)
        return 0.0, 0.0

    def product(self, duty):
        """Work for a part of each cycle; at full duty without a pause."""

        def turn():
            begun = time.monotonic()
            took = self.cuda.work(duty * CYCLE)
            time.sleep(max(0.0, begun + CYCLE - time.monotonic()) if duty < 1 else 0.0)
            return 0.0, took

        return turn

    def all(self):
        self.during("nothing", "nothing", self.rest)
        busy = [value for value in self.rows[0].means.values() if value is not None]
        if max(busy, default=0.0) > NOISE:
            return
        tensor = self.cuda.has_tensor_product
        self.cuda.hold(kernels.product() if tensor else kernels.arithmetic(), ROOM)
        self.during("a context held, idle", "held", self.rest)
        for duty in DUTIES:
            self.during(f"product at {duty:.0%}", "product", self.product(duty))
        self.during("copy within the GPU", "copy", self.cuda.copy)
        self.during("copy from the host", "upload", self.cuda.upload)
        self.during("a context held again", "held", self.rest)


def report(done: Measurement, power: Power, before: Scrape, after: Scrape) -> bool:
    """Print everything; say whether all fits."""
    told, own = energy(power.samples, before, after)
    fits = near(told, own, ENERGY_WITHIN)
    print(f"\n{done.cuda.name} {done.cuda.uuid}\n{table(done.rows)}")
    for duty, part in shares(done.rows).items():
        print(f"  tensor at {duty:.2%} of the time: {part:.4f} of full")
    bandwidth = done.cuda.memory_bandwidth
    for one in done.rows:
        if one.load.kind == "copy" and bandwidth and one.means["dram"] is not None:
            part = one.load.bytes_per_second / bandwidth
            print(f"  copy: {part:.3f} of the bandwidth, dram says {one.means['dram']:.3f}")
    verdict = "ok" if fits else "wrong"
    print(f"  energy: {told:.0f} J, integral of power {own:.0f} J: {verdict}")
    share = (after.cpu - before.cpu) / (after.at - before.at)
    print(
        f"  exporter: {share:.3%} of a core; bounds: duty {WITHIN:.0%}, energy {ENERGY_WITHIN:.0%}"
    )
    return fits and all(one.verdict == "ok" for one in done.rows)


def main() -> int:
    seconds = 4.0 if "--quick" in sys.argv else 20.0
    try:
        cuda = Cuda()
    except NoGpu as error:
        print(error)
        return 2
    power = Power(cuda.uuid)
    power.start()
    with tempfile.TemporaryDirectory() as folder:
        words = ("--period", "1", "--no-people", *PATIENCE)
        exporter = ExporterProcess(Path(folder) / "log", *words)
        try:
            return measure(cuda, exporter, power, seconds)
        finally:
            exporter.close()


def measure(cuda: Cuda, exporter: ExporterProcess, power: Power, seconds: float) -> int:
    exporter.await_address()
    exporter.page_when(lambda page: page.values("gpunode_energy_joules_total", gpu=cuda.uuid), 60)
    before = scrape(exporter, cuda.uuid)
    done = Measurement(cuda, exporter, seconds)
    done.all()
    after = scrape(exporter, cuda.uuid)
    for reason in sources(exporter.page(), cuda.uuid):
        print(f"  {reason}")
    print(f"  the exporter's log:\n{exporter.log.read_text()}")
    if len(done.rows) == 1:
        print(f"somebody is at work on {cuda.uuid}:\n{table(done.rows)}")
        return 3
    return 0 if report(done, power, before, after) else 1


if __name__ == "__main__":
    sys.exit(main())
