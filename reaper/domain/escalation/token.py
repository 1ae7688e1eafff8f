"""
Tokens: one person's right to answer one notice, once.

A token travels in a link or a button.  It is signed, so it is not stored; that it was used is.
"""

import base64
import hashlib
import hmac
import json
from dataclasses import dataclass
from typing import Final

#: Seconds for which an answer to a notice is taken; longer than any grace.
LASTS: Final = 7 * 86400.0

_MAC: Final = 16
"""Bytes of the signature: 128 bits cannot be guessed."""

_LONGEST: Final = 2000
"""Characters of a token that is looked at; Slack's buttons take as many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """Who may answer which notice until when (Unix seconds)."""

    notice_id: str
    run_key: str
    user: str
    expires: float


def signed(token: Token, key: bytes) -> str:
    """Return a token as text of URL-safe letters, which only a holder of the key can write."""
    words = [token.notice_id, token.run_key, token.user, token.expires]
    body = _text(json.dumps(words, separators=(",", ":")).encode())
    return f"{body}.{_text(_mac(body, key))}"


def opened(text: str, key: bytes, now: float) -> Token | None:
    """Return the token that a text is; None when it is altered, expired or none of ours."""
    body, _, mac = text[: _LONGEST + 1].partition(".")
    if len(text) > _LONGEST or not hmac.compare_digest(
        _text(_mac(body, key)).encode(), mac.encode("utf-8", "replace")
    ):
        return None
    notice_id, run_key, user, expires = json.loads(_bytes(body))
    token = Token(notice_id=notice_id, run_key=run_key, user=user, expires=float(expires))
    return token if now < token.expires else None


def use_id(text: str) -> str:
    """Return by what it is remembered that a token was used: it tells nothing of the token."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


def _mac(body: str, key: bytes) -> bytes:
    return hmac.digest(key, body.encode("utf-8", "replace"), "sha256")[:_MAC]


def _text(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).decode("ascii").rstrip("=")


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
