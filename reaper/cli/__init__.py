"""
The command line: one file a group of commands, listed in ``main.COMMANDS``.

It knows how a person asks and how answers look in a terminal.  It asks the running reaper on its
unix socket, reads the store when nobody answers there, and says which.  It refuses to judge and
to change anything by itself: changes are requests to the running reaper.
"""
