"""What an operator may write for durations, ratios, patterns, addresses and zones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from reaper.schema import (
    Address,
    Duration,
    Globs,
    HostPort,
    Mistake,
    Settings,
    address,
    duration,
    patterns,
    ratio,
    seconds,
    shown,
    zone,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("90s", 90.0),
        ("5m", 300.0),
        ("1h30m", 5400.0),
        ("1h 30m", 5400.0),
        ("7d", 604800.0),
        ("1.5h", 5400.0),
        ("250ms", 0.25),
        ("1d2h3m4s", 93784.0),
        (0, 0.0),
    ],
)
def test_a_duration_has_units(text: object, expected: float):
    assert seconds(text) == expected


@pytest.mark.parametrize("text", ["", "30", 30, 1.5, "m", "-5m", None, True, [], "1e3s"])
def test_what_is_no_duration_is_refused_with_an_example(text: object):
    with pytest.raises(Mistake, match="write for example"):
        seconds(text)


@given(st.integers(min_value=0, max_value=10**11))
def test_a_duration_is_read_as_it_is_written(milliseconds: int):
    assert seconds(duration(milliseconds / 1000)) == pytest.approx(milliseconds / 1000)


@pytest.mark.parametrize(
    ("value", "expected"), [(0, 0.0), (1, 1.0), (0.05, 0.05), ("5%", 0.05), ("100 %", 1.0)]
)
def test_a_ratio_lies_between_none_and_all(value: object, expected: float):
    assert ratio(value) == expected


@pytest.mark.parametrize("value", [5, "101%", -0.1, "half", None, True, "nan", "1e-3"])
def test_what_is_no_ratio_is_refused(value: object):
    with pytest.raises(Mistake, match=r"write (for example|a ratio)"):
        ratio(value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [("gpu*", ("gpu*",)), (["a", 2080], ("a", "2080")), (7, ("7",))],
)
def test_patterns_are_one_or_many(value: object, expected: tuple[str, ...]):
    assert patterns(value) == expected


@pytest.mark.parametrize("value", [[], "", [""], None, True, [["a"]], {"a": 1}, [1.5]])
def test_what_is_no_list_of_patterns_is_refused(value: object):
    with pytest.raises(Mistake):
        patterns(value)


@pytest.mark.parametrize(
    ("text", "expected", "loopback"),
    [
        ("127.0.0.1:80", Address("127.0.0.1", 80), True),
        ("localhost:0", Address("localhost", 0), True),
        ("[::1]:443", Address("::1", 443), True),
        ("0.0.0.0:9000", Address("0.0.0.0", 9000), False),  # noqa: S104 - only read
        ("[::]:9000", Address("::", 9000), False),
        ("reaper.example.org:9000", Address("reaper.example.org", 9000), False),
    ],
)
def test_an_address_is_a_host_and_a_port(text: str, expected: Address, loopback: bool):
    assert address(text) == expected
    assert str(expected) == text
    assert expected.loopback is loopback


@pytest.mark.parametrize("text", ["", "host", ":80", "host:", "host:http", "host:70000", 80, None])
def test_what_is_no_address_is_refused(text: object):
    with pytest.raises(Mistake, match="write host:port"):
        address(text)


@pytest.mark.parametrize("name", ["Europe/Berln", "", "../../etc/passwd", None, 5])
def test_a_zone_must_be_known(name: object):
    with pytest.raises(Mistake, match="is no time zone"):
        zone(name)


def test_the_zone_that_was_meant_is_guessed():
    with pytest.raises(Mistake, match="write for example Europe/Berlin"):
        zone("Europe/Berln")


class Example(Settings):
    timeout: Duration = 5.0
    who: Globs = ()
    listen: HostPort = Address("127.0.0.1", 1)


def test_settings_are_frozen():
    with pytest.raises(ValidationError):
        Example().timeout = 7.0  # type: ignore[misc]


def test_settings_know_their_keys():
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        Example.model_validate({"timeuot": "5s"})


def test_defaults_are_plain_values_and_texts_are_parsed():
    read = Example.model_validate({"timeout": "2m", "who": "a*", "listen": "[::1]:5"})

    assert (Example().timeout, read.timeout, read.who, read.listen.port) == (5.0, 120.0, ("a*",), 5)


@pytest.mark.parametrize("text", ["xoxb-12-ab", "token xapp-1-A-b end", "https://mira:hush@host/"])
def test_what_looks_like_a_secret_is_never_shown(text: str):
    assert not any(part in shown(text) for part in ("12-ab", "1-A-b", "hush"))


@pytest.mark.parametrize("text", ["3651d", "9999999999d"])
def test_a_duration_that_nobody_lives_to_see_is_refused(text):
    with pytest.raises(Mistake, match="longer than ten years; write at most 3650d"):
        seconds(text)


def test_ten_years_are_a_duration():
    assert seconds("3650d") == 3650 * 86400
