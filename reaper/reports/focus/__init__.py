"""
The week as FOCUS 1.2 cost and usage rows, with the columns of 1.3 as an option.

It knows which column means what, and checks what it writes against the columns' rules.
It refuses to invent a bill: what was billed is on somebody else's invoice, so `BilledCost` is
zero, and an hour without a price has no cost at all, never one of zero.
"""
