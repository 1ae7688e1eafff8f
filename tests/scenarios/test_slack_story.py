"""The whole program between a drawn cluster and a loopback Slack, as a configuration starts it."""

import json
import socket
from asyncio import timeout
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession

from reaper.app.compose import adapters, rules
from reaper.app.running import started
from reaper.app.service import Service
from reaper.config import Configuration, load
from reaper.domain.escalation.case import Case, State
from reaper.domain.facts.grid import Pace
from reaper.edge.clock import JumpingClock
from reaper.observers import observe_once
from tests import builders
from tests.builders import policy
from tests.fakes import Cluster, FakeActivity, FakeHolder
from tests.fakes_actor import FakeActor
from tests.fakes_slack import APP_TOKEN, SIGNING_SECRET, TOKEN, FakeSlack, slack
from tests.fakes_slack_socket import buttons, press, signed
from tests.slack_desk import GPU, KEEPING

PATIENCE = 120.0

FILE = """
cluster: test
state_dir: {folder}
store: {{kind: memory}}
web: {{listen: "127.0.0.1:{port}", socket: {folder}/s}}
people: {{kind: yaml, file: people.yaml}}
notifiers:
  - {{kind: slack, token: {{file: bot}}, {ear}, base_url: "{url}", operator_channel: C0OPS}}
"""

PEOPLE = "people:\n  mira: {name: Mira Example, email: mira@example.org}\n"


@dataclass(slots=True, kw_only=True)
class Story:
    """A program at work, a cluster that a test moves, and the Slack that its owner reads."""

    clock: JumpingClock
    cluster: Cluster
    actor: FakeActor
    service: Service
    workspace: FakeSlack
    page: str

    async def play(self, letters: str) -> None:
        """Play drawn minutes: look, take a turn, deliver, bring up to date, act."""
        parts = self.service.parts
        for letter in letters:
            self.cluster.play({GPU: letter})
            self.cluster.step()
            for source in parts.sources:
                await observe_once(source, board=parts.board, clock=self.clock)
            await parts.cycle.turn()
            await parts.deliverer.turn()
            await parts.amender.turn()
            await parts.enforcer.turn()

    async def click(self, verb: str, **changes: Any) -> str:
        """Press a button of the newest message over the socket; return what its person is told."""
        await self.workspace.socket.send(press(self.workspace.posts[-1], verb, **changes))
        await self.workspace.socket.acks.get()
        return await self.workspace.whispered.get()

    async def case(self) -> Case:
        """Return the newest case."""
        async with self.service.parts.store.reading() as books:
            return (await books.cases_of(builders.run().key))[-1]

    @property
    def shown(self) -> str:
        """Return what the message that was changed last says now."""
        return str(self.workspace.updates[-1]["blocks"])


def free_port() -> int:
    """Return a port of loopback on which nobody listens."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


def configuration(folder: Path, url: str, ear: str) -> Configuration:
    """Write a configuration and read it."""
    (folder / "bot").write_text(TOKEN)
    (folder / "app").write_text(APP_TOKEN)
    (folder / "signing").write_text(SIGNING_SECRET)
    (folder / "people.yaml").write_text(PEOPLE)
    path = folder / "gpu-reaper.yaml"
    path.write_text(FILE.format(folder=folder, url=url, ear=ear, port=free_port()))
    return load(path)


@asynccontextmanager
async def story(folder: Path, *, ear: str = "app_token: {file: app}") -> AsyncIterator[Story]:
    """Start the program as its configuration says, but for the cluster, which is drawn."""
    clock = JumpingClock(at=builders.START)
    cluster = Cluster(clock=clock, pace=Pace())
    cluster.add(builders.claim(), builders.device())
    cluster.inputs["101"] = builders.START - 7200.0
    holder, actor = FakeHolder(cluster), FakeActor(cluster)
    async with timeout(PATIENCE), slack() as workspace:
        read = configuration(folder, workspace.base_url, ear)
        decides = replace(
            rules(read), policies=(policy(keep=KEEPING),), pace=Pace(observe=0.0), lacking=""
        )
        built = replace(
            adapters(read, clock),
            activities=(FakeActivity(cluster),),
            holders=(holder,),
            demands=(holder,),
            actors={"slurm": actor},
        )
        async with started(read, decides, built, clock) as service:
            if "app_token" in ear:
                await workspace.socket.came.get()
            yield Story(
                clock=clock,
                cluster=cluster,
                actor=actor,
                service=service,
                workspace=workspace,
                page=f"http://{read.web.listen}/",
            )


WARNED = "AAAA" + "H" * 62


async def test_keep_keeps_the_case_and_the_message_says_so(tmp_path: Path) -> None:
    async with story(tmp_path) as told:
        await told.play(WARNED)
        assert [post["channel"] for post in told.workspace.posts] == ["U0MIRA", "U0MIRA"]

        assert (await told.click("keep")).startswith("Kept until ")
        await told.play("H" * 60)

        assert (await told.case()).kept
        assert told.actor.begun == []
        assert "Kept until " in told.shown
        assert buttons(told.workspace.updates[-1]) == []


async def test_release_releases_and_the_message_says_so(tmp_path: Path) -> None:
    async with story(tmp_path) as told:
        await told.play(WARNED)

        said = await told.click("release")
        await told.play("H" * 3)
        assert said == "Thank you. It is being released."
        assert len(told.actor.begun) == 1

        await told.play("E" * 20)
        assert (await told.case()).state is State.CLOSED
        assert any("as mira asked" in str(item["blocks"]) for item in told.workspace.updates)


async def test_a_dispute_stops_everything_until_it_is_ruled(tmp_path: Path) -> None:
    async with story(tmp_path) as told:
        await told.play(WARNED)

        await told.click("dispute")
        await told.play("H" * 90)

        assert (await told.case()).disputed
        assert told.actor.begun == []
        assert "Disputed" in told.shown


async def test_what_nobody_answers_is_released_after_the_grace(tmp_path: Path) -> None:
    async with story(tmp_path) as told:
        await told.play(WARNED + "H" * 40)

        assert len(told.actor.begun) == 1


async def test_without_a_connection_nothing_is_released(tmp_path: Path) -> None:
    async with story(tmp_path) as told:
        await told.play(WARNED)
        told.workspace.open_answer = "token revoked"
        await told.workspace.socket.end()
        while await told.workspace.opened.get() != "token revoked":
            continue

        await told.play("H" * 90)

        assert told.actor.begun == []
        assert (await told.case()).deaf is not None


async def test_a_click_may_come_to_the_page_instead(tmp_path: Path) -> None:
    async with story(tmp_path, ear="signing_secret: {file: signing}") as told:
        await told.play(WARNED)
        headers, body = signed(
            json.dumps(press(told.workspace.posts[-1], "keep")), SIGNING_SECRET, told.clock.now()
        )
        async with ClientSession() as session:
            address = f"{told.page}slack/interactions"
            first = await session.post(address, data=body, headers=headers)
            again = await session.post(address, data=body, headers=headers)
            bare = await session.post(address, data=body)
            read = await session.get(address)

        assert (first.status, again.status, bare.status, read.status) == (200, 409, 401, 405)
        await told.play("HH")
        assert (await told.case()).kept


@pytest.mark.parametrize("verb", ["keep", "release", "dispute"])
async def test_another_person_answers_nothing(tmp_path: Path, verb: str) -> None:
    async with story(tmp_path) as told:
        await told.play(WARNED)

        said = await told.click(verb, user="U0OTTO")
        await told.play("H")

        case = await told.case()
        assert "somebody else" in said
        assert (case.kept, case.disputed, case.own_release) == (False, False, None)
