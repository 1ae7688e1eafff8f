import json
import stat

import pytest

from reaper.config import load
from reaper.domain.money.entries import CapacitySpan, Tenure
from reaper.store import open_store
from tests.books import at
from tests.builders import run as run_of_values

MONDAY = at("2026-11-02 00:00")
HOUR = 3600.0
SACCT = """JobID|JobIDRaw|State|User|Submit|Start|End|ElapsedRaw|AllocTRES
101|101|COMPLETED|mira|2026-11-02T09:00:00|2026-11-02T10:00:00|2026-11-02T20:00:00|36000|{tres}
"""


@pytest.fixture
def slurm(configuration, tmp_path):
    """Give `slurm(tres)`: a configuration whose sacct tells one job of ten hours."""

    def told(tres="gres/gpu:a100=2,gres/gpu=2"):
        folder = tmp_path / "commands"
        folder.mkdir()
        (folder / "answer").write_text(SACCT.format(tres=tres))
        sacct = folder / "sacct"
        sacct.write_text('#!/bin/sh\necho "$@" >"$(dirname "$0")/asked"\ncat "${0%sacct}answer"\n')
        sacct.chmod(sacct.stat().st_mode | stat.S_IXUSR)
        text = configuration.read_text() + f"platforms: {{slurm: {{commands: {folder}}}}}\n"
        configuration.write_text(text)
        return configuration

    return told


@pytest.fixture
async def kept(configuration):
    """Keep the same ten hours on two GPUs in our books, which begin on Monday at eight."""
    read = load(configuration)
    store = await open_store(read.store, cluster=read.cluster)
    epoch = await store.lead("test", MONDAY)
    one = run_of_values("101", started=MONDAY + 10 * HOUR)
    async with store.transaction(epoch) as books:
        await books.keep_capacity(
            [
                CapacitySpan(
                    node="gpu01",
                    model="a100",
                    gpus=2,
                    state="up",
                    begin=MONDAY + 8 * HOUR,
                    end=None,
                )
            ]
        )
        await books.keep_tenures(
            [
                Tenure(
                    run=one, gpu=f"GPU-{n}", node="gpu01", begin=one.started, end=MONDAY + 20 * HOUR
                )
                for n in range(2)
            ]
        )
    await store.close()


async def test_books_that_agree_end_well(slurm, kept, ask):
    answer = await ask("reconcile", "--week=2026-W45", "--config", slurm(), "--json")

    told = json.loads(answer.output)
    assert answer.exit_code == 0
    assert (told["our_gpu_hours"], told["their_gpu_hours"]) == (20.0, 20.0)
    assert (told["differences"], told["begin"]) == ([], "2026-11-02T08:00:00Z")


async def test_accounting_is_asked_from_when_our_books_begin(slurm, kept, ask):
    path = slurm()
    await ask("reconcile", "--week=2026-W45", "--config", path)

    asked = (path.parent / "commands" / "asked").read_text()
    assert "-S 2026-11-02T08:00:00 -E 2026-11-09T00:00:00" in asked


async def test_books_that_differ_end_with_one_and_say_why(slurm, kept, ask):
    answer = await ask("reconcile", "--week=2026-W45", "--config", slurm("gres/gpu=4"))

    assert answer.exit_code == 1
    assert "ours 20.00 GPU-h, theirs 40.00: -50.00 %, more than 2 %" in answer.output
    assert "2 devices by us, 4 by the scheduler" in answer.output
    assert "our books begin on Mon 2026-11-02 08:00 UTC" in answer.output


async def test_records_that_make_no_sense_are_named_and_cost_nothing_else(slurm, kept, ask):
    path = slurm()
    answer = path.parent / "commands" / "answer"
    answer.write_text(answer.read_text() + "102|102|COMPLETED|mira||||soon|gres/gpu=8\n")

    told = await ask("reconcile", "--week=2026-W45", "--config", path)

    assert told.exit_code == 0
    assert "1 records of theirs cannot be read, in neither sum: sacct:3: job 102" in told.output


async def test_without_a_scheduler_there_is_nothing_to_compare(configuration, kept, ask):
    answer = await ask("reconcile", "--config", configuration)

    assert answer.exit_code == 2
    assert "no platform keeps books of its own" in answer.stderr


def test_a_week_that_is_none_is_wrong_usage(configuration, run):
    answer = run("reconcile", "--week=48", "--config", configuration)

    assert answer.exit_code == 2
    assert "write for example 2026-W48" in answer.stderr
