"""
Questions to an engine and its answers: selectors, columns, shards, and what they mean.

It knows PromQL and HTTP; it refuses to know what is idle.
"""
