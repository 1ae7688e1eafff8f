import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.kernel.program import recognise, told_by_name


@pytest.mark.parametrize(
    ("name", "command", "program"),
    [
        ("tmux: server", "", "tmux-server"),
        ("tmux: client", "", "tmux-client"),
        ("screen", "SCREEN -S work", "screen-server"),
        ("screen", "screen -S work", "screen-client"),
        ("sshd", "sshd: mira@pts/3", "ssh"),
        ("sshd-session", "sshd-session: mira@notty", "ssh"),
        ("sshd", "sshd: mira", "ssh"),
        ("sshd", "sshd: mira [priv]", ""),
        ("sshd", "sshd: /usr/sbin/sshd -D [listener] 0 of 10-100 startups", ""),
        ("sshd", "/usr/sbin/sshd -D", ""),
        ("jupyter-lab", "", "jupyter"),
        ("jupyterhub-sing", "", "jupyter"),
        ("python3.11", "python3.11 -m ipykernel_launcher -f k.json", "jupyter"),
        ("python", "python /opt/conda/bin/jupyter-lab --port 8888", "jupyter"),
        ("R", "R --slave -e IRkernel::main()", "jupyter"),
        ("python3", "python3 train.py --notes jupyter-lab", ""),
        ("python3", "python3 -u train.py ipykernel", ""),
        ("node", "/usr/lib/code-server/lib/node /usr/lib/code-server", "code-server"),
        ("node", "/home/mira/.vscode-server/bin/abc/node server-main.js", "vscode"),
        ("node", "/home/mira/.cursor-server/bin/abc/node server-main.js", "vscode"),
        ("MainThread", "node /home/mira/.vscode-server/out/server-main.js", "vscode"),
        ("node", "node my-code-server-notes.js", ""),
        ("rserver", "", "rstudio"),
        ("rsession", "", "rstudio"),
        ("Xvnc", "", "desktop"),
        ("sleep", "sleep infinity", "keeper"),
        ("sleep", "sleep inf", "keeper"),
        ("sleep", "sleep 2d", "keeper"),
        ("sleep", "sleep 5h 1h", "keeper"),
        ("sleep", "sleep 60", ""),
        ("sleep", "sleep 5h", ""),
        ("sleep", "sleep x", ""),
        ("tail", "tail -f /dev/null", "keeper"),
        ("tail", "tail -n 20 log", ""),
        ("nvidia-cuda-mps", "", "mps"),
        ("bash", "bash", ""),
    ],
)
def test_a_program_is_recognised(name: str, command: str, program: str):
    arguments = [command] if command.startswith("sshd") else command.split()

    assert recognise(name, arguments) == program


@given(st.text(max_size=15), st.lists(st.text(max_size=40), max_size=6))
def test_any_command_line_has_an_answer(name: str, arguments: list[str]):
    assert isinstance(recognise(name, arguments), str)


@pytest.mark.parametrize("name", ["bash", "train.py", "tmux: server", "slurmstepd"])
def test_most_names_need_no_command_line(name: str):
    assert told_by_name(name)


@pytest.mark.parametrize("name", ["python3.12", "node", "sleep", "sshd", "screen"])
def test_an_interpreter_needs_its_command_line(name: str):
    assert not told_by_name(name)
