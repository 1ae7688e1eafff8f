"""Which node an exporter of gauges is of: by what is usual, by a setting, or why by nothing."""

import pytest

from reaper.activity.prometheus.gauges.dcgm import sampled
from reaper.activity.prometheus.queries.answer import RawSeries
from tests.reaper.activity.prometheus.conftest import Asking
from tests.reaper.activity.prometheus.gauges.test_dcgm import IDLE, every, rows, scrape

POD = "nvidia-dcgm-exporter-57pvc"
UUID = "GPU-00000000-0000-0000-0000-000000000001"
#: As a raw series stands in an engine whose scrape added `node`.
ADDED = {
    "__name__": "DCGM_FI_DEV_GPU_UTIL",
    "UUID": UUID,
    "gpu": "0",
    "device": "nvidia0",
    "Hostname": POD,
    "node": "aks-gpu-000000",
    "instance": "10.244.1.9:9400",
    "job": "gpu-metrics",
}


def node(metric: dict[str, str], **how) -> str:
    given = {"short_names": False, "exporters": {}, "end": 60.0} | how
    (found,) = sampled([RawSeries(metric, ((30.0, 0.0),))], **given)
    return found.device.node


def test_where_hostname_is_a_pod_the_label_of_the_scrape_counts():
    assert node(ADDED) == "aks-gpu-000000"


def test_the_pod_that_was_scraped_is_no_node_whatever_it_is_called():
    metric = ADDED | {"Hostname": "metrics-7"}

    assert node(metric, exporters={"10.244.1.9:9400": "metrics-7"}) == "aks-gpu-000000"
    assert node(metric) == "metrics-7"


@pytest.mark.parametrize(
    ("label", "metric", "meant"),
    [
        ("node", {"Hostname": "gpu01"}, "aks-gpu-000000"),
        ("kubernetes_io_hostname", {"kubernetes_io_hostname": "gpu07"}, "gpu07"),
        ("instance", {"instance": "gpu07.example.org:9400"}, "gpu07.example.org"),
        ("instance", {"instance": "10.0.0.7:9400"}, "10.0.0.7"),
        ("absent", {}, ""),
    ],
)
def test_a_setting_names_the_label_that_holds_the_node(label, metric, meant):
    assert node(ADDED | metric, node_label=label) == meant


def test_a_domain_is_cut_off_where_told_and_an_address_never():
    fqdn, address = {"Hostname": "gpu01.example.org"}, {"instance": "10.0.0.7:9400"}

    assert node(ADDED | fqdn, short_names=True) == "gpu01"
    assert node(ADDED | address, short_names=True, node_label="instance") == "10.0.0.7"


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (f'gpu="0", UUID="{UUID}"', "it has no label Hostname"),
        (f'gpu="0",UUID="{UUID}",Hostname="{POD}"', f"Hostname is {POD}, a pod's name"),
        ('gpu="0",Hostname="gpu01"', "neither label UUID nor uuid"),
    ],
)
async def test_what_cannot_be_joined_says_why_and_which_setting_helps(asking: Asking, labels, said):
    async with asking({"dcgm": {"interval": "30s"}}) as scene:
        scrape(scene, rows(IDLE, labels), 55)
        (report,) = (await scene.round(1)).nodes

        assert said in report.error
        assert report.target == "10.0.0.1:9400"
        assert report.devices == ()
        assert "UUID" in report.error or "node_label" in report.error


async def test_a_lower_case_uuid_and_older_names_of_pods_are_read(asking: Asking):
    labels = (
        f'gpu="0",uuid="{UUID}",Hostname="oldns",container_name="main",pod_name="trainer-0",'
        'pod_namespace="team"'
    )
    async with asking({"dcgm": {"interval": "30s"}}) as scene:
        scrape(scene, rows(IDLE, labels), 55)
        (report,) = (await scene.round(1)).nodes

        assert [(item.gpu, item.node) for item in report.devices] == [(UUID, "oldns")]
        assert {(item.platform, item.id) for item in report.shares} == {
            ("kubernetes", "team/trainer-0")
        }


async def test_names_of_1x_are_read_as_the_same_signals(asking: Asking):
    values = {"dcgm_gpu_utilization": 0, "dcgm_fb_used": 40000, "dcgm_power_usage": 30.98}
    text = rows(values, f'gpu="0",UUID="{UUID}",Hostname="v1x"')
    async with asking({"dcgm": {"interval": "30s"}}) as scene:
        for at in every(15, 2, 119):
            scrape(scene, text, at)
        answer = await scene.round(2)

        assert scene.letters(answer) == {UUID: "H"}
        assert answer.nodes[0].readings[-1].memory_used == 40000 * 2**20
