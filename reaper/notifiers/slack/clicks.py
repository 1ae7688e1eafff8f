"""A click as Slack tells it, read without trust: what is not ours is no click."""

from dataclasses import dataclass
from typing import Final, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from reaper.notifiers.texts import Verb

_VERBS: Final = frozenset(get_args(Verb))
_LONGEST: Final = 2000
"""Characters of a button's value, as Slack takes them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Click:
    """
    One press of one of our buttons.

    `user` and `channel` are ids of Slack; `seconds` is how long a keep shall last; `token` is what
    the button says, whether it is ours or not.
    """

    user: str
    channel: str
    verb: str
    seconds: float
    token: str


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True, strict=True)


class _Id(_Part):
    id: str = ""


class _Container(_Part):
    channel_id: str = ""


class _Action(_Part):
    action_id: str = ""
    value: str = ""


class _Payload(_Part):
    type: str
    user: _Id
    channel: _Id = _Id()
    container: _Container = _Container()
    actions: list[_Action] = []


def click(payload: object) -> Click | None:
    """Return the click that a payload tells of; None where it is anything else."""
    try:
        told = (
            _Payload.model_validate_json(payload)
            if isinstance(payload, str)
            else _Payload.model_validate(payload)
        )
    except ValidationError:
        return None
    if told.type != "block_actions" or len(told.actions) != 1:
        return None
    action = told.actions[0]
    verb, seconds, *_ = (*action.action_id.split("."), "", "")
    if verb not in _VERBS or not seconds.isdecimal() or len(seconds) > len("31536000"):
        return None
    return Click(
        user=told.user.id,
        channel=told.channel.id or told.container.channel_id,
        verb=verb,
        seconds=float(seconds),
        token=action.value[: _LONGEST + 1],
    )
