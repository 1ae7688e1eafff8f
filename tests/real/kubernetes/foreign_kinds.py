"""
Kinds that others bring to a cluster, with as much of their published schemas as a stop needs.

Group, version, names, subresources and the fields that stop or count are theirs; what describes
pods is left open.
"""

from collections.abc import Mapping
from typing import Any

from tests.real.kubernetes.api import Object

Schema = Mapping[str, Any]

FLAG: Schema = {"type": "boolean"}
COUNT: Schema = {"type": "integer", "format": "int32", "minimum": 0}
TEXT: Schema = {"type": "string"}
OPEN: Schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
OPENS: Schema = {"type": "array", "items": OPEN}


def fields(**properties: Schema) -> Schema:
    """Write the schema of an object with these fields and no others."""
    return {"type": "object", "properties": properties}


def kind(
    group: str, version: str, name: str, plural: str, *, spec: Schema, scale: bool = False
) -> Object:
    """Write the definition of a namespaced kind with a status."""
    subresources: dict[str, Any] = {"status": {}}
    if scale:
        subresources["scale"] = {
            "specReplicasPath": ".spec.replicas",
            "statusReplicasPath": ".status.replicas",
        }
    schema = {"openAPIV3Schema": fields(spec=spec, status=OPEN)}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}"},
        "spec": {
            "group": group,
            "scope": "Namespaced",
            "names": {"kind": name, "plural": plural, "singular": name.lower()},
            "versions": [
                {
                    "name": version,
                    "served": True,
                    "storage": True,
                    "schema": schema,
                    "subresources": subresources,
                }
            ],
        },
    }


_RUN_POLICY = fields(suspend=FLAG, cleanPodPolicy=TEXT, backoffLimit=COUNT)

KINDS: Mapping[str, Object] = {
    one["spec"]["names"]["kind"]: one
    for one in (
        kind("kubeflow.org", "v1", "Notebook", "notebooks", spec=fields(template=OPEN)),
        kind(
            "kubeflow.org",
            "v1beta1",
            "Workspace",
            "workspaces",
            spec=fields(paused=FLAG, deferUpdates=FLAG, kind=TEXT, podTemplate=OPEN),
        ),
        kind(
            "jobset.x-k8s.io",
            "v1alpha2",
            "JobSet",
            "jobsets",
            spec=fields(suspend=FLAG, managedBy=TEXT, replicatedJobs=OPENS),
        ),
        kind(
            "trainer.kubeflow.org",
            "v1alpha1",
            "TrainJob",
            "trainjobs",
            spec=fields(suspend=FLAG, managedBy=TEXT, runtimeRef=OPEN, trainer=OPEN),
        ),
        kind(
            "kubeflow.org",
            "v1",
            "PyTorchJob",
            "pytorchjobs",
            spec=fields(runPolicy=_RUN_POLICY, pytorchReplicaSpecs=OPEN),
        ),
        kind(
            "kubeflow.org",
            "v2beta1",
            "MPIJob",
            "mpijobs",
            spec=fields(runPolicy=_RUN_POLICY, slotsPerWorker=COUNT, mpiReplicaSpecs=OPEN),
        ),
        kind(
            "ray.io",
            "v1",
            "RayCluster",
            "rayclusters",
            spec=fields(suspend=FLAG, managedBy=TEXT, headGroupSpec=OPEN, workerGroupSpecs=OPENS),
        ),
        kind(
            "ray.io",
            "v1",
            "RayJob",
            "rayjobs",
            spec=fields(
                suspend=FLAG,
                managedBy=TEXT,
                shutdownAfterJobFinishes=FLAG,
                clusterSelector=OPEN,
                entrypoint=TEXT,
                rayClusterSpec=OPEN,
            ),
        ),
        kind(
            "serving.kserve.io",
            "v1beta1",
            "InferenceService",
            "inferenceservices",
            spec=fields(predictor=OPEN, transformer=OPEN, explainer=OPEN),
        ),
        kind(
            "leaderworkerset.x-k8s.io",
            "v1",
            "LeaderWorkerSet",
            "leaderworkersets",
            spec=fields(replicas=COUNT, startupPolicy=TEXT, leaderWorkerTemplate=OPEN),
            scale=True,
        ),
    )
}
"""The definitions by kind."""


def version_of(kind: str) -> str:
    """Return the API version of a kind."""
    spec = KINDS[kind]["spec"]
    return f"{spec['group']}/{spec['versions'][0]['name']}"


def list_path(kind: str, namespace: str = "") -> str:
    """Return where a kind's objects are listed, in all namespaces without one."""
    where = f"/namespaces/{namespace}" if namespace else ""
    return f"/apis/{version_of(kind)}{where}/{KINDS[kind]['spec']['names']['plural']}"
