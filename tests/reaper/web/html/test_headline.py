"""What is said first: never that all is well where nothing is seen."""

from dataclasses import replace

import pytest

from reaper.domain.reason import because
from reaper.web.html.headline import blind_nodes, headline
from tests.builders_gallery import gallery
from tests.builders_picture import (
    HOUR,
    MINUTE,
    NOW,
    busy,
    node,
    picture,
    row,
    source,
)

UNSEEN = row(verdict="unknown", reason="no signal for 12 min", idle_gpus=0, case=None)


def calm(**changes):
    return picture(**{"rows": (busy(),), "idle": 0, "allocated": 1, "gpus": 4} | changes)


def blind(**changes):
    return calm(
        **{"rows": (UNSEEN,), "allocated": 14, "unknown": 14, "coverage": 0.0, "gpus": 16} | changes
    )


def test_a_cluster_that_is_seen_and_works_is_calm():
    told = headline(calm(), NOW)

    assert (told.level, told.text) == ("calm", "No GPU is held and idle.")


def test_what_idles_is_told_with_what_it_burns():
    told = headline(picture(), NOW)

    assert told.level == "burning"
    assert told.text == "1 of 4 GPUs is held and idle, burning 2.50 EUR an hour."


def test_where_nothing_is_seen_nothing_is_said_to_be_well():
    told = headline(blind(), NOW)

    assert told.level == "blind"
    assert told.text.startswith("Nothing can be said of any of the 14 held GPUs: ")


def test_a_newest_step_that_was_not_seen_is_blind_whatever_the_verdicts_were():
    assert headline(blind(rows=(busy(gpus=14),), unknown=0), NOW).level == "blind"


def test_one_held_gpu_is_counted_as_one():
    assert "said of the held GPU: " in headline(blind(allocated=1, unknown=1), NOW).text


def test_where_a_part_is_unseen_it_is_said_of_how_many():
    told = headline(blind(unknown=4, coverage=10 / 14), NOW)

    assert told.level == "doubtful"
    assert told.what == "No GPU"
    assert told.rest == "that is seen is held and idle"
    assert told.doubt.startswith("Of 4 of 14 held GPUs nothing can be said: ")


def test_beside_what_idles_it_is_said_of_how_many_nothing_is_known():
    told = headline(gallery(), NOW)

    assert told.level == "burning"
    assert told.doubt == (
        "Of 4 of 62 held GPUs nothing can be said: node06: no answer within 5 s (10.0.0.6)"
    )


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"sources": (source(as_of=NOW - HOUR, error="squeue: timed out"),)}, "slurm: squeue"),
        ({"sources": (source(name="engine", role="activity", as_of=None),)}, "answered never"),
        ({"nodes": (node(error="refused"), node(node="n2", error="refused"))}, "node01: refused"),
        ({"nodes": (node(as_of=NOW - HOUR),)}, "node01: last seen 59 min ago"),
        ({"nodes": (node(doubt="two owners"),)}, "node01: two owners"),
        ({"nodes": (node(),)}, "slurm/4711: no signal for 12 min"),
    ],
)
def test_the_reason_is_what_explains_most(changes, why):
    assert why in headline(blind(**changes), NOW).text


def test_without_a_platform_it_is_not_known_who_holds_anything():
    told = headline(
        calm(rows=(), allocated=0, sources=(source(name="exporters", role="activity"),)), NOW
    )

    assert told.level == "blind"
    assert told.text == ("Who holds the GPUs is not known: no platform is configured that says so.")


def test_a_holder_that_never_answered_is_no_empty_cluster():
    silent = source(as_of=None, error="squeue is not there")

    told = headline(calm(rows=(), allocated=0, sources=(silent,)), NOW)

    assert told.text == "Who holds the GPUs is not known: slurm: squeue is not there."


def test_a_holder_that_knows_of_nothing_held_says_so():
    assert headline(calm(rows=(), allocated=0), NOW).text == "No GPU is held."


def test_an_old_picture_says_nothing_of_now():
    told = headline(calm(), NOW + HOUR)

    assert told.level == "blind"
    assert told.text == (
        "Nothing can be said of now: no cycle was written for 1 h. Then: No GPU is held and idle."
    )


def test_a_clock_that_runs_fast_makes_no_picture_old():
    assert headline(calm(), NOW + 4 * MINUTE, rate=30.0).level == "calm"


def test_a_node_that_says_nothing_new_is_blind():
    old = node(node="node02", as_of=NOW - HOUR)

    assert blind_nodes(replace(picture(), nodes=(node(), old))) == [old]


def test_what_others_say_reaches_no_terminal_as_it_came():
    lost = node(as_of=None, error=because("ownership", doubt="\x1b[31mX\x07"))
    told = headline(blind(nodes=(lost,)), NOW)

    assert "[31mX" in told.text
    assert not [letter for letter in told.text if ord(letter) < 32]
