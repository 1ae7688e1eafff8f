"""``small_reaper.py FOLDER``: a reaper with nothing to look at, whose minutes last a second."""

import asyncio
import signal
import sys
from contextlib import suppress
from pathlib import Path

from reaper.app.compose import adapters, rules
from reaper.app.running import StoppedError, started
from reaper.config import load
from reaper.domain.facts.grid import Pace
from reaper.edge.clock import SystemClock


async def main(folder: Path) -> None:
    """Run until SIGTERM; its page's address is printed."""
    configuration = load(folder / "gpu-reaper.yaml")
    clock, pace = SystemClock(), Pace(step=1.0)
    decides, built = rules(configuration, pace=pace), adapters(configuration, clock, pace=pace)
    told = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, told.set)
    with suppress(StoppedError):
        async with started(configuration, decides, built, clock, told=told) as service:
            sys.stdout.write(f"{service.page}\n")
            sys.stdout.flush()
            running = asyncio.create_task(service.run())
            stopped = asyncio.create_task(told.wait())
            await asyncio.wait([running, stopped], return_when="FIRST_COMPLETED")
            stopped.cancel()
            service.stop()
            await running


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
