import asyncio
import socket
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from reaper.requests import RefusedError
from reaper.web.access.identity import Peer, identify
from reaper.web.settings import Operators
from reaper.web.sockets import ListenError, listen
from tests.builders_picture import picture, row
from tests.served import serving

NOBODY_KNOWN = 61234
"""A uid without a name."""

ASK = """
import http.client, socket, sys
connection = http.client.HTTPConnection("localhost")
connection.sock = socket.socket(socket.AF_UNIX)
connection.sock.connect(sys.argv[1])
connection.request("POST", sys.argv[2], sys.argv[3])
answer = connection.getresponse()
print(answer.status, answer.read().decode())
"""


async def ask_as(served, uid: int, path: str, body: str) -> str:
    """Ask from a real process of another user."""
    served.socket.parent.chmod(0o755)
    child = await asyncio.create_subprocess_exec(
        "setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups",
        sys.executable, "-I", "-c", ASK, str(served.socket), path, body,
        stdout=subprocess.PIPE,
    )  # fmt: skip
    out, _ = await child.communicate()
    return out.decode()


@pytest.fixture
def open_folder():
    """Give a folder that every user may enter."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


async def test_the_kernel_says_who_asks(open_folder, require):
    require("root")
    async with serving(open_folder, picture(rows=(row(owner="daemon", policy=""),))) as served:
        body = '{"name": "4711", "seconds": 60, "reason": "mine"}'
        mine = await ask_as(served, 1, "/api/v1/keep", body)
        others = await ask_as(served, 2, "/api/v1/keep", body)

    assert mine.startswith("200 ")
    assert others.startswith("403 ")
    assert "belongs to daemon, not bin" in others


async def test_only_operators_pause(open_folder, require):
    require("root")
    async with serving(
        open_folder, picture(), operators=Operators(users=("daemon",), groups=("games",))
    ) as served:
        by_user = await ask_as(served, 1, "/api/v1/pause", '{"reason": "x"}')
        by_nobody_special = await ask_as(served, 2, "/api/v1/pause", '{"reason": "x"}')

    assert by_user.startswith("200 ")
    assert by_nobody_special.startswith("403 ")
    assert "bin may not pause" in by_nobody_special


async def test_a_user_without_a_name_is_refused(open_folder, require):
    require("root")
    async with serving(open_folder, picture()) as served:
        answer = await ask_as(served, NOBODY_KNOWN, "/api/v1/pause", '{"reason": "x"}')

    assert answer.startswith("403 ")
    assert f"uid {NOBODY_KNOWN} has no name" in answer


def test_a_member_of_an_operators_group_is_an_operator():
    assert identify(Peer(uid=1, gid=1), Operators(groups=("daemon",))).operator
    assert not identify(Peer(uid=2, gid=2), Operators(groups=("daemon",))).operator


def test_a_user_of_a_foreign_namespace_is_nobody():
    with pytest.raises(RefusedError, match="foreign user namespace"):
        identify(Peer(uid=65534, gid=65534), Operators(users=("nobody",)))


async def test_everybody_may_connect_and_nothing_is_left_at_the_end(tmp_path):
    async with serving(tmp_path, picture()) as served:
        mode = stat.S_IMODE(served.socket.stat().st_mode)

    assert mode == 0o666
    assert not served.socket.exists()


async def test_a_stale_socket_is_replaced(tmp_path):
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(tmp_path / "reaper.sock"))

    async with serving(tmp_path, picture()) as served:
        status, _ = await served.post("/api/v1/pause", {"reason": "x"})

    assert status == 200


async def test_a_socket_that_somebody_listens_at_is_left_alone(tmp_path):
    async with serving(tmp_path, picture()) as served:
        with pytest.raises(ListenError, match="another gpu-reaper listens"):
            listen(served.socket)

        assert served.socket.exists()


def test_a_file_that_is_no_socket_is_left_alone(tmp_path):
    path = tmp_path / "reaper.sock"
    path.write_text("precious")

    with pytest.raises(ListenError, match="is no socket"):
        listen(path)

    assert path.read_text() == "precious"


def test_the_folder_is_made(tmp_path):
    listen(tmp_path / "run" / "gpu-reaper" / "reaper.sock").close()


def test_a_folder_that_cannot_be_made_is_named_with_its_cure(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(ListenError, match=r"cannot listen at .* set `web.socket`"):
        listen(tmp_path / "file" / "reaper.sock")
