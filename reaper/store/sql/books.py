"""All rooms of the books, in one transaction."""

from reaper.store.sql.repositories.cases import Cases
from reaper.store.sql.repositories.closings import Closings
from reaper.store.sql.repositories.events import Events
from reaper.store.sql.repositories.holds import Holds
from reaper.store.sql.repositories.inputs import KnownInputs
from reaper.store.sql.repositories.intents import Intents
from reaper.store.sql.repositories.keeps import Keeps
from reaper.store.sql.repositories.ledger import Ledger
from reaper.store.sql.repositories.notices import Notices
from reaper.store.sql.repositories.present import Present
from reaper.store.sql.repositories.proofs import Proofs
from reaper.store.sql.repositories.records import Records
from reaper.store.sql.repositories.tokens import Tokens
from reaper.store.sql.retention import Retention


class SqlBooks(
    Records,
    KnownInputs,
    Cases,
    Keeps,
    Notices,
    Tokens,
    Intents,
    Holds,
    Ledger,
    Events,
    Closings,
    Proofs,
    Present,
    Retention,
):
    """The store inside one transaction: one class a room."""
