"""
What a program is to us, told from its name and its command line.

A command line holds names, paths and secrets of people: it goes in here, one word of
:data:`Program` comes out, and nothing else is kept.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal

Program = Literal[
    "",
    "tmux-server",
    "tmux-client",
    "screen-server",
    "screen-client",
    "jupyter",
    "code-server",
    "vscode",
    "rstudio",
    "desktop",
    "ssh",
    "keeper",
    "slurmstepd",
    "pause",
    "mps",
]
"""What we tell apart; empty for anything else."""

KEEPER_SLEEP: Final = 6 * 3600
"""Seconds from which on a ``sleep`` is there to keep an allocation, not to wait for something."""

_BY_NAME: Final[dict[str, Program]] = {
    "tmux: server": "tmux-server",
    "tmux: client": "tmux-client",
    "jupyter-lab": "jupyter",
    "jupyter-noteboo": "jupyter",
    "jupyter-server": "jupyter",
    "jupyterhub-sing": "jupyter",
    "code-server": "code-server",
    "code-tunnel": "vscode",
    "rserver": "rstudio",
    "rsession": "rstudio",
    "Xvnc": "desktop",
    "Xtigervnc": "desktop",
    "Xorg": "desktop",
    "xrdp-sesman": "desktop",
    "nxagent": "desktop",
    "x2goagent": "desktop",
    "slurmstepd": "slurmstepd",
    "pause": "pause",
    "nvidia-cuda-mps": "mps",
}

# Names that say nothing alone: interpreters, and programs with several roles.
_AMBIGUOUS: Final = re.compile(
    r"python|node|MainThread|sleep|tail|screen|sshd|code|java|julia|R$|ipykernel|pypy|bun|deno"
)
_SSH: Final = re.compile(r"sshd(?:-session)?: [^\s\[]+(?:@\S+)?$")
_JUPYTER: Final = re.compile(
    r"ipykernel|jupyter[-_]?(?:lab|notebook|server|hub-singleuser)|jupyterhub[/.]singleuser"
    r"|IRkernel|IJulia"
)
_CODE_SERVER: Final = re.compile(r"(?:^|/)code-server(?:/|$)")
_REMOTE_EDITOR: Final = re.compile(
    r"\.(?:vscode|vscodium|cursor|windsurf|trae)-server|openvscode-server|vscode-remote"
    r"|remote-dev-server|jetbrains.*/host|/code-tunnel"
)
_DURATION: Final = re.compile(r"(\d+(?:\.\d+)?)([smhd]?)")
_UNITS: Final = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


def told_by_name(name: str) -> bool:
    """Say whether the name alone suffices, so that no command line need be read."""
    return name in _BY_NAME or _AMBIGUOUS.match(name) is None


def recognise(name: str, arguments: Sequence[str]) -> Program:
    """Tell what a process is; `name` is the kernel's (15 bytes), `arguments` its command line."""
    if name in _BY_NAME:
        return _BY_NAME[name]
    if not arguments:
        return ""
    if name == "screen":
        return "screen-server" if arguments[0].startswith("SCREEN") else "screen-client"
    if name.startswith("sshd"):
        return "ssh" if _SSH.match(arguments[0].strip()) else ""
    if name in {"sleep", "tail"}:
        return "keeper" if _keeps(name, arguments[1:]) else ""
    return _served(arguments)


def _served(arguments: Sequence[str]) -> Program:
    words = " ".join(_own_words(arguments))
    if _REMOTE_EDITOR.search(words):
        return "vscode"
    if any(_CODE_SERVER.search(word) for word in arguments[:2]):
        return "code-server"
    return "jupyter" if _JUPYTER.search(words) else ""


def _own_words(arguments: Sequence[str]) -> Iterator[str]:
    """Yield the program, its options and what it runs; a user's own arguments come after."""
    yield arguments[0]
    for word in arguments[1:16]:
        yield word
        if not word.startswith("-"):
            return


def _keeps(name: str, arguments: Sequence[str]) -> bool:
    if name == "tail":
        return any(word.startswith("-") and "f" in word.lower() for word in arguments)
    return sum(map(_seconds, arguments)) >= KEEPER_SLEEP


def _seconds(word: str) -> float:
    if word.startswith("inf"):
        return float("inf")
    match = _DURATION.fullmatch(word)
    return float(match[1]) * _UNITS[match[2]] if match else 0.0
