"""Reading who and what else a scenario draws: what directories know of people, and what waits."""

from exporter.contract.parts import ScenarioPerson, ScenarioWaiting
from exporter.contract.tables import Table


def waiting(table: Table) -> ScenarioWaiting:
    """Read one table ``[[waiting]]``; mistakes go to the table."""
    found = ScenarioWaiting(
        at=table.seconds("at", None),
        gpus=table.count("gpus"),
        id=table.text("id", "waiting"),
        partitions=tuple(str(item) for item in table.listed("partition")),
        model=table.text("model"),
        user=table.text("user"),
        blocked=table.flag("blocked", default=False),
    )
    table.finish()
    return found


def person(table: Table) -> ScenarioPerson:
    """Read one table ``[[person]]``; mistakes go to the table."""
    found = ScenarioPerson(
        user=table.needed("user", '"mira"'),
        known=table.flag("known", default=True),
        address=table.flag("address", default=True),
        left=table.flag("left", default=False),
        contact=table.text("contact"),
    )
    table.finish()
    return found
