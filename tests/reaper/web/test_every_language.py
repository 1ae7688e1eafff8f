"""Every page that a person reads says what it says by the tables of its language."""

import re
from dataclasses import replace

import pytest

from reaper.web.languages import ENGLISH
from reaper.web.port import LEAST
from tests.browser.walks import walked
from tests.builders_gallery import gallery
from tests.builders_picture import HOUR, NOW, hold, node, row
from tests.project import ROOT
from tests.pseudo import pseudo_language, untranslated
from tests.served import Served
from tests.visits import link, rewritten, visiting

WIDE = {
    "languages": {"en": ENGLISH, "wide": pseudo_language("pages")},
    "reads": dict.fromkeys(("mira", "otto"), "wide"),
}

PAGES = {
    "/": "/",
    "/mine": "/mine",
    "/queue": "/queue",
    "/audit": "/audit",
    "/report": "/report?week=nonsense",
    "/allocation/{platform}/{id}": "/allocation/slurm/48213",
    "/ask/{verb}/{platform}/{id}": "/ask/release/slurm/48213",
    "/answer/{token}": "/answer/old",
}
"""A page of each route that answers with one."""

OTHERS = (
    *("/?q=nobody", "/?q=mira", "/audit?q=nobody&days=1", "/nothing", "/allocation/slurm/0"),
    *("/allocation/slurm/48500", "/allocation/host/rstudio-7", "/allocation/slurm/48510"),
    *("/allocation/slurm/48390", "/ask/keep/slurm/48213", "/ask/until_morning/slurm/48213"),
    *("/ask/dispute/slurm/48213", "/ask/release/slurm/48510"),
)
NO_PAGES = {"/healthz", "/readyz", "/do/{verb}/{name}", "/sign-in", "/sign-in/back", "/sign-out"}
"""Routes that answer with a line for machines, or lead elsewhere."""


def names() -> set[str]:
    """Return what people and machines are called here, what people typed, and units."""
    rows = gallery().rows
    said = {getattr(one, name) for one in rows for name in NAMED}
    said |= {place for one in rows for place in one.nodes} | set(TYPED)
    return said | {one.name for one in gallery().sources} | {one.node for one in gallery().nodes}


NAMED = ("id", "platform", "name", "owner", "team", "account", "partition", "model", "policy")
TYPED = (
    *("gpu-reaper", "sim", "aurora", "UTC", "EUR", "JSON", "otto", "proxy", "sweep", "pretrain-7b"),
    *(
        "ravi",
        "demo at four",
        "looked at it with mira",
        "quiet-training",
        "guest",
        "jupyter",
        "interlock:coverage",
        "nobody",
    ),
    "It waits for data: the copy from the archive takes until six.",
    "maintenance of the file system",
    "paused",
)


async def told(served: Served, path: str, user: str = "otto") -> str:
    async with visiting(served, user, Accept_Language="wide") as somebody:
        return (await somebody.get(path)).text


def test_every_route_that_answers_with_a_page_is_walked():
    routes = {path for path in LEAST if not path.startswith("/api/")} - NO_PAGES
    pages = (ROOT / "reaper/web/html/pages.py").read_text("utf-8")
    read = re.findall(r'add_get\("(/[a-z]*)"', pages)

    assert routes | set(read) <= PAGES.keys()


@pytest.mark.parametrize("user", ["otto", "mira"])
@pytest.mark.parametrize("path", [*PAGES.values(), *OTHERS])
async def test_a_page_says_nothing_that_is_not_in_the_tables(tmp_path, path, user):
    async with walked(tmp_path, **WIDE) as served:
        page = await told(served, path, user)

    assert untranslated(page, names()) == set()


STATES = {
    "old": {"at": NOW - HOUR},
    "from the future": {"at": NOW + HOUR},
    "empty": {"rows": (), "allocated": 0, "idle": 0, "nodes": (), "sources": ()},
    "blind": {"coverage": 0.0, "idle": 0, "rows": (replace(row(), idle_gpus=0),)},
    "unseen nodes": {"nodes": (node(as_of=None), node(doubt="two owners"))},
    "paused": {"holds": (hold(by="otto", kind="paused", until=NOW + HOUR),)},
}


@pytest.mark.parametrize("changes", STATES.values(), ids=STATES)
async def test_the_cluster_speaks_by_the_tables_whatever_its_state(tmp_path, changes):
    async with walked(tmp_path, **WIDE) as served:
        await rewritten(served, **changes)
        pages = [await told(served, path) for path in ("/", "/queue", "/mine")]

    assert [untranslated(page, names()) for page in pages] == [set(), set(), set()]


async def test_a_signed_link_speaks_by_the_tables(tmp_path):
    async with walked(tmp_path, **WIDE) as served:
        pages = [
            await told(served, link(run_key=key), user="") for key in ("k1", "k33", "forgotten")
        ]

    assert [untranslated(page, names()) for page in pages] == [set(), set(), set()]
