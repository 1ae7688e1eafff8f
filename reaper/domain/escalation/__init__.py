"""
What follows from a verdict, step by step: cases, notices, keeps, budgets, interlocks.

It knows when something is due and what refuses it.
It refuses to do anything: it returns what is wanted, and others deliver and act.
"""
