"""The page about signing in shows configurations that load, and names every route of the port."""

import re
from pathlib import Path

import pytest

from reaper.config import check, load
from reaper.web.port import LEAST
from tests.project import ROOT

PAGE = (ROOT / "docs/pages.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
FOR_FORMS = {"/ask/{verb}/{platform}/{id}", "/do/{verb}/{name}", "/sign-in", "/sign-out"}


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_an_example_of_the_pages_loads(tmp_path: Path, number: int):
    path = tmp_path / "gpu-reaper.yaml"
    path.write_text(EXAMPLES[number], encoding="utf-8")

    load(path, environ={"HOME": "/home/mira"})
    assert {found.where for found in check([path], environ={"HOME": "/home/mira"})} <= {""}


def test_every_route_is_told_of():
    routes = {path for path in LEAST if not path.startswith("/api/")} - FOR_FORMS
    untold = [path for path in routes if path.partition("{")[0] not in PAGE]

    assert untold == []
