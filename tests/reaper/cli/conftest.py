import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from reaper.cli.main import cli
from reaper.config import load
from reaper.store import open_store
from tests.builders_gallery import gallery
from tests.builders_picture import NOW

CONFIGURATION = """
cluster: aurora
state_dir: {folder}
web: {{socket: {folder}/reaper.sock, listen: "127.0.0.1:0"}}
activity: {{targets: ["127.0.0.1:1"], timeout: 1s}}
"""


@pytest.fixture
def run() -> Callable[..., Result]:
    """Give `run("status", …)`: the command line in this process."""

    def run(*arguments: object) -> Result:
        return CliRunner().invoke(cli, [str(argument) for argument in arguments])

    return run


@pytest.fixture
def ask(run) -> Callable[..., object]:
    """Give the same to be awaited, while something is served here."""

    async def ask(*arguments: object) -> Result:
        return await asyncio.to_thread(run, *arguments)

    return ask


@pytest.fixture
def configuration(tmp_path: Path) -> Path:
    """Write a configuration of a cluster whose reaper is down."""
    path = tmp_path / "gpu-reaper.yaml"
    path.write_text(CONFIGURATION.format(folder=tmp_path))
    return path


@pytest.fixture
async def stored(configuration: Path) -> Path:
    """Leave a store behind whose last picture is the gallery; return the configuration."""
    read = load(configuration)
    store = await open_store(read.store, cluster=read.cluster)
    epoch = await store.lead("test", NOW)
    async with store.transaction(epoch) as books:
        await books.keep_picture(gallery())
    await store.close()
    return configuration
