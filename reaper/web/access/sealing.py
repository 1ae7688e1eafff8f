"""
Values that travel through a browser and come back unaltered: sessions, forms, what was done.

A sealed value is signed, not hidden; it says for what it was made and until when it holds.
"""

import base64
import hmac
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

#: Characters of a sealed text that are looked at; a browser keeps no longer cookie.
_LONGEST: Final = 4096


@dataclass(frozen=True, slots=True)
class Seal:
    """Seals and opens texts with one key."""

    key: bytes

    def derived(self, purpose: str) -> "Seal":
        """Return a seal with a key of its own, from which this one's cannot be told."""
        return Seal(hmac.digest(self.key, purpose.encode(), "sha256"))

    def close(self, purpose: str, words: Sequence[object], *, until: float) -> str:
        """Return words as URL-safe text that opens for this purpose until then (Unix seconds)."""
        body = _text(json.dumps([until, *words], separators=(",", ":")).encode())
        return f"{body}.{_text(self._mac(purpose, body))}"

    def open(self, purpose: str, text: str, *, now: float) -> list[object] | None:
        """Return the words; None where the text is altered, too old or for something else."""
        body, _, mac = text[: _LONGEST + 1].partition(".")
        right = _text(self._mac(purpose, body)).encode()
        if len(text) > _LONGEST or not hmac.compare_digest(right, mac.encode("utf-8", "replace")):
            return None
        until, *words = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
        return words if now < until else None

    def _mac(self, purpose: str, body: str) -> bytes:
        return hmac.digest(self.key, f"{purpose} {body}".encode("utf-8", "replace"), "sha256")


def _text(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).decode("ascii").rstrip("=")
