import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.attribution.cgroup import membership
from exporter.kernel.proc import cgroups_of
from tests.public_traces import public

POD = "0a5e0b1c-7d2f-4a51-9c0e-6d4b2a1c9f10"
SLICE = f"pod{POD.replace('-', '_')}.slice"
BOX = "4f" * 32
SLUID = "s5K1KKYAYG5D00"


@pytest.mark.parametrize(
    ("path", "job", "node", "step"),
    [
        ("/slurm/uid_1001/job_14", "14", "", ""),
        ("/slurm/uid_1001/job_14/step_batch", "14", "", "batch"),
        ("/slurm/uid_1001/job_14/step_0/task_3", "14", "", "0"),
        ("/slurm_gpu01/uid_0/job_14/step_extern/task_0", "14", "gpu01", "extern"),
        ("/slurm_gpu_01/uid_0/job_14/step_0", "14", "gpu_01", "0"),
        ("/system.slice/slurmstepd.scope/job_4/step_0/user/task_0", "4", "", "0"),
        ("/system.slice/slurmstepd.scope/job_4/step_interactive/slurm", "4", "", "interactive"),
        ("/system.slice/gpu01_slurmstepd.scope/job_4/step_0/user", "4", "gpu01", "0"),
        ("/system.slice/gpu_01_slurmstepd.scope/job_4/step_0", "4", "gpu_01", "0"),
        (f"/system.slice/slurmstepd.scope/{SLUID}/step_batch/user/task_0", SLUID, "", "batch"),
        (f"/system.slice/gpu01_slurmstepd.scope/{SLUID}/step_0/user", SLUID, "gpu01", "0"),
        (f"/slurm/uid_1001/{SLUID}/step_0/task_0", SLUID, "", "0"),
        ("/job_14/step_batch/task_0", "14", "", "batch"),
        ("/uid_1001/job_14/step_batch", "14", "", "batch"),
        ("/../../job_14/step_0/user/task_1", "14", "", "0"),
        ((f"/kubepods.slice/kubepods-{SLICE}/cri-containerd-{BOX}.scope/system.slice"
         "/slurmstepd.scope/job_9/step_0/user/task_0"), "9", "", "0"),
        (f"/system.slice/slurmstepd.scope/job_4/step_0/user/task_0/libpod-{BOX}.scope",
         "4", "", "0"),
    ],
)  # fmt: skip
def test_a_job_is_found(path: str, job: str, node: str, step: str):
    found = membership([path])

    assert found is not None
    assert (found.kind, found.id, found.node, found.step) == ("slurm", job, node, step)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "",
        "/system.slice/slurmstepd.scope/system",
        "/system.slice/slurmd.service",
        "/system.slice/gpu01_slurmstepd.scope",
        "/slurm",
        "/slurm/uid_1001",
        "/job_14",
        "/job_14/tmp",
        "/srv/job_14/step_0",
        "/slurm/uid_1001/job_x/step_0",
        "/init.scope",
        "/system.slice/docker.service",
        f"/machine.slice/libpod-conmon-{BOX}.scope",
    ],
)
def test_what_is_no_allocation_is_none(path: str):
    assert membership([path]) is None


def test_a_login_session_is_its_users_and_no_job():
    found = membership(["/user.slice/user-20821.slice/session-157.scope"])

    assert found is not None
    assert (found.kind, found.id) == ("user", "20821")


@pytest.mark.parametrize(
    "below",
    [
        "job_99/step_0",
        "slurmstepd.scope/job_99/step_0",
        "slurm/uid_1001/job_99/step_0",
        f"kubepods.slice/kubepods-{SLICE}",
    ],
)
def test_a_user_cannot_pose_as_a_job_by_making_a_folder(below: str):
    found = membership([f"/user.slice/user-1001.slice/user@1001.service/{below}"])

    assert found is not None
    assert (found.kind, found.id) == ("user", "1001")


@pytest.mark.parametrize(
    ("path", "container"),
    [
        (f"/kubepods/pod{POD}/{BOX}", BOX),
        (f"/kubepods/burstable/pod{POD}/{BOX}", BOX),
        (f"/kubepods/besteffort/pod{POD}", ""),
        (f"/kubepods.slice/kubepods-{SLICE}/cri-containerd-{BOX}.scope", BOX),
        (f"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-{SLICE}/docker-{BOX}.scope",
         BOX),
        (f"/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-{SLICE}/crio-{BOX}.scope",
         BOX),
        (f"/kubepods.slice/kubepods-{SLICE}/crio-conmon-{BOX}.scope", ""),
        (f"/kubepods.slice/kubepods-{SLICE}/crio-{BOX}.scope/container", BOX),
        (f"/system.slice/containerd.service/kubepods-burstable-{SLICE}:cri-containerd:{BOX}", BOX),
        (f"/docker/{'a1' * 32}/kubepods/burstable/pod{POD}/{BOX}", BOX),
        ((f"/docker/{'a1' * 32}/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-burstable"
         f".slice/kubelet-kubepods-burstable-{SLICE}/cri-containerd-{BOX}.scope"), BOX),
        (f"/../../kubepods-{SLICE}/cri-containerd-{BOX}.scope", BOX),
    ],
)  # fmt: skip
def test_a_pod_is_found(path: str, container: str):
    found = membership([path])

    assert found is not None
    assert (found.kind, found.id, found.container) == ("kubernetes", POD, container)


def test_a_static_pods_uid_has_no_dashes():
    found = membership([f"/kubepods/burstable/pod{'7e' * 16}/{BOX}"])

    assert found is not None
    assert found.id == "7e" * 16


@pytest.mark.parametrize(
    "path",
    [
        f"/docker/{BOX}",
        f"/system.slice/docker-{BOX}.scope",
        f"/machine.slice/libpod-{BOX}.scope/container",
        f"/libpod_parent/libpod-{BOX}",
        f"/user.slice/user-1001.slice/user@1001.service/user.slice/libpod-{BOX}.scope",
        f"/default/{BOX}",
    ],
)
def test_a_container_is_found(path: str):
    found = membership([path])

    assert found is not None
    assert (found.kind, found.id) == ("container", BOX)


ECS = "34dc0b5e626f2c5c4c5170e34b10e765-1234567890"


@pytest.mark.parametrize("path", [f"/ecs/{ECS}", f"/ecs/34dc0b5e626f2c5c4c5170e34b10e765/{ECS}"])
def test_a_container_of_ecs_is_found_by_its_task_and_number(path: str):
    found = membership([path])

    assert found is not None
    assert (found.kind, found.id, found.folder) == ("container", ECS, path)


def test_a_user_cannot_pose_as_a_container_of_ecs():
    found = membership([f"/user.slice/user-1001.slice/{ECS}"])

    assert found is not None
    assert found.kind == "user"


def test_of_several_hierarchies_the_one_that_says_most_counts():
    text = (
        "11:memory:/slurm_gpu01/uid_0/job_14\n"
        "6:freezer:/slurm_gpu01/uid_0/job_14/step_batch\n"
        "5:pids:/user.slice/user-0.slice/session-1.scope\n"
        "0::/\n"
    )

    found = membership(path for _, path in cgroups_of(text))

    assert found is not None
    assert (found.id, found.step, found.node) == ("14", "batch", "gpu01")


def test_the_folder_ends_where_the_job_is_named():
    found = membership(["/slurm_gpu01/uid_0/job_14/step_batch/task_0"])

    assert found is not None
    assert found.folder == "/slurm_gpu01/uid_0/job_14"


@given(st.text())
def test_any_text_has_an_answer(text: str):
    membership([path for _, path in cgroups_of(text)])
    membership([text])


@given(
    st.lists(
        st.sampled_from(
            ["slurm", "slurm_a", "uid_0", "job_1", "step_0", "slurmstepd.scope", "..", "",
             "user.slice", "user-1.slice", f"pod{POD}", SLICE, BOX, SLUID, "job_", "pod", "-pod"]
        ),
        max_size=9,
    )
)  # fmt: skip
def test_any_order_of_known_parts_has_an_answer(parts: list[str]):
    found = membership(["/".join(parts)])

    assert found is None or found.id


def recorded_tree() -> dict[str, str]:
    return json.loads(public("cgroups", "treydock-slurm-cgroup-v1-v2-tree.json").read_text())


def test_recorded_trees_of_a_real_cluster_are_read_right():
    recorded = recorded_tree()
    answers = {
        key.split("/")[2]: membership(path for _, path in cgroups_of(text))
        for key, text in recorded.items()
        if key.startswith("fixtures/proc/") and key.endswith("/cgroup")
    }

    assert answers["49276"] is not None
    assert (answers["49276"].kind, answers["49276"].id) == ("slurm", "4")
    assert answers["43310"] is None
    assert answers["67998"] is not None
    assert answers["67998"].kind == "user"


def test_folders_of_a_real_cluster_name_their_jobs():
    recorded = recorded_tree()
    jobs = set()
    for key in recorded:
        # fixtures/<controller>/slurm/… for v1, fixtures/system.slice/… for v2
        path = "/" + key.removeprefix("fixtures/").rpartition("/")[0]
        controller, _, rest = path[1:].partition("/")
        found = membership([path if controller == "system.slice" else f"/{rest}"])
        if found is not None and found.kind == "slurm":
            jobs.add(found.id)

    assert jobs == {"4", "10", "11"}
