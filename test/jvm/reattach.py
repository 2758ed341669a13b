#!/usr/bin/env python3
"""A native thread that leaves Java and comes back by another name (reattach_agent.c) is two threads to the trace.

    test/jvm/reattach.py --jdk 25 --gc G1
"""
import os
import sys

import jvm


def main():
    args = jvm.parser(__doc__).parse_args()
    other = os.environ.get("MAYFLY_REATTACH")
    if not other:
        print("1..0 # SKIP MAYFLY_REATTACH does not name reattach_agent.so")
        return 77
    bench = jvm.Bench(args.keep)
    for jdk, gc in jvm.pairs(args):
        trace = bench.path("reattach.mfly")
        got = bench.java(jdk, *jdk.flags(gc), "-Xmx64m", bench.agent_flag(f"file={trace},interval=1k,max-walks=0"),
                         f"-agentpath:{other}", "-version")
        name = f"{jdk.release} {gc}"
        bench.check(f"{name}: the program is unharmed", got.status == 0, got.out + got.err)
        status, out, err = bench.tool("report", trace, "--by", "thread", "--min", "0", "--csv")
        bench.check(f"{name}: both names are there", status == 0 and "decoder" in out and "encoder" in out, out + err)
    return bench.done()


if __name__ == "__main__":
    sys.exit(main())
