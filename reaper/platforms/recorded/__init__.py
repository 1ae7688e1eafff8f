"""
A scheduler that plays a scenario: what runs, what waits, and releases that really end things.

It knows the scenario at the clock's time and what was released in it.
It refuses to know activity: devices are named as the scenario draws them, and nothing more.
"""
