import json
import os


def test_a_right_configuration_ends_with_0(configuration, run):
    answer = run("check", configuration)

    assert answer.exit_code == 0
    assert "no mistake in" in answer.output


def test_every_mistake_is_told_and_ends_with_2(tmp_path, run):
    path = tmp_path / "wrong.yaml"
    path.write_text("clusters: x\nweb: {listen: nowhere}\n")

    answer = run("check", path)

    assert answer.exit_code == 2
    assert answer.output.count("mistake  ") == 2
    assert "2 to correct" in answer.stderr


def test_the_schema_is_written_for_editors(run):
    assert json.loads(run("check", "--schema").output)["title"] == "Configuration"


def test_a_mark_at_the_beginning_is_no_mistake(configuration, run):
    configuration.write_bytes(b"\xef\xbb\xbf" + configuration.read_bytes())

    assert run("check", configuration).exit_code == 0


def test_a_named_pipe_is_told_and_not_waited_for(tmp_path, run):
    os.mkfifo(tmp_path / "pipe")

    answer = run("check", tmp_path / "pipe")

    assert answer.exit_code == 2
    assert "pipe: cannot be read: it is a named pipe, not a file; give a file" in answer.output


def test_a_directory_is_told(tmp_path, run):
    answer = run("check", tmp_path)

    assert answer.exit_code == 2
    assert "cannot be read: it is a directory, not a file; give a file" in answer.output


def test_what_a_configuration_names_is_told_alike(tmp_path, run):
    os.mkfifo(tmp_path / "pipe")
    path = tmp_path / "gpu-reaper.yaml"
    path.write_text(f"rates: {tmp_path}/pipe\npolicies: [{tmp_path}]\n")

    answer = run("check", path)

    assert "pipe: cannot be read: it is a named pipe, not a file" in answer.output
    assert "cannot be read: it is a directory, not a file" in answer.output
