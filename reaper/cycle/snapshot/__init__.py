"""
What everybody is shown of a turn: rows, nodes, sources, totals, and the stories of notices.

It knows values that are decided; it refuses to decide, and to say a sentence.
"""
