"""
The wire: every name that leaves a node, and the scenario format that both programs play.

It knows names, label sets and two text grammars; standard library only.
It refuses to know how a value is measured and what a reader makes of it.
The reaper may import this package and nothing else of the exporter.
"""
