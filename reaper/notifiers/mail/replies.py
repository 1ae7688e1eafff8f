"""
What a mail server's reply means for a notice.

A reply of 4xx may be another one later; 5xx stays.  A reply is quoted without line breaks, and not
at all while signing in, where servers repeat what they were sent.
"""

from reaper.notifiers.texts import tame
from reaper.ports import NotifyError

QUOTED = 160
"""Characters of a reply that are repeated."""

_CURES = {
    "the sender": "allow the sender's address there, or set another `sender`",
    "the recipient": "correct the address where people are listed",
    "the message": "look into the server's log",
    "the sign-in": "check user and password",
    "STARTTLS": "write security: tls, or let the server offer STARTTLS",
    "the connection": "look into the server's log",
}


def refused(what: str, code: int, reply: str, *, private: str = "") -> NotifyError:
    """Return the error for a reply that refuses; one that repeats what is private is not quoted."""
    quoted = what != "the sign-in" and not (private and private in reply)
    said = f": {tame(reply, longest=QUOTED)}" if quoted else ""
    later = 400 <= code < 500
    cure = "it is tried again" if later else _CURES[what]
    return NotifyError(f"mail: {what} was refused ({code}{said}); {cure}", recoverable=later)


def unreachable(why: str) -> NotifyError:
    """Return the error for a server that was not reached, or broke off before the message."""
    return NotifyError(f"mail: the server {why}; nothing was sent", recoverable=True)


def unclear(why: str) -> NotifyError:
    """Return the error for a message that went out and was not answered."""
    text = f"mail: the server {why} after it got the message; it may have arrived"
    return NotifyError(text, recoverable=False, ambiguous=True)


def unsafe(why: str) -> NotifyError:
    """Return the error for a connection that cannot be trusted."""
    cure = "check the server's name, its certificate and `ca`"
    return NotifyError(f"mail: the connection is not safe ({why}); {cure}", recoverable=False)
