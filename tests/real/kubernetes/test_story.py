"""One notebook's idle GPUs are released, and the job that waited for them runs."""

from collections.abc import Iterator

import pytest

from tests.fake_nvml.fixtures import fake_library
from tests.real.kubernetes.kueue import MANAGED
from tests.real.kubernetes.story import Stage, stage

__all__ = ["fake_library"]


@pytest.fixture
def at(kubernetes, stand_ins, node, kueue, fake_library) -> Iterator[Stage]:
    """A lab whose queue has as many GPUs as its node."""
    with (
        kubernetes.namespace(MANAGED) as miras,
        kubernetes.namespace(MANAGED) as ottos,
        stage(kubernetes, node, kueue, (miras, ottos), fake_library) as found,
    ):
        yield found


@pytest.mark.timeout(600)
def test_a_stand_in_controllers_idle_notebook_is_released_and_the_job_waiting_in_kueue_runs(at):
    labels = {"kubernetes.io/hostname": at.node.name}
    queue = at.kueue.queue(at.lab, at.other, gpus=2, labels=labels)
    at.open_notebook(queue)
    at.reaper.start()
    at.submit_job(queue)

    job = at.await_job()
    report = at.await_reuse()

    assert job["spec"]["nodeName"] == at.node.name
    assert "kubeflow-resource-stopped" in at.notebook()["metadata"]["annotations"]
    assert report["conduct"]["released"] == 1
    assert report["total"]["reclaimed"] >= report["total"]["reused"]
    assert {post["channel"] for post in at.slack.posts} == {"U0MIRA"}
    assert at.events()
