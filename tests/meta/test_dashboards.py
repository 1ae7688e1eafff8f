"""The dashboards are what their script builds, and every panel says what it shows."""

import json
from itertools import combinations

import pytest

from dashboards import build

FLEET = json.loads(build.FLEET.read_text(encoding="utf-8"))
PANELS = [panel for panel in FLEET["panels"] if panel["type"] != "row"]


def name_of_panel(panel: dict) -> str:
    return panel["title"].replace(" ", "-")


def test_building_again_gives_the_same_bytes():
    assert build.fleet() == build.FLEET.read_text(encoding="utf-8"), "run dashboards/build.py"


@pytest.mark.parametrize("panel", PANELS, ids=name_of_panel)
def test_a_panel_has_a_unit_a_description_and_a_link(panel: dict):
    assert panel["fieldConfig"]["defaults"]["unit"]
    assert panel["description"].endswith(".")
    assert [link["url"] for link in panel["links"] if link["url"].startswith("${page}/")]


@pytest.mark.parametrize("panel", PANELS, ids=name_of_panel)
def test_a_panel_asks_the_source_and_the_cluster_that_the_viewer_chose(panel: dict):
    assert panel["datasource"]["uid"] == "${datasource}"
    for target in panel["targets"]:
        assert 'cluster=~"$cluster"' in target["expr"]


def test_panels_have_ids_of_their_own():
    ids = [panel["id"] for panel in FLEET["panels"]]

    assert len(set(ids)) == len(ids)


def test_no_panel_covers_another_or_leaves_the_grid():
    boxes = [panel["gridPos"] for panel in FLEET["panels"]]

    assert [box for box in boxes if box["x"] + box["w"] > 24] == []
    assert [pair for pair in combinations(boxes, 2) if covers(*pair)] == []


def test_the_cluster_fits_everything_until_one_is_chosen():
    variables = {item["name"]: item for item in FLEET["templating"]["list"]}

    assert set(variables) == {"datasource", "cluster", "page"}
    assert variables["cluster"]["current"]["value"] == "$__all"
    assert variables["cluster"]["allValue"] == ".*"


def covers(one: dict, other: dict) -> bool:
    across = one["x"] < other["x"] + other["w"] and other["x"] < one["x"] + one["w"]
    down = one["y"] < other["y"] + other["h"] and other["y"] < one["y"] + one["h"]
    return across and down
