import pytest

from reaper.web.attempts import MOST, Attempts, TooManyError


class Tries:
    def __init__(self):
        self.now = 0.0
        self.attempts = Attempts(elapsed=lambda: self.now)

    def wrong(self, address, times=MOST):
        for _ in range(times):
            self.attempts.refuse(address)

    def stopped(self, address) -> bool:
        try:
            self.attempts.admit(address)
        except TooManyError:
            return True
        return False


@pytest.fixture
def tries():
    return Tries()


def test_who_is_wrong_too_often_is_stopped_until_the_minute_is_over(tries):
    tries.attempts.admit("192.0.2.1")
    tries.wrong("192.0.2.1", MOST - 1)
    assert not tries.stopped("192.0.2.1")
    tries.wrong("192.0.2.1", 1)
    assert tries.stopped("192.0.2.1")

    tries.now = 60.0
    assert not tries.stopped("192.0.2.1")


def test_nobodys_guesses_shut_out_the_others(tries):
    for number in range(12_000):
        tries.wrong(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}", 2)

    assert not tries.stopped("192.0.2.1")
    assert len(tries.attempts._wrong) == 10_000


def test_a_subscriber_is_one_whatever_address_they_use(tries):
    for number in range(MOST):
        tries.wrong(f"2001:db8::{number:x}", 1)

    assert tries.stopped("2001:db8::ffff")
    assert not tries.stopped("2001:db8:0:1::1")


def test_what_is_no_address_is_counted_as_it_is(tries):
    tries.wrong("unknown")

    assert tries.stopped("unknown")
