import pytest

from tests.reaper.edge.test_gpu_prices import HEAD, row


@pytest.fixture
def catalogue(tmp_path):
    folder = tmp_path / "catalogues"
    folder.mkdir()
    rows = (row(), row(location="eu-west-1", price="40"), row(price="10", spot="True"))
    (folder / "aws.csv").write_text(HEAD + "".join(f"{one}\n" for one in rows))
    return folder


def test_a_draft_is_written_and_never_over_another_file(catalogue, tmp_path, run):
    path = tmp_path / "rates.yaml"
    asked = ("rates", "draft", "--provider=aws", "--region=us-east-1", "--catalogue", catalogue)

    assert run(*asked, "-o", path).exit_code == 0
    assert "per_hour: 4.096575" in path.read_text()
    assert "kind: spot" not in path.read_text()
    again = run(*asked, "-o", path)
    assert again.exit_code == 1
    assert "is there already" in again.stderr


def test_spot_prices_are_drafted_when_asked_for(catalogue, run):
    answer = run(
        "rates", "draft", "--provider=aws", "--region=us-east-1", "--spot",
        "--catalogue", catalogue,
    )  # fmt: skip

    assert "labels: [purchase=spot]" in answer.output


def test_a_region_that_is_none_is_answered_with_those_there_are(catalogue, run):
    answer = run("rates", "draft", "--provider=aws", "--catalogue", catalogue)

    assert answer.exit_code == 2
    assert "there are: eu-west-1, us-east-1" in answer.stderr


def test_without_a_folder_nothing_leaves_the_machine(run):
    answer = run("rates", "draft", "--provider=aws", "--region=us-east-1")

    assert answer.exit_code == 2
    assert "name a folder with --catalogue, or --fetch" in answer.stderr


def test_the_card_is_shown_with_its_arithmetic(configuration, tmp_path, run):
    (tmp_path / "rates.yaml").write_text(
        "rates: [{model: 'A100*', owned: {gpus: 1, purchase: 87660, years: 10}, from: 2026-01-01}]"
    )
    configuration.write_text(configuration.read_text() + "rates: rates.yaml\n")
    answer = run("rates", "show", "--config", configuration)

    assert answer.exit_code == 0
    assert "1 EUR" in answer.output
    assert "87660 / (10 y x 8766 h x 1) = 1.0000" in answer.output
    assert "2026-01-01" in answer.output


def test_without_rates_there_is_no_card(configuration, run):
    answer = run("rates", "show", "--config", configuration)

    assert answer.exit_code == 2
    assert "no rates are configured" in answer.stderr
