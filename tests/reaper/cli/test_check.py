import json


def test_a_right_configuration_ends_with_0(configuration, run):
    answer = run("check", configuration)

    assert answer.exit_code == 0
    assert "no mistake in" in answer.output


def test_every_mistake_is_told_and_ends_with_1(tmp_path, run):
    path = tmp_path / "wrong.yaml"
    path.write_text("clusters: x\nweb: {listen: nowhere}\n")

    answer = run("check", path)

    assert answer.exit_code == 1
    assert answer.output.count("mistake  ") == 2
    assert "2 to correct" in answer.stderr


def test_the_schema_is_written_for_editors(run):
    assert json.loads(run("check", "--schema").output)["title"] == "Configuration"
