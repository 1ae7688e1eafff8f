"""
The pure core: facts, judgement, escalation, prices and money, read in that order; audit and buying.

It knows frozen values and functions of them; standard library only.
It refuses to know clocks, files, networks, databases, logging and any platform's name for things.
Instants are Unix seconds (`float`), durations are seconds, minutes are integers on the grid.
"""
