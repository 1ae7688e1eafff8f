"""What forms no cycle is looked through seldom, and what does is found in the end."""

import gc
import weakref

import pytest

from reaper.app.sweeping import EVERY, Sweeper


class Knot:
    """A value that refers to itself."""

    def __init__(self) -> None:
        self.own = self


@pytest.fixture(autouse=True)
def thawed():
    """Leave the collector as it was."""
    yield
    gc.unfreeze()


async def nothing() -> None:
    pass


async def test_nothing_is_looked_for_while_a_turn_runs_and_again_after_it():
    seen = []

    async def work() -> None:
        seen.append(gc.isenabled())

    await Sweeper().turn(work)

    assert seen == [False]
    assert gc.isenabled()


async def test_after_a_turn_that_fails_it_is_looked_for_again():
    async def work() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await Sweeper().turn(work)

    assert gc.isenabled()


async def test_what_a_turn_leaves_is_set_aside():
    before = gc.get_freeze_count()

    await Sweeper().turn(nothing)

    assert gc.get_freeze_count() > before


async def test_a_knot_is_untied_once_in_many_turns():
    tied = []

    async def work() -> None:
        tied.append(weakref.ref(Knot()))

    sweeper = Sweeper(turns=EVERY - 2)
    await sweeper.turn(work)
    assert tied[0]() is not None

    await sweeper.turn(nothing)

    assert tied[0]() is None


async def test_a_knot_that_was_tied_between_turns_is_untied_when_the_next_begins():
    """A page leaves one that holds the whole picture which it showed."""
    sweeper, seen = Sweeper(), []
    await sweeper.turn(nothing)
    tied = weakref.ref(Knot())

    async def work() -> None:
        seen.append(tied())

    await sweeper.turn(work)

    assert seen == [None]
