"""
Sessions of people: what kind sits in an allocation, whose uid, and when somebody last typed.

It knows terminals, multiplexers and servers by what the kernel shows of them.  It refuses to
know names, command lines, file names and content, and to guess: where nothing proves when a
person was last there, the answer is None.
"""

from exporter.sessions.heartbeat import Heartbeats
from exporter.sessions.kinds import Sessions
from exporter.sessions.terminal import Terminals

__all__ = ["Heartbeats", "Sessions", "Terminals"]
