"""
The composition root: builds everything from a configuration, starts it, ends it in order.

It knows every adapter by name.  It refuses to decide anything about an allocation.
"""
