"""Who would undo a stop, and which objects cannot be stopped at all."""

import pytest

from reaper.platforms.kubernetes.objects import meta
from reaper.platforms.kubernetes.release.actor import resume
from reaper.platforms.kubernetes.release.reverters import refusal, scaler
from reaper.ports import ActionError
from tests.fake_kubernetes_kinds import Kind, usual_kinds
from tests.reaper.platforms.kubernetes.release.drawn_workloads import (
    NAMESPACE,
    pod,
    scene,
    workload,
)

ARGO = {"annotations": {"argocd.argoproj.io/tracking-id": "ml:apps/Deployment:ml/one"}}
FLUX = {"labels": {"kustomize.toolkit.fluxcd.io/name": "apps"}}
INSTANCE = {"labels": {"app.kubernetes.io/instance": "one"}}
OWNED = {
    "ownerReferences": [
        {"apiVersion": "seldon.io/v1", "kind": "SeldonDeployment", "name": "s", "uid": "u"}
    ]
}
STARTED = {
    "ownerReferences": [
        {
            "apiVersion": "batch/v1",
            "kind": "CronJob",
            "name": "nightly",
            "uid": "u",
            "controller": True,
        }
    ]
}


def why(word: str, **about) -> str:
    """Return why a workload with this metadata is not stopped."""
    return refusal(meta(workload(word, **about)))


def writes(*managers: str) -> dict:
    """Return metadata that names who has written to it."""
    return {"managedFields": [{"manager": name} for name in managers]}


@pytest.mark.parametrize(
    ("about", "who"),
    [
        (ARGO, "Argo CD"),
        ({"labels": {"argocd.argoproj.io/instance": "one"}}, "Argo CD"),
        (writes("kubectl", "argocd-controller"), "Argo CD"),
        (writes("argocd-application-controller"), "Argo CD"),
        (INSTANCE, "Argo CD"),
        (FLUX, "Flux"),
        ({"labels": {"helm.toolkit.fluxcd.io/name": "one"}}, "Flux"),
        ({"annotations": {"configmanagement.gke.io/managed": "enabled"}}, "Config Sync"),
        ({"labels": {"objectset.rio.cattle.io/hash": "1"}}, "Fleet"),
        ({"labels": {"addonmanager.kubernetes.io/mode": "Reconcile"}}, "addon manager"),
        (OWNED, "SeldonDeployment s"),
    ],
)
def test_whoever_would_undo_it_is_named(about, who):
    assert who in why("deployment", **about)


@pytest.mark.parametrize(
    "about",
    [
        {},
        writes("kubectl", "kube-controller-manager"),
        INSTANCE | writes("kubectl"),
        INSTANCE | {"annotations": {"meta.helm.sh/release-name": "one"}},
        {"labels": {"addonmanager.kubernetes.io/mode": "EnsureExists"}},
    ],
)
def test_nobody_undoes_what_nobody_keeps(about):
    assert why("deployment", **about) == ""


def test_a_job_that_a_cron_job_has_started_is_a_workload_of_its_own():
    assert why("job", **STARTED) == ""


def test_a_kind_that_nobody_knows_is_told_only():
    raw = {"apiVersion": "x.io/v1", "kind": "Thing", "metadata": {"name": "a", "namespace": "b"}}
    assert "Thing" in refusal(meta(raw))
    assert refusal(meta(raw), queued=True) == ""


def autoscaler(kind: str, of: tuple[str, str, str] = ("apps/v1", "Deployment", "one")) -> dict:
    """Return an autoscaler of something."""
    version, target, name = of
    versions = {
        "HorizontalPodAutoscaler": "autoscaling/v2",
        "ScaledObject": "keda.sh/v1alpha1",
        "VerticalPodAutoscaler": "autoscaling.k8s.io/v1",
    }
    where = "targetRef" if kind.startswith("Vertical") else "scaleTargetRef"
    return {
        "apiVersion": versions[kind],
        "kind": kind,
        "metadata": {"name": "scaler", "namespace": NAMESPACE},
        "spec": {where: {"apiVersion": version, "kind": target, "name": name}},
    }


VERTICAL = Kind(
    group="autoscaling.k8s.io",
    version="v1",
    kind="VerticalPodAutoscaler",
    plural="verticalpodautoscalers",
)


@pytest.mark.parametrize(
    "kind", ["HorizontalPodAutoscaler", "ScaledObject", "VerticalPodAutoscaler"]
)
async def test_an_autoscaler_of_it_is_a_refusal_before_anything_is_written(kind):
    owner = workload("deployment")
    kinds = [*usual_kinds(), VERTICAL]
    async with scene("deployment", owner, pod(0, owner), autoscaler(kind), kinds=kinds) as at:
        with pytest.raises(ActionError, match=f"{kind} scaler would undo it") as caught:
            await at.begin()
        assert not caught.value.recoverable
        assert not at.writes


@pytest.mark.parametrize(
    "of",
    [
        ("apps/v1", "Deployment", "two"),
        ("apps/v1", "StatefulSet", "one"),
        ("x/v1", "Deployment", "one"),
    ],
)
async def test_an_autoscaler_of_something_else_is_none(of):
    owner = workload("deployment")
    one = autoscaler("HorizontalPodAutoscaler", of)
    async with scene("deployment", owner, pod(0, owner), one) as at:
        await at.begin()
        assert at.spec("Deployment")["replicas"] == 0


@pytest.mark.parametrize("mode", ["Off", "Initial"])
def test_a_vertical_autoscaler_that_ends_no_pod_is_harmless(mode):
    raw = autoscaler("VerticalPodAutoscaler")
    raw["spec"]["updatePolicy"] = {"updateMode": mode}
    assert scaler(raw, "autoscaling.k8s.io", "VerticalPodAutoscaler") is None


KEEPS_NO_VOLUMES = {"persistentVolumeClaimRetentionPolicy": {"whenScaled": "Delete"}}


@pytest.mark.parametrize(
    ("word", "spec", "told"),
    [
        ("statefulset", KEEPS_NO_VOLUMES, "volumes"),
        ("leaderworkerset", {"leaderWorkerTemplate": KEEPS_NO_VOLUMES}, "volumes"),
        ("rayjob", {"shutdownAfterJobFinishes": False}, "shutdownAfterJobFinishes"),
        ("rayjob", {"clusterSelector": {"a": "b"}}, "not its own"),
        ("job", {"managedBy": "kueue.x-k8s.io/multikueue"}, "multikueue"),
        ("jobset", {"managedBy": "kueue.x-k8s.io/multikueue"}, "multikueue"),
    ],
)
async def test_an_object_that_would_lose_or_not_stop_is_refused(word, spec, told):
    owner = workload(word)
    owner["spec"] |= spec
    async with scene(word, owner, pod(0, owner)) as at:
        with pytest.raises(ActionError, match=told):
            await at.begin()
        assert not at.writes


async def test_a_pod_that_its_node_runs_from_a_file_is_refused():
    static = pod(annotations={"kubernetes.io/config.mirror": "x"})
    async with scene("pod", static, name="pod-0") as at:
        with pytest.raises(ActionError, match="from a file"):
            await at.begin()


async def test_a_kserve_that_knows_a_stop_is_stopped_by_it():
    owner = workload("inferenceservice")
    owner["status"] = {"conditions": [{"type": "Stopped", "status": "False"}]}
    async with scene("inferenceservice", owner, pod(0, owner)) as at:
        await at.begin()
        assert at.notes("InferenceService")["serving.kserve.io/stop"] == "true"
        assert at.spec("InferenceService")["predictor"] == {"minReplicas": 1}


async def test_an_older_kserve_without_a_scaler_to_zero_is_refused():
    raw = {"serving.kserve.io/deploymentMode": "RawDeployment"}
    owner = workload("inferenceservice", annotations=raw)
    async with scene("inferenceservice", owner, pod(0, owner)) as at:
        with pytest.raises(ActionError, match=r"0\.15\.1"):
            await at.begin()


async def test_a_notebook_that_is_started_again_has_no_old_activity_left():
    old = {"notebooks.kubeflow.org/last-activity": "2026-07-01T00:00:00Z"}
    owner = workload("notebook", annotations=old)
    async with scene("notebook", owner, pod(0, owner)) as at:
        await at.begin()
        assert at.notes("Notebook")["kubeflow-resource-stopped"] == "2026-07-06T12:00:00Z"
        await resume([at.connection], at.run.id, clock=at.clock)
        assert set(at.notes("Notebook")) == {"gpu-reaper.io/resumed"}
