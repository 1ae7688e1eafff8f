"""
Doors to the outside that several adapters share: clocks, commands, HTTP, secrets.

It knows how to wait, run and fetch.  It refuses to know what for.
"""
