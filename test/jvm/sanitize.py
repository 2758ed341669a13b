#!/usr/bin/env python3
"""The agent, built with a sanitizer, under java/Stress.java in a real JVM.

    cmake --preset asan && cmake --build --preset asan
    test/jvm/sanitize.py address build/asan/bin/libmayfly.so
    test/jvm/sanitize.py thread build/tsan/bin/libmayfly.so

The VM itself is not instrumented. AddressSanitizer must not take its signals, and LeakSanitizer can't stop its threads.
ThreadSanitizer does not see the VM's locks, so that it reports much that is none of ours: what counts is a report that has our
library in frame #0 of one of its stacks. Suppressions would hide real races (a race in our code has the VM further up), so there are none.
"""
import os
import re
import subprocess
import sys

import jvm

OPTIONS = {
    "address": ("libasan.so", {"ASAN_OPTIONS": "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:use_sigaltstack=0:"
                                                "detect_leaks=0:exitcode=99",
                               "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1:exitcode=99"}),
    "thread": ("libtsan.so", {"TSAN_OPTIONS": "exitcode=0:report_signal_unsafe=0:history_size=4"}),
}
AGENTS = ("interval=4k", "interval=1k,max-live=16,max-rate=0", "interval=4k,depth=100,duration=1s", "interval=4k,delay=300ms")


def runtime(name):
    """The sanitizer's library, of the compiler that built the agent."""
    compiler = os.environ.get("CC", "gcc")
    return subprocess.run([compiler, f"-print-file-name={name}"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def ours(text):
    """The reports that have our library in frame #0 of a stack."""
    found = []
    for report in re.split(r"(?m)^={18,}$", text):
        if re.search(r"(?m)^\s*#0 .*libmayfly\.so", report) or "ERROR: AddressSanitizer" in report or "runtime error:" in report:
            found.append(report)
    return found


def main():
    p = jvm.parser(__doc__)
    p.add_argument("sanitizer", choices=OPTIONS)
    p.add_argument("agent", help="libmayfly.so, built with it")
    p.add_argument("--rounds", type=int, default=1)
    args = p.parse_args()
    library, env = OPTIONS[args.sanitizer]
    bench = jvm.Bench(args.keep)
    bench.agent = os.path.abspath(args.agent)
    env = {**env, "LD_PRELOAD": runtime(library)}
    for jdk, gc in jvm.pairs(args):
        for options in AGENTS:
            name = f"{args.sanitizer} {jdk.release} {gc} {options}"
            trace = bench.path("sanitize.mfly")
            got = bench.java(jdk, *jdk.flags(gc), "-Xmx256m", bench.agent_flag(f"file={trace},{options}"),
                             "-cp", bench.classes, "Stress", str(args.rounds), "return", env=env)
            reports = ours(got.err)
            bench.check(f"{name}: no report about us", not reports, "\n".join(reports)[:6000])
            # ThreadSanitizer prints about the VM on stderr; the program's own words are on stdout.
            bench.check(f"{name}: the program is unharmed", got.status == 0 and got.out == "ready\ndone\n",
                        f"exit status {got.status}\n{got.out[-2000:]}\n{got.err[-4000:]}")
            status, out, err = bench.tool("check", trace)
            bench.check(f"{name}: mayfly check", status == 0 and ": whole" in out, out + err)
    bench.done()


if __name__ == "__main__":
    sys.exit(main())
