import os
import shutil
from pathlib import Path

import pytest

from exporter.kernel.proc import Census, ProcUnreadable, ancestors, signal_masks
from tests.builders_proc import BOOT, ProcTree, process, pts


@pytest.fixture
def tree(tmp_path: Path) -> ProcTree:
    return ProcTree(tmp_path / "proc")


def test_a_process_is_read_whole(tree: ProcTree):
    tree.add(71, "train.py", ppid=70, start=12.5, uid=1001, tty=pts(3), session=69, cpu=2.5)

    seen = Census(tree.root).take()[71]

    assert (seen.pid, seen.ppid, seen.session, seen.uid) == (71, 70, 69, 1001)
    assert (seen.start, seen.cpu, seen.state) == (BOOT + 12.5, 2.5, "S")
    assert (seen.name, seen.tty) == ("train.py", pts(3))
    assert seen.cgroups == (("", "/user.slice/user-1001.slice/session-3.scope"),)


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        (b"a) R 1 (b", "a) R 1 (b"),
        (b"two\nlines", "two\nlines"),
        (b"caf\xe9", "caf\ufffd"),
        (b"", ""),
    ],
)
def test_any_name_is_only_a_name(tree: ProcTree, raw: bytes, name: str):
    tree.add(71, raw, ppid=70)

    seen = Census(tree.root).take()[71]

    assert (seen.name, seen.ppid) == (name, 70)


def test_kernel_threads_are_left_out(tree: ProcTree):
    tree.add(2, "kthreadd", flags=0x0020_8040)

    assert Census(tree.root).take() == {}


def test_a_pid_that_was_a_kernel_thread_is_seen_when_it_is_reused(tree: ProcTree):
    census = Census(tree.root)
    tree.add(9, "kworker/0:1", flags=0x0020_8040)
    census.take()
    tree.add(9, "python3")

    passes = [9 in census.take() for _ in range(5)]

    assert passes[-1]


def test_a_vanished_process_is_left_out(tree: ProcTree):
    census = Census(tree.root)
    tree.add(71)
    tree.add(72)
    census.take()
    shutil.rmtree(tree.root / "71")

    assert list(census.take()) == [72]


def test_a_process_that_ends_while_it_is_read_is_left_out(tree: ProcTree):
    (tree.add(71) / "stat").unlink()
    (tree.add(72) / "stat").write_bytes(b"72 (half")
    (tree.add(73) / "stat").write_bytes(b"")

    assert Census(tree.root).take() == {}


def test_unreadable_files_leave_unknowns(tree: ProcTree):
    folder = tree.add(71)
    (folder / "status").unlink()
    (folder / "cgroup").unlink()

    seen = Census(tree.root).take()[71]

    assert (seen.uid, seen.cgroups) == (None, ())


def test_an_unchanged_process_costs_one_read(tree: ProcTree):
    folder = tree.add(71)
    census = Census(tree.root)
    before = census.take()[71]
    (folder / "cgroup").write_text("0::/elsewhere\n")

    after = [census.take()[71] for _ in range(4)]

    assert after[0] is before
    assert after[-1].cgroups == (("", "/elsewhere"),)


def test_a_reused_pid_is_another_process(tree: ProcTree):
    census = Census(tree.root)
    tree.add(71, start=100, uid=1001)
    census.take()
    tree.add(71, start=900, uid=1002, cgroup=("0::/x",))

    seen = census.take()[71]

    assert (seen.start, seen.uid, seen.cgroups) == (BOOT + 900, 1002, (("", "/x"),))


def test_of_an_avoided_pid_nothing_is_read(tree: ProcTree):
    census = Census(tree.root)
    tree.add(71)
    before = census.take()[71]
    tree.add(71, state="D", cpu=9)
    announced: list[str] = []

    seen = census.take(avoided={71}, announce=lambda _, target: announced.append(target))

    assert seen[71] is before
    assert announced == []


def test_every_read_is_announced(tree: ProcTree):
    tree.add(71)
    tree.add(72)
    announced: list[tuple[str, str]] = []

    Census(tree.root).take(announce=lambda name, target: announced.append((name, target)))

    assert sorted(announced) == [("proc", "pid 71"), ("proc", "pid 72")]


def test_a_program_is_told_by_its_command_line(tree: ProcTree):
    tree.add(71, "python3.11", command=("/usr/bin/python3.11", "-m", "ipykernel_launcher"))

    assert Census(tree.root).take()[71].program == "jupyter"


@pytest.mark.parametrize("state", ["D", "S"])
def test_the_command_line_of_a_stuck_process_is_not_read(tree: ProcTree, state: str):
    folder = tree.add(71, "python3", state=state, command=("python3", "-m", "ipykernel"))
    thread = folder / "task" / "72"
    thread.mkdir(parents=True)
    (thread / "stat").write_text((folder / "stat").read_text().replace(f") {state} ", ") D "))
    (folder / "cmdline").unlink()
    os.mkfifo(folder / "cmdline")  # opening it would never return

    assert Census(tree.root).take()[71].program == ""


def test_the_command_line_is_read_once_the_process_is_free(tree: ProcTree):
    command = ("python3", "-m", "ipykernel")
    census = Census(tree.root)
    tree.add(71, "python3", state="D", command=command)
    census.take()
    tree.add(71, "python3", state="S", command=command)

    assert census.take()[71].program == "jupyter"


def test_a_login_is_told_when_it_completes(tree: ProcTree):
    census = Census(tree.root)
    tree.add(71, "sshd", command=("sshd: mira [priv]",))
    before = census.take()[71].program
    tree.add(71, "sshd", command=("sshd: mira@pts/3",))

    after = [census.take()[71].program for _ in range(4)]

    assert (before, after[-1]) == ("", "ssh")


def test_a_tree_without_boot_time_is_refused(tmp_path: Path):
    with pytest.raises(ProcUnreadable, match="no boot time"):
        Census(tmp_path).take()


def test_ancestors_end_where_a_circle_begins():
    first, second = process(1, ppid=2), process(2, ppid=1)

    assert list(ancestors(first, {1: first, 2: second})) == [second]


def test_masks_say_what_a_process_catches(tree: ProcTree):
    tree.add(71, caught=("TERM", "USR1"))

    masks = signal_masks(tree.root, 71)

    assert masks is not None
    assert [number for number in range(1, 32) if masks.catches(number)] == [10, 15]


def test_a_blocked_signal_is_not_caught(tree: ProcTree):
    folder = tree.add(71, caught=("USR1",))
    text = (folder / "status").read_text()
    (folder / "status").write_text(text.replace(f"SigBlk:\t{0:016x}", f"SigBlk:\t{0x200:016x}"))

    masks = signal_masks(tree.root, 71)

    assert masks is not None
    assert not masks.catches(10)


def test_masks_of_a_hidden_process_are_unknown(tree: ProcTree):
    assert signal_masks(tree.root, 71) is None
