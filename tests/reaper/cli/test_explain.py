import json
from dataclasses import replace

from reaper.cli import explain
from reaper.domain.escalation.case import State
from reaper.domain.escalation.decision import Refusal
from reaper.domain.money.entries import Event, Tenure
from reaper.domain.picture import SignLine
from reaper.questions import Explanation
from reaper.reports.layout import plain
from reaper.web.json_api.told import Explained
from tests.builders import case, keep, notice
from tests.builders_gallery import gallery
from tests.builders_picture import HOUR, MINUTE, NOW, case_line, devices, row
from tests.served import serving

LINE = row(
    devices=devices("A" * 60 + "H" * 38 + "?" * 2 + "H" * 20, "A" * 79 + "E" * 41),
    case=case_line(held_by=(Refusal(rule="hours", reason="outside working hours"),)),
    kept_until=None,
)
EVENTS = (
    Event(at=NOW - 5 * HOUR, kind="run began", text="slurm/4711"),
    Event(at=NOW - 40 * MINUTE, kind="warning", by="gpu-reaper", text="idle for 30 min"),
    Event(at=NOW - 5 * MINUTE, kind="keep", by="mira", text="still debugging"),
)


def written(line=LINE, **given) -> str:
    known = {"tenures": (), "cases": (), "notices": (), "keeps": (), "events": EVENTS} | given
    explanation = Explanation(at=NOW, run_key="k", row=line, **known)
    told = Explained(now=NOW, rate=1.0, step=60.0, currency="EUR", explanation=explanation)
    return plain(explain.page(told, "from the running reaper"))


def test_an_explanation_reads_as_it_did(golden):
    delivered = notice(delivered=NOW - 10 * MINUTE, created=NOW - 10 * MINUTE)
    failed = replace(notice(created=NOW - 40 * MINUTE, error="no route"), channel="slack")
    kept = keep(begin=NOW - 5 * MINUTE)

    golden("cli-explain.txt", written(notices=(failed, delivered), keeps=(kept,)))


def test_an_ended_allocation_needs_no_row():
    text = written(None)

    assert "k  ended" in text
    assert "run began: slurm/4711" in text


def test_the_past_tells_letters_rules_and_the_evidence_of_events():
    numbers = {"idle_seconds": HOUR, "devices": 8.0, "coverage": 0.97}
    warned = Event(at=NOW - HOUR, kind="final", by="gpu-reaper", text="no work", numbers=numbers)
    closed = case(
        opened=NOW - HOUR, closed=NOW, outcome="released", warned=(NOW - HOUR,), state=State.CLOSED
    )
    held = Tenure(
        run=closed.run, gpu="GPU-0", node="gpu01", begin=NOW - HOUR, end=NOW, owner="mira"
    )

    text = written(
        None,
        tenures=(held,),
        cases=(closed,),
        events=(warned,),
        drawn=devices("A" * 20 + "H" * 40),
    )

    assert "[idle 1 h on 8 GPUs, 97 % seen]" in text
    assert "under notebooks v1 (act); warned" in text
    assert "closed" in text
    assert "released" in text
    assert "HHHHHHHHHH" in text


def test_the_past_tells_signals_and_people_while_they_are_kept():
    held = Tenure(run=case().run, gpu="GPU-0", node="gpu01", begin=NOW - HOUR, end=NOW)
    drawn = replace(devices("H" * 60)[0], witnesses=("power",), signals=("engine", "power"))

    text = written(
        None,
        tenures=(held,),
        drawn=(drawn,),
        signs=(SignLine(kind="jupyter", last_seen=NOW - HOUR, state="busy"),),
    )

    assert "witnesses: power" in text
    assert "seen: engine, power" in text
    assert "jupyter" in text
    assert ", busy" in text


def test_many_events_are_cut_and_counted():
    many = tuple(Event(at=NOW + n, kind="turn", text=f"{n}") for n in range(25))

    text = written(events=many)

    assert "5 earlier" in text
    assert "turn: 4\n" not in text


def test_an_allocation_whose_devices_are_unknown_says_so():
    assert "It is not known which devices it holds" in written(row(devices=()))


async def test_the_running_reaper_explains(tmp_path, ask):
    async with serving(tmp_path, gallery()) as served:
        answer = await ask("explain", "slurm/48213", "--socket", served.socket)
        unknown = await ask("explain", "1", "--socket", served.socket)

    assert "Release in 12 min" in answer.output
    assert (unknown.exit_code, unknown.stderr.count("\n")) == (1, 1)


def test_the_store_explains_when_the_reaper_is_down(stored, run):
    answer = run("explain", "48213", "--config", stored)

    assert answer.exit_code == 0
    assert "reaper is down: from the store" in answer.output


def test_json_holds_the_whole_explanation(stored, run):
    told = json.loads(run("explain", "48213", "--config", stored, "--json").output)

    assert told["explanation"]["row"]["owner"] == "mira"


def test_an_unknown_allocation_ends_with_1_and_one_line(stored, run):
    answer = run("explain", "nope", "--config", stored)

    assert answer.exit_code == 1
    assert answer.stderr == (
        "gpu-reaper: no allocation 'nope': `gpu-reaper status` lists the live ones by id\n"
    )
