"""Alembic's environment: runs the versions on the connection that the caller has opened."""

from alembic import context

from reaper.store.sql import store  # noqa: F401 - every room declares its tables
from reaper.store.sql.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,
    user_module_prefix="tables.",
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()
