#!/usr/bin/env python3
"""Another tool has the VM walk the heap, which takes the sites of what is alive on JDK 11 and 17: what is told of lives must not be
of those alone that kept theirs, and must say so.

    test/jvm/walked.py --jdk 17 --gc Serial
"""
import os
import sys

import jvm

ROUNDS, ROUND, WALKS = 24, 200_000, 6
MODES = "exact", "exact=survivors", "exact=trace"
WALK = "whole", "object", "broken"


def walks_told(report):
    note = next((n for n in report["notes"] if n.startswith("Another tool had the VM walk")), "before 0 ")
    return int(note.split("before ")[1].split()[0])


def check(bench, jdk, gc, mode, walk):
    trace, agent = bench.path("walked.mfly"), os.environ["MAYFLY_WALK"]
    native = ["--enable-native-access=ALL-UNNAMED"] if jdk.major >= 22 else []
    got = bench.java(jdk, *jdk.flags(gc), *native, "-Xmn6m", f"-agentpath:{agent}", bench.agent_flag(f"{mode},file={trace}"), "-cp", bench.classes,
                     "Walked", agent, str(ROUNDS), str(WALKS), walk)
    name = f"{jdk.release} {gc} {mode} {walk}"
    bench.check(f"{name}: the program is unharmed", got.status == 0 and not got.err, got.out + got.err)
    report = bench.json("report", trace)
    row = next(r for r in report["rows"] if r["class"] == "Walked$Node")
    wiped = jdk.major < 21
    bench.check(f"{name}: each walk is told, where it takes sites", walks_told(report) == (WALKS if wiped else 0), f"{report['notes']}")
    bench.check(f"{name}: all are counted", row["alloc"]["objects"] == ROUNDS * ROUND, f"{row['alloc']}")
    outlived = row["survival"]["young_gcs"]["p"][0]
    bench.check(f"{name}: half of them outlives a collection", abs(outlived - 0.5) < 0.003, f"{outlived}")


def main():
    args = jvm.parser(__doc__).parse_args()
    bench = jvm.Bench(args.keep)
    for jdk, gc in jvm.pairs(args):
        for mode in MODES:
            for walk in WALK:
                check(bench, jdk, gc, mode, walk)
    return bench.done()


if __name__ == "__main__":
    sys.exit(main())
