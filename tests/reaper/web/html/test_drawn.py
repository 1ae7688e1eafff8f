from reaper.web.html.drawn import drawings, lines, ruler, spoken
from tests.builders_picture import NOW, device, devices

STEP = 60.0


def test_equal_devices_are_drawn_once():
    same, other = drawings(devices("AAHH", "AAHH", "AAAA"), STEP)

    assert same.title == "node01 GPU 0–1"
    assert [piece.letters for piece in same.pieces] == ["AA", "HH"]
    assert other.title == "node01 GPU 2"


def test_equal_letters_at_other_times_are_drawn_apart():
    early = device(gpu="a", letters="AA", letters_begin=NOW)
    late = device(gpu="b", letters="AA", letters_begin=NOW + STEP)

    assert len(drawings((early, late), STEP)) == 2


def test_only_the_newest_steps_are_drawn_where_asked():
    (drawing,) = drawings(devices("AAAHHH"), STEP, last=4)

    assert "".join(piece.letters for piece in drawing.pieces) == "AHHH"
    assert drawing.begin == NOW - 4 * STEP


def test_a_track_is_told_in_words():
    assert spoken("AAHH?", STEP) == (
        "active for 2 min; idle, memory or a context held for 2 min; unseen for 1 min"
    )
    assert spoken("", STEP) == "nothing recorded"


def test_rows_begin_at_whole_hours():
    (drawing,) = drawings(devices("A" * 40), STEP)

    first, second = lines(drawing, STEP)

    assert (first.label, first.blank, first.letters) == ("13:00", 52, "A" * 8)
    assert (second.label, second.blank, second.letters) == ("14:00", 0, "A" * 32)


def test_a_faster_pace_has_shorter_rows_with_seconds():
    (drawing,) = drawings((device(letters="AH", letters_begin=NOW),), 6.0)

    (line,) = lines(drawing, 6.0)

    assert line.label == "14:30:00"
    assert ruler(6.0).split() == ["+0s", "+60s", "+120s", "+180s", "+240s", "+300s"]


def test_the_ruler_counts_minutes_at_the_normal_pace():
    assert ruler(STEP) == ":00       :10       :20       :30       :40       :50"


def test_devices_on_several_nodes_are_named_by_node():
    (drawing,) = drawings((*devices("AA", "AA"), *devices("AA", node="node02")), STEP)

    assert drawing.title == "node01 GPU 0–1 · node02 GPU 0"


def test_devices_without_an_index_are_counted():
    (drawing,) = drawings((device(index=None), device(index=None)), STEP)

    assert drawing.title == "node01 2 devices"
