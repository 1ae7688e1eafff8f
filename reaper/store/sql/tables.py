"""What all tables share: names, text that any database takes, the cluster in every key."""

from typing import Any, Final

from sqlalchemy import BigInteger, Column, Double, Float, ForeignKey, Integer, MetaData, Table, Text
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator, TypeEngine

METADATA: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class Key(TypeDecorator[str]):
    """
    Text in a column, whatever a platform put into a name.

    Line breaks, NUL and half-decoded bytes are escaped, so that every database takes them and
    two names stay two; order is by code point everywhere.
    """

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> Any:  # noqa: ANN401 - SQLAlchemy's signature
        """Compare by code point on PostgreSQL too."""
        collation = "C" if dialect.name == "postgresql" else None
        return dialect.type_descriptor(Text(collation=collation))

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Escape what a database might refuse."""
        if value is None or (value.isprintable() and "\\" not in value):
            return value
        return value.encode("unicode_escape").decode("ascii")

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        """Return the text as it was given."""
        if value is None or "\\" not in value:
            return value
        return value.encode("ascii").decode("unicode_escape")


#: A minute or a day of the grid; 64 bits where it matters.
Count: TypeEngine[int] = BigInteger().with_variant(Integer, "sqlite")

#: Unix seconds.
Time: TypeEngine[float] = Double().with_variant(Float, "sqlite")


def cluster_key() -> "Column[str]":
    """Return the first column of every key."""
    return Column("cluster", Key, ForeignKey("clusters.cluster"), primary_key=True)


def table(name: str, *parts: Any) -> Table:  # noqa: ANN401 - columns and indices
    """Return a table of one cluster's rows, ordered by its key."""
    return Table(name, METADATA, cluster_key(), *parts, sqlite_with_rowid=False)
