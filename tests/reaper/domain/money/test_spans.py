"""Spans are merged, subtracted, clipped and measured to the second."""

from reaper.domain.money.spans import clip, merge, overlap, subtract


def test_touching_spans_join():
    assert merge([(5, 9), (0, 3), (3, 4), (8, 12)]) == ((0, 4), (5, 12))


def test_empty_spans_vanish():
    assert merge([(3, 3), (5, 4)]) == ()


def test_holes_cut_spans_apart():
    assert subtract([(0, 10), (20, 30)], [(3, 5), (9, 22), (29, 40)]) == ((0, 3), (5, 9), (22, 29))


def test_without_holes_everything_is_left():
    assert subtract([(0, 1), (1, 2)], []) == ((0, 2),)


def test_a_clip_keeps_what_lies_inside():
    assert clip([(0, 4), (6, 9)], 2, 6) == ((2, 4),)


def test_an_overlap_is_measured_over_all_spans():
    assert overlap([(0, 4), (6, 9)], 3, 7) == 2
