#!/usr/bin/env bash
# Makes .uv (uv, in a virtual environment of its own) and .venv (the project, as uv.lock says).
# usage: environment.sh [options of `uv sync`]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

uv_version=0.13.9

if [ "$(.uv/bin/uv --version 2>/dev/null | cut -d' ' -f2)" != "$uv_version" ]; then
    echo "installing uv $uv_version into .uv …"
    python3 -m venv --clear .uv
    .uv/bin/python -m pip install --quiet --disable-pip-version-check "uv==$uv_version"
fi
quiet=--quiet
if [ ! -e .venv/pyvenv.cfg ]; then
    echo "installing what uv.lock names into .venv: a minute or two, by the network …"
    quiet=
fi
exec .uv/bin/uv sync $quiet --frozen --inexact "$@"
