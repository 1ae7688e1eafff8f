#!/usr/bin/env bash
# Holds the images of the compose file to what lies behind their tags today, or checks that a file
# is held so: every image by its digest, sha256 and 64 hexadecimal digits.
# usage: images.sh pin | images.sh check FILE
set -euo pipefail

digest='@sha256:[0-9a-f]{64}$'

check() {
    local images loose
    [ -r "$1" ] || { echo "images.sh: $1: no such file, or it cannot be read" >&2; exit 2; }
    images=$(sed -nE "s/^[[:space:]-]*[\"']?image[\"']?:[[:space:]]*//p" "$1" |
        sed -E "s/[[:space:]]+#.*//; s/[[:space:]]+\$//; s/^[\"']//; s/[\"']\$//")
    [ -n "$images" ] || { echo "images.sh: $1 names no image" >&2; exit 2; }
    loose=$(grep -Ev -- "$digest" <<<"$images" || true)
    if [ -n "$loose" ]; then
        sed "s|^|images.sh: $1: held by no digest: |" <<<"$loose" >&2
        echo "images.sh: write them with \`make images\`, and start from deploy/compose.locked.yaml" >&2
        exit 1
    fi
}

pin() {
    cd "$(dirname "${BASH_SOURCE[0]}")/../.."
    docker compose version >/dev/null 2>&1 ||
        { echo "images.sh: docker compose is not there: it asks the registries for digests" >&2; exit 2; }
    docker compose -f deploy/compose.yaml pull --quiet
    docker compose -f deploy/compose.yaml config --resolve-image-digests >deploy/compose.locked.new
    check deploy/compose.locked.new
    mv deploy/compose.locked.new deploy/compose.locked.yaml
    echo "deploy/compose.locked.yaml holds each image to its digest: read it, keep it, start from it"
}

case "${1:-}" in
pin) pin ;;
check) check "${2:?usage: images.sh check FILE}" ;;
*) echo "usage: images.sh pin | images.sh check FILE" >&2; exit 2 ;;
esac
