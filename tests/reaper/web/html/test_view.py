from datetime import UTC

import pytest

from reaper.domain.brief import burning
from reaper.domain.escalation.decision import Refusal
from reaper.web.html import view
from reaper.web.html.headline import headline
from tests.builders_gallery import gallery
from tests.builders_picture import (
    HOUR,
    MINUTE,
    NOW,
    busy,
    case_line,
    hold,
    picture,
    row,
    step_said,
)


def held(rule: str, reason: str) -> Refusal:
    return Refusal(rule=rule, reason=reason)


def told(line) -> str:
    return step_said(view.next_step(line, NOW, UTC))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (row(), "Release in 20 min; at 14:52"),
        (row(case=case_line(mode="notify")), "Would release in 20 min; at 14:52"),
        (
            row(case=case_line(mode="observe", next_step="final warning")),
            "Would give the final warning in 20 min; at 14:52",
        ),
        (
            row(case=case_line(mode="notify", next_step="final warning")),
            "Final warning in 20 min; at 14:52",
        ),
        (
            row(case=case_line(due=NOW - 1, held_by=(held("hours", "outside working hours"),))),
            "Release held; hours: outside working hours",
        ),
        (
            row(case=case_line(due=None, held_by=(held("delivery", "warning 2 has not arrived"),))),
            "Release held; delivery: warning 2 has not arrived",
        ),
        (row(case=case_line(due=NOW)), "Release now; at 14:32"),
        (row(case=case_line(due=NOW - HOUR)), "Release overdue; since 13:32"),
        (row(kept_until=NOW + HOUR), "Kept until 15:32; then release"),
        (row(kept_until=NOW - 1), "Release in 20 min; at 14:52"),
        (
            row(case=case_line(next_step="", due=None)),
            "Nothing more; its policy has no further step",
        ),
        (
            row(case=case_line(state="verifying", next_step="release under way (verifying)")),
            "Release under way (verifying)",
        ),
        (row(case=None), "Nothing yet; no warning is due"),
        (row(case=None, policy=""), "Nothing; no policy matches it"),
        (busy(idle_gpus=7), "Nothing; not all of its GPUs are idle"),
        (busy(), ""),
    ],
)
def test_what_happens_next_is_told(line, said):
    assert told(line) == said


def test_what_burns_most_is_first_and_the_unpriced_last():
    ids = [line.id for line in burning(gallery().rows)]

    assert ids == ["48213", "48390", "48377", "48402", "rstudio-7"]


def test_what_is_due_first_is_found():
    assert view.soonest(gallery()).id == "48213"
    assert view.soonest(picture(rows=(busy(),))) is None


@pytest.mark.parametrize("text", ["MIRA", "48213", "slurm/482", "node07", "llm", " mira "])
def test_an_allocation_is_found_by(text):
    assert [line.id for line in view.matching(gallery().rows, text)] == ["48213"]


def test_nothing_asked_finds_everything():
    assert len(view.matching(gallery().rows, "")) == len(gallery().rows)


def test_the_bar_holds_every_gpu_once():
    parts = view.segments(gallery())

    assert sum(part.gpus for part in parts) == gallery().gpus
    assert parts[-1].offset + parts[-1].width == pytest.approx(100)


def test_a_picture_of_an_empty_cluster_has_an_empty_bar():
    parts = view.segments(picture(gpus=0, allocated=0, idle=0, unknown=0))

    assert {part.width for part in parts} == {0}


def test_a_picture_older_than_three_steps_is_an_alarm():
    (banner,) = view.banners(picture(at=NOW - 12 * MINUTE), NOW, UTC)

    assert (banner.level, banner.title) == ("alarm", "This picture is 12 min old")
    assert "14:20:00 UTC" in banner.text


def test_a_picture_from_the_future_is_an_alarm():
    (banner,) = view.banners(picture(at=NOW + 5 * MINUTE), NOW, UTC)

    assert banner.level == "alarm"
    assert banner.title == "This picture lies 5 min in the future: the clock was set back"


def test_a_fast_clock_has_some_real_seconds_for_a_cycle():
    late = picture(at=NOW - 12 * MINUTE)

    assert not view.stale(late, NOW, rate=120.0)
    assert view.stale(late, NOW, rate=60.0)


def test_a_fresh_picture_has_no_banner():
    assert view.banners(picture(at=NOW - 3 * MINUTE), NOW, UTC) == ()


def test_a_hold_is_told_with_its_cure():
    (banner,) = view.banners(picture(holds=(hold(until=NOW + HOUR),)), NOW, UTC)

    assert banner.title == "Paused: maintenance of the file system"
    assert banner.text == "By root since 12:32; nothing is released until 15:32."
    assert banner.cure == 'gpu-reaper resume --hold paused --reason "…"'


def test_a_fast_clock_is_told():
    (banner,) = view.banners(picture(), NOW, UTC, rate=60.0)

    assert "runs 60 times as fast" in banner.text


def test_a_fast_pace_is_told():
    (banner,) = view.banners(picture(pace_normal=False, step=6.0), NOW, UTC)

    assert "a step of the grid is 6 s" in banner.text


def test_what_cannot_be_given_out_is_not_free():
    shown = picture(gpus=33, allocated=0, idle=0, unknown=0, free_slices=21, unusable=8)

    parts = {part.state: part.gpus for part in view.segments(shown)}

    assert (parts["free"], parts["free slices"], parts["unusable"]) == (4, 21, 8)
    assert sum(parts.values()) == 33


def test_what_the_newest_step_did_not_see_is_unknown_in_the_bar_as_in_the_headline():
    shown = picture(gpus=16, allocated=11, idle=5, unknown=0, coverage=10 / 11)

    parts = {part.state: part.gpus for part in view.segments(shown)}

    assert parts == {"idle": 5, "unknown": 1, "working": 5, "free": 5}
    assert headline(shown, NOW).doubt.startswith("Of 1 of 11 held GPUs nothing can be said")
