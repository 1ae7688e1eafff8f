"""The policies and examples that are shipped load as they are."""

from pathlib import Path

import pytest

from reaper.config import check, load
from reaper.config.reading import BUILT_IN
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


def test_the_shipped_observe_policies_are_the_built_in_ones():
    shipped = ROOT / "deploy/policies/observe.yaml"

    assert shipped.read_text(encoding="utf-8") == BUILT_IN.read_text(encoding="utf-8")


def test_the_example_lacks_only_what_a_site_must_add():
    found = check([ROOT / "deploy/gpu-reaper.example.yaml"], environ=HOME)

    assert [problem.where for problem in found] == []
