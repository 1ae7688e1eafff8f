"""A served cluster for browsers: an afternoon with disputes, approvals, refusals and a trail."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from reaper.domain.escalation.budget import APPROVAL
from reaper.domain.escalation.decision import Refusal
from reaper.domain.escalation.notice import Delivery
from reaper.domain.reason import because
from reaper.reports.pages import PAGES
from reaper.requests import Identity
from reaper.web.json_api.asks import ReportAsk
from tests import report_gallery
from tests.builders import notice
from tests.builders_gallery import gallery
from tests.builders_picture import HOUR, MINUTE, NOW, busy, case_line, devices, row
from tests.served import Served
from tests.visits import proxied

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip

UNAPPROVED = Refusal(rule="budget", reason=because(APPROVAL, gpus=16))
OUTSIDE = Refusal(rule="hours", reason=because("outside-hours-jobs"))
LARGE = row(
    run_key="k30",
    id="48500",
    name="sweep",
    owner="ada",
    team="vision",
    gpus=32,
    idle_gpus=32,
    nodes=("node10", "node11", "node12", "node13"),
    cost_per_hour=80.0,
    case=case_line(id="c30", due=NOW, held_by=(UNAPPROVED,)),
    devices=devices(*["A" * 9 + "E" * 51] * 8, node="node10"),
)
NOBODYS = row(
    run_key="k31", id="48501", owner="", team="", account="guest", case=case_line(id="c31")
)
HELD = row(
    run_key="k32",
    id="48502",
    owner="ravi",
    case=case_line(
        id="c32",
        due=NOW - MINUTE,
        held_by=(OUTSIDE,),
    ),
)
WORKING = busy(
    run_key="k33",
    id="48510",
    name="pretrain-7b",
    owner="mira",
    gpus=4,
    policy="quiet-training",
    mode="act",
    devices=devices(*["A" * 60] * 4, node="node08"),
)


@asynccontextmanager
async def walked(folder, **settings) -> AsyncIterator[Served]:
    """Serve it behind a proxy; mira owns, otto operates, vera manages."""
    rows = (LARGE, NOBODYS, HELD, WORKING, *gallery().rows)
    async with proxied(folder, rows=rows, **settings) as served:
        async with served.store.transaction(served.epoch) as books:
            before = await books.picture()
            await books.keep_picture(replace(gallery(), rows=before.rows))
        await _lived(served)
        yield served


async def invented(_ask: ReportAsk) -> str:
    """Report an invented week."""
    return PAGES["html"](await report_gallery.report())


async def _lived(served: Served) -> None:
    """Let people ask, and one notice get stuck."""
    requests = served.requests
    mira, ada = Identity(user="mira", channel="slack"), Identity(user="ada", channel="mail")
    otto = Identity(user="otto", operator=True, channel="proxy")
    await requests.keep(name="k1", seconds=HOUR, reason="demo at four", by=mira)
    await requests.dispute(
        name="k30", reason="It waits for data: the copy from the archive takes until six.", by=ada
    )
    await requests.approve(name="k1", reason="looked at it with mira", by=otto)
    async with served.store.transaction(served.epoch) as books:
        (held,) = await books.cases_of("k32")
        await books.keep_notice(
            replace(
                notice(id="n32"),
                case_id=held.id,
                run_key="k32",
                to="ravi",
                kind="final",
                created=NOW - 25 * MINUTE,
                delivery=Delivery.QUEUED,
                attempts=3,
                error="slack: user_not_found",
            )
        )
