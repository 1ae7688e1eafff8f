import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.attribution.gres import (
    REFRESH,
    RETRY,
    Found,
    GresMap,
    IndexFolder,
    JobFolder,
)
from exporter.attribution.slurmd import SlurmdListing, listed, mapped, mig_minors
from exporter.sampling.snapshot import Device

# What slurmd -G of several versions prints; 22.05 leaves the flags empty.
SPREAD = """\
slurmd: Gres Name=gpu Type=h100 Count=1 Index=3 ID=7696487 File=/dev/nvidia3 (null)
slurmd: Gres Name=gpu Type=h100 Count=1 Index=1 ID=7696487 File=/dev/nvidia1 (null)
slurmd: Gres Name=gpu Type=l40 Count=2 Index=0 ID=7696487 File=/dev/nvidia[0,2] (null)
"""
LATER = (
    "[2026-10-09T06:49:39.018] _read_slurm_cgroup_conf: No cgroup.conf file, using defaults\n"
    "[2026-10-09T06:49:39.052] Gres Name=gpu Type=l4 Count=1 Index=1 ID=7696487 "
    "File=/dev/nvidia1 Cores=0-1 CoreCnt=4 Links=(null) Flags=HAS_FILE,HAS_TYPE,ENV_NVML\n"
    "slurmd-gpu01: Gres Name=gpu Type=l4 Count=1 Index=0 ID=7696487 File=/dev/nvidia0 "
    "Cores=0-63 CoreCnt=128 Links=-1,4,0,0 Flags=HAS_FILE,HAS_TYPE,ENV_NVML\n"
)
SLICED = """\
slurmd: Gres Name=gpu Type=h100 Count=1 Index=0 ID=7696487 File=/dev/nvidia0 Links=(null)
slurmd: Gres Name=gpu Type=4g Count=1 Index=291 ID=7696487 File=/dev/nvidia-caps/nvidia-cap291
slurmd: Gres Name=gpu Type=1g Count=1 Index=22 ID=7 File=/dev/nvidia2,/dev/nvidia-caps/nvidia-cap345
"""
CAPABILITIES = "gpu2/gi2/access 291\ngpu2/gi2/ci0/access 292\ngpu2/gi8/access 345\nbad line\n"


def cards(*minors: int) -> tuple[Device, ...]:
    return tuple(
        Device(uuid=f"GPU-{minor}", index=n, minor=minor, pci_bus_id=f"0000:0{n}:00.0")
        for n, minor in enumerate(minors)
    )


def slices() -> tuple[Device, ...]:
    card = Device(uuid="GPU-2", index=1, minor=2)
    return (
        Device(uuid="GPU-0", index=0, minor=0),
        card,
        Device(uuid="MIG-a", index=2, parent="GPU-2", gpu_instance=2),
        Device(uuid="MIG-b", index=3, parent="GPU-2", gpu_instance=8),
    )


class Says:
    def __init__(self, found: Found | None, name: str = "said") -> None:
        self.name = name
        self.found = found
        self.asked = 0

    def look(self, devices: tuple[Device, ...], now: float) -> Found | None:
        self.asked += 1
        return self.found


def test_an_index_is_a_position_and_not_the_number_printed():
    found = mapped(listed(SPREAD), cards(0, 1, 2, 3), {})

    assert found == {"GPU-3": 0, "GPU-1": 1, "GPU-0": 2, "GPU-2": 3}


def test_later_versions_are_read_too():
    assert mapped(listed(LATER), cards(0, 1), {}) == {"GPU-1": 0, "GPU-0": 1}


def test_a_range_of_files_is_a_device_each():
    text = "Gres Name=gpu Type=a100 Count=5 Index=0 ID=7 File=/x/nvidia[4-7],/x/nvidia9 (null)"

    assert listed(text) == tuple((f"/x/nvidia{n}",) for n in (4, 5, 6, 7, 9))


def test_slices_are_found_by_their_capability(tmp_path: Path):
    table = tmp_path / "driver/nvidia-caps/mig-minors"
    table.parent.mkdir(parents=True)
    table.write_text(CAPABILITIES)

    found = mapped(listed(SLICED), slices(), mig_minors(tmp_path))

    assert found == {"GPU-0": 0, "MIG-a": 1, "MIG-b": 2}


def test_without_the_capability_table_slices_are_unknown(tmp_path: Path):
    assert mapped(listed(SLICED), slices(), mig_minors(tmp_path)) == {"GPU-0": 0}


def test_a_device_of_two_cards_is_nobodys():
    text = "Gres Name=gpu Count=1 Index=6 ID=7 File=/dev/nvidia5,/dev/nvidia6 (null)"

    assert mapped(listed(text), cards(5, 6), {}) == {}


def test_a_line_without_files_still_takes_its_indices():
    text = "Gres Name=gpu Count=2 Index=0 File=(null)\nGres Name=gpu Count=1 File=/dev/nvidia0"

    assert mapped(listed(text), cards(0), {}) == {"GPU-0": 2}


def test_other_resources_are_no_gpus():
    assert listed("Gres Name=shard Count=4 File=/dev/nvidia0\nGres Name=gpfs Count=1") == ()


@given(st.text())
def test_any_listing_has_an_answer(text: str):
    mapped(listed(f"Gres Name=gpu Count=1 File={text}"), cards(0), {})
    mapped(listed(text), cards(0), {})


def test_our_map_names_devices_in_any_of_their_words(tmp_path: Path):
    (tmp_path / "3").write_text("gpu-0\n")
    (tmp_path / "2").write_text("/dev/nvidia1")
    (tmp_path / "1").write_text("0000:02:00.0\n")
    (tmp_path / "0").write_text("GPU-elsewhere")
    (tmp_path / "readme").write_text("GPU-0")

    assert IndexFolder(tmp_path).look(cards(0, 1, 2), 0) == {"GPU-0": 3, "GPU-1": 2, "GPU-2": 1}


def test_a_jobs_folder_is_read_as_its_owner_reads_it(tmp_path: Path):
    (tmp_path / "1").write_text("4711 1001")

    by_minor = JobFolder(tmp_path, "jobstats", by="minor").look(cards(1, 0), 0)
    by_index = JobFolder(tmp_path, "dcgm", by="index").look(cards(1, 0), 0)

    assert by_minor == {"GPU-1": 1}
    assert by_index == {"GPU-0": 1}


def test_what_a_jobs_folder_showed_once_is_kept(tmp_path: Path):
    folder = JobFolder(tmp_path, "jobstats", by="minor")
    (tmp_path / "0").write_text("4711 1001")
    folder.look(cards(0), 0)
    (tmp_path / "0").unlink()

    assert folder.look(cards(0), 1) == {"GPU-0": 0}


def test_the_first_source_that_knows_a_device_is_named():
    first, second = Says({"GPU-0": 1}, "map"), Says({"GPU-1": 0}, "slurmd")

    found = GresMap([first, second]).indices(cards(0, 1), 0)

    assert [(one.gpu, one.index, one.source) for one in found] == [
        ("GPU-0", "1", "map"),
        ("GPU-1", "0", "slurmd"),
    ]


def test_a_contradiction_is_unknown():
    (found,) = GresMap([Says({"GPU-0": 1}, "map"), Says({"GPU-0": 0}, "slurmd")]).indices(
        cards(0), 0
    )

    assert (found.index, found.source) == ("", "unknown: map says 1, slurmd says 0")


def test_an_index_of_two_devices_is_unknown():
    found = GresMap([Says({"GPU-0": 1}, "map"), Says({"GPU-1": 1}, "slurmd")]).indices(
        cards(0, 1), 0
    )

    assert [one.index for one in found] == ["", ""]


def test_the_reason_is_given_where_a_device_is_unknown():
    found = GresMap([Says({"GPU-0": 0}), Says("slurmd: ended with status 1", "slurmd")]).indices(
        cards(0, 1), 0
    )

    assert found[1].source == "unknown: slurmd: ended with status 1"


def test_a_node_without_slurm_has_no_indices():
    assert GresMap([Says(""), Says({})]).indices(cards(0), 0) == ()


def test_complete_answers_are_kept_for_long():
    source = Says({"GPU-0": 0})
    gres = GresMap([source])

    for now in (0, 1, RETRY, REFRESH - 1, REFRESH):
        gres.indices(cards(0), now)

    assert source.asked == 2


def test_a_missing_index_is_asked_for_again_soon():
    source = Says({"GPU-0": 0})
    gres = GresMap([source])

    for now in (0, 1, RETRY):
        gres.indices(cards(0, 1), now)

    assert source.asked == 2


def test_new_devices_are_asked_for_at_once():
    source = Says({"GPU-0": 0})
    gres = GresMap([source])
    gres.indices(cards(0), 0)

    gres.indices(cards(0, 1), 1)

    assert source.asked == 2


def test_an_answer_on_its_way_is_asked_for_until_it_is_there():
    source = Says(None)
    gres = GresMap([source])
    gres.indices(cards(0), 0)
    source.found = {"GPU-0": 0}

    (found,) = gres.indices(cards(0), 1)

    assert found.index == "0"


def script(folder: Path, text: str) -> str:
    path = folder / "slurmd"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def wait_for(listing: SlurmdListing, devices: tuple[Device, ...]) -> Found:
    while (found := listing.look(devices, 0.0)) is None:
        os.sched_yield()
    return found


def test_slurmd_is_asked_for_its_node(tmp_path: Path):
    command = script(
        tmp_path, 'test "$*" = "-N gpu01 -G" && echo "Gres Name=gpu Count=1 File=/dev/nvidia0" >&2'
    )

    assert wait_for(SlurmdListing(command, "gpu01", tmp_path), cards(0)) == {"GPU-0": 0}


def test_a_failing_slurmd_is_a_reason(tmp_path: Path):
    listing = SlurmdListing(script(tmp_path, "exit 3"), "", tmp_path)

    assert str(wait_for(listing, cards(0))).endswith("ended with status 3")


def test_the_first_complaint_of_slurmd_is_told(tmp_path: Path):
    text = (
        "echo 'slurmd: error: Munge encode failed: no socket'; echo 'slurmd: error: more'; exit 1"
    )

    found = wait_for(SlurmdListing(script(tmp_path, text), "", tmp_path), cards(0))

    assert str(found).endswith("ended with status 1 (Munge encode failed: no socket)")


def test_a_slurmd_that_lists_other_devices_is_a_reason(tmp_path: Path):
    listing = SlurmdListing(script(tmp_path, "exit 0"), "", tmp_path)

    assert wait_for(listing, cards(0)) == "slurmd -G lists none of these devices"


def test_a_node_without_slurmd_says_nothing(tmp_path: Path):
    assert SlurmdListing(str(tmp_path / "none"), "", tmp_path).look(cards(0), 0) == ""


@pytest.mark.parametrize("late", [31.0, 1e9])
def test_a_slurmd_that_hangs_is_ended(tmp_path: Path, late: float):
    listing = SlurmdListing(script(tmp_path, "exec sleep 600"), "", tmp_path)
    listing.look(cards(0), 0.0)

    while (found := listing.look(cards(0), late)) is None:
        os.sched_yield()

    assert str(found).endswith("no answer within 30 s")
