import pytest

from tests.builders_picture import HOUR, NOW, picture, row
from tests.served import serving


def mine():
    return picture(rows=(row(owner="root", policy=""),))


async def test_a_keep_is_passed_on_and_its_answer_told(tmp_path, ask):
    async with serving(tmp_path, mine()) as served:
        answer = await ask(
            "keep", "4711", "--for", "1h", "--reason", "debugging", "--socket", served.socket
        )
        async with served.store.reading() as books:
            (kept,) = await books.keeps(NOW)

    assert (answer.exit_code, answer.output) == (0, "kept slurm/4711 for 1 h: debugging\n")
    assert kept.until == NOW + HOUR


async def test_a_pause_lasts_as_long_as_it_was_asked(tmp_path, ask):
    async with serving(tmp_path, mine()) as served:
        where = ("--socket", served.socket)
        paused = await ask("pause", "--for", "90m", "--reason", "upgrade", *where)
        async with served.store.reading() as books:
            (hold,) = await books.holds()
        resumed = await ask("resume", "--reason", "done", *where)

    assert (paused.exit_code, resumed.exit_code) == (0, 0)
    assert hold.until == NOW + 1.5 * HOUR


async def test_a_refusal_ends_with_1_in_one_line(tmp_path, ask):
    async with serving(tmp_path, mine()) as served:
        where = ("--socket", served.socket)
        unheld = await ask("resume", "--reason", "x", *where)
        unknown = await ask("keep", "1", "--for", "1h", "--reason", "x", *where)
        undisputed = await ask("dispute", "4711", "--reason", "x", *where)

    for answer in (unheld, unknown, undisputed):
        assert answer.exit_code == 1
        assert answer.stderr.startswith("gpu-reaper: ")
        assert answer.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("keep", "4711", "--for", "2", "--reason", "x"),
        ("keep", "4711", "--for", "2h"),
        ("pause",),
    ],
)
def test_wrong_usage_ends_with_2(arguments, run):
    assert run(*arguments).exit_code == 2


def test_a_duration_without_a_unit_names_its_cure(run):
    answer = run("keep", "4711", "--for", "2", "--reason", "x")

    assert "write for example 2m or 2s" in answer.stderr


def test_without_a_running_reaper_a_request_ends_with_3(configuration, run):
    answer = run("pause", "--reason", "x", "--config", configuration)

    assert answer.exit_code == 3
    assert "only the running one can" in answer.stderr


async def test_a_release_is_asked_for_only_when_it_is_meant(tmp_path, ask):
    unruled = picture(rows=(row(owner="root", policy="", mode=""),))
    async with serving(tmp_path, unruled) as served:
        where = ("--reason", "done", "--socket", served.socket)
        unsure = await ask("release", "4711", *where)
        sure = await ask("release", "4711", "--yes", *where)

    assert (unsure.exit_code, "what is not saved is lost" in unsure.output) == (1, True)
    assert "no policy is for it" in sure.stderr


@pytest.mark.parametrize("how", [(), ("--for", "1h", "--until-morning")], ids=["none", "both"])
def test_a_keep_says_how_long_in_one_way(run, how):
    answer = run("keep", "4711", "--reason", "x", *how)

    assert answer.exit_code == 2
    assert "either --for DURATION or --until-morning" in answer.stderr
