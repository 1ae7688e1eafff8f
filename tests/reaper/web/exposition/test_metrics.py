import subprocess

import pytest

from reaper.domain.picture import WaitingLine
from reaper.web.exposition.catalog import FAMILIES
from reaper.web.exposition.metrics import Scene, render
from tests.builders_gallery import gallery
from tests.builders_picture import NOW, hold, node, picture, row, source


def page(**changes) -> str:
    settings = {"picture": picture(), "now": NOW, "version": "1.2.3"} | changes
    return render(Scene(**settings)).decode()


def test_every_family_of_the_catalogue_has_its_help_and_type():
    text = page()

    for family in FAMILIES:
        assert f"# TYPE {family.name} {family.kind}\n" in text


@pytest.mark.parametrize(
    "line",
    [
        'gpureaper_gpus{state="idle"} 1.0',
        'gpureaper_gpus{state="working"} 1.0',
        'gpureaper_gpus{state="free"} 2.0',
        'gpureaper_allocations{verdict="busy"} 1.0',
        'gpureaper_idle_cost_per_hour{currency="EUR"} 2.5',
        "gpureaper_cycle_age_seconds 12.0",
        'gpureaper_cycles_total{outcome="written"} 480.0',
        "gpureaper_cycle_seconds_total 4.8",
        'gpureaper_notices_total{channel="slack",delivery="delivered"} 7.0',
        'gpureaper_policy_judgements_total{policy="quiet-training"} 0.0',
        'gpureaper_refusals_total{rule="hours"} 4.0',
        'gpureaper_holds{kind="paused"} 0.0',
        'gpureaper_cases{mode="act",state="open"} 1.0',
        'gpureaper_source_age_seconds{role="holder",source="slurm"} 8.0',
        'gpureaper_node_blind{node="node01"} 0.0',
        'gpureaper_runs_ended_total{class="training",outcome="out of memory",partition="gpu"} 1.0',
        'gpureaper_wait_seconds_bucket{class="training",le="300",partition="gpu"} 1.0',
        'gpureaper_wait_seconds_bucket{class="training",le="3600",partition="gpu"} 2.0',
        'gpureaper_wait_seconds_count{class="training",partition="gpu"} 3.0',
        'gpureaper_wait_seconds_sum{class="training",partition="gpu"} 9000.0',
    ],
)
def test_the_page_shows(line: str):
    assert f"\n{line}\n" in page()


def test_only_idle_allocations_have_samples_of_their_own():
    text = page()

    assert 'allocation="4711"' in text
    assert 'allocation="4700"' not in text


def test_an_owner_is_named_only_where_that_is_switched_on():
    assert 'owner=""' in page()
    assert 'owner="mira"' in page(owners=True)
    assert "mira" not in page()


def test_the_costliest_allocations_are_shown_and_the_others_counted():
    rows = [row(run_key=f"k{n}", id=f"{n}", cost_per_hour=float(n)) for n in range(5)]

    text = page(picture=picture(rows=tuple(rows)), bound=2)

    assert 'gpureaper_allocation_idle_gpus{allocation="4",' in text
    assert 'allocation="2"' not in text
    assert "\ngpureaper_allocations_omitted 3.0\n" in text


@pytest.mark.parametrize(
    ("node_ids", "pattern"),
    [((), "4711"), (("4711", "s0hg3k5m7p9qr"), "4711|s0hg3k5m7p9qr"), (('a.*"|b',), "a....b")],
)
def test_what_nodes_call_an_allocation_is_a_pattern_that_finds_it_alone(node_ids, pattern):
    text = page(picture=picture(rows=(row(node_ids=node_ids),)))

    (line,) = (
        one for one in text.splitlines() if one.startswith("gpureaper_allocation_idle_gpus{")
    )
    assert f'node_ids="{pattern}"' in line


def test_what_has_no_price_has_no_sample():
    text = page(picture=picture(cost_per_hour=None, rows=(row(cost_per_hour=None),)))

    assert "gpureaper_idle_cost_per_hour{" not in text
    assert "gpureaper_allocation_idle_cost_per_hour{" not in text


def test_a_source_before_its_first_answer_is_down_and_has_no_age():
    text = page(picture=picture(sources=(source(as_of=None),)))

    assert 'gpureaper_source_up{role="holder",source="slurm"} 0.0' in text
    assert "gpureaper_source_age_seconds{" not in text


def test_an_age_below_zero_is_told_as_it_is():
    ahead = picture(at=NOW + 300, sources=(source(as_of=NOW + 100),))

    assert "\ngpureaper_cycle_age_seconds -300.0\n" in page(picture=ahead)
    assert 'gpureaper_source_age_seconds{role="holder",source="slurm"} -100.0' in page(
        picture=ahead
    )


def test_a_node_whose_exporter_says_that_it_is_another_is_named():
    text = page(picture=picture(nodes=(node(error="says …", claims="node02"), node(node="node02"))))

    assert 'gpureaper_node_misnamed{node="node01"} 1.0' in text
    assert 'gpureaper_node_misnamed{node="node02"} 0.0' in text


def test_a_node_with_an_error_is_blind():
    text = page(picture=picture(nodes=(node(error="no answer within 5 s"),)))

    assert 'gpureaper_node_blind{node="node01"} 1.0' in text


def test_standing_holds_are_counted_by_kind():
    holds = (hold(), hold(id="interlock:clock", kind="interlock"))

    text = page(picture=picture(holds=holds))

    assert 'gpureaper_holds{kind="paused"} 1.0' in text
    assert 'gpureaper_holds{kind="interlock"} 1.0' in text


def test_a_channel_name_with_a_colon_stays_whole():
    text = page(picture=picture(totals={"notices:webhook:team:failed": 2.0}))

    assert 'gpureaper_notices_total{channel="webhook:team",delivery="failed"} 2.0' in text


def test_what_waits_is_counted_by_partition_and_class():
    lines = (WaitingLine(partition="gpu,dev", purpose="training", requests=3, gpus=12),)

    text = page(picture=picture(waiting=lines, waiting_gpus=12))

    assert 'gpureaper_waiting_requests{class="training",partition="gpu,dev"} 3.0' in text
    assert "\ngpureaper_waiting_gpus 12.0\n" in text


def test_before_the_first_cycle_there_are_no_samples():
    samples = [line for line in render(None).decode().splitlines() if not line.startswith("#")]

    assert samples == []


def test_the_page_is_accepted_by_promtool(require):
    require("promtool")
    text = render(Scene(picture=gallery(), now=NOW, version="1.2.3", owners=True))

    promtool = ["promtool", "check", "metrics"]
    answer = subprocess.run(promtool, check=False, input=text, capture_output=True)

    assert (answer.returncode, answer.stdout + answer.stderr) == (0, b"")
