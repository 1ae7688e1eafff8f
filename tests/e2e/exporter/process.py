"""The real exporter as a process, and what a scraper sees of it."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import ProxyHandler, build_opener

OPENER = build_opener(ProxyHandler({}))
PERIOD = "0.2"
#: Seconds that a test waits for what must come, however busy the machine is.
PATIENCE = 60.0
SAMPLE = re.compile(r"^(\w+)(\{.*\})? (\S+)$", re.MULTILINE)
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


class Page:
    """A scraped page: numbers by family and labels."""

    def __init__(self, text: str):
        self.text = text
        self.samples = [
            (name, dict(LABEL.findall(labels or "")), float(value))
            for name, labels, value in SAMPLE.findall(text)
        ]

    def values(self, family: str, **labels: str) -> list[float]:
        return [
            value
            for name, found, value in self.samples
            if name == family and labels.items() <= found.items()
        ]

    def value(self, family: str, **labels: str) -> float | None:
        found = self.values(family, **labels)
        return found[0] if len(found) == 1 else None

    def labels(self, family: str) -> list[dict[str, str]]:
        return [found for name, found, _ in self.samples if name == family]


class ExporterProcess:
    """Starts, is scraped, is hurt, ends."""

    def __init__(
        self,
        log: Path,
        *words: str,
        environment: Mapping[str, str] | None = None,
        python: Sequence[str] = (sys.executable,),
    ):
        self.log = log
        self.control = log.with_suffix(".sock")
        self.release_file = log.with_suffix(".release")
        self.kernel_log = log.with_suffix(".kernel")
        self.kernel_log.touch()
        command = [
            *python, "-m", "exporter", "--listen", "127.0.0.1:0",
            "--period", PERIOD, "--call-timeout", "1", "--control", str(self.control),
            "--release-file", str(self.release_file), "--kernel-log", str(self.kernel_log), *words,
        ]  # fmt: skip
        with log.open("w") as stderr:
            self.process = subprocess.Popen(
                command, stderr=stderr, env={**os.environ, **(environment or {})}
            )
        self.address = ""

    def await_address(self):
        """Wait until it serves."""
        self.address = self.until(self._address)

    def _address(self) -> str | None:
        found = re.search(r"serving on (127\.0\.0\.1:\d+)", self.log.read_text())
        return found[1] if found else None

    def until(self, look: Callable[[], object], seconds: float = PATIENCE):
        """Look again and again until something is there; fail with the log otherwise."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = look()
            if found:
                return found
            time.sleep(0.05)
        raise AssertionError(f"not within {seconds} s; the log says:\n{self.log.read_text()}")

    def get(self, path: str) -> tuple[int, str]:
        try:
            with OPENER.open(f"http://{self.address}{path}", timeout=30) as answer:
                return answer.status, answer.read().decode()
        except HTTPError as error:
            with error:
                return error.code, error.read().decode()
        except OSError:
            return 0, ""

    def page(self, path: str = "/metrics") -> Page:
        return Page(self.get(path)[1])

    def page_when(self, wanted: Callable[[Page], object], seconds: float = PATIENCE) -> Page:
        """Scrape until the page is as wanted."""

        def look():
            page = self.page()
            return page if wanted(page) else None

        return self.until(look, seconds)

    def worker(self) -> int:
        """Return the worker's process id."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return self.until(lambda: next((int(pid) for pid in children.read_text().split()), None))

    def kill_worker(self) -> int:
        pid = self.worker()
        os.kill(pid, signal.SIGKILL)
        return pid

    def terminate(self) -> tuple[int, float]:
        """Send SIGTERM; return the exit status and how long it took."""
        began = time.monotonic()
        self.process.terminate()
        status = self.process.wait(timeout=60)
        return status, time.monotonic() - began

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(timeout=60)
