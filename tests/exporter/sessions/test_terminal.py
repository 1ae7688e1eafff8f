import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.kernel.proc import Process
from exporter.sessions.terminal import UNPROVEN, Input, Terminals, device_name, device_number
from tests.builders_proc import process, pts

TYPED = 1_700_000_123.0
BOX = "4f" * 32


@pytest.fixture
def node(tmp_path: Path) -> Path:
    (tmp_path / "dev/pts").mkdir(parents=True)
    (tmp_path / "proc").mkdir()
    return tmp_path


def terminal(folder: Path, name: str, typed: float = TYPED) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    os.utime(path, (typed, typed + 9999))


def at(number: int = 3, cgroup: str = "") -> Process:
    return process(71, uid=os.getuid(), tty=pts(number), cgroup=cgroup)


def namespace(node: Path, pid: int, name: str) -> None:
    folder = node / "proc" / str(pid) / "ns"
    folder.mkdir(parents=True)
    (folder / "mnt").symlink_to(name)


def test_the_last_input_is_the_access_time(node: Path):
    terminal(node, "dev/pts/3")

    assert Terminals(node / "dev", node / "proc").last_input(at(3), TYPED).at == TYPED


def test_a_terminal_that_is_gone_proves_nothing(node: Path):
    assert Terminals(node / "dev", node / "proc").last_input(at(3), TYPED) == UNPROVEN


def test_a_terminal_of_somebody_else_proves_nothing(node: Path):
    terminal(node, "dev/pts/3")
    other = process(71, uid=os.getuid() + 1, tty=pts(3))

    assert Terminals(node / "dev", node / "proc").last_input(other, TYPED) == UNPROVEN


def test_another_device_of_that_name_proves_nothing(node: Path):
    (node / "dev/pts/3").symlink_to("/dev/null")

    assert Terminals(node / "dev", node / "proc").last_input(at(3), TYPED) == UNPROVEN


def test_a_containers_terminal_is_not_the_nodes(node: Path):
    terminal(node, "dev/pts/0")
    inside = at(0, cgroup=f"/docker/{BOX}")

    assert Terminals(node / "dev", node / "proc").last_input(inside, TYPED) == UNPROVEN


def test_a_terminal_of_another_mount_namespace_is_read_below_its_own_root(node: Path):
    terminal(node, "dev/pts/0", TYPED - 500)
    terminal(node, "proc/71/root/dev/pts/0")
    namespace(node, 1, "mnt:[1]")
    namespace(node, 71, "mnt:[2]")
    announced: list[str] = []
    terminals = Terminals(node / "dev", node / "proc", lambda _, target: announced.append(target))

    assert terminals.last_input(at(0), TYPED).at == TYPED
    assert announced == ["pid 71"]


def test_a_container_that_shares_the_nodes_mounts_shares_its_terminals(node: Path):
    terminal(node, "dev/pts/0")
    namespace(node, 1, "mnt:[1]")
    namespace(node, 71, "mnt:[1]")
    inside = at(0, cgroup=f"/docker/{BOX}")

    assert Terminals(node / "dev", node / "proc").last_input(inside, TYPED).at == TYPED


def test_a_terminal_that_was_touched_proves_nothing_until_it_is_typed_into(node: Path):
    terminal(node, "dev/pts/3")
    terminals = Terminals(node / "dev", node / "proc")
    first = terminals.last_input(at(3), TYPED)
    terminals.turn()
    os.utime(node / "dev/pts/3", (TYPED + 50, TYPED + 50))

    assert (first, terminals.last_input(at(3), TYPED + 60)) == (
        Input(at=TYPED),
        Input(doubtful=True),
    )


@pytest.mark.parametrize(
    ("tty", "name"),
    [
        (pts(0), "pts/0"),
        (pts(255), "pts/255"),
        (pts(256), "pts/256"),
        (pts(70000), "pts/70000"),
        (137 << 8 | 4, "pts/260"),
        (4 << 8 | 2, "tty2"),
        (4 << 8 | 64, "ttyS0"),
        (0, None),
        (4 << 8, None),
        (5 << 8, None),
    ],
)
def test_a_terminal_is_named_by_its_number(tty: int, name: str | None):
    assert device_name(tty) == name


@given(st.integers(0, (1 << 20) - 1))
def test_a_terminals_number_is_its_device(number: int):
    assert device_number(pts(number)) == os.makedev(136, number)
