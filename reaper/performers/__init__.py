"""
The only callers of actors and notifiers: recheck, begin, inspect, verify; deliver.

They take committed intents and notices, and write each step down before the next.
They refuse to decide: whatever changed since the decision drops the intent, and the cycle
decides anew.
"""
