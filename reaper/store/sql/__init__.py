"""
The store on SQLite or PostgreSQL, by the same code.

It knows tables, transactions and who leads; one file is one room of the books.
A value is its body (see `reaper.store.codec`) beside real columns for what is asked.
It refuses to know what a value means: no query decides, none joins rooms.
"""
