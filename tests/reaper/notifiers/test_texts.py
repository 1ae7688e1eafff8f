"""The taming of foreign names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reaper.notifiers.slack.blocks import HEADER, blocks, escape
from reaper.notifiers.texts import LONGEST, Message, tame


@given(st.text())
def test_a_tamed_text_is_one_short_line_without_control(text: str):
    tamed = tame(text)

    assert len(tamed) <= LONGEST
    assert tamed.isprintable()
    assert tame(tamed) == tamed


@pytest.mark.parametrize("text", ["train", "größe 2", "обучение", "训练", "a & b <c>"])
def test_a_harmless_name_stays_as_it_is(text: str):
    assert tame(text) == text


@given(st.text(alphabet="<>&abc|!@", max_size=400))
def test_nothing_in_a_block_is_mark_up_or_too_long(text: str):
    message = Message(title=text, lead=text, facts=(("a", text),), next=(text,))
    header = blocks(message)[0]["text"]["text"]

    assert not {"<", ">"} & set(header)
    assert len(header) <= HEADER
    assert "&" not in header.replace("&amp;", "").replace("&lt;", "").replace("&gt;", "")


def test_escaping_keeps_what_is_read():
    assert escape("a < b && c > d") == "a &lt; b &amp;&amp; c &gt; d"


@pytest.mark.parametrize("link", ["javascript:alert(1)", "https://x|<!here>", "", "ftp://x"])
def test_only_a_plain_web_address_becomes_a_link(link: str):
    message = Message(title="t", lead="l", link=link)

    assert all(block["type"] != "context" for block in blocks(message))
