"""The rights that are shipped for each mode, tried as real requests on a real API server."""

import pytest
import yaml

from tests.project import ROOT
from tests.real.kubernetes.api import Refused
from tests.real.kubernetes.cluster import gpu_pod
from tests.real.kubernetes.kueue import gpu_job

MODES = ("observe", "notify", "act")
NOWHERE = {"dryRun": "All"}
POD = "/api/v1/namespaces/{lab}/pods/held"
JOB = "/apis/batch/v1/namespaces/{lab}/jobs/batch"
DEPLOYMENT = "/apis/apps/v1/namespaces/{lab}/deployments/served"
NOTE = {"metadata": {"annotations": {"gpu-reaper.io/notice": "a word"}}}
EVENT = {
    "metadata": {"generateName": "told-"},
    "involvedObject": {"kind": "Pod", "name": "held"},
    "reason": "Told",
    "type": "Normal",
}
READ = (
    "/api/v1/pods",
    "/api/v1/nodes",
    "/api/v1/namespaces",
    "/apis/apps/v1/deployments",
    "/apis/apps/v1/replicasets",
    "/apis/apps/v1/statefulsets",
    "/apis/batch/v1/jobs",
    "/apis/policy/v1/poddisruptionbudgets",
    "/apis/resource.k8s.io/v1/resourceclaims",
    "/apis/resource.k8s.io/v1/resourceslices",
    "/apis/autoscaling/v2/horizontalpodautoscalers",
)
WRITTEN = {
    "tell by an event": ("POST", "/api/v1/namespaces/{lab}/events", EVENT, 1),
    "tell on a workload": ("PATCH", DEPLOYMENT, NOTE, 2),
    "suspend a job": ("PATCH", JOB, {"spec": {"suspend": True}}, 2),
    "scale a workload": ("PATCH", DEPLOYMENT + "/scale", {"spec": {"replicas": 0}}, 2),
    "evict a pod": ("POST", POD + "/eviction", {"metadata": {"name": "held"}}, 2),
}
"""What may be done, and the first of the modes that may do it."""
NEVER = {
    "delete a pod": ("DELETE", POD, None),
    "make a pod": ("POST", "/api/v1/namespaces/{lab}/pods", {"metadata": {"name": "x"}}),
    "write over a workload": ("PUT", DEPLOYMENT, {"metadata": {"name": "served"}}),
    "delete a workload": ("DELETE", DEPLOYMENT, None),
    "delete a job": ("DELETE", JOB, None),
    "read secrets": ("GET", "/api/v1/namespaces/{lab}/secrets", None),
    "read configurations": ("GET", "/api/v1/namespaces/{lab}/configmaps", None),
    "read logs": ("GET", POD + "/log", None),
    "run in a pod": ("POST", POD + "/exec?command=id", {}),
    "say what a pod does": ("PATCH", POD + "/status", {"status": {"phase": "Failed"}}),
    "change a node": ("PATCH", "/api/v1/nodes/rights01", {"spec": {"unschedulable": True}}),
    "delete a namespace": ("DELETE", "/api/v1/namespaces/{lab}", None),
    "get somebody's token": (
        "POST",
        "/api/v1/namespaces/{lab}/serviceaccounts/default/token",
        {"spec": {}},
    ),
    "give itself rights": (
        "POST",
        "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
        {"metadata": {"name": "x"}},
    ),
    "lift a disruption budget": (
        "DELETE",
        "/apis/policy/v1/namespaces/{lab}/poddisruptionbudgets/guard",
        None,
    ),
}


@pytest.fixture(scope="module")
def accounts(kubernetes):
    """Give an account for each mode, with the rules of its shipped ClusterRole."""
    made, roles = {}, []
    for mode in MODES:
        text = (ROOT / f"deploy/kubernetes/overlays/{mode}/rights.yaml").read_text()
        shipped = next(
            one for one in yaml.safe_load_all(text) if one and one["kind"] == "ClusterRole"
        )
        name = f"rights-{mode}"
        group = "rbac.authorization.k8s.io"
        role = {**shipped, "metadata": {"name": name}}
        bound = {
            "apiVersion": f"{group}/v1",
            "kind": "ClusterRoleBinding",
            "metadata": {"name": name},
            "roleRef": {"apiGroup": group, "kind": "ClusterRole", "name": name},
            "subjects": [{"kind": "ServiceAccount", "namespace": "default", "name": name}],
        }
        kubernetes.apply(role, bound)
        roles += [role, bound]
        made[mode] = kubernetes.service_account("default", name)
    yield made
    kubernetes.delete(*roles)


@pytest.fixture(scope="module")
def place(kubernetes, accounts):
    """A namespace with a pod, a job and a deployment in it, and none of them on a node."""
    with kubernetes.namespace() as lab:
        labels = {"app": "served"}
        spec = gpu_pod(lab, "")["spec"]
        del spec["terminationGracePeriodSeconds"]
        deployment = {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"namespace": lab, "name": "served"},
            "spec": {
                "replicas": 0,
                "selector": {"matchLabels": labels},
                "template": {"metadata": {"labels": labels}, "spec": spec},
            },
        }
        kubernetes.apply(
            gpu_pod(lab, "held", nodeSelector={"rig": "none"}),
            gpu_job(lab, "batch", suspend=True),
            deployment,
        )
        yield lab


def status(api, verb: str, path: str, body) -> int:
    """Return how the API server answers a request that changes nothing."""
    form = "application/merge-patch+json" if verb == "PATCH" else "application/json"
    try:
        api._ask(verb, path, {} if verb == "GET" or "?" in path else NOWHERE, body, form)
    except Refused as refused:
        return refused.status
    return 200


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_may_read_what_claims_are_made_of(accounts, mode):
    assert {path: status(accounts[mode], "GET", path, None) for path in READ} == dict.fromkeys(
        READ, 200
    )


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("what", WRITTEN)
def test_a_mode_may_write_what_it_needs_and_a_lesser_one_may_not(accounts, place, mode, what):
    verb, path, body, least = WRITTEN[what]

    said = status(accounts[mode], verb, path.format(lab=place), body)

    assert (said == 403) == (MODES.index(mode) < least), said


@pytest.mark.parametrize("mode", MODES)
def test_no_mode_may_do_what_no_release_needs(accounts, place, mode):
    said = {
        what: status(accounts[mode], verb, path.format(lab=place), body)
        for what, (verb, path, body) in NEVER.items()
    }

    assert said == dict.fromkeys(NEVER, 403)
