"""Labels that match nobody are told, with what the engine has instead."""

from tests.reaper.activity.prometheus.conftest import Asking
from tests.reaper.activity.prometheus.gauges.test_dcgm import IDLE, rows, scrape


async def test_a_job_label_that_matches_nobody_is_told_with_those_there_are(asking: Asking):
    async with asking({"dcgm": {"match": {"job": "dcgm-exporter"}}}) as scene:
        scrape(scene, rows(IDLE), 55, job="gpu-metrics")
        await scene.round(1)
        (problem,) = scene.activity.problems
        (instead,) = await scene.activity.unmatched()

        assert 'no series of DCGM_FI_DEV_GPU_UTIL_RATIO has job="dcgm-exporter"' in problem
        assert 'with job "gpu-metrics"' in instead


async def test_a_cluster_that_matches_nobody_is_told_where_only_ours_are_asked(asking: Asking):
    async with asking({"match": {"job": "gpu-exporter", "cluster": "grove"}}) as scene:
        page = 'gpunode_node_info{node="gpu01"} 1\n'
        scene.engine.scrape(page.encode(), scene.clock.now(), job="gpu-exporter", cluster="orchard")
        await scene.round(1)

        assert 'cluster="grove"' in scene.activity.problems[0]
        assert 'with cluster "orchard"' in (await scene.activity.unmatched())[0]


async def test_an_engine_that_scrapes_nothing_says_so(asking: Asking):
    async with asking({}) as scene:
        await scene.round(1)

        assert "does it scrape them?" in (await scene.activity.unmatched())[0]


async def test_what_matches_leaves_nothing_to_say(asking: Asking):
    async with asking({"dcgm": {}}) as scene:
        scrape(scene, rows(IDLE), 55)
        await scene.round(1)

        assert scene.activity.problems == ()
        assert await scene.activity.unmatched() == ()
