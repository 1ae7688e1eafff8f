import asyncio
import json

import pytest

from reaper.cli import status
from reaper.domain.brief import brief
from reaper.reports.layout import plain
from reaper.web.html.headline import headline
from reaper.web.json_api.showing import Status
from tests.builders_gallery import gallery
from tests.builders_picture import HOUR, NOW, busy, node, picture, row
from tests.served import serving


def written(shown=None, *, now=NOW, width=110, whole=True, **given) -> str:
    told = Status(now=now, rate=1.0, picture=shown or gallery(), whole=whole)
    return plain(status.page(told, "from the running reaper", **given), width=width)


def test_the_table_reads_as_it_did(golden):
    golden("cli-status.txt", written())


def test_a_wide_terminal_sees_tracks(golden):
    golden("cli-status-wide.txt", written(width=150, wide=True, everything=True))


def test_a_calm_cluster_is_told_calmly():
    text = written(picture(rows=(busy(),), idle=0, counts={"busy": 1}))

    assert "No GPU is held and idle" in text
    assert "1 busy; --all lists them" in text


def test_of_many_that_burn_the_most_burning_are_listed_and_all_counted():
    many = tuple(row(run_key=str(n), id=f"{n:04}", cost_per_hour=float(n)) for n in range(80))
    counts = {"idle": 80, "busy": 7}

    text = written(brief(picture(rows=many, counts=counts)))

    assert "0079" in text
    assert "0029" not in text
    assert "7 busy, 30 idle; --all lists them" in text


@pytest.mark.parametrize("silent", [0, 1, 3])
def test_a_brief_picture_has_the_headline_of_the_whole(silent):
    unknown = tuple(
        busy(run_key=str(n), id=str(n), verdict="unknown", nodes=(f"node{n}",))
        for n in range(silent)
    )
    nodes = tuple(node(node=f"node{n}", as_of=NOW - 600, error="refused") for n in range(silent))
    whole = picture(
        rows=(busy(), row(), *unknown), nodes=(node(), *nodes), unknown=silent, allocated=2 + silent
    )

    assert headline(brief(whole), NOW) == headline(whole, NOW)


def test_who_sees_only_their_own_is_told_so():
    text = written(picture(rows=(row(),)), whole=False)

    assert "1 allocation of yours; those of others are for operators" in text


def test_a_stale_picture_is_told_first():
    assert "This picture is 1 h old" in written(now=NOW + HOUR).splitlines()[1]


def test_names_cannot_steer_the_terminal():
    odd = row(name="\x1b[2J", owner="a\nb", reason="\x9b31m")

    text = written(picture(rows=(odd,)))

    assert "\x1b" not in text
    assert "\x9b" not in text


async def test_the_running_reaper_is_asked_first(tmp_path, ask):
    async with serving(tmp_path, gallery()) as served:
        answer = await ask("status", "--socket", served.socket)

    assert answer.exit_code == 0
    assert "from the running reaper" in answer.output
    assert "12 s ago" in answer.output


def test_the_store_is_read_when_the_reaper_is_down(stored, run):
    answer = run("status", "--config", stored)

    assert answer.exit_code == 0
    assert "reaper is down: from the store, as of 2026-03-10 14:31 UTC" in answer.output


def test_json_says_where_it_comes_from(stored, run):
    told = json.loads(run("status", "--config", stored, "--json").output)

    assert told["source"].startswith("reaper is down")
    assert told["picture"]["idle"] == 22


def test_without_reaper_and_store_it_ends_with_3(configuration, run):
    answer = run("status", "--config", configuration)

    assert answer.exit_code == 3
    assert answer.stderr.count("\n") == 1
    assert "no reaper answers at" in answer.stderr
    assert "no store at" in answer.stderr


async def test_a_reaper_without_a_cycle_says_so(tmp_path, ask):
    async with serving(tmp_path, None) as served:
        answer = await ask("status", "--socket", served.socket)

    assert (answer.exit_code, answer.stderr) == (
        1,
        "gpu-reaper: no cycle was written yet: ask again in a minute\n",
    )


def test_a_wrong_configuration_ends_with_2_and_every_mistake(tmp_path, run):
    path = tmp_path / "wrong.yaml"
    path.write_text("clusters: x\nweb: {listen: nowhere}\n")

    answer = run("status", "--config", path)

    assert answer.exit_code == 2
    assert "clusters" in answer.stderr
    assert "web.listen" in answer.stderr


@pytest.mark.parametrize(
    "answer", ["{}", "[]", "no JSON", '{"now": 1, "rate": 1, "picture": {"at": 1}}', "\udcff"]
)
async def test_an_answer_of_another_version_ends_with_3(tmp_path, ask, answer):
    async def other(reader, writer):
        await reader.read(4096)
        body = answer.encode("utf-8", "surrogateescape")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        writer.close()

    path = tmp_path / "other.sock"
    async with await asyncio.start_unix_server(other, str(path)):
        told = await ask("status", "--socket", path)

    assert told.exit_code == 3
    assert "restart the reaper" in told.stderr


@pytest.mark.parametrize("content", ["", "half a header\r\n"])
async def test_a_socket_that_answers_nonsense_ends_with_3(tmp_path, ask, content):
    async def nonsense(_reader, writer):
        writer.write(content.encode())
        writer.close()

    path = tmp_path / "nonsense.sock"
    async with await asyncio.start_unix_server(nonsense, str(path)):
        answer = await ask("status", "--socket", path)

    assert answer.exit_code == 3
    assert "did not answer" in answer.stderr


def test_what_is_short_where_gpus_are_not_is_told_to_who_sees_the_cluster():
    """Freeing GPUs starts nothing there."""
    short = ("namespace vision has used up its quota of nvidia.com/gpu: 8 of 8 (gpus)",)

    assert f"not for want of GPUs:\n  {short[0]}" in written(picture(short=short))
    assert "for want of" not in written(picture(short=short), whole=False)
