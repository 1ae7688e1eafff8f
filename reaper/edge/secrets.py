"""Reading secrets from where a configuration says they lie; the only place that does."""

import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from errno import EDQUOT, ENOSPC
from pathlib import Path
from typing import Final

from reaper.edge.files import clear_drafts, drafted, read_text, sync
from reaper.ports import NoRoomError, ReaperError
from reaper.schema import Secret

_KEY: Final = 32
"""Bytes of a key of our own, and the fewest letters of one that is given."""


class SecretError(ReaperError):
    """A secret cannot be read; the message says which one and why, never what it is."""


def secret(reference: Secret, environ: Mapping[str, str] = os.environ) -> str:
    """Return the secret, without line breaks around it; raise SecretError."""
    text = _from_file(reference) if reference.file else environ.get(reference.env, "")
    if not text.strip():
        raise SecretError(f"{reference} is empty or not set; put the secret there")
    if len(text.split()) > 1:
        raise SecretError(f"{reference} holds more than one word; it must hold the secret alone")
    return text.strip()


def given_key(reference: Secret, environ: Mapping[str, str] = os.environ) -> bytes:
    """Return a secret that signs; raise SecretError for one that could be guessed."""
    text = secret(reference, environ)
    if len(text) < _KEY:
        cure = "put the output of `openssl rand -hex 32` there"
        raise SecretError(f"{reference} is no key: it has fewer than {_KEY} letters; {cure}")
    return text.encode()


def own_key(path: Path) -> bytes:
    """
    Return the key that lies there, making it the first time; raise SecretError.

    One that lies there is only read: no full disk and no crash of an earlier start is in its way.
    Raise NoRoomError where there is no room for a new one.
    """
    try:
        if not path.exists():
            _make_key(path)
        key = path.read_bytes()
        clear_drafts(path)
    except OSError as error:
        text = f"{path} cannot be kept or read: {error.strerror}"
        full = error.errno in {ENOSPC, EDQUOT}
        raise (NoRoomError(text) if full else SecretError(text)) from None
    if len(key) < _KEY:
        raise SecretError(f"{path} is too short for a key; remove it, and a new one is made")
    return key


def _make_key(path: Path) -> None:
    """Make the key whole or not at all; of two starts at once, the first one's stands."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with drafted(path) as draft:
        draft.write_bytes(secrets.token_bytes(_KEY))
        sync(draft)
        # Another start may have made the key, or have taken this draft for one that was left.
        with suppress(FileExistsError, FileNotFoundError):
            os.link(draft, path)


def _from_file(reference: Secret) -> str:
    assert reference.file is not None  # noqa: S101 - the reference has one or the other
    try:
        return read_text(reference.file)
    except OSError as error:
        raise SecretError(f"{reference} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SecretError(f"{reference} is no text") from None
