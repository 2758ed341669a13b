#!/usr/bin/env bash
# old_libc.sh LIBRARY: what the agent asks for is in glibc 2.17, and it needs no other libraries
# (doc/decisions/0023-old-c-libraries.md); nor for what is known to be glibc's alone (0025-one-agent-for-musl-too.md).
set -euo pipefail

names=$(objdump -T "$1" | grep -oE 'GLIBC_[0-9.]+.*' | tr -d ')')
[ -n "$names" ] || { echo "objdump shows no versions"; exit 1; }
newer=$(awk '{ split($1, v, /[_.]/); if (v[2] > 2 || v[3] > 17) print }' <<<"$names")
[ -z "$newer" ] || { echo "newer than 2.17: $newer"; exit 1; }
others=$(objdump -p "$1" | awk '$1 == "NEEDED" && $2 !~ /^lib(c|m|dl|pthread)\.so\.[0-9]$/ { print $2 }')
[ -z "$others" ] || { echo "needs $others"; exit 1; }
if objdump -p "$1" | grep -E 'R(UN)?PATH'; then exit 1; fi
if objdump -T "$1" | grep -E '\*UND\*.* (__[a-z_]+_chk|__[a-z]+_2|__register_atfork|__isoc2.*|__libc_.*)$'; then exit 1; fi
if objdump -R "$1" | grep -E 'TPOFF'; then exit 1; fi
