"""
What people read: the messages of every language, a file for each theme, by their codes.

It knows words, plurals, spans and numbers; it refuses to know who reads, where it is shown and
what is decided: nothing is ever read back out of a sentence.
"""
