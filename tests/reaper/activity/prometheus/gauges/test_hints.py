"""Labels of other exporters are hints: they can contradict, and they prove nothing."""

from dataclasses import replace

from exporter.contract.scenario import device_uuid
from reaper.domain.facts.allocation import Claim, Place
from reaper.domain.facts.keyed import KeyedClaims
from reaper.domain.facts.share import Share, confirm
from tests import builders
from tests.reaper.activity.prometheus.conftest import START, Asking, Player, Scene
from tests.reaper.activity.prometheus.gauges.test_dcgm import CARD, DCGM, IDLE, rows, scrape
from tests.reaper.activity.prometheus.test_rounds import scraped

GPU = device_uuid("gpu01", 0)
HINTS = {"hints": {"jobstats": {"job": "jobstats"}, "slurm_job_exporter": {"job": "sje"}}}


async def shares(scene: Scene, text: str = "", job: str = "jobstats") -> list[Share]:
    await scraped(scene, Player("AA"), 1)
    if text:
        scene.engine.scrape(text.encode(), START + 55, job=job, instance="gpu01:9445")
    (report,) = (await scene.round(1)).nodes
    return list(report.shares)


async def test_jobstats_names_a_job_as_a_value_or_as_a_label(asking: Asking):
    texts = (
        f'nvidia_gpu_jobId{{uuid="{GPU}",minor_number="0"}} 4711\n',
        f'nvidia_gpu_duty_cycle{{uuid="{GPU}",jobid="4711",userid="1001"}} 0\n',
    )
    for text in texts:
        async with asking(HINTS) as scene:
            assert [(item.gpu, item.id, item.proof) for item in await shares(scene, text)] == [
                (GPU, "4711", False)
            ]


async def test_jobstats_of_an_idle_gpu_names_nobody(asking: Asking):
    text = f'nvidia_gpu_jobId{{uuid="{GPU}"}} 0\nnvidia_gpu_duty_cycle{{uuid="{GPU}"}} 0\n'
    async with asking(HINTS) as scene:
        assert await shares(scene, text) == []


async def test_slurm_job_exporter_names_a_job_of_the_node_and_no_gpu(asking: Asking):
    text = 'slurm_job_utilization_gpu{gpu="0",slurmjobid="12",user="mira"} 0\n'
    async with asking(HINTS) as scene:
        assert [(item.gpu, item.id) for item in await shares(scene, text, "sje")] == [("", "12")]


async def test_hints_that_cannot_be_asked_for_take_nothing_away(asking: Asking):
    async with asking(HINTS) as scene:
        scene.engine.fails_on, scene.engine.status = "nvidia_gpu", 503

        assert await shares(scene) == []
        assert "503" in scene.activity.problems[0]


async def test_dcgm_labels_name_a_job_or_a_pod_but_never_the_pod_that_was_scraped(asking: Asking):
    labels = {
        f'{CARD},hpc_job="4711"': [("slurm", "4711")],
        f'{CARD},exported_pod="nb-0",exported_namespace="lab"': [("kubernetes", "lab/nb-0")],
        f'{CARD},exported_pod="nb-0",pod_uid="u-1"': [("kubernetes", "u-1")],
        f'{CARD},exported_pod="",hpc_job=""': [],
        CARD: [],
    }
    for text, owners in labels.items():
        async with asking(DCGM) as scene:
            scrape(scene, rows(IDLE, text) + "up 1\n", 55)
            (report,) = (await scene.round(1)).nodes

            assert [(item.platform, item.id) for item in report.shares] == owners


def test_a_hint_contradicts_and_proves_nothing():
    device = builders.device(0)
    run = builders.run("7")
    places = (Place(node="gpu01", index=0),)
    claim = Claim(run=run, places=places, user="mira", as_of=run.started)
    hint = Share(
        node="gpu01",
        gpu=device.gpu,
        platform=run.platform,
        id=run.id,
        start=run.started,
        proof=False,
    )
    right = confirm(KeyedClaims([claim]), [hint], {"gpu01": (device,)})
    wrong = confirm(KeyedClaims([claim]), [hint], {"gpu01": (replace(device, gres_index=3),)})

    assert right == (frozenset(), {})
    assert "is labelled as the holder" in wrong[1]["gpu01"]
