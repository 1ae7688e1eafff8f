"""
A node out of a scenario: letters that become the values which such devices would show.

It knows drawn letters; it refuses to know the pages that are made of them.
"""
