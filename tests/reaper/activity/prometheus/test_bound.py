"""In an engine's answers too, a target speaks only for the node to which its labels bind it."""

import pytest

from exporter.contract.scenario import device_uuid
from reaper.edge.clock import JumpingClock
from tests.pages import serving
from tests.reaper.activity.exporters.conftest import healthy
from tests.reaper.activity.prometheus.conftest import START, Asking, Player
from tests.reaper.activity.prometheus.queries.test_asking import REPORTED, scene_of
from tests.reaper.activity.prometheus.test_rounds import scraped

GPU = device_uuid("gpu01", 0)


@pytest.fixture
def clock() -> JumpingClock:
    return JumpingClock(at=REPORTED + 60)


async def test_a_lie_blinds_the_liar_and_not_whom_it_names(asking: Asking):
    async with asking() as scene:
        await scraped(scene, Player("AA"), 1)
        await scraped(scene, Player("HH"), 1, instance="gpu66:19440")
        answer = await scene.round(1)
        reports = {report.target: report for report in answer.nodes}

        assert reports["gpu01:19440"].error == ""
        assert [item.gpu for item in reports["gpu01:19440"].devices] == [GPU]
        liar = reports["gpu66:19440"]
        assert (liar.node, liar.claims, liar.devices) == ("gpu66", "gpu01", ())
        assert "is bound to gpu66" in liar.error


async def test_the_other_target_speaks_for_no_node_that_fell_silent(asking: Asking):
    async with asking() as scene:
        await scraped(scene, Player("AAA"), 1)
        await scene.round(1)
        for samples in scene.engine.series.values():
            samples.append((START + 90, None))
        await scraped(scene, Player("HHH"), 2, instance="10.0.0.66:19440")
        answer = await scene.round(2)

        assert [report.node for report in answer.nodes if not report.error] == []
        (asked,) = (await scene.activity.ask(["gpu01"])).nodes
        assert asked.error != ""


async def test_a_device_of_a_silent_node_is_no_other_nodes(asking: Asking):
    async with asking() as scene:
        await scraped(scene, Player("AAA"), 1)
        await scene.round(1)
        for samples in scene.engine.series.values():
            samples.append((START + 90, None))
        page = (await Player("HHH").page(2)).replace(b'node="gpu01"', b'node="gpu66"')
        scene.engine.scrape(page, START + 120, job="gpu-exporter", instance="gpu66:19440")
        answer = await scene.round(2)
        (liar,) = (report for report in answer.nodes if report.node == "gpu66")

        assert (liar.devices, liar.readings) == ((), ())
        assert liar.faults == {GPU: "belongs to gpu01, which has shown it before"}


@pytest.mark.parametrize(
    ("label", "target", "unbound", "error"),
    [
        ("instance", {"instance": "gpu01.cluster.example:19440"}, False, False),
        ("instance", {"instance": "10.0.0.7:19440"}, True, False),
        ("kube", {"instance": "10.0.0.7:19440", "kube": "gpu01"}, False, False),
        ("kube", {"instance": "10.0.0.7:19440", "kube": "gpu66"}, False, True),
        ("kube", {"instance": "gpu66:19440"}, True, False),
        ("node", {"instance": "gpu66:19440"}, True, False),
        ("node", {"instance": "10.0.0.7:19440", "node": "gpu01"}, False, False),
        ("node", {"instance": "10.0.0.7:19440", "node": "gpu66"}, False, True),
        ("", {"instance": "gpu66:19440"}, True, False),
    ],
)
async def test_a_label_of_the_target_binds_it(asking: Asking, label, target, unbound, error):
    async with asking(node_label=label) as scene:
        await scraped(scene, Player("AA"), 1, **target)
        (report,) = (await scene.round(1)).nodes

        assert (report.unbound, report.error != "") == (unbound, error)


async def test_the_last_look_knows_whether_a_label_binds_the_node(asking: Asking, clock):
    async with scene_of(asking, clock, healthy(clock)) as scene:
        await scene.activity.readings(0)
        (loose,) = (await scene.activity.ask(["gpu01"])).nodes

        assert (loose.error, loose.unbound) == ("", True)


async def test_the_last_look_is_at_the_pair_that_is_listed(asking: Asking, clock):
    node, liar = healthy(clock, "gpu01"), healthy(clock, "gpu01")
    async with serving(node, liar):
        pairs = [f"{node.address}=gpu01", f"{liar.address}=gpu02"]
        async with asking(exporters={"targets": pairs}, clock=clock) as scene:
            (sure,) = (await scene.activity.ask(["gpu01"])).nodes
            (lie,) = (await scene.activity.ask(["gpu02"])).nodes

    assert (sure.error, sure.unbound) == ("", False)
    assert "is bound to gpu02" in lie.error
