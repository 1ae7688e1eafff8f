"""
Who holds what: claims, fronts and what nodes see, united once and kept while all words stay.

It knows the words of sources; it refuses to judge what is done with the GPUs.
"""
