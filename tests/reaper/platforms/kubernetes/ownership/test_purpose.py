"""What a workload is for."""

from typing import Any

import pytest

from reaper.domain.facts.allocation import Purpose
from reaper.platforms.kubernetes.objects import Family, kind_of
from reaper.platforms.kubernetes.objects import pod as read
from reaper.platforms.kubernetes.ownership.purpose import Rule, Subject, purpose
from tests.reaper.platforms.kubernetes.drawn import container, pod


def subject(
    group: str = "", kind: str = "Pod", *, spec: dict[str, Any] | None = None, **about: Any
) -> Subject:
    known = kind_of(group, kind)
    return Subject(
        namespace="ns",
        kind=kind,
        name="w",
        family=known.family if known else None,
        pod=read(pod(spec=spec, **about)),
        queue="team",
    )


def running(*command: str, **more: Any) -> dict[str, Any]:
    return {"containers": [container(1, command=list(command), **more)]}


@pytest.mark.parametrize(
    ("group", "kind", "expected"),
    [
        ("kubeflow.org", "Notebook", Purpose.INTERACTIVE),
        ("kubeflow.org", "Workspace", Purpose.INTERACTIVE),
        ("batch", "Job", Purpose.TRAINING),
        ("kubeflow.org", "PyTorchJob", Purpose.TRAINING),
        ("trainer.kubeflow.org", "TrainJob", Purpose.TRAINING),
        ("ray.io", "RayJob", Purpose.TRAINING),
        ("ray.io", "RayService", Purpose.INFERENCE),
        ("ray.io", "RayCluster", Purpose.INTERACTIVE),
        ("apps", "Deployment", Purpose.INFERENCE),
        ("serving.kserve.io", "InferenceService", Purpose.INFERENCE),
        ("leaderworkerset.x-k8s.io", "LeaderWorkerSet", Purpose.INFERENCE),
        ("apps", "DaemonSet", Purpose.OTHER),
        ("site.org", "Thing", Purpose.OTHER),
    ],
)
def test_the_kind_says_what_it_is_for(group: str, kind: str, expected: Purpose):
    assert purpose(subject(group, kind))[0] is expected


@pytest.mark.parametrize(
    "spec",
    [
        running("python", stdin=True, tty=True),
        running("bash"),
        running("/bin/sh"),
        running("sleep", "infinity"),
        running("bash", "-c", "sleep infinity"),
        running("bash", "-c", "nvidia-smi && sleep 3600"),
        running("tail", "-f", "/dev/null"),
        running("sh", "-c", "tail -f /dev/null"),
        running("/usr/sbin/sshd", "-D"),
        running("jupyter", "lab"),
        running("python3", "-m", "jupyter", "lab"),
        running("bash", "-c", "exec code-server --auth none"),
    ],
)
@pytest.mark.parametrize(("group", "kind"), [("", "Pod"), ("batch", "Job"), ("apps", "Deployment")])
def test_any_sign_of_a_person_makes_it_interactive(group: str, kind: str, spec: dict[str, Any]):
    assert purpose(subject(group, kind, spec=spec))[0] is Purpose.INTERACTIVE


@pytest.mark.parametrize(
    "spec", [running("python", "train.py"), running("bash", "-c", "python train.py"), running()]
)
def test_a_script_is_no_sign_of_a_person(spec: dict[str, Any]):
    assert purpose(subject("batch", "Job", spec=spec))[0] is Purpose.TRAINING


@pytest.mark.parametrize(
    ("restart", "expected"),
    [("Never", Purpose.TRAINING), ("OnFailure", Purpose.TRAINING), ("Always", Purpose.OTHER)],
)
def test_a_pod_by_itself_trains_where_it_has_an_end(restart: str, expected: Purpose):
    assert purpose(subject(spec={"restartPolicy": restart}))[0] is expected


def test_a_hubs_label_makes_it_interactive_whoever_wrote_it():
    """It protects, so that nobody gains by lying."""
    about = {"labels": {"hub.jupyter.org/username": "mira"}}

    assert purpose(subject(**about))[0] is Purpose.INTERACTIVE


def test_an_operators_first_rule_that_fits_goes_before_any_sign():
    rules = (
        Rule(purpose=Purpose.OTHER, namespace=("other",)),
        Rule(purpose=Purpose.TRAINING, kind=("Job",), queue=("t*",)),
    )
    found = purpose(subject("batch", "Job", spec=running("bash")), rules)

    assert found == (Purpose.TRAINING, ("purpose rule 2 of the configuration",), True)


def test_every_family_is_for_something():
    """A bare pod is told by its signs; a daemon is for nothing that is judged."""
    told = {kind for kind in Family if kind not in {Family.BARE, Family.DAEMON}}
    names = {
        Family.NOTEBOOK: ("kubeflow.org", "Notebook"),
        Family.CLUSTER: ("ray.io", "RayCluster"),
        Family.JOB: ("batch", "Job"),
        Family.DEPLOYMENT: ("apps", "Deployment"),
        Family.SERVER: ("serving.kserve.io", "InferenceService"),
    }

    assert names.keys() == told
    assert all(purpose(subject(*name))[0] is not Purpose.OTHER for name in names.values())
