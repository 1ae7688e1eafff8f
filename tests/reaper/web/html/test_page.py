import re
from dataclasses import replace
from datetime import UTC
from pathlib import Path

import pytest

import reaper.web
from reaper.domain.money.entries import Event, Tenure
from reaper.questions import Explanation
from reaper.web.access.visitor import LOCAL
from reaper.web.html.evidence import signals
from reaper.web.html.page import Guest, Look, Page
from reaper.web.html.past import ended
from tests.builders import case, notice, run
from tests.builders_gallery import gallery
from tests.builders_picture import HOUR, MINUTE, NOW, busy, devices, picture, row

PAGE = Page(Look(zone=UTC, version="1.2.3", rows=3))
GUEST = Guest(now=NOW, nonce="n", visitor=LOCAL)
STYLE = (Path(reaper.web.__file__).parent / "templates" / "style.css").read_text()
LETTERS = "ALHEXUC"
LEAST_CONTRAST = 4.5
"""WCAG 2.2 AA for text."""


def overview(shown=None, **given) -> str:
    now = given.pop("now", NOW)
    return PAGE.overview(shown or picture(), guest=replace(GUEST, now=now), **given)


def explanation(line, **given) -> Explanation:
    known = {"tenures": (), "cases": (), "notices": (), "keeps": (), "events": ()} | given
    return Explanation(at=NOW, run_key="k", row=line, **known)


def sheet(line, **given) -> str:
    told = explanation(line, **given)
    return PAGE.allocation(told, picture(), name="slurm/4711", guest=GUEST)


def tenure(index: int, **given) -> Tenure:
    known = {
        "run": run(),
        "gpu": f"GPU-{index}",
        "node": "node01",
        "begin": NOW - 3 * HOUR,
        "end": NOW - HOUR,
        "owner": "mira",
        "team": "vision",
        "model": "NVIDIA H100",
    }
    return Tenure(**(known | given))


# ------------------------------------------------------------------ what it says


def test_a_calm_cluster_is_told_calmly():
    text = overview(picture(rows=(busy(),), idle=0, cost_per_hour=None))

    assert "<em>No GPU</em> is held and idle." in text
    assert "Every GPU that is held works" in text


def test_every_name_is_escaped():
    text = overview(picture(rows=(row(name="<script>", owner='"><i>'),)))

    assert "<script>" not in text
    assert '"><i>' not in text
    assert "&lt;script&gt;" in text


def test_allocations_beyond_the_bound_are_counted():
    text = overview(gallery())

    assert "6 more: find by owner" in text


def test_a_search_without_a_match_says_so():
    assert "Nothing matches “nobody”" in overview(query="nobody")


def test_its_age_stands_beside_the_picture():
    assert ">14:31:48 UTC</time>, reaper last cycled 12 s ago" in overview()


def test_a_stale_picture_is_an_alert():
    text = overview(now=NOW + HOUR)

    assert 'class="banner alarm" role="alert"><strong>This picture is 1 h old' in text


def test_a_track_has_its_letters_and_its_words():
    text = overview(picture(rows=(row(devices=devices("AAH?!")),)))

    assert '<span class="A">AA</span><span class="H">H</span><span class="U">?</span>' in text
    assert "active for 2 min; idle, memory or a context held for 1 min" in text


def test_a_sheet_tells_how_to_keep_what_is_idle():
    assert "gpu-reaper keep slurm/4711 --for 2h --reason" in sheet(row())
    assert "gpu-reaper keep" not in sheet(busy())


def test_a_sheet_tells_the_fate_of_its_notices():
    told = sheet(row(), notices=(notice(delivered=NOW - 10 * MINUTE), notice(error="no route")))

    assert "delivered 14:22" in told
    assert "no route" in told


def test_a_sheet_of_an_ended_allocation_needs_no_row():
    assert "<em>Ended</em>" in sheet(None)


def test_a_sheet_of_an_ended_allocation_tells_what_it_held():
    text = sheet(None, tenures=(tenure(0), tenure(1)), cases=(case(outcome="released"),))

    assert "<b>mira</b>, vision held 2 × H100 on node01 for 2 h" in text
    assert "How it went: released." in text


def test_what_is_not_known_to_have_ended_has_no_end():
    past = ended(explanation(None, tenures=(tenure(0), tenure(1, end=None))))

    assert past.end is None
    assert ended(explanation(None)) is None


def test_devices_with_equal_signals_are_told_once():
    drawn = devices("A", "A", power=61.0)

    (group,) = signals(drawn)

    assert (group.title, group.power, group.memory) == ("node01 GPU 0–1", "61 W", "21.5 GiB")


def test_what_is_not_known_of_a_device_is_not_told():
    (group,) = signals(devices("A", power=None, memory_used=None))

    assert (group.power, group.memory) == ("", "")


# ------------------------------------------------------------------ how it looks


def palettes() -> dict[str, dict[str, str]]:
    """Read the colours of both schemes, in the order of the style sheet."""
    light, dark = re.findall(r":root \{(.*?)\}", STYLE, flags=re.DOTALL)[:2]
    return {name: dict(re.findall(r"--(\S+): (#\w{6})", text)) for name, text in
            (("light", light), ("dark", dark))}  # fmt: skip


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


PAIRS = [
    *(
        (ink, ground)
        for ink in ("ink", "muted", "link", "burn", "calm")
        for ground in ("paper", "raised")
    ),
    *((f"{name}-ink", name) for name in ("alarm", "warning", "note", *LETTERS)),
]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), PAIRS)
def test_text_stands_out_from_its_ground(scheme, ink, ground):
    colours = palettes()[scheme]

    assert contrast(colours[ink], colours[ground]) >= LEAST_CONTRAST


def test_black_on_white_has_the_known_contrast():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


def test_an_ended_allocation_shows_its_letters_its_rule_and_what_events_were_decided_by():
    numbers = {"idle_seconds": HOUR, "devices": 1.0, "coverage": 1.0}
    decided = Event(at=NOW - HOUR, kind="final", text="no work", numbers=numbers)

    text = sheet(None, events=(decided,), cases=(case(),), drawn=devices("A" * 5 + "H" * 55))

    assert "idle 1 h on 1 GPU, 100 % seen" in text
    assert "notebooks v1" in text
    assert "its last hours" in text
