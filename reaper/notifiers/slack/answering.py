"""
From a click to a request: who clicked, whether they may, what is asked, and what they are told.

A button carries the signed right to answer one notice, once.  It counts only from the person to
whom the notice went: by the id that is configured for them, or found by their e-mail address.
"""

import logging
from asyncio import Event, Task, create_task, timeout, wait
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from reaper.domain.escalation.token import Token, opened, use_id
from reaper.languages.catalogue import refusal
from reaper.languages.language import language
from reaper.notifiers.slack.addresses import CHANNEL, Addresses
from reaper.notifiers.slack.blocks import escape
from reaper.notifiers.slack.calls import calling, judged
from reaper.notifiers.slack.clicks import Click, click
from reaper.notifiers.slack.settings import SlackSettings
from reaper.notifiers.telling import Reader
from reaper.notifiers.texts import tame
from reaper.ports import Clock, NotifyError, People, Person, ReaperError
from reaper.ports.directories import known
from reaper.requests import Granted, Identity, RefusedError, Requests, UsedTokenError

_log = logging.getLogger(__name__)

#: Seconds after which Slack is answered whether the request is done or not; it waits for three.
PROMPT: Final = 2.0

#: Seconds that begun answers may take when listening ends.
FINISH: Final = 5.0

REASON: Final = "answered in Slack"


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """The part of the core that does what people answer."""

    requests: Requests
    people: Sequence[People]
    key: bytes
    clock: Clock


class Answering:
    """Does what is clicked, and tells the person what came of it."""

    def __init__(self, settings: SlackSettings, core: Core, *, prompt: float = PROMPT) -> None:
        self._settings = settings
        self._core = core
        self._prompt = prompt
        self._addresses = Addresses(core.clock)
        self._tasks: set[Task[None]] = set()

    async def hear(self, payload: object) -> None:
        """
        Do what a payload asks; return once it is done, or Slack must be answered at the latest.

        What is not done by then goes on, and its person is told when it is.
        """
        pressed = click(payload)
        if pressed is None:
            return
        decided = Event()
        task = create_task(self._take(pressed, decided.set), name="slack click")
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        try:
            async with timeout(self._prompt):
                await decided.wait()
        except TimeoutError:
            _log.info("a click takes longer than %g s", self._prompt)

    async def finish(self) -> None:
        """Let begun answers end."""
        if self._tasks:
            await wait(self._tasks, timeout=FINISH)
        for task in self._tasks:
            task.cancel()

    def _ended(self, task: Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("a click failed: %s", type(error).__name__)

    async def _take(self, pressed: Click, decided: Callable[[], None]) -> None:
        try:
            said = await self._said(pressed)
        finally:
            decided()
        await self._tell(pressed, said)

    async def _said(self, pressed: Click) -> str:
        """Do what is asked, if it may be; return what the person is told."""
        token = opened(pressed.token, self._core.key, self._core.clock.now())
        if token is None:
            return language("notices", "").text("reply-altered")
        person = await known(self._core.people, token.user)
        words = language("notices", person.language if person else "")
        try:
            if person is None or not await self._is(person, pressed.user):
                return words.text("reply-stranger")
            return await self._asked(pressed, token, person)
        except NotifyError as error:
            _log.warning("a click came to nothing: %s", error)
            return words.text("reply-unsure")
        except UsedTokenError:
            return words.text("reply-used")
        except RefusedError as error:
            return words.text("reply-refused", refusal=refusal(error.reason, words.code))
        except ReaperError as error:
            _log.warning("a click came to nothing: %s", error)
            return words.text("reply-broken")

    async def _asked(self, pressed: Click, token: Token, person: Person) -> str:
        by = Identity(user=token.user, channel=CHANNEL, token=use_id(pressed.token))
        granted = await self._request(pressed, token.run_key, _reason(person), by)
        _log.info("%s answered %s", token.notice_id, pressed.verb)
        reader = Reader.of(person)
        late = (reader.words.text("reply-late"),) if granted.late else ()
        match pressed.verb:
            case "release":
                return reader.words.text("reply-released")
            case "dispute":
                return " ".join((reader.words.text("reply-disputed"), *late))
        until = reader.moment(granted.until or 0.0)
        return " ".join((reader.words.text("reply-kept", until=until), *late))

    async def _request(self, pressed: Click, run_key: str, reason: str, by: Identity) -> Granted:
        requests = self._core.requests
        match pressed.verb:
            case "keep":
                return await requests.keep(
                    name=run_key, seconds=pressed.seconds, reason=reason, by=by
                )
            case "until_morning":
                return await requests.keep_until_morning(name=run_key, reason=reason, by=by)
            case "release":
                return await requests.release(name=run_key, reason=reason, by=by)
        return await requests.dispute(name=run_key, reason=reason, by=by)

    async def _is(self, person: Person, clicked: str) -> bool:
        async with calling(self._settings) as client:
            return bool(clicked) and await self._addresses.of(person, client) == clicked

    async def _tell(self, pressed: Click, text: str) -> None:
        """Tell the person who clicked, and nobody else; that it fails undoes nothing."""
        try:
            async with calling(self._settings) as client, judged("chat.postEphemeral", sends=False):
                await client.chat_postEphemeral(
                    channel=pressed.channel, user=pressed.user, text=escape(text)
                )
        except NotifyError as error:
            _log.warning("the person could not be told what came of a click: %s", error)


def _reason(person: Person) -> str:
    """Say how it was asked; where somebody answers for who has left, say who."""
    return f"{REASON} by {tame(person.contact) or 'a contact'}" if person.left else REASON
