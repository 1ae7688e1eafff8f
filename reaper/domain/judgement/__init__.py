"""
What the facts mean under a policy: idleness, verdicts with reasons, policies.

It knows windows and what a verdict needs.
It refuses to know messages, acts and prices: a verdict is the same in every mode.
"""
