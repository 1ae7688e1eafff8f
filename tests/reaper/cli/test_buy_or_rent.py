import json

import pytest

from reaper.config import load
from reaper.domain.money.entries import CapacitySpan, Tenure
from reaper.store import open_store
from tests.builders import run as run_of_values

HOUR = 3600.0


@pytest.fixture
async def kept(configuration):
    """Keep four GPUs held by day and one by night, in the ten days before now."""
    from reaper.cli.reach import now

    read = load(configuration)
    store = await open_store(read.store, cluster=read.cluster)
    epoch = await store.lead("test", now())
    begin = now() - 10 * 24 * HOUR
    async with store.transaction(epoch) as books:
        await books.keep_capacity(
            [CapacitySpan(node="gpu01", model="a100", gpus=8, state="up", begin=begin, end=None)]
        )
        held = [hold("GPU-0", begin, None)]
        for day in range(10):
            start = begin + day * 24 * HOUR
            held += [hold(f"GPU-{n}", start, start + 12 * HOUR) for n in (1, 2, 3)]
        await books.keep_tenures(held)
    await store.close()
    return configuration


def hold(gpu: str, begin: float, end: float | None) -> Tenure:
    return Tenure(
        run=run_of_values(f"{gpu}{begin}", started=begin),
        gpu=gpu,
        node="gpu01",
        begin=begin,
        end=end,
        model="NVIDIA A100-SXM4-40GB",
    )


async def test_prices_that_are_given_make_a_plan(kept, ask):
    answer = await ask("buy-or-rent", "--own=1", "--rent=4", "--json", "--config", kept)

    assert answer.exit_code == 0, answer.output
    (model,) = json.loads(answer.output)["models"]
    assert (model["model"], model["break_even"]) == ("NVIDIA A100-SXM4-40GB", 0.25)
    assert (model["cheapest_owned"], model["peak_gpus"], model["installed"]) == (4, 4.0, 8)


async def test_a_dear_gpu_is_owned_only_for_the_steady_base(kept, ask):
    answer = await ask("buy-or-rent", "--own=3", "--rent=4", "--config", kept)

    said = " ".join(answer.output.split())
    assert "cheapest: own 1, rent the rest" in said
    assert "3 / 4 = 75.0 % of the time" in said
    assert "Assumptions" in answer.output


async def test_the_rate_card_has_prices(kept, tmp_path, ask):
    (tmp_path / "rates.yaml").write_text(
        "rates:\n"
        "  - {model: '*A100*', site: north, owned: {gpus: 1, purchase: 43830, years: 5}}\n"
        "  - {model: '*A100*', site: cloud, kind: on-demand, per_hour: 2.00}\n"
    )
    kept.write_text(kept.read_text() + "rates: rates.yaml\n")
    answer = await ask("buy-or-rent", "--config", kept)

    assert answer.exit_code == 0, answer.output
    said = " ".join(answer.output.split())
    assert "43830 / (5 y x 8766 h x 1) = 1.0000" in said
    assert "1 / 2.0 = 50.0 % of the time" in said


async def test_a_model_without_prices_is_named_and_not_computed(kept, ask):
    answer = await ask("buy-or-rent", "--rent=4", "--config", kept)

    assert "no plan for NVIDIA A100-SXM4-40GB" in answer.output
    assert "no price of owned or reserved GPUs" in answer.output


async def test_books_without_an_hour_say_so(stored, ask):
    answer = await ask("buy-or-rent", "--config", stored)

    assert answer.exit_code == 1
    assert "the books hold no whole hour yet" in answer.stderr


@pytest.mark.parametrize("price", ["0", "-1", "two", "nan"])
def test_a_price_that_is_none_is_wrong_usage(configuration, run, price):
    answer = run("buy-or-rent", f"--own={price}", "--config", configuration)

    assert answer.exit_code == 2
    assert "write for example 2.50" in answer.stderr


async def test_a_stated_capacity_is_what_is_installed(kept, ask):
    answer = await ask(
        "buy-or-rent", "--own=1", "--rent=4", "--capacity=12", "--json", "--config", kept
    )

    (model,) = json.loads(answer.output)["models"]
    assert model["installed"] == 12


def test_recorded_jobs_are_a_demand_too(configuration, tmp_path, run):
    jobs = tmp_path / "jobs.csv"
    jobs.write_text(
        "job_id,user,num_gpus,start_time,duration_s,gpu_model\n"
        "1,u,2,1800000000,36000,A100\n2,u,0.5,1800000000,36000,A100\n"
    )
    given = ("--jobs", jobs, "--own=1", "--rent=4", "--capacity=4", "--json")
    answer = run("buy-or-rent", *given, "--config", configuration)

    assert answer.exit_code == 0, answer.output
    (model,) = json.loads(answer.output)["models"]
    assert (model["model"], model["peak_gpus"], model["installed"]) == ("A100", 2.5, 4)
