"""Real processes that hang, vanish, or are many: the look at /proc goes on."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from exporter.kernel.proc import Census
from tests.components import require
from tests.e2e.exporter.process import ExporterProcess

NOTEBOOK = """
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>
int main(void) {
    prctl(PR_SET_NAME, "python3");
    if (*getenv("STATE") == 'D' && vfork()) return 0;   /* the parent waits, in state D */
    sleep(100);
    _exit(0);
}
"""
CHURN = """
import os
while True:
    pid = os.fork()
    os.waitpid(pid, 0) if pid else os._exit(0)
"""
CROWD = """
import os, time
for _ in range(2000):
    if not os.fork():
        time.sleep(100)
        os._exit(0)
print("there", flush=True)
time.sleep(100)
"""


@pytest.fixture
def run():
    started = []

    def begin(*words, **more):
        started.append(subprocess.Popen(words, start_new_session=True, **more))
        return started[-1]

    yield begin
    for process in started:
        os.killpg(process.pid, 9)
        process.wait(timeout=60)


@pytest.fixture
def notebook(run, tmp_path):
    """Give `notebook(state)`: a process whose command line tells that it is a notebook."""
    require("compiler")
    (tmp_path / "notebook.c").write_text(NOTEBOOK)
    program = tmp_path / "notebook"
    subprocess.run(["cc", "-o", program, tmp_path / "notebook.c"], check=True)

    def begin(state):
        process = run(program, "-m", "ipykernel", env={"STATE": state})
        wanted = f"{process.pid} (python3) {state} "
        while wanted not in Path(f"/proc/{process.pid}/stat").read_text():
            time.sleep(0.01)
        return process.pid

    return begin


@pytest.mark.parametrize(("state", "program"), [("D", ""), ("S", "jupyter")])
def test_the_command_line_of_a_process_stuck_in_the_kernel_is_not_read(notebook, state, program):
    pid = notebook(state)
    seen = Census().take()[pid]

    assert (seen.state, seen.program) == (state, program)


def test_processes_that_vanish_while_they_are_read_cost_nothing(run):
    for _ in range(2):
        run(sys.executable, "-c", CHURN)
    census = Census()
    passes = [census.take() for _ in range(50)]

    assert all(os.getpid() in found for found in passes)


def test_two_thousand_processes_are_all_seen(run, fake_library, fake_node, tmp_path):
    crowd = run(sys.executable, "-c", CROWD, stdout=subprocess.PIPE)
    assert crowd.stdout is not None
    assert crowd.stdout.readline() == b"there\n"
    census = Census()
    found = [one for one in census.take().values() if one.ppid == crowd.pid]
    crowd.stdout.close()

    assert len(found) == 2000
    fake_node.add_hopper()
    fake_node.change({"card0.processes": ",".join(f"{one.pid}:1048576" for one in found[:20])})
    running = ExporterProcess(tmp_path / "log", environment=fake_node.environment(fake_library))
    try:
        running.await_address()
        page = running.page_when(
            lambda page: len(page.values("gpunode_allocation_share")) == 20, seconds=40
        )
        assert sum(page.values("gpunode_allocation_share")) == pytest.approx(1)
        assert page.value("gpunode_collector_success", collector="allocation") == 1
    finally:
        running.close()
