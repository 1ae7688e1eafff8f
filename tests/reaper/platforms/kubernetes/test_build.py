"""Kubernetes put together from its settings."""

import pytest
from pydantic import ValidationError

from reaper.edge.clock import JumpingClock
from reaper.platforms import Surroundings, builder
from reaper.platforms.kubernetes.settings import KubernetesSettings

AROUND = Surroundings(cluster="grove", clock=JumpingClock(at=0.0))


async def test_kubernetes_is_built_from_empty_settings_and_asks_nothing():
    found = builder("kubernetes")

    platform = found.build(found.settings(), AROUND)
    await platform.close()

    roles = (platform.holder, platform.demand, platform.actor)
    assert [role.name for role in roles if role] == ["kubernetes"] * 3


def test_of_two_clusters_each_has_a_name_of_its_own():
    with pytest.raises(ValidationError, match="give each its own"):
        KubernetesSettings.model_validate({"clusters": [{"name": "a"}, {"name": "a"}]})


async def test_a_cluster_whose_kubeconfig_is_gone_is_said_by_doctor(tmp_path):
    cluster = {"name": "a", "kubeconfig": tmp_path / "gone"}
    settings = KubernetesSettings.model_validate({"clusters": [cluster]})

    platform = builder("kubernetes").build(settings, AROUND)
    (finding,) = await platform.check()
    await platform.close()

    assert finding.ok is False
    assert "gone cannot be read" in finding.what
