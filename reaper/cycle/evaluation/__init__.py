"""
What is judged in a turn and what it wants: verdicts, cases, intents and what became of them.

It knows rules and cases; it refuses to begin anything: that is written down and done later.
"""
