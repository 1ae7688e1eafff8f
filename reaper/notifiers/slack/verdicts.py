"""
What Slack's answers mean for a notice: try later, never, or nobody knows.

Error names are Slack's own, from the reference of `chat.postMessage` and `users.lookupByEmail`.
Nothing that Slack sends is repeated but names of errors and scopes, so no secret can return.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from reaper.ports import NotifyError


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An HTTP answer of Slack that was no success; `error` and `needed` as Slack names them."""

    method: str
    status: int
    error: str = ""
    needed: str = ""
    retry_after: float | None = None
    sends: bool = True
    """Whether the call sends a message, so that an unclear answer may mean that it arrived."""


#: Wait where Slack limits the rate and does not say for how long; seconds.
PATIENCE: Final = 30.0

_RATE: Final = frozenset(("ratelimited", "rate_limited", "message_limit_exceeded"))
_PASSING: Final = frozenset(
    ("service_unavailable", "request_timeout", "team_added_to_org", "accesslimited")
)
_UNCLEAR: Final = frozenset(("fatal_error", "internal_error"))
"""Slack: "some aspect of the operation" may have succeeded."""

_REINSTALL: Final = "install the app again and put its new bot token where the configuration says"
CURES: Final[Mapping[str, str]] = {
    "invalid_auth": _REINSTALL,
    "not_authed": _REINSTALL,
    "account_inactive": _REINSTALL,
    "token_revoked": _REINSTALL,
    "token_expired": _REINSTALL,
    "not_allowed_token_type": "use the bot token, which begins with xoxb-",
    "access_denied": "ask a workspace administrator to approve the app",
    "org_login_required": "wait until the workspace has been moved, then install the app again",
    "ekm_access_denied": "ask a workspace administrator: messages are suspended",
    "team_access_not_granted": "grant the app access to this workspace",
    "two_factor_setup_required": "set up two-factor authentication for the app's account",
    "missing_scope": "add the scope to the app and install it again",
    "no_permission": "add the scope chat:write to the app and install it again",
    "users_not_found": "add the person's Slack id or right e-mail address to the people file",
    "user_not_found": "correct the person's Slack id in the people file",
    "user_disabled": "the person's Slack account is closed; give another contact",
    "user_not_visible": "let the app see guests, or give another contact",
    "cannot_dm_bot": "the Slack id in the people file is a bot; give a person's id",
    "messages_tab_disabled": "switch on the messages tab in the app's home settings",
    "channel_not_found": "check the channel id and invite the app into the channel",
    "not_in_channel": "invite the app into the channel",
    "is_archived": "choose a channel that is not archived",
    "restricted_action": "let the app post in this channel",
    "message_not_found": "nothing: the message was deleted",
    "cant_update_message": "nothing: the message is not the app's any more",
    "edit_window_closed": "nothing: the workspace lets messages stand after a while",
    "user_not_in_channel": "nothing: who clicked cannot be written to there",
    "msg_too_long": "report this: texts are cut before",
    "invalid_blocks": "report this: the message was not accepted as it is set",
}
"""What an operator does about an error that does not pass by itself."""

OPENING: Final = "apps.connections.open"
"""The one call that is made with the app-level token."""

_RENEW: Final = (
    "make an app-level token with the scope connections:write and put it where app_token says"
)
_ABOUT_IT: Final = frozenset(
    (
        *("invalid_auth", "not_authed", "token_revoked", "token_expired"),
        *("not_allowed_token_type", "missing_scope", "no_permission"),
    )
)
"""Errors that are about the token that was given."""

_WORD: Final = re.compile(r"[a-z][a-z0-9_]{0,60}")
_SCOPES: Final = re.compile(r"[a-z][a-z.:,_]{0,120}")


def verdict(answer: Reply) -> NotifyError:
    """Say what an answer means for the notice."""
    if answer.status == 429 or answer.error in _RATE:
        wait = PATIENCE if answer.retry_after is None else answer.retry_after
        return _error(answer, "limits the rate", recoverable=True, retry_after=wait)
    if answer.error in _UNCLEAR and answer.status < 500:
        return unclear(answer.method, f"answered {answer.error}", sends=answer.sends)
    if answer.status == 504:
        return unclear(answer.method, "answered HTTP 504", sends=answer.sends)
    if answer.status >= 500 or answer.error in _PASSING:
        said = answer.error if answer.status < 500 else f"HTTP {answer.status}"
        return _error(answer, f"answered {said}", recoverable=True)
    if not answer.error:
        return _strange(answer)
    scope = f" ({answer.needed})" if answer.needed else ""
    cure = _cure(answer)
    return _error(answer, f"answered {answer.error}{scope}; {cure}", recoverable=False)


def _cure(answer: Reply) -> str:
    if answer.method == OPENING and answer.error in _ABOUT_IT:
        return _RENEW
    return CURES.get(answer.error, "see this error in Slack's reference")


def unclear(method: str, what: str, *, sends: bool) -> NotifyError:
    """Say that nobody knows: what only asked may be repeated, what sends may not."""
    if not sends:
        return NotifyError(f"slack: {method} {what}", recoverable=True)
    return NotifyError(
        f"slack: {method} {what} after the message was sent; it may have arrived",
        recoverable=False,
        ambiguous=True,
    )


def word(value: object) -> str:
    """Return an error's name as Slack sent it, or nothing when it is no such name."""
    return value if isinstance(value, str) and _WORD.fullmatch(value) else ""


def scopes(value: object) -> str:
    """Return a list of scopes as Slack sent it, or nothing when it is no such list."""
    return value if isinstance(value, str) and _SCOPES.fullmatch(value) else ""


def wait(value: object) -> float | None:
    """Return the seconds of a Retry-After header, at most an hour, or None."""
    text = str(value).strip()
    return min(float(text), 3600.0) if text.isdecimal() else None


def _strange(answer: Reply) -> NotifyError:
    """Judge an answer that is not Slack's: a proxy, a captive page, a garbled body."""
    if answer.status in (200, 408):
        said = f"gave an answer that is not Slack's (HTTP {answer.status})"
        return unclear(answer.method, said, sends=answer.sends)
    cure = "check base_url and the proxy"
    return _error(
        answer, f"answered HTTP {answer.status} without an error; {cure}", recoverable=False
    )


def _error(
    answer: Reply, what: str, *, recoverable: bool, retry_after: float | None = None
) -> NotifyError:
    text = f"slack: {answer.method} {what}"
    return NotifyError(text, recoverable=recoverable, retry_after=retry_after)
