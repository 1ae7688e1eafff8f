"""Reading secrets from where a configuration says they lie; the only place that does."""

import os
from collections.abc import Mapping

from reaper.ports import ReaperError
from reaper.schema import Secret


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


def _from_file(reference: Secret) -> str:
    assert reference.file is not None  # noqa: S101 - the reference has one or the other
    try:
        return reference.file.read_text(encoding="utf-8")
    except OSError as error:
        raise SecretError(f"{reference} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SecretError(f"{reference} is no text") from None
