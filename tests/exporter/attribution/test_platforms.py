from dataclasses import replace

import pytest

from exporter.attribution import Allocation, Scene, attribute, platforms, shares
from exporter.attribution.kubernetes import KubernetesPlatform
from exporter.attribution.slurm import spellings
from exporter.kernel.proc import Process
from tests.builders_proc import BOOT, process

POD = "0a5e0b1c-7d2f-4a51-9c0e-6d4b2a1c9f10"
BOX = "4f" * 32


def scene(*processes: Process, **holders: set[int]) -> Scene:
    return Scene(
        processes={one.pid: one for one in processes},
        holders={gpu: frozenset(pids) for gpu, pids in holders.items()},
        now=BOOT + 5000.0,
    )


def job(pid: int, number: int = 14, node: str = "", start: float = BOOT) -> Process:
    root = f"slurm_{node}" if node else "slurm"
    return process(pid, start=start, cgroup=f"/{root}/uid_1001/job_{number}/step_0/task_0")


@pytest.fixture
def asked():
    return platforms()


def test_a_job_is_held_since_its_earliest_process(asked):
    found = attribute(asked, scene(job(2, start=BOOT + 9.9), job(1, start=BOOT + 7.5)))

    assert [(one.platform, one.key) for one in found] == [("slurm", f"14@{BOOT + 7}")]


def test_a_job_without_a_process_on_a_device_is_there(asked):
    (found,) = attribute(asked, scene(job(1), a={99}))

    assert found.devices == frozenset()


def test_a_job_is_on_the_devices_of_its_processes(asked):
    (found,) = attribute(asked, scene(job(1), job(2), a={1}, b={2}, c=set()))

    assert found.devices == {"a", "b"}


def test_a_requeued_job_starts_anew_between_two_looks(asked):
    attribute(asked, scene(job(1, start=BOOT + 1)))

    (found,) = attribute(asked, scene(job(2, start=BOOT + 90)))

    assert found.key == f"14@{BOOT + 90}"


def test_a_process_of_the_run_before_is_forgotten_once_it_is_gone(asked):
    left, own = job(1, start=BOOT + 1), job(2, start=BOOT + 90)
    attribute(asked, scene(left, own))

    (found,) = attribute(asked, scene(own))

    assert found.key == f"14@{BOOT + 90}"


def test_a_job_of_several_hierarchies_has_a_folder_in_each(asked):
    path = "/slurm/uid_1001/job_14/step_0"
    first = replace(job(1), cgroups=(("memory", path),))
    second = replace(job(2), cgroups=(("memory", path), ("pids", path)))

    (found,) = attribute(asked, scene(first, second))

    assert {kinds for kinds, _ in found.folders} == {"memory", "pids"}


def test_a_job_that_was_gone_starts_anew(asked):
    attribute(asked, scene(job(1, start=BOOT + 1)))
    attribute(asked, scene())

    (found,) = attribute(asked, scene(job(2, start=BOOT + 90)))

    assert found.key == f"14@{BOOT + 90}"


@pytest.mark.parametrize(
    ("node", "keys"),
    [
        ("gpu01", [f"14@{BOOT}"]),
        ("gpu02", [f"15@{BOOT}"]),
        ("", [f"14@{BOOT}", f"15@{BOOT}"]),
    ],
)
def test_of_several_slurmd_only_the_own_nodes_jobs_count(node: str, keys: list[str]):
    both = scene(job(1, 14, "gpu01"), job(2, 15, "gpu02"), a={1}, b={2})

    assert [one.key for one in attribute(platforms(node), both)] == keys


@pytest.mark.parametrize(
    ("spelt", "ours"),
    [("gpu01.example.org", "gpu01"), ("gpu01", "gpu01.example.org"), ("GPU01", "gpu01")],
)
def test_a_slurmd_that_spells_our_name_otherwise_is_ours_and_told(spelt, ours):
    seen = scene(job(1, 14, spelt), job(2, 15, "gpu02"), a={1})

    assert [one.key for one in attribute(platforms(ours), seen)] == [f"14@{BOOT}"]
    assert spellings(seen, ours) == (spelt,)


@pytest.mark.parametrize("node", ["gpu01", "", "gpu02"])
def test_names_that_are_ours_or_another_nodes_are_no_other_spelling(node):
    assert spellings(scene(job(1, 14, "gpu01"), job(2, 15)), node) == ()


def test_a_host_with_one_slurmd_needs_no_node_name():
    assert len(attribute(platforms("gpu01"), scene(job(1)))) == 1


def test_a_pod_counts_when_it_is_on_a_device(asked):
    inside = process(1, cgroup=f"/kubepods/pod{POD}/{BOX}")
    beside = process(2, cgroup=f"/kubepods/pod{POD.replace('0a', '0b')}/{BOX}")

    (found,) = attribute(asked, scene(inside, beside, a={1}))

    assert (found.platform, found.key, found.devices) == ("kubernetes", f"{POD}@{BOOT}", {"a"})


def test_a_pod_counts_when_the_kubelet_gave_it_a_device():
    platform = KubernetesPlatform(lambda _, running: dict.fromkeys(running, frozenset({"a"})))
    idle = process(1, cgroup=f"/kubepods/pod{POD}/{BOX}")

    (found,) = attribute([platform], scene(idle))

    assert found.devices == {"a"}


def test_a_container_counts_when_it_is_on_a_device(asked):
    inside = process(1, cgroup=f"/docker/{BOX}")
    beside = process(2, cgroup=f"/docker/{'5e' * 32}")

    (found,) = attribute(asked, scene(inside, beside, a={1}))

    assert (found.platform, found.key) == ("container", f"{BOX}@{BOOT}")


def test_a_bare_process_is_known_by_its_pid_and_start(asked):
    bare = process(71, start=BOOT + 3.25, cgroup="/user.slice/user-1001.slice/session-1.scope")

    (found,) = attribute(asked, scene(bare, a={71}))

    assert (found.platform, found.key) == ("host", f"71@{BOOT + 3}")


def test_a_bare_process_has_its_children_and_what_is_above_it(asked):
    login, shell = process(10), process(11, ppid=10)
    holder, worker = process(71, ppid=11), process(72, ppid=71)
    rank = process(73, ppid=71)

    first, second = attribute(asked, scene(login, shell, holder, worker, rank, a={71}, b={73}))

    assert [one.pid for one in first.members] == [71, 72]
    assert [one.pid for one in first.around] == [11, 10]
    assert [one.pid for one in second.members] == [73]


def test_a_process_of_another_nodes_job_is_no_bare_process():
    assert attribute(platforms("gpu01"), scene(job(1, node="gpu02"), a={1})) == ()


def test_a_pid_that_is_not_visible_is_nobody(asked):
    assert attribute(asked, scene(a={4711})) == ()


def test_the_mps_server_is_no_holder_beside_its_clients(asked):
    server = process(50, program="mps")

    beside = attribute(asked, scene(server, process(71), a={50, 71}))
    alone = attribute(asked, scene(server, a={50}))

    assert [one.key for one in beside] == [f"71@{BOOT}"]
    assert [one.key for one in alone] == [f"50@{BOOT}"]


def test_one_holder_has_the_whole_device(asked):
    (share,) = shares(attribute(asked, scene(job(1), job(2), a={1, 2})))

    assert (share.gpu, share.platform, share.allocation) == ("a", "slurm", f"14@{BOOT}")
    assert share.share == 1.0


@pytest.mark.parametrize("count", [2, 3, 7])
def test_several_holders_share_a_device_equally(count: int):
    holding = [Allocation(platform="x", key=str(n), devices=frozenset("a")) for n in range(count)]

    found = [one.share for one in shares(holding)]

    assert found == [1 / count] * count
    assert sum(found) <= 1.0 + 1e-12


def test_an_unallocated_device_has_no_share(asked):
    assert shares(attribute(asked, scene(job(1), a=set()))) == ()


def test_platforms_do_not_claim_a_process_twice(asked):
    within = process(1, cgroup=f"/slurm/uid_1001/job_14/step_0/task_0/libpod-{BOX}.scope")

    found = attribute(asked, scene(within, a={1}))

    assert [one.platform for one in found] == ["slurm"]
