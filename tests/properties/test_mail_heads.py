"""Whatever people and programs are called, a message has its own headers and no others."""

from dataclasses import replace
from email import message_from_bytes, policy

from hypothesis import given
from hypothesis import strategies as st

from reaper.notifiers.mail import MailSettings
from reaper.notifiers.mail.message import compose
from tests.channels import MIRA, NOON, letter, notice
from tests.messages import ADDRESS

SETTINGS = MailSettings.model_validate({"sender": "gpu-reaper@example.org"})

HEADS = {
    *("To", "Subject", "From", "Date", "Message-ID", "References", "Auto-Submitted"),
    *("X-Auto-Response-Suppress", "List-Id", "Content-Language", "Content-Type", "MIME-Version"),
}

NASTY = st.one_of(
    st.text(max_size=300),
    st.sampled_from(
        ["\r\nBcc: otto@example.org", "a\nb: c", '"<x@y.z>', "=?utf-8?b?DQpCY2M6?=", "\\"]
    ),
)


@given(name=NASTY, job=NASTY, language=st.sampled_from(["en", "ru"]), left=st.booleans())
def test_names_are_no_headers(name: str, job: str, language: str, *, left: bool):
    person = replace(MIRA, name=name, contact=name, language=language, left=left)
    written = letter(notice("final", name=job, reason=job, user=name), to=person, page=ADDRESS)
    posted = compose(written, SETTINGS, now=NOON)
    read = message_from_bytes(posted.content, policy=policy.default)

    assert set(read.keys()) == HEADS
    assert [one.addr_spec for one in read["To"].addresses] == ["mira@example.org"]
    assert posted.content.isascii()
    assert all(len(line) <= 998 for line in posted.content.split(b"\r\n"))
