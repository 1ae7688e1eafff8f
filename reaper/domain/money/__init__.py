"""
What it cost: GPU-hours by state, waste, and what came back.

It knows tenures, letters and rate cards; hours are exact, money is a range.
It refuses to know platforms and messages, and never takes an unknown hour for an idle one.
"""
