"""
The JSON API: what programs and the command line ask, and its description.

It knows frozen values as objects; it refuses to know pages and languages.
"""
