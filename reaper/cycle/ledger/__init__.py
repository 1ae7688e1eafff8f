"""
What a turn adds to the books: tenures, capacity, demand, and totals since the beginning.

It knows spans and counts; it refuses to know prices and verdicts.
"""
