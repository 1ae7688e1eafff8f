"""Where things live in namespaces, what waits is a workload; elsewhere it is a job, as ever."""

from dataclasses import replace

import pytest

from reaper.domain.escalation.refusal import refusals
from reaper.domain.judgement.hours import NEVER
from reaper.languages.catalogue import catalogue
from tests.builders import allocation, policy, situation
from tests.builders_picture import picture, row
from tests.served import serving

DEMANDING = replace(policy(), demand="waiting")
IN_HOURS = replace(policy(), any_hour=False)


def reasons(namespace: str, rule: str, **given) -> list[str]:
    held = situation(allocation=allocation(namespace=namespace), **given)
    told = catalogue("reasons", "en")
    return [told.say(item.reason) for item in refusals(held) if item.rule == rule]


@pytest.mark.parametrize(("namespace", "what"), [("", "job"), ("vision", "workload")])
def test_nothing_waits_for_these_gpus(namespace, what):
    assert reasons(namespace, "demand", policy=DEMANDING) == [
        f"no pending {what} could start on these GPUs"
    ]


@pytest.mark.parametrize(("namespace", "what"), [("", "job"), ("vision", "workload")])
@pytest.mark.parametrize("known", [True, False])
def test_outside_working_hours_nothing_waits(namespace, what, known):
    (said,) = reasons(namespace, "hours", policy=IN_HOURS, shift=NEVER, hours_known=known)

    assert said.endswith(f"no {what} waits for these GPUs")


@pytest.mark.parametrize(("namespace", "what"), [("", "jobs"), ("vision", "workloads")])
async def test_the_overview_says_what_waits(tmp_path, namespace, what):
    shown = picture(rows=(row(namespace=namespace),), waiting_gpus=4)
    async with serving(tmp_path, shown) as served:
        _, page = await served.get("/")

    assert f"wanted by {what} that wait." in page


@pytest.mark.parametrize(
    "path",
    [
        "/allocation/kubernetes/vision/notebook/mira",
        "/api/v1/allocations/kubernetes/vision/notebook/mira",
    ],
)
async def test_an_id_of_several_parts_has_its_pages(tmp_path, path):
    ident = "vision/notebook/mira"
    known = row(platform="kubernetes", id=ident, run_key=f"sim/kubernetes/{ident}/uid-1/1773130000")
    async with serving(tmp_path, picture(rows=(known,))) as served:
        status, page = await served.get(path)

    assert (status, ident in page) == (200, True)
