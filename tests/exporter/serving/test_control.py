"""The local socket: where it lies, who may, what it carries."""

import os
import socket

import pytest
from aiohttp import web

from exporter import caller
from exporter.serving.control import ControlError, application, listen, peer, remove
from tests.exporter.serving.test_web import Desk


@pytest.fixture
async def desk(tmp_path):
    desk = Desk()

    async def doctor():
        return "all is well\n"

    runner = web.AppRunner(application(desk, doctor))
    await runner.setup()
    await web.SockSite(runner, listen(tmp_path / "socket")).start()
    desk.socket = str(tmp_path / "socket")
    yield desk
    await runner.cleanup()


async def test_a_release_is_asked_for_in_words(desk):
    answer = await caller.post(desk.socket, "/release", {"for": "5m", "reason": "MIG"})

    assert (answer.ok, answer.text, desk.asked) == (
        True,
        "released\n",
        [(300.0, "command", "MIG")],
    )


async def test_a_resume_is_asked_for(desk):
    await caller.post(desk.socket, "/resume", {})

    assert desk.asked == ["resume"]


async def test_the_doctor_is_asked(desk):
    assert (await caller.get(desk.socket, "/doctor")).text == "all is well\n"


async def test_nothing_is_changed_by_a_question(desk):
    answer = await caller.get(desk.socket, "/release")

    assert (answer.ok, desk.asked) == (False, [])


async def test_nobody_at_the_socket_is_told_with_a_cure(tmp_path):
    with pytest.raises(caller.Unreachable, match="is it running"):
        await caller.post(str(tmp_path / "none"), "/resume", {})


@pytest.fixture
def open_handed():
    """A umask that takes nothing away."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("open_handed")
def test_the_socket_is_its_owners_alone_whatever_the_umask(tmp_path):
    server = listen(tmp_path / "deep" / "socket")
    mode, folder = (path.stat().st_mode for path in (tmp_path / "deep/socket", tmp_path / "deep"))
    server.close()

    assert (mode & 0o777, folder & 0o777) == (0o600, 0o755)
    assert os.umask(0) == 0


def test_a_socket_that_was_left_behind_is_replaced(tmp_path):
    listen(tmp_path / "socket").close()
    server = listen(tmp_path / "socket")
    server.close()
    remove(tmp_path / "socket")

    assert not (tmp_path / "socket").exists()


def test_another_exporters_socket_is_left_alone(tmp_path):
    server = listen(tmp_path / "socket")
    with pytest.raises(ControlError, match="another exporter listens there"):
        listen(tmp_path / "socket")
    server.close()


def test_something_else_is_not_removed(tmp_path):
    (tmp_path / "socket").write_text("precious")
    with pytest.raises(ControlError, match="something else"):
        listen(tmp_path / "socket")

    assert (tmp_path / "socket").read_text() == "precious"


def test_who_asks_is_the_kernels_word():
    here, there = socket.socketpair(socket.AF_UNIX)
    with here, there, socket.socket(socket.AF_INET) as other:
        assert (peer(here), peer(other), peer(None)) == (os.getuid(), None, None)
