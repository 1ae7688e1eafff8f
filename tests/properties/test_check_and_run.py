"""What `check` passes starts, and what it refuses does not, however the configuration is drawn."""

import asyncio
import socket
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from reaper.app.compose import adapters, rules
from reaper.app.running import started
from reaper.config import ConfigError, Problem, foreseen, prepared
from reaper.edge.clock import SystemClock

WORD = {"file": "word"}
ENVIRON = {"TOKEN": "xoxb-1"}

#: For each section what it may hold: right values, and values in which something is broken.
SECTIONS: Mapping[str, tuple[object, ...]] = {
    "activity": (
        {"targets": "gpu[01-03]:19440"},
        {"bearer": WORD, "file_sd": ["later.json"]},
        {"bearer": {"file": "gone"}},
        {"ca": "word", "scheme": "https"},
        {"basic": {"username": "a", "password": {"env": "GONE"}}},
        {"targets": ["gpu[01-:19440"]},
    ),
    "platforms": (
        {"slurm": {}},
        {"slurm": {"conf": "slurm.conf"}},
        {"slurm": {"conf": "gone.conf"}},
        {"slurm": {"commands": "word"}},
        {"slrum": {}},
    ),
    "notifiers": (
        [{"kind": "console"}],
        [{"kind": "slack", "token": {"env": "TOKEN"}}],
        [{"kind": "slack", "token": {"file": "empty"}}],
        [{"kind": "webhook", "url": "https://127.0.0.1/x", "key": {"file": "gone"}}],
    ),
    "people": (
        {"kind": "unix"},
        {"kind": "yaml", "file": "people.yaml"},
        {"kind": "yaml", "file": "gone.yaml"},
    ),
    "policies": ([], ["right.yaml"], ["nothing.yaml"], ["gone.yaml"]),
    "web": (
        {},
        {"key": {"file": "long"}},
        {"key": {"file": "word"}},
        {"metrics_token": {"file": "gone"}},
        {"tls": {"certificate": "word", "key": "gone"}},
        {"sign_in": {"kind": "proxy", "secret": {"env": "GONE"}}},
        {"listen": "192.0.2.1:0"},
    ),
    "store": ({}, {"kind": "memory"}, {"url": "sqlite:////dev/null/a/b.sqlite"}),
    "rates": ("rates.yaml", "gone.yaml"),
}

FILES = {
    "word": "a-word",
    "long": "0123456789" * 4,
    "empty": "",
    "slurm.conf": "ClusterName=x\n",
    "people.yaml": "people: {mira: {name: Mira}}\n",
    "nothing.yaml": "\n",
    "right.yaml": "policies: [{name: a, idle: {for: 1h}, rungs: [{warn: {after: 1h}}]}]\n",
    "rates.yaml": 'rates: [{model: "*", per_hour: 1.0, currency: EUR, kind: owned}]\n',
}

DRAWN = st.fixed_dictionaries(
    {}, optional={name: st.sampled_from(values) for name, values in SECTIONS.items()}
)


def written(folder: Path, sections: Mapping[str, object]) -> Path:
    for name, text in FILES.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o600)
    value = {"cluster": "x", "state_dir": str(folder / "state"), **sections}
    web = {
        "listen": f"127.0.0.1:{free()}",
        "socket": str(folder / "s.sock"),
        **value.get("web", {}),
    }
    path = folder / "gpu-reaper.yaml"
    path.write_text(yaml.safe_dump({**value, "web": web}))
    return path


def free() -> int:
    with socket.create_server(("127.0.0.1", 0)) as held:
        return int(held.getsockname()[1])


def refused(path: Path) -> tuple[Problem, ...]:
    return tuple(one for one in foreseen([path], environ=ENVIRON) if not one.lacking)


async def start(path: Path) -> None:
    configuration, clock = prepared(path, environ=ENVIRON), SystemClock()
    built = adapters(configuration, clock)
    async with started(configuration, rules(configuration), built, clock):
        pass


def agree(sections: Mapping[str, object]) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = written(Path(name), sections)
        told = refused(path)
        if told:
            with pytest.raises(ConfigError) as error:
                asyncio.run(start(path))
            assert set(error.value.problems) == set(told)
        else:
            asyncio.run(start(path))


@pytest.mark.parametrize(
    "sections",
    [{name: value} for name, values in SECTIONS.items() for value in values],
    ids=str,
)
def test_of_one_section_check_and_run_say_the_same(sections):
    agree(sections)


@settings(max_examples=25)
@given(DRAWN)
def test_of_any_sections_check_and_run_say_the_same(sections):
    agree(sections)


def test_some_that_are_drawn_start_and_some_do_not():
    with tempfile.TemporaryDirectory() as name:
        whole = refused(written(Path(name), {}))
        broken = refused(written(Path(name), {"activity": {"bearer": {"file": "gone"}}}))

    assert (len(whole), len(broken)) == (0, 1)
