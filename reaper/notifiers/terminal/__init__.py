"""
Notices on the owner's own terminals: beside the message of record, never instead of it.

It knows `scontrol notify` and which ttys of this machine are a person's own and open to messages.
It refuses to write to anybody else's, to wait for a terminal, and to send anything but plain ASCII.
"""

from typing import Final

from reaper.notifiers.kind import Kind
from reaper.notifiers.terminal.settings import TerminalSettings
from reaper.notifiers.terminal.writing import Terminal

__all__ = ["CHANNEL", "Terminal", "TerminalSettings"]

CHANNEL: Final = Kind(
    settings=TerminalSettings,
    personal=False,
    build=lambda settings, site: (Terminal(settings, clock=site.clock),),
)
