"""A demonstration runs no faster than its machine follows."""

from itertools import pairwise

from reaper.app.demo.pacing import BRAKE, EARLY, LATE, SLOWEST, USUAL, Course, Pacer, first

FULL = Course(rate=30.0, keeps=30.0)
LONG = 60.0


def test_a_machine_that_starts_as_usual_runs_as_is_wished():
    assert first(30.0, USUAL) == 30.0
    assert first(30.0, 0.0) == 30.0


def test_a_machine_that_starts_slowly_begins_slowly():
    assert first(30.0, 2 * USUAL) == 15.0
    assert first(30.0, 1000 * USUAL) == SLOWEST


def test_no_demonstration_is_faster_than_is_wished():
    assert first(1.0, USUAL) == 1.0
    assert FULL.following(30.0, behind=0.0, since=LONG) == FULL


def test_what_is_late_brakes_the_clock_until_it_has_caught_up():
    braked = FULL.following(30.0, behind=LATE + 0.1, since=0.0)

    assert braked.rate == BRAKE
    assert braked.keeps < FULL.keeps
    assert braked.following(30.0, behind=LATE, since=LONG) == braked
    assert braked.following(30.0, behind=0.0, since=0.0).rate == braked.keeps


def test_what_goes_well_for_a_while_goes_faster_again():
    slow = Course(rate=6.0, keeps=6.0)

    assert slow.following(30.0, behind=0.0, since=1.0) == slow
    assert slow.following(30.0, behind=EARLY / 2, since=LONG).rate > 6.0


def test_what_was_too_fast_once_is_not_tried_again_soon():
    course = FULL.following(30.0, behind=1.0, since=LONG)
    for _ in range(20):
        course = course.following(30.0, behind=0.0, since=10.0)

    assert 20.0 < course.rate < 30.0
    assert course.following(30.0, behind=0.0, since=LONG).rate > course.rate


def test_it_never_stands_still_however_slow_the_machine():
    course = FULL
    for _ in range(50):
        course = course.following(30.0, behind=3.0, since=LONG)
        course = course.following(30.0, behind=0.0, since=0.0)

    assert course.rate == course.keeps == SLOWEST


def test_a_pacer_tells_when_it_slows_the_clock(tmp_path):
    said: list[str] = []
    pacer = Pacer(path=tmp_path / "tempo", epoch=1e9, wanted=30.0)
    clock = pacer.begin()
    pacer.go()

    pacer.follow(LATE + 1, said.append)

    assert said == ["This machine does not keep up: the clock runs 18 times as fast."]
    assert clock.now() >= 1e9


def test_its_clock_never_goes_back(tmp_path):
    pacer = Pacer(path=tmp_path / "tempo", epoch=1e9, wanted=600.0)
    clock = pacer.begin()
    seen = [clock.now()]
    for behind in (0.0, 1.0, 0.0, 2.0):
        pacer.follow(behind, lambda _: None)
        seen += [clock.now() for _ in range(200)]

    assert all(one <= other for one, other in pairwise(seen))
