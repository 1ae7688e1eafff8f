"""The policies and examples that are shipped load as they are."""

from pathlib import Path

import pytest

from reaper.config import check, load
from reaper.config.shipped import NAMES, shipped
from reaper.domain.judgement.policy import Mode
from tests.project import ROOT, name_of

POLICIES = sorted((ROOT / "deploy/policies").glob("*.yaml"))
SHIPPED = [*POLICIES, *sorted((ROOT / "deploy").glob("gpu-reaper*.yaml"))]
HOME = {"HOME": "/home/mira"}


@pytest.mark.parametrize("path", SHIPPED, ids=name_of)
def test_a_shipped_file_has_no_mistake(path: Path):
    assert [str(problem) for problem in check([path], environ=HOME) if not problem.lacking] == []


@pytest.mark.parametrize("path", POLICIES, ids=name_of)
def test_a_policy_file_goes_as_far_as_its_name_says(path: Path):
    modes = [policy.mode for policy in load(path, environ=HOME).policies]

    assert max(modes, key=list(Mode).index) == path.stem


@pytest.mark.parametrize("name", NAMES)
def test_the_policies_to_copy_are_those_that_the_program_holds(name: str):
    copied = ROOT / f"deploy/policies/{name}.yaml"

    assert copied.read_text(encoding="utf-8") == shipped(name).read_text(encoding="utf-8")


def test_the_example_lacks_only_what_a_site_must_add():
    found = check([ROOT / "deploy/gpu-reaper.example.yaml"], environ=HOME)

    assert [problem.where for problem in found] == []
