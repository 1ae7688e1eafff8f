"""
From readings to evidence: minutes closed, stretches that go on, and what is kept of both.

It knows devices, letters and counters; it refuses to know who holds them and what follows.
"""
