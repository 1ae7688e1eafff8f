"""
Writing to terminals: through Slurm to those of a job, and to the owner's own on this machine.

English and ASCII whatever the person reads, since a terminal may show nothing else safely.
"""

import os
import pwd
import re
from asyncio import to_thread
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from reaper.edge.command import CommandError, CommandTimeoutError, Runner, run
from reaper.notifiers.letters import write
from reaper.notifiers.terminal.settings import TerminalSettings
from reaper.notifiers.terminal.ttys import tell
from reaper.notifiers.texts import Message, plain, tame
from reaper.ports import Clock, Delivered, Letter, NotifyError

_JOB: Final = re.compile(r"slurm/(\d{1,10}(?:_\d{1,10})?)", re.ASCII)
_PASSED_ON: Final = ("PATH", "HOME", "SLURM_CONF", "SLURM_CONF_SERVER", "LD_LIBRARY_PATH")
_ASCII: Final = {"“": '"', "”": '"', "×": "x", "…": "...", "–": "-"}
_LONGEST: Final = 400
"""Characters that `scontrol notify` carries: it is one line on a terminal."""

_LIVE: Final = frozenset(("warning", "final"))
"""Kinds of notices about a job that still runs."""

Tell = Callable[[int, bytes], tuple[str, ...]]
Account = Callable[[str], pwd.struct_passwd]


class Terminal:
    """Shows each notice on terminals of its person."""

    name = "terminal"
    personal = False
    beside = True
    interrupts = True

    def __init__(
        self,
        settings: TerminalSettings,
        *,
        clock: Clock,
        runner: Runner = run,
        environment: Mapping[str, str] = os.environ,
        account: Account = pwd.getpwnam,
        tell: Tell = tell,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._run = runner
        self._environment = {key: environment[key] for key in _PASSED_ON if key in environment}
        self._account = account
        self._tell = tell

    async def deliver(self, letter: Letter) -> Delivered:
        """Write once wherever there is a terminal; with none, that is a NotifyError."""
        if letter.person.left:
            raise NotifyError("terminal: whoever has left has no terminal", recoverable=False)
        shown = write(replace(letter, person=replace(letter.person, language="en")))
        jobs = await self._to_jobs(letter, shown)
        refused = [answer for answer in jobs if isinstance(answer, NotifyError)]
        reached = [answer for answer in jobs if isinstance(answer, str)]
        places = (*reached, *await self._to_ttys(letter, shown))
        if not places and refused:
            raise refused[0]
        if not places:
            text = f"terminal: {tame(letter.person.user)} has no terminal that takes messages"
            raise NotifyError(text, recoverable=False)
        return Delivered(at=self._clock.now(), handle=", ".join(places))

    async def _to_jobs(self, letter: Letter, shown: Message) -> list[str | NotifyError]:
        if not self._settings.slurm or letter.notice.kind not in _LIVE:
            return []
        found = [_JOB.fullmatch(notice.story.allocation) for notice in letter.notices]
        text = plain_ascii(f"gpu-reaper: {shown.title}. {shown.lead}")[:_LONGEST]
        return [await self._notify(job[1], text) for job in found if job]

    async def _notify(self, job: str, text: str) -> str | NotifyError:
        """Write to one job; return where to, or why not: other terminals may be left."""
        folder = self._settings.commands
        scontrol = str(folder / "scontrol") if folder else "scontrol"
        try:
            done = await self._run(
                (scontrol, "notify", job, text),
                environment=self._environment,
                within=self._settings.timeout,
                limit=1 << 16,
            )
        except CommandTimeoutError as error:
            return NotifyError(f"terminal: {error}", recoverable=False, ambiguous=True)
        except CommandError as error:
            return NotifyError(f"terminal: {error}", recoverable=False)
        if done.status:
            said = tame(done.err or f"status {done.status}", longest=160)
            return NotifyError(f"terminal: scontrol notify {job}: {said}", recoverable=False)
        return f"job {job}"

    async def _to_ttys(self, letter: Letter, shown: Message) -> tuple[str, ...]:
        if not self._settings.ttys:
            return ()
        try:
            uid = (await to_thread(self._account, letter.person.user)).pw_uid
        except (KeyError, ValueError, OSError):
            return ()
        body = plain_ascii(plain(shown)).replace("\n", "\r\n")
        text = f"\r\n\a--- gpu-reaper ---\r\n{body}\r\n---\r\n".encode("ascii")
        return await to_thread(self._tell, uid, text)


def plain_ascii(text: str) -> str:
    """Return a text in ASCII, lines kept: what has no ASCII form becomes a question mark."""
    known = "".join(_ASCII.get(letter, letter) for letter in text)
    printable = (letter if letter == "\n" or " " <= letter <= "~" else "?" for letter in known)
    return "".join(printable)
