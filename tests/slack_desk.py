"""A reaper at work whose person reads Slack, and presses the buttons there."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reaper.domain.judgement.policy import KeepRule, Policy
from reaper.notifiers.slack.answering import Answering, Core
from reaper.notifiers.slack.messages import SlackDirect
from reaper.notifiers.slack.settings import SlackSettings
from tests.builders import policy
from tests.channels import slack_settings
from tests.fakes import FakePeople
from tests.fakes_slack import FakeSlack, slack
from tests.fakes_slack_socket import press
from tests.lab import Lab, lab

KEY = b"a key that nobody else can guess"
GPU = "GPU-gpu01-0"
KEEPING = KeepRule(per_request=4 * 3600.0, per_day=2, mornings_per_week=1)


@dataclass(slots=True, kw_only=True)
class Desk:
    """One person's Slack, and the reaper behind it."""

    workspace: FakeSlack
    bench: Lab
    settings: SlackSettings

    async def warned(self) -> None:
        """Play until the final notice has arrived."""
        await self.bench.play({GPU: "AAAA" + "H" * 62})

    def core(self) -> Core:
        """Return the part of the core that answers reach."""
        parts = self.bench.parts
        assert parts is not None
        return Core(
            requests=parts.requests, people=(FakePeople(),), key=KEY, clock=self.bench.clock
        )

    def answering(self) -> Answering:
        """Return what takes clicks."""
        return Answering(self.settings, self.core())

    def pressed(self, verb: str, *, post: int = -1, **changes: Any) -> dict[str, Any]:
        """Return what Slack tells when a button of a message is pressed."""
        return press(self.workspace.posts[post], verb, **changes)

    async def press(self, verb: str, *, post: int = -1, **changes: Any) -> str:
        """Press a button, and return what the person is told."""
        before = len(self.workspace.whispers)
        answering = self.answering()
        await answering.hear(self.pressed(verb, post=post, **changes))
        await answering.finish()
        told = self.workspace.whispers[before:]
        return " | ".join(whisper["text"] for whisper in told)


@asynccontextmanager
async def desk(folder: Path, *policies: Policy, **settings: Any) -> AsyncIterator[Desk]:
    """Open a workspace and a reaper that writes into it."""
    async with slack() as workspace:
        usual = {"app_token": app_token(folder), "timeout": "1s"}
        given = slack_settings(folder, workspace.base_url, **{**usual, **settings})
        bench = lab(*(policies or (policy(keep=KEEPING),)))
        bench.channels = (SlackDirect(given, clock=bench.clock),)
        bench.key = KEY
        yield Desk(workspace=workspace, bench=bench, settings=given)


def app_token(folder: Path) -> dict[str, str]:
    """Write the app-level token to a file, and return the setting that names it."""
    from tests.fakes_slack import APP_TOKEN

    path = folder / "slack.app-token"
    path.write_text(f"{APP_TOKEN}\n", encoding="utf-8")
    return {"file": str(path)}
