"""
One turn a minute: close minutes, unite, judge, advance, ration, commit.

It reads the board and its own memory, decides with the domain, and writes all of it in one
transaction; it ends in one sentence.  It refuses to wait: no source, channel or platform is
asked here, and nothing is done to anybody.
"""
