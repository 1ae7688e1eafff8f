"""Passwords are compared once, and those that are not known wait apart and few."""

import asyncio

import bcrypt
import pytest

from exporter.clock import SystemClock
from exporter.serving.hosts import host_of
from exporter.serving.passwords import Crowded, Passwords
from tests.exporter.fakes import StillClock

QUICK = bcrypt.hashpw(b"pass", bcrypt.gensalt(4))
OTHER = bcrypt.hashpw(b"word", bcrypt.gensalt(4))


class Resting(StillClock):
    """A clock on which a comparison takes a second, and whose rests are written down."""

    def monotonic(self):
        self.now += 0.5
        return self.now


@pytest.fixture
def passwords():
    made = Passwords(StillClock())
    yield made
    made.close()


async def test_a_password_is_compared_once():
    passwords, slow = Passwords(SystemClock()), bcrypt.hashpw(b"pass", bcrypt.gensalt(12))
    assert await passwords.match(b"pass", slow)
    clock_free = [await passwords.match(b"pass", slow) for _ in range(1000)]
    passwords.close()

    assert all(clock_free)


async def test_wrong_passwords_do_not_push_a_right_one_out_of_the_memory(passwords):
    await passwords.match(b"pass", QUICK)
    for number in range(250):
        await passwords.match(str(number).encode(), QUICK)

    assert passwords.known(b"pass", QUICK) is True
    assert passwords.known(b"0", QUICK) is None
    assert passwords.known(b"249", QUICK) is False


async def test_a_hash_that_is_none_opens_nothing(passwords):
    assert not await passwords.match(b"pass", b"$2b$10$broken")


async def outcomes(passwords, asked):
    found = await asyncio.gather(
        *(passwords.match(*words) for words in asked), return_exceptions=True
    )
    return ["crowded" if isinstance(one, Crowded) else one for one in found]


async def test_of_one_caller_two_wait(passwords):
    asked = [(str(number).encode(), QUICK, "a") for number in range(5)]

    assert await outcomes(passwords, asked) == [False, False, "crowded", "crowded", "crowded"]


async def test_one_caller_leaves_room_for_another(passwords):
    asked = [(str(number).encode(), QUICK, "a") for number in range(5)]

    assert (await outcomes(passwords, [*asked, (b"pass", QUICK, "b")]))[-1] is True


async def test_a_crowd_at_one_name_is_none_at_another(passwords):
    asked = [(str(number).encode(), QUICK, str(number)) for number in range(9)]
    found = await outcomes(passwords, [*asked, (b"word", OTHER, "z")])

    assert (found.count("crowded"), found[-1]) == (5, True)


async def test_a_place_is_free_again_afterwards(passwords):
    asked = [(str(number).encode(), QUICK, "a") for number in range(5)]
    await outcomes(passwords, asked)

    assert await passwords.match(b"pass", QUICK, "a")
    assert passwords._waiting == {}


async def test_comparing_takes_a_quarter_of_the_time_at_most():
    clock = Resting()
    passwords = Passwords(clock)
    await outcomes(passwords, [(b"1", QUICK, "a"), (b"2", QUICK, "b")])
    passwords.close()

    assert clock.waits[0] == 0
    assert clock.waits[1] == pytest.approx(3 * 0.5 - 0.5)


async def test_the_same_password_twice_at_once_is_compared_once():
    clock = Resting()
    passwords = Passwords(clock)
    found = await outcomes(passwords, [(b"pass", QUICK, "a"), (b"pass", QUICK, "b")])
    passwords.close()

    assert (found, len(clock.waits)) == ([True, True], 1)


@pytest.mark.parametrize(
    ("header", "host"),
    [
        ("localhost:19440", "localhost"),
        ("GPU01", "gpu01"),
        ("gpu01.", "gpu01"),
        ("127.0.0.1:1", "127.0.0.1"),
        ("[::1]:19440", "::1"),
        ("[::1]", "::1"),
        ("::1", "::1"),
        ("a:b", "a:b"),
        ("", ""),
    ],
)
def test_a_host_header_names_a_host_without_its_port(header, host):
    assert host_of(header) == host
