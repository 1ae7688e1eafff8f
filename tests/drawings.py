"""Random drawings for the properties of clocks and simulations: two GPUs, two allocations."""

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import strategies as st

from exporter.contract.scenario import (
    Distortion,
    Scenario,
    ScenarioAllocation,
    ScenarioEvent,
    ScenarioLoad,
    ScenarioNode,
    ScenarioSession,
    ScenarioWaiting,
)
from tests.builders import MINUTE

LENGTH = 60


def tracks(letters: str = "HHHHEAALX") -> st.SearchStrategy[str]:
    """Return tracks of an hour in runs of these letters."""
    return (
        st.lists(st.tuples(st.sampled_from(letters), st.integers(1, 15)), min_size=2, max_size=6)
        .map(lambda runs: "".join(letter * count for letter, count in runs))
        .map(lambda drawn: (drawn * LENGTH)[:LENGTH])
    )


moments = st.lists(st.integers(0, LENGTH).map(lambda minute: minute * MINUTE), max_size=3)
keeps_and_disputes = st.lists(
    st.tuples(st.integers(1, LENGTH), st.sampled_from(["keep", "dispute"])), max_size=2
)
troubles = st.lists(
    st.tuples(
        st.integers(1, LENGTH),
        st.sampled_from(["outage", "restart", "deaf"]),
        st.sampled_from(["exporter", "scheduler"]),
        st.integers(2, 45),
    ),
    max_size=2,
)
"""When what fails of whom, and for how many minutes."""

waits = st.lists(
    st.builds(
        ScenarioWaiting,
        at=moments.map(lambda at: at[0] if at else 0.0),
        gpus=st.integers(0, 2),
    ),
    max_size=3,
)


spans = st.none() | st.lists(st.tuples(st.integers(0, LENGTH), st.integers(1, 20)), max_size=2).map(
    lambda found: tuple((at * MINUTE, (at + more) * MINUTE) for at, more in found)
)


@st.composite
def crowds(draw: st.DrawFn) -> Scenario:
    """Return five GPUs on two nodes behind a session, a job over both nodes, and a server."""
    letters = "HHHHEEAALX?"
    begins = st.sampled_from([-7200.0, 300.0, 900.0])
    ends = st.sampled_from([None, None, 1800.0, 2700.0])
    return Scenario(
        title="drawn",
        start=datetime(2026, 3, 2, draw(st.sampled_from([9, 17])), tzinfo=UTC),
        step=MINUTE,
        nodes=(
            ScenarioNode(name="gpu01", tracks=tuple(draw(tracks(letters)) for _ in range(3))),
            ScenarioNode(name="gpu02", tracks=tuple(draw(tracks(letters)) for _ in range(2))),
        ),
        allocations=(
            ScenarioAllocation(
                id="1",
                user="mira",
                holds=(("gpu01", 0),),
                begin=draw(begins),
                purpose="interactive",
                sessions=(
                    ScenarioSession(
                        kind=draw(st.sampled_from(["shell", "jupyter", "vscode"])),
                        inputs=tuple(draw(moments)),
                        busy=draw(spans) or (),
                    ),
                ),
                host_works=draw(spans),
            ),
            ScenarioAllocation(
                id="2",
                user="otto",
                holds=(("gpu01", 1), ("gpu02", 0)),
                begin=draw(begins),
                end=draw(ends),
                purpose="training",
                host_works=draw(spans),
            ),
            ScenarioAllocation(
                id="3",
                user="otto",
                holds=(("gpu01", 2), ("gpu02", 1)),
                begin=draw(begins),
                end=draw(ends),
                purpose="inference",
                serves=draw(spans),
            ),
        ),
        waiting=tuple(draw(waits)),
    )


@st.composite
def scenarios(draw: st.DrawFn, *, happenings: bool = True, letters: str = "HHHHEAALX") -> Scenario:
    """Return two GPUs, one behind a shell and one behind a job, with keeps and keystrokes."""
    return Scenario(
        title="drawn",
        start=datetime(2026, 3, 2, draw(st.sampled_from([9, 17])), tzinfo=UTC),
        step=MINUTE,
        nodes=(ScenarioNode(name="gpu01", tracks=(draw(tracks(letters)), draw(tracks(letters)))),),
        allocations=(
            ScenarioAllocation(
                id="1",
                user="mira",
                holds=(("gpu01", 0),),
                begin=-7200.0,
                purpose="interactive",
                sessions=(ScenarioSession(kind="shell", inputs=tuple(draw(moments))),),
            ),
            ScenarioAllocation(
                id="2",
                user="otto",
                holds=(("gpu01", 1),),
                begin=draw(st.sampled_from([-7200.0, 600.0])),
                end=draw(st.sampled_from([None, 1800.0])),
                purpose="training",
            ),
        ),
        events=(
            *(
                ScenarioEvent(at=minute * MINUTE, do=do, allocation="1", duration=600.0)
                for minute, do in (draw(keeps_and_disputes) if happenings else ())
            ),
            *(
                ScenarioEvent(at=minute * MINUTE, do=do, of=of, duration=lasts * MINUTE)
                for minute, do, of, lasts in (draw(troubles) if happenings else ())
            ),
        ),
        waiting=tuple(draw(waits)),
    )


lies = st.lists(
    st.builds(
        Distortion,
        of=st.sampled_from(["profiling", "utilisation", "power", "processes"]),
        shows=st.sampled_from([None, None, 0.0, 1.0]),
        node=st.sampled_from(["", "gpu01"]),
        spans=st.tuples(st.integers(0, LENGTH), st.integers(1, 30)).map(
            lambda one: ((one[0] * MINUTE, (one[0] + one[1]) * MINUTE),)
        ),
    ),
    max_size=2,
)
"""Signals of GPUs that are paused or stuck."""

loads = st.none() | st.lists(
    st.builds(
        lambda at, more, cores, waits: ScenarioLoad(
            begin=at * MINUTE, end=(at + more) * MINUTE, cores=cores, waits=waits
        ),
        st.integers(0, LENGTH),
        st.integers(1, 20),
        st.sampled_from([0.1, 0.3, 1.0, 8.0]),
        st.sampled_from([0.0, 0.05, 0.5]),
    ),
    max_size=2,
).map(tuple)


@st.composite
def oddities(draw: st.DrawFn) -> Scenario:
    """Return a crowd with odd nodes, loads in numbers, signals that lie, what waits elsewhere."""
    crowd = draw(crowds())
    return replace(
        crowd,
        nodes=tuple(
            replace(
                node,
                profiling=draw(st.sampled_from([True, True, False])),
                idle_power=draw(st.sampled_from([0.0, 0.0, 400.0])),
            )
            for node in crowd.nodes
        ),
        allocations=tuple(
            replace(
                item,
                host_works=None,
                host_load=draw(loads),
                suspended=(draw(spans) or ()) if item.purpose == "training" else (),
            )
            for item in crowd.allocations
        ),
        waiting=tuple(
            replace(
                one,
                id=draw(st.sampled_from(["one", "other"])),
                model=draw(st.sampled_from(["", "H100", "A100"])),
                blocked=draw(st.sampled_from([False, False, True])),
            )
            for one in crowd.waiting
        ),
        signals=tuple(draw(lies)),
    )
