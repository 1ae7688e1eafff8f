import re
import socket
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from tests.builders_picture import HOUR, NOW, picture, row
from tests.served import serving


def mine():
    return picture(rows=(row(owner="root", policy=""),))


async def test_a_keep_is_passed_on_and_its_answer_told(tmp_path, ask):
    async with serving(tmp_path, mine()) as served:
        answer = await ask(
            "keep", "4711", "--for", "1h", "--reason", "debugging", "--socket", served.socket
        )
        async with served.store.reading() as books:
            (kept,) = await books.keeps(NOW)

    assert (answer.exit_code, answer.output) == (0, "kept slurm/4711 for 1 h: debugging\n")
    assert kept.until == NOW + HOUR


async def test_a_pause_lasts_as_long_as_it_was_asked(tmp_path, ask):
    async with serving(tmp_path, mine()) as served:
        where = ("--socket", served.socket)
        paused = await ask("pause", "--for", "90m", "--reason", "upgrade", *where)
        async with served.store.reading() as books:
            (hold,) = await books.holds()
        resumed = await ask("resume", "--reason", "done", *where)

    assert (paused.exit_code, resumed.exit_code) == (0, 0)
    assert hold.until == NOW + 1.5 * HOUR


async def test_a_refusal_ends_with_1_in_one_line(tmp_path, ask):
    async with serving(tmp_path, mine()) as served:
        where = ("--socket", served.socket)
        unheld = await ask("resume", "--reason", "x", *where)
        unknown = await ask("keep", "1", "--for", "1h", "--reason", "x", *where)
        undisputed = await ask("dispute", "4711", "--reason", "x", *where)

    for answer in (unheld, unknown, undisputed):
        assert answer.exit_code == 1
        assert answer.stderr.startswith("gpu-reaper: ")
        assert answer.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("keep", "4711", "--for", "2", "--reason", "x"),
        ("keep", "4711", "--for", "2h"),
        ("pause",),
    ],
)
def test_wrong_usage_ends_with_2(arguments, run):
    assert run(*arguments).exit_code == 2


def test_a_duration_without_a_unit_names_its_cure(run):
    answer = run("keep", "4711", "--for", "2", "--reason", "x")

    assert "write for example 2m or 2s" in answer.stderr


def test_without_a_running_reaper_a_request_ends_with_3(configuration, run):
    answer = run("pause", "--reason", "x", "--config", configuration)

    assert answer.exit_code == 3
    assert "only the running one can" in answer.stderr


async def test_a_release_is_asked_for_only_when_it_is_meant(tmp_path, ask):
    unruled = picture(rows=(row(owner="root", policy="", mode=""),))
    async with serving(tmp_path, unruled) as served:
        where = ("--reason", "done", "--socket", served.socket)
        unsure = await ask("release", "4711", *where)
        sure = await ask("release", "4711", "--yes", *where)

    assert (unsure.exit_code, "what is not saved is lost" in unsure.output) == (1, True)
    assert "no policy is for it" in sure.stderr


@pytest.mark.parametrize("how", [(), ("--for", "1h", "--until-morning")], ids=["none", "both"])
def test_a_keep_says_how_long_in_one_way(run, how):
    answer = run("keep", "4711", "--reason", "x", *how)

    assert answer.exit_code == 2
    assert "either --for DURATION or --until-morning" in answer.stderr


# ------------------------------------------------------------------ no answer


class Mute:
    """A reaper's socket that takes a request and says what it is told to, if anything."""

    def __init__(self, path: Path, says: bytes) -> None:
        self.says = says
        self.heard = b""
        self._server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._server.bind(str(path))
        self._server.listen()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._server.accept()
                # Whoever only looks whether somebody is there is gone before it is answered.
                with client, suppress(OSError):
                    self._answer(client)

    def _answer(self, client: socket.socket) -> None:
        heard = b""
        while b"}" not in heard and (part := client.recv(4096)):
            heard += part
        self.heard += heard
        if b"POST" in heard:
            client.sendall(self.says)

    def close(self) -> None:
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        self._thread.join(60)


@pytest.mark.parametrize(
    "says",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{",
        b'HTTP/1.1 503 x\r\nContent-Length: 28\r\n\r\n{"error": "the store is full"}',
        b"SSH-2.0\r\n",
    ],
    ids=["nothing", "half an answer", "a fault of its own", "nonsense"],
)
def test_a_change_without_an_answer_may_have_been_made(tmp_path, run, says):
    mute = Mute(tmp_path / "r.sock", says)
    try:
        where = ("--socket", str(tmp_path / "r.sock"))
        kept = run("keep", "4711", "--for", "1h", "--reason", "x", *where)
        paused = run("pause", "--reason", "x", *where)
    finally:
        mute.close()

    assert (kept.exit_code, paused.exit_code) == (4, 4)
    assert re.search("may have been made: ask again with --key [0-9a-f]{12}, which", kept.stderr)
    assert "or look at `gpu-reaper explain 4711`" in kept.stderr
    assert "or look at `gpu-reaper status`" in paused.stderr


async def test_a_change_that_is_asked_again_with_its_key_is_made_once(tmp_path, ask):
    async with serving(tmp_path, mine()) as served:
        where = ("--reason", "x", "--socket", served.socket)
        told = [
            await ask("pause", "--key", "k1", *where),
            await ask("resume", "--key", "k1", *where),
            await ask("pause", "--key", "k1", *where),
            await ask("resume", "--key", "k2", *where),
        ]
        async with served.store.reading() as books:
            holds = await books.holds()

    assert [answer.exit_code for answer in told] == [0, 0, 0, 1]
    assert "was done already" in told[2].output
    assert holds == []


async def test_a_key_is_of_one_change_alone_and_a_refusal_leaves_it(tmp_path, ask):
    async with serving(tmp_path, mine()) as served:
        where = ("--key", "k1", "--socket", served.socket)
        refused = await ask("dispute", "4711", "--reason", "x", *where)
        again = await ask("dispute", "4711", "--reason", "x", *where)
        kept = await ask("keep", "4711", "--for", "1h", "--reason", "x", *where)
        more = await ask("keep", "4711", "--for", "2h", "--reason", "x", *where)

    assert [one.exit_code for one in (refused, again, kept, more)] == [1, 1, 0, 0]
    assert "was done already" not in more.output


@pytest.mark.parametrize("key", ["a b", "k" * 65])
async def test_a_key_that_is_none_is_wrong_usage(tmp_path, ask, key):
    async with serving(tmp_path, mine()) as served:
        told = await ask("pause", "--reason", "x", "--key", key, "--socket", served.socket)

    assert told.exit_code == 2


def test_a_change_that_reached_nobody_was_not_made(tmp_path, run):
    kept = run("keep", "1", "--for", "1h", "--reason", "x", "--socket", str(tmp_path / "no.sock"))

    assert kept.exit_code == 3
