"""
The pure core: facts, judgement, escalation and money, read in that order.

It knows frozen values and functions of them; standard library only.
It refuses to know clocks, files, networks, databases, logging and any platform's name for things.
Instants are Unix seconds (`float`), durations are seconds, minutes are integers on the grid.
"""
