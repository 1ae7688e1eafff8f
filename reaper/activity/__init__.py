"""
Sources of activity: what devices did, as counters at a time.

It knows where pages come from, how they are written and when they are not to be trusted.
It refuses to know what idle means, who holds a device and what is done about it.
"""
