"""
Buy or rent: offers of clouds, what owned GPUs cost an hour, and which mix would have cost least.

It knows demand over time and prices; it refuses to know who asked for what.
"""
