"""E-mails as their readers see them; the golden files are meant to be opened."""

from collections.abc import Callable
from dataclasses import replace
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from reaper.notifiers.mail.message import compose
from tests.channels import NOON
from tests.channels_of_site import mail_settings
from tests.messages import ADDRESS, LETTERS, spoken

LANGUAGES = {"en": "", "ru": "ru/"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["final", "final-for-who-has-left", "released", "warning-digest"])
@pytest.mark.parametrize(("kind", "suffix"), [("plain", "mail.txt"), ("html", "mail.html")])
def test_an_e_mail_reads(
    *,
    name: str,
    language: str,
    kind: str,
    suffix: str,
    tmp_path: Path,
    golden: Callable[[str, str], None],
):
    written = spoken(LETTERS[name], language)
    tokens = {item.id: f"signed-{number}" for number, item in enumerate(written.notices)}
    carried = replace(written, tokens=tokens, page=ADDRESS)
    posted = compose(carried, mail_settings(tmp_path, 25), now=NOON)
    body = message_from_bytes(posted.content, policy=policy.default).get_body((kind,))

    assert body is not None
    text = "\n".join(body.get_content().splitlines())
    golden(f"messages/{LANGUAGES[language]}{name}.{suffix}", f"{text}\n")
