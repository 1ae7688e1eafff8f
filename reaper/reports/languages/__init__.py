"""
The words of a report, a table for each language, and how each writes numbers with their nouns.

It knows words, spans and numbers; it refuses to know what a report shows or who reads it.
"""
