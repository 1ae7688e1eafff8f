"""The pages of a report, as people and programs get them."""

from collections.abc import Callable
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.grid import Pace
from reaper.domain.money.entries import Event
from reaper.domain.money.ledger import Ledger, Terms
from reaper.reports.pages import PAGES
from reaper.reports.week import WeekReport
from tests.books import (
    HOUR,
    MIDNIGHT,
    MINUTE,
    TEN,
    priced,
    room,
    tenure_of,
    track_of,
    worked_example,
    worked_terms,
)
from tests.reports import reported

SUFFIX = {"text": "txt", "json": "json", "csv": "csv", "html": "html", "markdown": "md"}


async def worked() -> WeekReport:
    """The design's worked example, its week over."""
    span = (MIDNIGHT - 7 * 24 * HOUR, MIDNIGHT)
    policies = ("notebooks 3f2a91 (act)",)
    return await reported(
        worked_example(), worked_terms(HOUR), now=MIDNIGHT, span=span, policies=policies
    )


async def doubtful() -> WeekReport:
    """A week so far in which little was seen, much has no price and devices are claimed twice."""
    ledger = Ledger(
        tenures=(
            tenure_of("51", "GPU-0", TEN, None, owner="mira", purpose=Purpose.INTERACTIVE),
            tenure_of("52", "GPU-1", TEN, None, owner="=otto\n", team="@speech", model="L4"),
            tenure_of("53", "GPU-1", TEN + HOUR, None, owner="zoe"),
            tenure_of("54", "node2:0", TEN, None, owner="ana", node="node2", doubt="no index"),
        ),
        tracks={
            "GPU-0": track_of(TEN, "A" * 20 + "H" * 40 + "?" * 30 + "X" * 30),
            "GPU-1": track_of(TEN, "L" * 120),
        },
        capacity=(room(4, TEN), room(2, TEN, node="node3", state="drained")),
        events=(
            Event(at=TEN + HOUR, kind="warning", run_key="51+0", text="mira was warned about 51"),
            Event(
                at=TEN + 61 * MINUTE, kind="keep", run_key="51+0", by="mira", text="kept for 2 h"
            ),
        ),
    )
    terms = Terms(rates=priced("1.20", model="A100"), pace=Pace(step=60.0, startup=600.0))
    return await reported(ledger, terms, now=TEN + 2 * HOUR, zone=ZoneInfo("Europe/Berlin"))


@pytest.mark.parametrize("form", sorted(PAGES))
@pytest.mark.parametrize("make", [worked, doubtful], ids=["worked", "doubtful"])
async def test_a_page_is_what_was_agreed(
    golden: Callable[[str, str], None], make: Callable, form: str
):
    golden(f"report/{make.__name__}.{SUFFIX[form]}", PAGES[form](await make()))


async def test_a_page_without_any_books_says_so(golden: Callable[[str, str], None]):
    report = await reported(replace(Ledger()), Terms(), now=TEN)

    golden("report/empty.txt", PAGES["text"](report))
