import json

import pytest

SACCT = (
    "JobID|State|Submit|Start|End|ElapsedRaw|AllocTRES|JobName|User|GPUUtil\n"
    "7|COMPLETED|2026-11-02T09:00:00|2026-11-02T10:00:00|2026-11-02T20:00:00|36000|"
    "gres/gpu=2|train|mira|0\n"
)
CSV = "job_id,user,start_time,duration_s,num_gpus\n8,otto,1800007200,3600,1\n"


@pytest.fixture
def books(tmp_path):
    """Give `books(name, text)`: a file with that text."""

    def write(name, text):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def test_files_of_any_form_are_told_together(books, configuration, run):
    answer = run(
        "audit", books("a.txt", SACCT), books("b.csv", CSV), "--json", "--config", configuration
    )

    told = json.loads(answer.output)
    assert answer.exit_code == 0
    assert [one["form"] for one in told["sources"]] == ["sacct text", "jobs as CSV"]
    assert told["total"]["gpu_hours"] == 21.0
    assert set(told["by_owner"]) == {"mira", "otto"}


def test_the_built_in_policies_are_proposed(books, configuration, run):
    answer = run("audit", books("a.txt", SACCT), "--config", configuration)

    assert answer.exit_code == 0
    assert "What each policy would have returned" in answer.output
    assert "wasted, by the bounds below: 19.33 GPU-h" in answer.output


def test_what_cannot_be_read_is_listed_and_ends_with_two(books, configuration, run):
    answer = run(
        "audit", books("a.txt", SACCT + "8|COMP\n"), "absent.txt", "--config", configuration
    )

    assert answer.exit_code == 2
    assert "a.txt:3: 2 fields, the header has 10" in answer.output
    assert "absent.txt: cannot be read: No such file" in answer.output
    assert answer.stderr == "gpu-reaper: not everything could be read: 2, listed above\n"


def test_bytes_that_are_no_utf8_cost_no_job(books, configuration, run):
    raw = SACCT.encode().replace(b"train", b"tr\xe9in")
    answer = run("audit", books("a.txt", raw), "--config", configuration)

    assert answer.exit_code == 0
    assert "1 jobs held 20.00 GPU-h" in answer.output
    assert "a.txt: bytes that are no UTF-8, first on line 2" in answer.output


def test_columns_are_named_where_there_is_no_header(books, configuration, run):
    answer = run(
        "audit",
        books("a.txt", "7|60|gres/gpu=60\n"),
        "--columns=JobID,ElapsedRaw,AllocTRES",
        f"--config={configuration}",
    )

    assert "1 jobs held 1.00 GPU-h" in answer.output


def test_a_zone_that_nobody_knows_is_wrong_usage(books, configuration, run):
    answer = run("audit", books("a.txt", SACCT), "--zone=Berlin", "--config", configuration)

    assert answer.exit_code == 2
    assert "Europe/Berlin" in answer.stderr


def test_local_times_are_of_the_zone_that_is_named(books, configuration, run):
    answer = run(
        "audit",
        books("a.txt", SACCT),
        "--zone=Europe/Berlin",
        "--json",
        "--config",
        configuration,
    )

    assert json.loads(answer.output)["profile"]["at_once"]["begin"] == 1793613600 - 3600


def test_a_capacity_tells_how_full_it_was(books, configuration, run):
    answer = run(
        "audit", books("a.txt", SACCT), "--capacity=8", "--json", "--config", configuration
    )

    (told,) = json.loads(answer.output)["capacity"]
    assert (told["capacity_gpu_hours"], told["held_gpu_hours"]) == (80.0, 20.0)
    assert told["held_share"] == 0.25


def test_a_capacity_is_told_in_words_with_its_span(books, configuration, run):
    table = books("gpus.csv", "model,gpus,begin,end\n,4,2026-01-01,2027-01-01\n")
    answer = run("audit", books("a.txt", SACCT), f"--capacity={table}", "--config", configuration)

    assert "of 40.00 GPU-h of capacity 50 % were held, 20.00 GPU-h by nobody" in " ".join(
        answer.output.split()
    )


def test_a_capacity_that_makes_no_sense_is_named(books, configuration, run):
    table = books("gpus.csv", "gpus,begin\nmany,2026-01-01\n4,soon\n")
    answer = run("audit", books("a.txt", SACCT), f"--capacity={table}", "--config", configuration)

    assert answer.exit_code == 2
    assert "gpus.csv:2: gpus: 'many'" in answer.stderr
    assert "gpus.csv:3: begin: 'soon'" in answer.stderr
