"""
The words of the pages, tables for each language, and which of them a person reads.

It knows words, spans and numbers; it refuses to know what a page shows or who asks.
"""
