"""The scripts that look, in a real shell, and the words around them."""

import os
import subprocess
from pathlib import Path

import pytest

from reaper.platforms.slurm.release import beside, proof
from reaper.ports import ActionError
from tests.reaper.platforms.slurm.drawn import job


def said(script: str, *words: str) -> str:
    """Run a script as a step would."""
    done = subprocess.run(
        ("/bin/sh", "-c", script, "sh", *words), capture_output=True, text=True, check=True
    )
    return done.stdout


def mark(path: Path) -> str:
    return proof.marked(said(proof.MARK, str(path)))


def newer(path: Path, than: str) -> list[int]:
    """Return the sizes of the files newer than a mark."""
    return sorted(size for _, size in proof.found(said(proof.LOOK, str(path), than)).files)


@pytest.fixture
def checkpoints(tmp_path: Path) -> Path:
    """Return a folder with an old checkpoint, written long ago."""
    folder = tmp_path / "checkpoints"
    folder.mkdir()
    old = folder / "step-1.pt"
    old.write_text("old")
    os.utime(old, (1e9, 1e9))
    return folder


def test_only_what_is_written_after_the_mark_counts(checkpoints: Path):
    before = mark(checkpoints)
    assert newer(checkpoints, before) == []

    (checkpoints / "step-2.pt").write_text("fresh")

    assert newer(checkpoints, before) == [5]


def test_the_mark_leaves_nothing_behind(checkpoints: Path):
    mark(checkpoints)

    assert [path.name for path in checkpoints.iterdir()] == ["step-1.pt"]


def test_a_file_of_a_clock_that_runs_ahead_is_no_proof(checkpoints: Path):
    ahead = checkpoints / "ahead.pt"
    ahead.write_text("written by a node whose clock runs ahead")
    os.utime(ahead, (4e9, 4e9))

    assert newer(checkpoints, mark(checkpoints)) == []


def test_a_file_that_is_moved_in_with_its_old_time_is_no_proof(checkpoints: Path, tmp_path: Path):
    before = mark(checkpoints)
    elsewhere = tmp_path / "copy.pt"
    elsewhere.write_text("from yesterday")
    os.utime(elsewhere, (1.5e9, 1.5e9))

    elsewhere.rename(checkpoints / "copy.pt")

    assert newer(checkpoints, before) == []


def test_an_empty_file_is_no_proof(checkpoints: Path):
    before = mark(checkpoints)

    (checkpoints / "full-disk.pt").touch()

    assert newer(checkpoints, before) == []


def test_files_in_folders_below_and_in_a_linked_folder_count(checkpoints: Path, tmp_path: Path):
    link = tmp_path / "latest"
    link.symlink_to(checkpoints)
    before = mark(link)

    (checkpoints / "checkpoint-7").mkdir()
    (checkpoints / "checkpoint-7" / "state").write_text("abc")

    assert newer(link, before) == [3]


def test_a_folder_that_is_made_only_by_the_save_counts(tmp_path: Path):
    folder = tmp_path / "run" / "checkpoints"
    before = mark(folder)

    folder.mkdir(parents=True)
    (folder / "first.pt").write_text("ab")

    assert newer(folder, before) == [2]


def test_a_single_file_may_be_the_proof(tmp_path: Path):
    file = tmp_path / 'it\'s $(saved) "here"'
    before = mark(file)

    file.write_text("yes")

    assert newer(file, before) == [3]


def test_a_path_is_filled_in_once_and_literally():
    where = proof.path("{workdir}/{job}/{user}", job(7, workdir="/w/{job}", user="{workdir}"))

    assert where == "/w/{job}/7/{workdir}"


# ------------------------------------------------------------------ beside the job


def test_the_step_is_on_the_jobs_first_node_and_takes_no_gpu():
    words = beside.step(job(7, "gpu:1", "gpu:1", nodes="gpu[01-02]"), "echo", ("/a b",))

    assert {"--overlap", "--jobid=7", "--nodelist=gpu01", "--gres=none"} <= set(words)
    assert words[-5:] == ("/bin/sh", "-c", "echo", "sh", "/a b")


def test_its_user_is_taken_without_any_right_of_ours():
    words = beside.user(job(7, uid=1500, gid=100), us=(0, 0))

    assert words[:6] == ("setpriv", "--reuid", "1500", "--regid", "100", "--clear-groups")
    assert {"--inh-caps=-all", "--ambient-caps=-all"} <= set(words)


@pytest.mark.parametrize(
    ("held", "able"),
    [
        ("000001ffffffffff", True),
        ("00000000000000c0", True),
        ("0000000000000080", False),
        ("0", False),
    ],
    ids=["root", "both", "one", "none"],
)
def test_who_may_become_a_jobs_user(held: str, *, able: bool):
    assert beside.may_become(f"Name:\tx\nCapPrm:\t0\nCapEff:\t{held}\nCapBnd:\t0\n") is able


def test_what_the_kernel_does_not_say_is_no_right():
    assert not beside.may_become("Name:\tx\n")


def test_nobody_but_root_becomes_root():
    with pytest.raises(ActionError, match="root"):
        beside.user(job(7, uid=0, gid=0), us=(1234, 100))


def test_who_is_the_user_already_changes_nothing():
    assert beside.user(job(7, uid=1500, gid=100), us=(1500, 100)) == ()


def test_a_user_without_an_id_is_nobody_we_become():
    with pytest.raises(ActionError, match="does not say"):
        beside.user(job(7, uid=None), us=(0, 0))
