"""
What was seen: devices, readings, minutes, tracks, signs, allocations, demand.

It knows what the evidence says and how sure it is.
It refuses to know policies: no window, no person to warn, no price.
"""
