"""Whose series is whose: copies, targets that say the same, labels that clash, identities."""

from dataclasses import replace

from exporter.contract.scenario import ScenarioAllocation, device_uuid
from tests.fake_engine import engine
from tests.reaper.activity.prometheus.conftest import START, Asking, Player
from tests.reaper.activity.prometheus.test_rounds import TARGET, scraped

GPU = device_uuid("gpu01", 0)


async def test_a_device_of_two_targets_is_contradicted_and_stands_once(asking: Asking):
    async with asking() as scene:
        await scraped(scene, Player("AA", "HH"), 1, instance="10.0.0.1:19440")
        await scraped(scene, Player("AA", "HH"), 1, instance="10.0.0.2:19440")
        answer = await scene.round(1)
        shown = [device.gpu for report in answer.nodes for device in report.devices]

        assert sorted(shown) == sorted((GPU, device_uuid("gpu01", 1)))
        assert {gpu for report in answer.nodes for gpu in report.contradicted} == set(shown)


async def test_a_device_in_two_engines_is_contradicted(asking: Asking):
    async with engine() as other, asking(more=(other,)) as scene:
        page = await Player("AA").page(1)
        scene.engine.scrape(page, START + 60, **TARGET)
        other.scrape(page, START + 60, **{**TARGET, "instance": "10.0.0.1:19440"})
        answer = await scene.round(1)

        assert [report.contradicted for report in answer.nodes if report.devices] == [{GPU}]


async def test_of_a_pairs_copies_one_is_read(asking: Asking):
    async with asking({"replica_labels": ["replica"]}) as scene:
        player, found = Player("AHEA"), ""
        for minute in (1, 2, 3):
            await scraped(scene, player, minute, replica="a")
            await scraped(scene, player, minute, replica="b")
            answer = await scene.round(minute)
            found += scene.letters(answer).get(GPU, "")

        assert found == "HE"
        assert [report.contradicted for report in answer.nodes] == [frozenset()]


async def test_when_one_of_a_pair_is_away_the_other_is_read(asking: Asking):
    async with asking({"replica_labels": ["replica"]}) as scene:
        player = Player("AHEA")
        await scraped(scene, player, 1, replica="a")
        await scraped(scene, player, 1, replica="b")
        scene.letters(await scene.round(1))
        for labels, samples in scene.engine.series.items():
            if ("replica", "a") in labels:
                samples.append((START + 90, None))
        await scraped(scene, player, 2, replica="b")

        assert scene.letters(await scene.round(2)) == {GPU: "H"}


async def test_two_nodes_of_one_name_belong_to_neither(asking: Asking):
    async with asking() as scene:
        page = await Player("AA").page(1)
        other = page.replace(GPU.encode(), b"GPU-other")
        for number, text in enumerate((page, other)):
            target = {**TARGET, "instance": f"10.0.0.{number}:19440"}
            scene.engine.scrape(text, START + 60, **target)
        answer = await scene.round(1)

        assert ["also reported by" in report.error for report in answer.nodes] == [True, True]
        assert [report.devices for report in answer.nodes] == [(), ()]


async def test_labels_of_the_target_do_not_hide_the_pages_own(asking: Asking):
    async with asking() as scene:
        page = await Player("AA").page(1)
        scene.engine.scrape(page, START + 60, **TARGET, node="rack7", model="rack", gpu="none")
        (report,) = (await scene.round(1)).nodes

        assert (report.node, report.devices[0].gpu) == ("gpu01", GPU)
        assert report.devices[0].model == "NVIDIA H100 80GB HBM3"


async def test_a_job_that_ended_has_no_share_any_more(asking: Asking):
    held = ScenarioAllocation(id="101", user="mira", holds=(("gpu01", 0),), begin=0, end=90)
    async with asking() as scene:
        player = Player("AAAA", allocations=(held,))
        shares = []
        for minute in (1, 2):
            await scraped(scene, player, minute)
            (report,) = (await scene.round(minute)).nodes
            shares.append([(share.id, share.gpu, share.proof) for share in report.shares])

        assert shares == [[("101", GPU, True)], []]


async def test_identities_are_asked_for_seldom_and_at_once_after_a_restart(asking: Asking):
    def identities() -> int:
        return sum("gpunode_signal_info" in form["query"] for form in scene.engine.asked)

    async with asking() as scene:
        player, asked = Player("AAAAAAAAAA"), []
        for minute in range(1, 5):
            await scraped(scene, player, minute)
            await scene.round(minute)
            asked.append(identities())
        page = (await player.page(5)).replace(b"1772442000", b"1772442270")
        scene.engine.scrape(page, START + 300, **TARGET)
        await scene.round(5)

        assert [*asked, identities()] == [1, 1, 1, 1, 2]


async def test_nodes_are_asked_for_some_at_a_time_and_keep_their_place(asking: Asking):
    async with asking(nodes_per_query=2) as scene:
        for number in (3, 1, 2):
            node = f"gpu0{number}"
            await scraped(scene, Player("AA", node=node), 1, instance=f"{node}:19440")
        reports = await scene.reports(1)
        wanted = {form["query"] for form in scene.engine.asked if "sm_active" in form["query"]}

        assert sorted(reports) == ["gpu01:19440", "gpu02:19440", "gpu03:19440"]
        assert len(wanted) == 2


async def test_a_node_that_is_new_is_read_from_then_on(asking: Asking):
    async with asking() as scene:
        await scraped(scene, Player("AAA"), 1, 2)
        await scene.round(1)
        await scraped(scene, Player("AAA", node="gpu02"), 2, instance="gpu02:19440")
        reports = await scene.reports(2)

        assert {target: len(item.readings) for target, item in reports.items()} == {
            "gpu01:19440": 1,
            "gpu02:19440": 1,
        }


async def test_a_page_says_the_same_as_when_it_is_scraped(asking: Asking):
    held = ScenarioAllocation(id="101", user="mira", holds=(("gpu01", 0),), begin=0, end=900)
    async with asking() as scene:
        player = Player("AA", "HH", allocations=(held,))
        await scraped(scene, player, 1)
        (report,) = (await scene.round(1)).nodes
        direct = (await player._source.readings(0)).nodes[0]
        counted = {reading.gpu: reading for reading in direct.readings}

        assert report.devices == direct.devices
        assert set(report.signals) == set(direct.signals)
        assert report.shares == direct.shares
        for reading in report.readings:
            drawn = counted[reading.gpu]
            seen = {name: drawn.observed[name] for name in reading.observed}
            expected = replace(drawn, epoch=reading.epoch, observed=seen, above=drawn.above[:1])
            assert reading == expected
