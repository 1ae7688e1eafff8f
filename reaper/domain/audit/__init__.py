"""
What a scheduler's own books tell: jobs, their load and ends, and how much can have been waste.

It knows recorded jobs and bounds; it refuses to know what was measured, but for comparing both.
"""
