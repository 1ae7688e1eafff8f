"""
The repositories: what is kept of each kind, and how it is found again.

Each knows its own rows within an open transaction; none opens or ends one.
"""
