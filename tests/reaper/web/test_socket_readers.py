"""Who reads what on the unix socket: the user whom the kernel names, by their role."""

import json
import os
import pwd
import tempfile
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from reaper.domain.brief import brief
from reaper.store.codec import decode
from reaper.web.access.identity import Peer, reader
from reaper.web.json_api.showing import Status
from reaper.web.json_api.told import Explained, Mine
from reaper.web.settings import Operators
from tests.served import serving
from tests.visits import MIRAS, OTTOS, book, picture

USERS = [user for user in pwd.getpwall() if user.pw_uid not in (0, 65534)]
OWNER, OTHER = USERS[0], USERS[1]
OWN = replace(MIRAS, owner=OWNER.pw_name)
EVERYTHING = ("/metrics", "/debug/board", "/api/v1/history", "/api/v1/audit", "/api/v1/queue")


@contextmanager
def open_folder():
    """Make a folder that everybody may enter."""
    with tempfile.TemporaryDirectory(prefix="gpu-reaper-socket-") as place:
        Path(place).chmod(0o755)
        yield Path(place)


@asynccontextmanager
async def read(**settings):
    """Serve an owner's and otto's allocation there."""
    with open_folder() as place:
        async with serving(place, picture(rows=(OWN, OTTOS)), **settings) as served:
            await book(served, OWN, OTTOS)
            yield served


@pytest.fixture(autouse=True)
def _root(require):
    require("root")


async def test_an_owner_sees_their_own_and_totals_without_names():
    async with read() as served:
        status, text = await served.ask_as(OWNER.pw_uid, "/api/v1/status")

    told = decode(Status, text)
    assert (status, [row.owner for row in told.picture.rows]) == (200, [OWNER.pw_name])
    assert (told.whole, told.picture.gpus) == (False, picture(rows=(OWN, OTTOS)).gpus)
    assert "otto" not in text


async def test_whoever_holds_nothing_sees_totals_alone():
    async with read() as served:
        _, text = await served.ask_as(OTHER.pw_uid, "/api/v1/status")

    assert decode(Status, text).picture.rows == ()


async def test_another_ones_allocation_does_not_exist():
    async with read() as served:
        found = await served.ask_as(OWNER.pw_uid, f"/api/v1/explain?name=slurm/{OTTOS.id}")
        missing = await served.ask_as(OWNER.pw_uid, "/api/v1/explain?name=slurm/9999")

    assert (found[0], missing[0]) == (404, 404)
    assert found[1].replace(OTTOS.id, "9999") == missing[1]


async def test_an_owner_explains_their_own():
    async with read() as served:
        _, text = await served.ask_as(OWNER.pw_uid, f"/api/v1/explain?name={OWN.id}")

    assert decode(Explained, text).explanation.run_key == OWN.run_key


async def test_mine_is_whose_the_kernel_says():
    async with read() as served:
        _, text = await served.ask_as(OWNER.pw_uid, "/api/v1/mine")

    assert decode(Mine, text).user == OWNER.pw_name


@pytest.mark.parametrize("path", [*EVERYTHING, "/api/v1/report"])
async def test_what_is_of_everybody_is_for_operators(path):
    async with read() as served:
        status, text = await served.ask_as(OWNER.pw_uid, path)

    assert status == 403
    assert "operators" in json.loads(text)["error"]


@pytest.mark.parametrize("path", ["/api/v1/status", *EVERYTHING])
async def test_an_operator_sees_everything(path):
    async with read(operators=Operators(users=(OTHER.pw_name,))) as served:
        status, text = await served.ask_as(OTHER.pw_uid, path)

    assert status == 200
    assert path != "/api/v1/status" or len(decode(Status, text).picture.rows) == 2


async def test_an_operator_may_ask_for_what_is_read_first():
    async with read(operators=Operators(users=(OTHER.pw_name,))) as served:
        _, text = await served.ask_as(OTHER.pw_uid, "/api/v1/status?brief=yes")

    assert decode(Status, text).picture == brief(picture(rows=(OWN, OTTOS)))


async def test_the_brief_of_an_owner_is_all_of_their_own():
    async with read() as served:
        _, text = await served.ask_as(OWNER.pw_uid, "/api/v1/status?brief=yes")

    assert decode(Status, text).picture.rows == (OWN,)


async def test_a_setting_opens_reading_to_all_but_not_what_people_asked_for():
    async with read(socket_readers="all") as served:
        _, text = await served.ask_as(OTHER.pw_uid, "/api/v1/status")
        status, _ = await served.ask_as(OTHER.pw_uid, "/api/v1/history")

    assert len(decode(Status, text).picture.rows) == 2
    assert status == 403


@pytest.mark.parametrize(("path", "status"), [("/healthz", 200), ("/api/v1/status", 403)])
async def test_whoever_has_no_name_here_reads_health_alone(path, status):
    nameless = max(user.pw_uid for user in USERS) + 4242

    async with read() as served:
        assert (await served.ask_as(nameless, path))[0] == status


async def test_a_path_that_is_none_tells_nobody_anything():
    async with read() as served:
        assert (await served.ask_as(OWNER.pw_uid, "/nothing"))[0] == 404


def test_the_user_that_the_reaper_runs_as_reads_everything():
    asking = Peer(uid=os.geteuid(), gid=os.getegid())

    assert reader(asking, Operators(), "own").sees_all
