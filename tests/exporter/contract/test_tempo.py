"""Every process that reads a tempo reads the same time, through every change."""

import pytest

from exporter.contract.tempo import AHEAD, Piece, Score, Tempo, TempoError, read, text

ONE = Tempo(pieces=(Piece(since=100.0, at=5000.0, rate=2.0),))


def test_a_clock_runs_as_fast_as_its_piece_says():
    assert (ONE.wall(100.0), ONE.wall(110.0)) == (5000.0, 5020.0)
    assert ONE.elapsed(110.0) == 20.0


def test_a_change_begins_a_little_later_and_leaves_no_gap():
    changed = ONE.changed(110.0, 30.0)
    turn = 110.0 + AHEAD

    assert changed.rate(turn - 0.01) == 2.0
    assert changed.rate(turn) == 30.0
    assert changed.wall(turn) == pytest.approx(ONE.wall(turn))
    assert changed.wall(turn + 1) == pytest.approx(ONE.wall(turn) + 30)


def test_a_change_of_mind_before_it_begins_counts():
    changed = ONE.changed(110.0, 30.0).changed(110.1, 5.0)

    assert changed.rate(110.0 + AHEAD) == 30.0
    assert changed.rate(110.1 + AHEAD) == 5.0


def test_time_never_goes_back():
    tempo = ONE.changed(110.0, 30.0).changed(112.0, 1.0).changed(112.2, 8.0)
    walls = [tempo.wall(100.0 + step / 50) for step in range(1000)]

    assert walls == sorted(walls)


def test_what_is_written_is_read_again():
    tempo = ONE.changed(110.0, 30.0)

    assert read(text(tempo)) == tempo


@pytest.mark.parametrize("wrong", ["", "1 2\n", "1 2 x\n", "1 2 0\n", "1 2 -3\n"])
def test_what_is_no_tempo_is_refused(wrong):
    with pytest.raises(TempoError):
        read(wrong)


def test_a_reader_sees_a_change_once_it_looks_again(tmp_path):
    path = tmp_path / "tempo"
    path.write_text(text(ONE))
    score = Score(str(path))
    assert score.tempo(100.0) == ONE

    path.write_text(text(ONE.changed(100.0, 7.0)))

    assert score.tempo(101.0).rate(101.0) == 7.0


def test_a_file_that_is_broken_later_changes_nothing(tmp_path):
    path = tmp_path / "tempo"
    path.write_text(text(ONE))
    score = Score(str(path))
    score.tempo(100.0)

    path.write_text("nonsense")

    assert score.tempo(200.0) == ONE


def test_a_file_that_never_was_is_told(tmp_path):
    with pytest.raises(OSError, match="tempo"):
        Score(str(tmp_path / "tempo")).tempo(0.0)
