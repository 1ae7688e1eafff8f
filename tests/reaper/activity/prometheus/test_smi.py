"""Pages of nvidia_gpu_exporter in an engine: gauges of nvidia-smi, nodes by their address."""

import pytest

from tests.public_traces import public
from tests.reaper.activity.prometheus.conftest import Asking
from tests.reaper.activity.prometheus.gauges.test_dcgm import every

UUID = "00000000-0000-0000-0000-000000000001"
SMI = {"nvidia_gpu_exporter": {"interval": "30s"}}
TARGET = {"job": "nvidia_gpu_exporter", "instance": "gpu07.example.org:9835"}


def page(busy: float, memory: float = 2e10, watts: float = 80) -> bytes:
    """Write what the exporter shows of one GPU; it leaves ``GPU-`` out of the UUID."""
    info = f'nvidia_smi_gpu_info{{index="0",name="NVIDIA H100 80GB HBM3",uuid="{UUID}"}} 1\n'
    values = {
        "utilization_gpu_ratio": busy,
        "utilization_encoder_ratio": 0,
        "memory_used_bytes": memory,
        "power_draw_watts": watts,
    }
    text = "".join(f'nvidia_smi_{n}{{uuid="{UUID}"}} {v}\n' for n, v in values.items())
    return (info + text).encode()


@pytest.mark.parametrize(
    ("busy", "memory", "letter"), [(0, 2e10, "H"), (0, 0, "E"), (0.07, 2e10, "A"), (1, 2e10, "A")]
)
async def test_utilisation_and_memory_make_letters(asking: Asking, busy, memory, letter):
    async with asking(SMI) as scene:
        for at in every(15, 2, 119):
            scene.engine.scrape(page(busy, memory), scene.clock.now() + at, **TARGET)
        answer = await scene.round(2)
        (report,) = answer.nodes

        assert scene.letters(answer) == {f"GPU-{UUID}": letter}
        assert (report.node, report.devices[0].model) == (
            "gpu07.example.org",
            "NVIDIA H100 80GB HBM3",
        )


async def test_an_address_names_no_node_and_the_setting_does(asking: Asking):
    async with asking(SMI) as scene:
        target = TARGET | {"instance": "10.0.0.7:9835", "rack_host": "gpu07"}
        scene.engine.scrape(page(0), scene.clock.now() + 55, **target)
        (report,) = (await scene.round(1)).nodes

        assert "nvidia_gpu_exporter does not tell its node" in report.error
        assert "rack_host" in report.error


@pytest.mark.parametrize(("name", "letter"), [("idle", "E"), ("load", "A")])
async def test_a_recorded_page_is_read(asking: Asking, name, letter):
    recorded = f"linux-x86_64__nvidia-h100-80gb-hbm3__590.48.01__{name}.prom"
    text = public("metrics", "nvidia_gpu_exporter", recorded).read_bytes()
    async with asking(SMI) as scene:
        for at in every(15, 2, 119):
            scene.engine.scrape(text, scene.clock.now() + at, **TARGET)

        assert list(scene.letters(await scene.round(2)).values()) == [letter]
