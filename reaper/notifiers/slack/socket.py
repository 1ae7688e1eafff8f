"""
Socket Mode: clicks come over a connection that we open, so nothing here need be reachable.

Slack renews the connection every few hours and says so before; the SDK follows.  Everything else
that ends it is a silence until the next one stands, and the wait before it grows.
"""

import logging
from asyncio import Event, Task, create_task, gather, timeout, wait
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, Self

from reaper.domain.escalation.hearing import Hearing
from reaper.notifiers.ear import Ear
from reaper.notifiers.slack.answering import Answering
from reaper.notifiers.slack.calls import APP, SDK_LOG, judged, slack_token
from reaper.notifiers.slack.settings import SlackSettings, is_loopback
from reaper.notifiers.slack.verdicts import OPENING
from reaper.ports import Door, NotifyError

if TYPE_CHECKING:
    from slack_sdk.socket_mode.aiohttp import SocketModeClient
    from slack_sdk.socket_mode.async_client import AsyncBaseSocketModeClient
    from slack_sdk.socket_mode.request import SocketModeRequest

_log = logging.getLogger(__name__)

#: Seconds before the next try after the first, second … connection that did not come to be.
_WAITS: Final = (0.1, 1.0, 5.0, 30.0, 60.0)

#: Seconds between two looks whether the connection still stands, and between its pings.
_LOOK: Final = 1.0
_PING: Final = 5.0


class SlackSocket:
    """Listens over a connection of our own; `look` and `waits` are shorter in tests."""

    def __init__(
        self,
        settings: SlackSettings,
        answering: Answering,
        ear: Ear,
        *,
        look: float = _LOOK,
        waits: tuple[float, ...] = _WAITS,
    ) -> None:
        self.name = ear.channel
        self.doors: tuple[Door, ...] = ()
        self._settings = settings
        self._answering = answering
        self._ear = ear
        self._look = look
        self._waits = waits
        self._listening: Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Begin to connect."""
        self._ear.deaf("slack: not connected yet")
        self._begin()
        return self

    async def __aexit__(self, *ended: object) -> None:
        """Close the connection; begun answers end first."""
        listening, self._listening = self._listening, None
        if listening is not None:
            listening.cancel()
            await wait((listening,))
        await self._answering.finish()

    async def hearing(self) -> Hearing:
        """Return whether the connection stands; raise SourceError with the reason."""
        if self._listening is not None and self._listening.done():
            self._begin()
        return self._ear.hearing()

    def _begin(self) -> None:
        self._listening = create_task(self._listen(), name="slack socket")
        self._listening.add_done_callback(self._ended)

    def _ended(self, task: Task[None]) -> None:
        """Be deaf when listening ended by a mistake of ours; who asks next begins it anew."""
        if task.cancelled():
            return
        what = f"slack: listening ended unexpectedly ({type(task.exception()).__name__})"
        _log.error("%s", what)
        self._ear.deaf(what)

    async def _listen(self) -> None:
        tries = 0
        while True:
            try:
                async with self._connected() as (client, lost):
                    self._ear.hears()
                    tries = 0
                    await self._lasts(client, lost)
            except NotifyError as error:
                _log.warning("%s", error)
                self._ear.deaf(str(error))
            pause = self._waits[min(tries, len(self._waits) - 1)]
            tries += 1
            await _rest(pause)

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[tuple["SocketModeClient", Event]]:
        """Hold a connection over which Slack has said hello; raise NotifyError without one."""
        client = self._client()
        hello, lost = Event(), Event()

        async def heard(_: "AsyncBaseSocketModeClient", told: dict[str, Any], __: object) -> None:
            if told.get("type") == "hello":
                hello.set()

        async def closed(_: object) -> None:
            lost.set()

        client.message_listeners.append(heard)
        client.socket_mode_request_listeners.append(self._asked)
        client.on_close_listeners.append(closed)
        try:
            async with judged(OPENING, sends=False):
                client.wss_uri = await client.issue_new_wss_url()
            async with judged("Socket Mode", sends=False), timeout(self._settings.timeout):
                await client.connect()  # type: ignore[no-untyped-call]
                await hello.wait()
            yield client, lost
        finally:
            await _close(client)

    def _client(self) -> "SocketModeClient":
        from slack_sdk.socket_mode.aiohttp import SocketModeClient
        from slack_sdk.web.async_client import AsyncWebClient

        assert self._settings.app_token is not None  # noqa: S101 - built only where there is one
        token = slack_token(self._settings.app_token, APP, "app-level token")
        web = AsyncWebClient(
            base_url=self._settings.base_url,
            timeout=max(1, round(self._settings.timeout)),
            retry_handlers=[],
            logger=SDK_LOG,
        )
        client = SocketModeClient(
            app_token=token,
            web_client=web,
            logger=SDK_LOG,
            auto_reconnect_enabled=False,
            ping_interval=_PING,
        )
        if is_loopback(self._settings.base_url):
            web.proxy = client.proxy = None
        return client

    async def _lasts(self, client: "SocketModeClient", lost: Event) -> None:
        """Return once the connection is lost; one that Slack renews goes on."""
        while True:
            if not await client.is_connected():
                self._ear.deaf("slack: the connection broke off")
                if not await self._renewed(client):
                    return
                self._ear.hears()
            lost.clear()
            with suppress(TimeoutError):
                async with timeout(self._look):
                    await lost.wait()

    async def _renewed(self, client: "SocketModeClient") -> bool:
        """Wait for the connection that the SDK has gone for; one that stays away is given up."""
        with suppress(TimeoutError):
            async with timeout(self._settings.timeout):
                while client.connect_operation_lock.locked():
                    await _rest(self._look)
                    if await client.is_connected():
                        return True
        return await client.is_connected()

    async def _asked(
        self, client: "AsyncBaseSocketModeClient", request: "SocketModeRequest"
    ) -> None:
        """Do what is asked, and tell Slack that it came; anything but a click is only taken."""
        if request.type == "interactive":
            await self._answering.hear(request.payload)
        await client.send_socket_mode_response({"envelope_id": request.envelope_id})


async def _rest(seconds: float) -> None:
    with suppress(TimeoutError):
        async with timeout(seconds):
            await Event().wait()


async def _close(client: "SocketModeClient") -> None:
    """Close a client and wait for the tasks that it leaves behind."""
    await client.close()  # type: ignore[no-untyped-call]
    tasks = (client.message_processor, client.current_session_monitor, client.message_receiver)
    await gather(*(task for task in tasks if task is not None), return_exceptions=True)
