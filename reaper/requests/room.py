"""The room of all requests."""

from reaper.requests.operators import Operators
from reaper.requests.owners import Owners


class Requests(Owners, Operators):
    """The requests of people, each in one transaction."""
