"""A kind of channel is one file or folder, and one line in a list: proven by a new one."""

import inspect
import io
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from pydantic import TypeAdapter, ValidationError

from reaper import notifiers
from reaper.edge.clock import JumpingClock
from reaper.notifiers import KINDS, PERSONAL, build, personal, settings_of
from reaper.notifiers.kind import Kind
from tests.channels import NOON, letter, notice
from tests.project import ROOT

#: All that a new channel is, in a file of its own.
PIGEON = """
from pathlib import Path
from typing import Literal

from reaper.notifiers.kind import ChannelSettings, Kind
from reaper.notifiers.letters import write
from reaper.notifiers.texts import plain
from reaper.ports import Delivered


class PigeonSettings(ChannelSettings):
    kind: Literal["pigeon"] = "pigeon"
    loft: Path


class Pigeon:
    name = "pigeon"
    personal = True

    def __init__(self, settings, site):
        self.loft, self.clock = settings.loft, site.clock

    async def deliver(self, letter):
        (self.loft / letter.person.user).write_text(plain(write(letter)))
        return Delivered(at=self.clock.now(), handle=letter.notice.id)


CHANNEL = Kind(
    settings=PigeonSettings, personal=True, build=lambda settings, site: (Pigeon(settings, site),)
)
"""


@pytest.fixture
def pigeon(tmp_path: Path) -> ModuleType:
    path = tmp_path / "pigeon.py"
    path.write_text(PIGEON)
    spec = spec_from_file_location("pigeon", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


async def test_a_new_channel_needs_its_file_and_its_place_in_the_list(
    pigeon: ModuleType, tmp_path: Path
) -> None:
    """Configured, made, delivering, and counting as personal."""
    kinds = (*KINDS, pigeon.CHANNEL)
    adapter = TypeAdapter(settings_of(kinds))

    settings = adapter.validate_python({"kind": "pigeon", "loft": str(tmp_path)})
    (made,) = build(settings, clock=JumpingClock(at=NOON), stream=io.StringIO(), kinds=kinds)
    await made.deliver(letter(notice()))

    assert "slurm/4711" in (tmp_path / "mira").read_text()
    assert personal(kinds) == PERSONAL | {"pigeon"}


def test_what_is_in_no_list_is_no_channel() -> None:
    with pytest.raises(ValidationError, match="pigeon"):
        TypeAdapter(settings_of(KINDS)).validate_python({"kind": "pigeon"})


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_each_stands_on_one_line(kind: Kind) -> None:
    lines = inspect.getsource(notifiers).splitlines()

    assert sum(f'"{kind.name}"' in line for line in lines) == 1


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_each_is_in_the_document_of_channels(kind: Kind) -> None:
    text = (ROOT / "docs/channels.md").read_text(encoding="utf-8")

    assert f"`{kind.name}`" in text or f"kind: {kind.name}" in text


def test_every_channel_that_lies_there_is_in_the_list() -> None:
    folder = ROOT / "reaper/notifiers"
    found = {
        path.parent.name if path.name == "__init__.py" else path.stem
        for path in (*folder.glob("*.py"), *folder.glob("*/__init__.py"))
        if "\nCHANNEL: " in path.read_text(encoding="utf-8")
    }

    assert found == {kind.name for kind in KINDS}
