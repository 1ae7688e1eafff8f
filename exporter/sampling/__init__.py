"""
From the driver to counters: a worker that may hang, its parent, and the sums that it feeds.

It knows readings and seconds; it refuses to know who asks for them, and what idle means.
"""
