from pathlib import Path

import pytest

from exporter.kernel.cgroupfs import CgroupTree


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
    (tmp_path / path / "cpu.stat").write_text("usage_usec 1500000\n")

    assert CgroupTree(tmp_path).cpu_seconds(((controllers, "/job"),)) == 1.5


def test_a_folder_that_is_not_there_has_no_figures(tmp_path: Path):
    assert CgroupTree(tmp_path).cpu_seconds((("", "/job"), ("freezer", "/job"))) is None


def test_a_path_that_leaves_the_tree_is_refused(tmp_path: Path):
    (tmp_path / "job").mkdir()
    (tmp_path / "job/cpu.stat").write_text("usage_usec 1500000\n")

    assert CgroupTree(tmp_path / "tree").cpu_seconds((("", "/../job"),)) is None
