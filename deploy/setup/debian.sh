#!/usr/bin/env bash
# Installs the Debian packages that a target needs, and only those that are missing.
# usage: debian.sh run|test
#
# Nothing that it installs is started or enabled: the tests start their own daemons on loopback.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
target=${1-}
policy=/usr/sbin/policy-rc.d
case $target in run | test) ;; *) echo "usage: debian.sh run|test" >&2; exit 2 ;; esac
daemons=(containerd etcd mariadb munge prometheus slurmctld slurmd slurmdbd slurmrestd slapd)

python_is_ready() {
    python3 -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

listed() { # the packages of the named lists, without comments
    local list
    for list in "$@"; do sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$here/packages/$list.txt"; done
}

wanted() {
    if [ "$target" = test ]; then listed test; fi
    python_is_ready || listed run
}

missing() { # of the packages on standard input, those that are not installed
    local package
    while read -r package; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
            echo "$package"
    done
}

forbid_starts() { # a policy of the machine's owner stays as it is
    [ -e "$policy" ] && return
    trap 'rm -f "$policy"' EXIT
    printf '#!/bin/sh\n# Temporary: packages are being installed for tests.\nexit 101\n' >"$policy"
    chmod 755 "$policy"
}

leave_disabled() { # what was not here before does not start at the next boot either
    local unit
    command -v systemctl >/dev/null || return 0
    for unit in "${daemons[@]}"; do
        case " $* " in *" $unit "* | *" $unit-server "*) systemctl --quiet disable "$unit" || true ;; esac
    done
}

install() {
    export DEBIAN_FRONTEND=noninteractive
    echo "installing with apt: $*"
    forbid_starts
    apt-get -q -o DPkg::Lock::Timeout=300 update
    apt-get -qq -y -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 \
        install --no-install-recommends "$@"
    leave_disabled "$@"
}

if ! command -v dpkg-query >/dev/null; then
    [ "$target" = run ] && python_is_ready && exit 0
    echo "this is no Debian machine; it needs what these Debian packages hold:" $(wanted) >&2
    [ "$target" = test ] && python_is_ready && [ -z "${CI:-}" ] && exit 0
    exit 1
fi

mapfile -t packages < <(wanted | missing)
[ ${#packages[@]} -eq 0 ] && exit 0
if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null; then exec sudo -- "${BASH_SOURCE[0]}" "$target"; fi
    echo "missing Debian packages, and neither root nor sudo to install them. As root, run:" >&2
    echo "    apt-get update && apt-get install --no-install-recommends ${packages[*]}" >&2
    exit 1
fi
install "${packages[@]}"
python_is_ready || { echo "python3 is older than 3.11; use Debian 12 or newer" >&2; exit 1; }
