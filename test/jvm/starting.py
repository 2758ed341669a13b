#!/usr/bin/env python3
"""Attaches to a Java VM that has only just been started, at other moments of its start each time: it is waited for, as
a signal would kill it before it has a handler, and no agent can be loaded before the VM is alive.

    test/jvm/starting.py --runs 40 --step 4 --jdk 11 --jdk 25 --gc G1
"""
import sys
import time

import jvm

# With its counters, by which it says when it has started, and without.
WAYS = {"": [], " without counters": ["-XX:-UsePerfData"]}


def attach(bench, jdk, gc, flags, delay):
    """What went wrong, or nothing."""
    loading = ["-XX:+EnableDynamicAgentLoading"] if jdk.major >= 21 else []
    process = bench.start(jdk, *jdk.flags(gc), *flags, *loading, "-cp", bench.classes, "Mill", "input", stdin=-1)
    time.sleep(delay)
    status, out, err = bench.tool("attach", str(process.pid), "--interval", "16k", "-d", "50ms", "-o", bench.path("starting.mfly"))
    if process.poll() is None:
        process.stdin.write("\n")
    got = bench.finish(process)
    # Without counters it can only be asked, and says on its stderr that it was too early.
    told = "" if not flags else "mayfly: the program is still starting: attach again in a moment"
    odd = [line for line in got.err.splitlines() if line != told]
    right = status == 0 and "wrote" in err and got.status == 0 and "sum" in got.out and not odd
    return "" if right else f"{out}{err}the program: exit status {got.status}\n{got.out}{got.err}"


def main():
    p = jvm.parser(__doc__)
    p.add_argument("--runs", type=int, default=12)
    p.add_argument("--step", type=float, default=12, help="ms later, each")
    args = p.parse_args()
    bench = jvm.Bench(args.keep)
    for jdk, gc in jvm.pairs(args):
        for way, flags in WAYS.items():
            found = [attach(bench, jdk, gc, flags, i * args.step / 1000) for i in range(args.runs)]
            wrong = [w for w in found if w]
            bench.check(f"{jdk.release} {gc}{way}: {args.runs} starts", not wrong, f"{len(wrong)} went wrong\n{''.join(wrong[:1])}")
    bench.done()


if __name__ == "__main__":
    sys.exit(main())
