#!/usr/bin/env bash
# musl.sh LIBRARY: a program of musl's can load the agent (doc/decisions/0025-one-agent-for-musl-too.md). 77: no musl here.
set -euo pipefail

command -v musl-gcc >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
musl-gcc -Wall -Werror -o "$work/musl" "$(dirname "$0")/musl.c"
"$work/musl" "$1"
