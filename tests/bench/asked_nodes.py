"""A drawn cluster's nodes in a process of their own, asked as a reaper asks them."""

import asyncio
import json
import resource
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from reaper.activity.exporters.activity import ExporterActivity
from reaper.activity.exporters.settings import ExporterSettings
from reaper.ports import Clock, Readings
from tests.bench.drawn_node import CARDS

LONGEST_LINE = 2**20


@dataclass(slots=True)
class Nodes:
    """The process of the nodes, and where each listens."""

    process: asyncio.subprocess.Process
    ports: list[int]

    async def draw(self, at: float) -> None:
        """Let every node say what it does at a time."""
        self.process.stdin.write(f"{at}\n".encode())
        assert float(await self.process.stdout.readline()) == at


@dataclass(slots=True)
class AskedNodes:
    """Nodes, and the reaper's own activity that asks them."""

    nodes: Nodes
    activity: ExporterActivity

    async def draw(self, at: float) -> None:
        """Let every node say what it does at a time."""
        await self.nodes.draw(at)

    async def readings(self) -> Readings:
        """Ask every node."""
        return await self.activity.readings(0)


@asynccontextmanager
async def listening_nodes(gpus: int) -> AsyncIterator[Nodes]:
    """Run the nodes of so many GPUs until the end of the block."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.bench.drawn_nodes"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=LONGEST_LINE,
    )
    process.stdin.write(json.dumps({"gpus": gpus}).encode() + b"\n")
    ports = json.loads(await process.stdout.readline())
    yield Nodes(process, ports)
    process.stdin.close()
    await process.wait()


@asynccontextmanager
async def asked_nodes(gpus: int, clock: Clock) -> AsyncIterator[AskedNodes]:
    """Run the nodes of so many GPUs and what asks them until the end of the block."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, most), most))
    async with listening_nodes(gpus) as nodes:
        targets = [f"127.0.0.1:{port}=gpu{number:05}" for number, port in enumerate(nodes.ports)]
        assert len(targets) == gpus // CARDS
        settings = ExporterSettings.model_validate({"targets": targets, "timeout": "60s"})
        async with ExporterActivity(settings, clock=clock) as activity:
            yield AskedNodes(nodes, activity)
