"""
What a policy would have done: the past, decided again by the very functions of the cycle.

It knows runs, their letters and what was known of people, hosts and requests, and visits an
allocation only when something can happen to it.
It refuses to decide anything itself: each visit is a docket given to ``cycle.decide``, with the
cases, budgets and holds of that moment.
"""
