"""Work is done beside the loop where it would hold it for long."""

from threading import get_ident

import pytest

from reaper.cycle.aside import LARGE, aside


async def test_work_on_few_is_done_at_once_where_it_is_asked_for():
    assert await aside(LARGE - 1, get_ident) == get_ident()


async def test_work_on_many_is_done_in_another_thread():
    assert await aside(LARGE, get_ident) != get_ident()


@pytest.mark.parametrize("size", [0, LARGE])
async def test_what_fails_fails_where_it_was_asked_for(size):
    with pytest.raises(ValueError, match="invalid literal"):
        await aside(size, int, "x", base=10)
