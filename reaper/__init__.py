"""
gpu-reaper: joins GPU activity with ownership, judges, warns, releases and accounts.

The packages form layers that only look inward; `lint-imports` holds them to it.
"""
