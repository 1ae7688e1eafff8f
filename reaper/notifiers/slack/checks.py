"""What can be found out about a Slack app without sending anything to anybody."""

from dataclasses import dataclass

from reaper.edge.secrets import SecretError, secret
from reaper.notifiers.slack.calls import APP, BOT, calling, judged, slack_token
from reaper.notifiers.slack.settings import SCOPES, SlackSettings
from reaper.notifiers.slack.verdicts import OPENING
from reaper.ports import NotifyError


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """One thing that was looked at; `ok` None where it works and offers less than it could."""

    subject: str
    ok: bool | None
    what: str
    cure: str = ""


async def checked(settings: SlackSettings) -> tuple[Checked, ...]:
    """Look at the token and its scopes, and at how clicks would reach us; never raises."""
    return (await _token(settings), await _answers(settings))


async def lacking_scopes(settings: SlackSettings) -> tuple[str, ...]:
    """Ask Slack whether it takes the bot token, and return the scopes that it lacks."""
    async with calling(settings) as client, judged("auth.test", sends=False):
        answer = await client.auth_test()
        given = str(answer.headers.get("X-OAuth-Scopes", "")).replace(" ", "").split(",")
    return tuple(scope for scope in SCOPES if scope not in given)


async def _token(settings: SlackSettings) -> Checked:
    try:
        lacking = await lacking_scopes(settings)
    except NotifyError as error:
        return Checked(subject="slack", ok=False, what=str(error))
    if lacking:
        what = f"the token lacks {', '.join(lacking)}"
        cure = "add the scopes to the app and install it again"
        return Checked(subject="slack", ok=False, what=what, cure=cure)
    return Checked(subject="slack", ok=True, what="the token works and has its scopes")


async def _answers(settings: SlackSettings) -> Checked:
    subject = "slack answers"
    try:
        match settings.hears:
            case "socket":
                await _connectable(settings)
                what = "Socket Mode is open to the app-level token"
            case "http":
                _readable(settings)
                what = "signed requests can be checked; Slack must reach /slack/interactions"
            case _:
                what = "messages name commands, and have no buttons"
                cure = "write app_token (Socket Mode), or signing_secret"
                return Checked(subject=subject, ok=None, what=what, cure=cure)
    except NotifyError as error:
        return Checked(subject=subject, ok=False, what=str(error))
    return Checked(subject=subject, ok=True, what=what)


async def _connectable(settings: SlackSettings) -> None:
    """
    Ask for the address of a connection, and open none.

    Slack sends each click over any one connection: one of ours would swallow some.
    """
    assert settings.app_token is not None  # noqa: S101 - asked only where there is one
    token = slack_token(settings.app_token, APP, "app-level token")
    async with calling(settings) as client, judged(OPENING, sends=False):
        answer = await client.apps_connections_open(app_token=token)
        str(answer["url"])


def _readable(settings: SlackSettings) -> None:
    assert settings.signing_secret is not None  # noqa: S101 - asked only where there is one
    try:
        text = secret(settings.signing_secret)
    except SecretError as error:
        raise NotifyError(f"slack: {error}", recoverable=False) from None
    if text.startswith((BOT, APP)):
        what = f"slack: {settings.signing_secret} is a token, and no signing secret"
        raise NotifyError(f"{what}; take it from the app's basic information", recoverable=False)
