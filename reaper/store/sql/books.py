"""All rooms of the books, in one transaction."""

from reaper.store.sql.cases import Cases
from reaper.store.sql.closings import Closings
from reaper.store.sql.events import Events
from reaper.store.sql.holds import Holds
from reaper.store.sql.inputs import KnownInputs
from reaper.store.sql.intents import Intents
from reaper.store.sql.keeps import Keeps
from reaper.store.sql.ledger import Ledger
from reaper.store.sql.notices import Notices
from reaper.store.sql.present import Present
from reaper.store.sql.proofs import Proofs
from reaper.store.sql.records import Records
from reaper.store.sql.retention import Retention
from reaper.store.sql.tokens import Tokens


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
