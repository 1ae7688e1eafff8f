"""The dashboards are what their script builds, and every panel says what it shows."""

import json
import re
from itertools import combinations

import pytest

from dashboards import build
from dashboards.drawing import drawn, panels_of
from dashboards.sketch import Dashboard
from exporter.contract import catalog

DRAWN = {
    item.name: json.loads(build.path(item).read_text(encoding="utf-8")) for item in build.DASHBOARDS
}
PANELS = [
    pytest.param(panel, id=f"{name}-{panel['title'].replace(' ', '-')}")
    for name, content in DRAWN.items()
    for panel in panels_of(content)
    if panel["type"] != "row"
]
TABLES = [panel for panel in PANELS if panel.values[0]["type"] == "table"]
TRENDS = [
    panel
    for panel in PANELS
    if panel.values[0]["type"] == "stat" and panel.values[0]["targets"][0]["range"]
]
EACH = pytest.mark.parametrize("content", DRAWN.values(), ids=DRAWN.keys())
VARIABLE = re.compile(r"\$([a-z]+)\b")


@pytest.mark.parametrize("item", build.DASHBOARDS, ids=lambda item: item.name)
def test_building_again_gives_the_same_bytes(item: Dashboard):
    written = build.path(item).read_text(encoding="utf-8")

    assert drawn(item) == written, "run dashboards/build.py"


def test_every_file_is_of_a_dashboard():
    assert {path.name for path in build.HERE.glob("*.json")} == {
        build.path(item).name for item in build.DASHBOARDS
    }


@pytest.mark.parametrize("panel", PANELS)
def test_a_panel_has_a_unit_a_description_and_a_link(panel: dict):
    assert panel["fieldConfig"]["defaults"]["unit"]
    assert panel["description"].endswith(".")
    assert [link["url"] for link in panel["links"] if link["url"].startswith("${page}/")]


@pytest.mark.parametrize("panel", PANELS)
def test_a_panel_asks_the_source_and_the_cluster_that_the_viewer_chose(panel: dict):
    assert panel["datasource"]["uid"] == "${datasource}"
    for target in panel["targets"]:
        assert 'cluster=~"$cluster"' in target["expr"]


@pytest.mark.parametrize("panel", PANELS)
def test_an_empty_panel_says_why_it_can_be_empty(panel: dict):
    assert len(panel["fieldConfig"]["defaults"]["noValue"].split()) > 2


@pytest.mark.parametrize("panel", PANELS)
def test_silence_is_not_told_as_a_zero(panel: dict):
    text = panel["fieldConfig"]["defaults"]["noValue"].lower()

    assert not text.startswith(("no ", "nothing ", "none ")) or re.search("scraped|tell", text)


@pytest.mark.parametrize("panel", PANELS)
def test_gpu_hours_are_no_span_of_time(panel: dict):
    assert panel["fieldConfig"]["defaults"]["unit"] != "h", "3.9 days of GPU-hours are no days"


@pytest.mark.parametrize("panel", TRENDS)
def test_a_figure_without_an_answer_is_unknown_and_never_its_last_value(panel: dict):
    assert panel["targets"][0]["expr"].endswith(" or vector(-1)")
    assert panel["options"]["reduceOptions"]["calcs"] == ["last"]
    assert panel["fieldConfig"]["defaults"]["mappings"][0]["options"]["-1"]["text"] == "unknown"


@pytest.mark.parametrize("panel", TABLES)
def test_a_table_shows_no_column_that_nobody_named(panel: dict):
    shown = panel["transformations"][1]["options"]

    assert shown["excludeByName"]["Time"]
    assert list(shown["renameByName"]) == list(shown["indexByName"])
    assert [name for name in shown["renameByName"].values() if not name[0].isupper()] == []


def closed() -> list[dict]:
    rows = (one for content in DRAWN.values() for one in content["panels"] if one.get("panels"))
    return [panel for row in rows for panel in row["panels"]]


OF_GPUS = re.compile(
    "|".join(rf"\b{one.name}\b" for one in catalog.FAMILIES if "gpu" in one.labels)
)


@pytest.mark.parametrize(
    "target",
    [
        pytest.param(target, id=f"{panel['title']}-{target['refId']}")
        for panel in closed()
        for target in panel["targets"]
        if target["range"] and OF_GPUS.search(target["expr"])
    ],
)
def test_a_closed_row_asks_over_time_only_of_the_nodes_that_are_looked_at(target: dict):
    chosen = target["expr"].count('instance=~"$look"')

    assert chosen == target["expr"].count('cluster=~"$cluster"')


def test_the_nodes_that_are_looked_at_are_few_unless_somebody_chooses():
    (look,) = (one for one in DRAWN["node"]["templating"]["list"] if one["name"] == "look")

    assert look["query"].startswith("query_result(topk(10, ")
    assert look["includeAll"]
    assert not look.get("allValue"), "all are those that are offered, not every node"
    assert look["current"]["value"] == "$__all"


@EACH
def test_a_variable_offers_what_there_is_in_the_chosen_clusters(content: dict):
    queries = {
        item["name"]: item["query"]
        for item in content["templating"]["list"]
        if item["type"] == "query"
    }
    del queries["cluster"]

    assert [name for name, text in queries.items() if 'cluster=~"$cluster"' not in text] == []


@EACH
def test_every_variable_that_a_query_names_can_be_chosen(content: dict):
    known = {item["name"] for item in content["templating"]["list"]}
    texts = [target["expr"] for panel in panels_of(content) for target in panel.get("targets", ())]
    texts += [str(item.get("query", "")) for item in content["templating"]["list"]]

    assert {name for text in texts for name in VARIABLE.findall(text)} <= known


@EACH
def test_every_variable_is_used(content: dict):
    known = {item["name"] for item in content["templating"]["list"]} - {"datasource", "page"}
    text = json.dumps(panels_of(content))

    assert {name for name in known if f"${name}" not in text} == set()


@EACH
def test_panels_have_ids_of_their_own(content: dict):
    ids = [panel["id"] for panel in panels_of(content)]

    assert len(set(ids)) == len(ids)


def test_dashboards_have_names_of_their_own():
    assert len({content["uid"] for content in DRAWN.values()}) == len(DRAWN)
    assert len({content["title"] for content in DRAWN.values()}) == len(DRAWN)


@EACH
def test_no_panel_covers_another_or_leaves_the_grid(content: dict):
    boxes = [panel["gridPos"] for panel in panels_of(content)]

    assert [box for box in boxes if box["x"] + box["w"] > 24] == []
    assert [pair for pair in combinations(boxes, 2) if covers(*pair)] == []


@EACH
def test_the_cluster_fits_everything_until_one_is_chosen(content: dict):
    variables = {item["name"]: item for item in content["templating"]["list"]}

    assert {"datasource", "cluster", "page"} <= set(variables)
    assert variables["cluster"]["current"]["value"] == "$__all"
    assert variables["cluster"]["allValue"] == ".*"


@EACH
def test_a_dashboard_leads_to_the_others(content: dict):
    assert "gpu-reaper" in content["tags"]
    assert [link for link in content["links"] if link["tags"] == ["gpu-reaper"]]


def covers(one: dict, other: dict) -> bool:
    across = one["x"] < other["x"] + other["w"] and other["x"] < one["x"] + one["w"]
    down = one["y"] < other["y"] + other["h"] and other["y"] < one["y"] + one["h"]
    return across and down
