"""
The slow work on the books: weeks closed, reports written and handed over, files audited.

It knows who wants which report and when; it refuses to reckon a figure.
"""
