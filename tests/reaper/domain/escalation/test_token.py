"""A token is one person's right to answer one notice, and cannot be made up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reaper.domain.escalation.token import LASTS, Token, opened, signed, use_id

KEY, NOW = b"k" * 32, 1_796_036_400.0
TOKEN = Token(notice_id="c@1:final:1:0", run_key="slurm/7", user="mira", expires=NOW + LASTS)


def test_it_says_after_its_travel_what_it_said_before():
    assert opened(signed(TOKEN, KEY), KEY, NOW) == TOKEN


def test_it_travels_in_a_link_and_in_a_button():
    text = signed(TOKEN, KEY)

    assert set(text) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
    assert len(text) < 300


def test_it_ends():
    assert opened(signed(TOKEN, KEY), KEY, TOKEN.expires) is None


def test_another_key_opens_nothing():
    assert opened(signed(TOKEN, KEY), b"l" * 32, NOW) is None


@given(st.integers(min_value=0), st.characters())
def test_no_letter_of_it_can_be_changed(place, letter):
    text = signed(TOKEN, KEY)
    at = place % len(text)
    altered = text[:at] + letter + text[at + 1 :]

    assert altered == text or opened(altered, KEY, NOW) is None


@pytest.mark.parametrize("text", ["", ".", "x", "x.y", "a.b.c", "é.é", "\ud800.x", "a" * 100_000])
def test_what_is_no_token_opens_nothing(text):
    assert opened(text, KEY, NOW) is None


def test_what_is_kept_of_its_use_does_not_tell_it():
    assert use_id(signed(TOKEN, KEY)) not in signed(TOKEN, KEY)
    assert use_id(signed(TOKEN, KEY)) == use_id(signed(TOKEN, KEY))
