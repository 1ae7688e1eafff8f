"""The garbage collector rests while much is built, and works again afterwards."""

import gc

from reaper.activity.heap import settle, uncollected


def test_nothing_is_collected_while_it_is_built_and_afterwards_again():
    assert gc.isenabled()
    with uncollected(), uncollected():
        inside = gc.isenabled()

    assert (inside, gc.isenabled()) == (False, True)


def test_nothing_is_collected_until_the_last_of_several_is_built():
    first, second = uncollected(), uncollected()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    between = gc.isenabled()
    second.__exit__(None, None, None)

    assert (between, gc.isenabled()) == (False, True)


def test_a_collector_that_is_off_stays_off():
    gc.disable()
    try:
        with uncollected():
            pass

        assert not gc.isenabled()
    finally:
        gc.enable()


def test_what_has_settled_is_looked_at_no_more():
    before = gc.get_freeze_count()
    stays = [[number] for number in range(1000)]
    try:
        settle()

        assert gc.get_freeze_count() >= before + len(stays)
        assert all(item is not stays[0] for item in gc.get_objects())
    finally:
        gc.unfreeze()
