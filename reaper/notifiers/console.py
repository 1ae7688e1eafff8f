"""
Notices on the program's own output: for trying out and for the journal.

It reaches whoever reads the output, never the person alone, so its deliveries never count.
"""

from typing import Final, Literal, TextIO

from reaper.notifiers.kind import ChannelSettings, Kind
from reaper.notifiers.letters import write
from reaper.notifiers.texts import plain, tame
from reaper.ports import Clock, Delivered, Letter, NotifyError


class ConsoleSettings(ChannelSettings):
    """Nothing to set: ``{kind: console}``."""

    kind: Literal["console"] = "console"


class Console:
    """Writes each notice to a stream."""

    name = "console"
    personal = False

    def __init__(self, stream: TextIO, *, clock: Clock) -> None:
        self._stream = stream
        self._clock = clock

    async def deliver(self, letter: Letter) -> Delivered:
        """Write the notice at once; a stream that is full or closed is a NotifyError."""
        text = plain(write(letter))
        try:
            self._stream.write(
                f"--- to {tame(letter.person.user)} ({letter.notice.kind})\n{text}\n\n"
            )
            self._stream.flush()
        except OSError as error:
            raise NotifyError(f"console: {error.strerror}", recoverable=True) from error
        except ValueError as error:
            raise NotifyError("console: the output is closed", recoverable=False) from error
        return Delivered(at=self._clock.now(), handle=letter.notice.id)


CHANNEL: Final = Kind(
    settings=ConsoleSettings,
    personal=False,
    build=lambda _settings, site: (Console(site.stream, clock=site.clock),),
)
