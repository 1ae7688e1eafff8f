"""What waits for an operator, as a terminal shows it."""

import json

from reaper.cli.queue import lines
from reaper.domain.escalation.decision import Refusal
from reaper.questions import Disputed, Queue, Stuck
from tests import builders
from tests.builders_picture import HOUR, NOW, case_line, row
from tests.served import serving


def test_an_empty_queue_says_so():
    assert list(lines(Queue(at=NOW), NOW)) == ["nothing waits for an operator"]


def test_each_line_says_what_waits_and_what_to_type():
    held = row(case=case_line(held_by=(Refusal(rule="hours", reason="outside working hours"),)))
    stuck = Stuck(
        allocation="slurm/9",
        run_key="9",
        to="mira",
        kind="final",
        created=NOW - HOUR,
        attempts=1,
        error="slack: user_not_found",
    )
    case = builders.case(disputed=True, disputed_at=NOW - HOUR, escalated=True)
    waiting = Queue(
        at=NOW,
        disputes=(Disputed(case=case, reason="it\nreads", over=False),),
        approvals=(row(gpus=32),),
        refusals=(held,),
        undelivered=(stuck,),
        unknown_owners=(row(owner=""),),
        findings=(row(id="12", verdict="suspect", reason="a blip of work every 10 min"),),
        pieces=("12 interactive runs of mira, 50 min in the median",),
    )

    shown = "\n".join(lines(waiting, NOW))

    assert "slurm/101 of mira: it reads (1 h ago, overdue); gpu-reaper rule slurm/101" in shown
    assert "gpu-reaper approve slurm/4711" in shown
    assert "slurm/4711 of mira: hours: outside working hours" in shown
    assert "final on slurm/9 to mira, 1 h ago, 1 attempt: slack: user_not_found" in shown
    assert "slurm/4711 of an unknown owner" in shown
    assert "slurm/12 of mira, 1 GPU, suspect: a blip of work every 10 min" in shown
    assert "To look at (2)" in shown
    assert "it looks like idleness in small pieces: 12 interactive runs of mira" in shown


def test_without_a_reaper_the_queue_comes_from_the_store(stored, run):
    answer = run("queue", "--json", "--config", stored)

    assert answer.exit_code == 0
    assert json.loads(answer.output)["disputes"] == []


async def test_the_running_reaper_tells_its_queue(tmp_path, ask):
    async with serving(tmp_path, None) as served:
        answer = await ask("queue", "--socket", served.socket)

    assert answer.output in ("nothing waits for an operator\n", "")
