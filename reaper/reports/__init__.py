"""
Reports: figures of the books, laid out for people, spreadsheets and programs.

It knows how a week is read from the books, how figures are written, and recorded files of others.
It refuses to know how figures come about: every number is one that `reaper.domain.money` gave.
"""
