import os
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace

import pytest

from exporter.attribution import Allocation
from exporter.contract.catalog import SESSION_KINDS
from exporter.kernel.proc import Process
from exporter.sampling.snapshot import Session
from exporter.sessions import Heartbeats, Sessions, Terminals
from tests.builders_proc import BOOT, process, pts

NOW = BOOT + 7200.0
UID = os.getuid()


class Node:
    """A node whose terminals are files and whose processes are drawn."""

    def __init__(self, root: Path) -> None:
        self.dev = root / "dev"
        (self.dev / "pts").mkdir(parents=True)
        terminals = Terminals(self.dev, root / "proc", status=self.status)
        self.sessions = Sessions(terminals, Heartbeats(getent="false"))

        self.touched = 0

    def typed(self, number: int, at: float) -> None:
        path = self.dev / "pts" / str(number)
        path.touch()
        os.utime(path, (at, at))

    def touch(self, number: int, at: float) -> None:
        """Set the times as their owner does: the change time moves, too."""
        self.typed(number, at)
        self.touched += 1

    def status(self, path: Path) -> SimpleNamespace:
        """Return a terminal's status; input moves no change time, unlike here."""
        found = path.stat()
        return SimpleNamespace(
            st_mode=found.st_mode,
            st_rdev=found.st_rdev,
            st_uid=found.st_uid,
            st_atime=found.st_atime,
            st_atime_ns=found.st_atime_ns,
            st_ctime_ns=BOOT * 10**9 + self.touched,
        )

    def look(
        self, *members: Process, beside: Iterable[Process] = (), now: float = NOW
    ) -> dict[str, Session]:
        allocation = Allocation(platform="slurm", key=f"14@{BOOT}", members=members)
        everyone = {one.pid: one for one in (*members, *beside)}
        return {one.kind: one for one in self.sessions.look([allocation], everyone, now)}


@pytest.fixture
def node(tmp_path: Path) -> Node:
    return Node(tmp_path)


def shell(pid: int, number: int, *, ppid: int = 0) -> Process:
    return process(pid, ppid=ppid, uid=UID, tty=pts(number), name="bash")


def test_nobody_sits_in_a_batch_job(node: Node):
    assert node.look(process(1, uid=UID), process(2, ppid=1, uid=UID)) == {}


def test_a_shell_was_used_when_its_terminal_was_typed_into(node: Node):
    node.typed(3, NOW - 600)

    found = node.look(shell(1, 3))["shell"]

    assert (found.platform, found.allocation, found.uid) == ("slurm", f"14@{BOOT}", UID)
    assert found.last_activity == (NOW - 600) // 60 * 60


def test_times_are_rounded_down_to_minutes(node: Node):
    node.typed(3, 1_700_000_099.9)

    assert node.look(shell(1, 3))["shell"].last_activity == 1_700_000_040.0


def test_programs_on_one_terminal_are_one_session(node: Node):
    node.typed(3, NOW - 600)

    assert node.look(shell(1, 3), shell(2, 3, ppid=1))["shell"].count == 1


def test_the_latest_of_several_terminals_counts(node: Node):
    node.typed(3, NOW - 6000)
    node.typed(4, NOW - 600)

    found = node.look(shell(1, 3), shell(2, 4))["shell"]

    assert (found.count, found.last_activity) == (2, (NOW - 600) // 60 * 60)


def test_one_terminal_that_cannot_be_read_leaves_all_unproven(node: Node):
    node.typed(3, NOW - 6000)

    assert node.look(shell(1, 3), shell(2, 4))["shell"].last_activity is None


def test_a_closed_terminal_is_remembered(node: Node):
    node.typed(3, NOW - 6000)
    node.typed(4, NOW - 600)
    node.look(shell(1, 3), shell(2, 4))

    assert node.look(shell(1, 3))["shell"].last_activity == (NOW - 600) // 60 * 60


def test_an_ended_allocation_is_forgotten(node: Node):
    node.typed(3, NOW - 600)
    node.look(shell(1, 3))
    node.look()
    node.typed(3, NOW - 6000)

    assert node.look(shell(1, 3))["shell"].last_activity == (NOW - 6000) // 60 * 60


@pytest.mark.parametrize("kind", ["tmux", "screen"])
def test_a_detached_multiplexer_proves_nothing(node: Node, kind: str):
    node.typed(5, NOW - 6000)
    server = process(1, uid=UID, program=f"{kind}-server")

    found = node.look(server, shell(2, 5, ppid=1))

    assert set(found) == {kind}
    assert found[kind].last_activity is None


@pytest.mark.parametrize("kind", ["tmux", "screen"])
def test_a_multiplexer_was_used_when_its_client_was(node: Node, kind: str):
    server = process(1, uid=UID, program=f"{kind}-server")
    client = process(9, uid=UID, tty=pts(8), program=f"{kind}-client")
    node.typed(8, NOW - 3600)
    node.typed(5, NOW - 3600)
    node.look(server, shell(2, 5, ppid=1), beside=[client])
    node.typed(8, NOW + 600)

    found = node.look(server, shell(2, 5, ppid=1), beside=[client], now=NOW + 1200)

    assert found[kind].last_activity == (NOW + 600) // 60 * 60


def test_a_multiplexer_proves_nothing_from_before_it_was_first_seen(node: Node):
    server = process(1, uid=UID, program="tmux-server")
    client = process(9, uid=UID, tty=pts(8), program="tmux-client")
    node.typed(8, NOW - 3600)

    assert node.look(server, beside=[client])["tmux"].last_activity == NOW // 60 * 60


def test_a_client_that_left_is_remembered(node: Node):
    server = process(1, uid=UID, program="tmux-server")
    stays = process(9, uid=UID, tty=pts(8), program="tmux-client")
    leaves = process(10, uid=UID, tty=pts(7), program="tmux-client")
    node.typed(8, NOW - 3600)
    node.typed(7, NOW + 60)
    node.look(server, beside=[stays, leaves])

    found = node.look(server, beside=[stays], now=NOW + 7200)

    assert found["tmux"].last_activity == (NOW + 60) // 60 * 60


def test_a_client_of_somebody_else_proves_nothing(node: Node):
    server = process(1, uid=UID, program="tmux-server")
    other = process(9, uid=UID + 1, tty=pts(8), program="tmux-client")
    node.typed(8, NOW)

    assert node.look(server, beside=[other])["tmux"].last_activity is None


def test_a_shell_beside_a_multiplexer_counts_for_it_too(node: Node):
    server = process(1, uid=UID, program="tmux-server")
    client = process(9, uid=UID, tty=pts(8), program="tmux-client")
    node.typed(8, NOW - 3600)
    node.typed(3, NOW - 3600)
    node.look(server, shell(4, 3), beside=[client])
    node.typed(3, NOW + 600)

    found = node.look(server, shell(4, 3), beside=[client], now=NOW + 1200)

    assert found["tmux"].last_activity == (NOW + 600) // 60 * 60
    assert found["shell"].count == 1


@pytest.mark.parametrize("kind", ["jupyter", "vscode", "rstudio", "desktop", "keeper"])
def test_what_shows_no_input_proves_nothing(node: Node, kind: str):
    found = node.look(process(1, uid=UID, program=kind))[kind]

    assert (found.count, found.last_activity) == (1, None)


def test_a_servers_own_children_are_no_further_sessions(node: Node):
    server = process(1, uid=UID, program="vscode")
    child = process(2, ppid=1, uid=UID, program="vscode")

    assert node.look(server, child)["vscode"].count == 1


def test_a_login_was_used_when_its_terminal_was(node: Node):
    node.typed(3, NOW - 600)
    login = process(1, uid=UID, program="ssh")

    found = node.look(login, shell(2, 3, ppid=1))

    assert found["ssh"].last_activity == found["shell"].last_activity == (NOW - 600) // 60 * 60


def test_a_login_without_a_terminal_may_be_a_tunnel(node: Node):
    assert node.look(process(1, uid=UID, program="ssh"))["ssh"].last_activity is None


def test_the_sleep_that_slurm_keeps_is_no_session(node: Node):
    extern = "/slurm/uid_1001/job_14/step_extern/task_0"
    daemon = process(1, uid=0, program="slurmstepd")
    own = process(2, ppid=1, uid=UID, program="keeper", cgroup=extern)

    assert node.look(daemon, own) == {}


def test_a_persons_sleep_is_a_keeper(node: Node):
    batch = "/slurm/uid_1001/job_14/step_batch/task_0"

    assert "keeper" in node.look(process(2, uid=UID, program="keeper", cgroup=batch))


def test_sessions_of_several_people_are_apart(node: Node):
    found = node.sessions.look(
        [
            Allocation(
                platform="host",
                key="71@5",
                members=(process(1, uid=7, program="jupyter"),),
                around=(process(2, uid=8, program="jupyter"),),
            )
        ],
        {},
        NOW,
    )

    assert sorted((one.kind, one.uid) for one in found) == [("jupyter", 7), ("jupyter", 8)]


def test_every_kind_is_in_the_contract(node: Node):
    assert {"shell", "tmux", "screen", "ssh", "code-server"} <= set(SESSION_KINDS)
    assert {"jupyter", "vscode", "rstudio", "desktop", "keeper"} <= set(SESSION_KINDS)


def test_a_shell_whose_terminal_was_touched_is_told_as_doubtful(node: Node):
    node.typed(3, NOW - 600)
    node.look(shell(1, 3))
    node.touch(3, NOW)
    touched = node.look(shell(1, 3))["shell"]
    node.typed(3, NOW + 60)
    typed = node.look(shell(1, 3), now=NOW + 120)["shell"]

    assert (touched.doubtful, touched.last_activity) == (1, None)
    assert (typed.doubtful, typed.last_activity) == (0, (NOW + 60) // 60 * 60)


def test_a_login_and_a_multiplexer_over_a_touched_terminal_are_doubtful_too(node: Node):
    login = process(1, uid=UID, program="ssh")
    server = process(7, uid=UID, program="tmux-server")
    client = process(9, uid=UID, tty=pts(8), program="tmux-client")
    node.typed(3, NOW - 600)
    node.typed(8, NOW - 600)
    node.look(login, shell(2, 3, ppid=1), server, beside=[client])
    node.touch(3, NOW)
    node.touch(8, NOW)

    found = node.look(login, shell(2, 3, ppid=1), server, beside=[client])

    assert {
        kind: (one.doubtful, one.last_activity) for kind, one in found.items()
    } == dict.fromkeys(("shell", "ssh", "tmux"), (1, None))
