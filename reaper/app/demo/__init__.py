"""
The demonstration: a scenario on real exporter processes, real HTTP, a real reaper, a fast clock.

It knows how to lay out a scratch folder and to start and stop the exporters.
It refuses to be a special case: what runs is the program itself, with the recorded platform.
"""
