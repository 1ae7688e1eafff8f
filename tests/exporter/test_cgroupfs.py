from pathlib import Path

import pytest

from exporter.cgroupfs import CgroupTree


@pytest.mark.parametrize(
    ("controllers", "path"),
    [
        ("freezer", "freezer/job"),
        ("cpu,cpuacct", "cpu,cpuacct/job"),
        ("cpu,cpuacct", "cpuacct/job"),
        ("name=systemd", "systemd/job"),
        ("", "job"),
        ("", "unified/job"),
    ],
)
def test_a_folder_is_found_in_any_layout(tmp_path: Path, controllers: str, path: str):
    (tmp_path / path).mkdir(parents=True)

    place = tmp_path / path

    assert CgroupTree(tmp_path).identity([(controllers, "/job")]) == (
        str(place),
        place.stat().st_ino,
    )


def test_a_folder_that_is_not_there_has_no_identity(tmp_path: Path):
    assert CgroupTree(tmp_path).identity([("", "/job"), ("freezer", "/job")]) is None


def test_a_path_that_leaves_the_tree_is_refused(tmp_path: Path):
    (tmp_path / "job").mkdir()

    assert CgroupTree(tmp_path / "tree").identity([("", "/../job")]) is None
