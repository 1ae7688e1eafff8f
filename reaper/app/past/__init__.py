"""
The past played again: drawn or kept, replayed, simulated with other policies, or captured.

It knows how a past is given to the cycle; it refuses to have rules of its own.
"""
