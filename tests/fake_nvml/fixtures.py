"""Fixtures that give tests the fake library, built once, and a node of their own to play."""

import ctypes
from pathlib import Path

import pytest

from tests.components import require
from tests.fake_nvml.library import FakeNode, build


@pytest.fixture(scope="session")
def fake_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    require("compiler")
    return build(tmp_path_factory.mktemp("nvml"))


@pytest.fixture
def fake_node(tmp_path: Path) -> FakeNode:
    return FakeNode(tmp_path / "nvml.state")


@pytest.fixture
def loaded_node(fake_library, fake_node, monkeypatch) -> FakeNode:
    """A node played by the fake library inside this very process.

    The binding asks for the library by its soname, so the loader hands out the one loaded here.
    """
    for name, value in fake_node.environment(fake_library).items():
        monkeypatch.setenv(name, value)
    ctypes.CDLL(str(fake_library), mode=ctypes.RTLD_GLOBAL)
    return fake_node
