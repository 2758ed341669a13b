#!/usr/bin/env python3
"""More places in interpreted code than lines are counted for: the rest is counted by its method, and what is hot has its line. And as many
in classes that go: their numbers are given again, and each place has its line.

    test/jvm/crowded.py --jdk 17 --gc Serial
"""
import sys

import jvm

METHODS, PLACES, TIMES, HOT = 10, 15_000, 2, 1_000_000
LOADERS = 64  # of 5000 places each: more than there are numbers (SITES_SPAN, src/exact/site_table.h)
LINES_MOST = 131_072  # BYTECODES_MAX, src/exact/births.h
OTHERS_MOST = 8_000  # places of the JDK that run before


def total(rows):
    return sum(r["alloc"]["objects"] for r in rows)


def places(rows, class_name, method=None):
    return [r for r in rows if r["frames"] and r["frames"][0]["class"] == class_name and method in (None, r["frames"][0]["method"])]


def check(bench, jdk, gc, options):
    trace = bench.path("crowded.mfly")
    got = bench.java(jdk, "-Xmx256m", "-Xbatch", *jdk.flags(gc), bench.agent_flag(f"{options},file={trace}"), "-cp", bench.classes, "Crowded",
                     *map(str, (METHODS, PLACES, TIMES, HOT)))
    name = f"{jdk.release} {gc} {options}"
    bench.check(f"{name}: the program is unharmed", got.status == 0 and not got.err, got.out + got.err)
    report = bench.json("report", "--min", "0", trace)
    crowd = places(report["rows"], "Crowd")
    lined = [r for r in crowd if r["frames"][0]["line"] == 7]
    bench.check(f"{name}: each birth is counted by its method", total(crowd) == METHODS * PLACES * TIMES, f"{total(crowd)}")
    bench.check(f"{name}: and by its line while there is room",
                TIMES * (LINES_MOST - OTHERS_MOST) < total(lined) <= TIMES * LINES_MOST, f"{total(lined)}")
    hot = places(report["rows"], "Crowded", "hot")
    lined = [r for r in hot if r["frames"][0]["line"]]
    bench.check(f"{name}: what is compiled has its line", total(hot) == HOT and total(lined) > 0.8 * HOT, f"{total(lined)} of {total(hot)}")
    bench.check(f"{name}: it is said", any("counted by its method, without a line" in n for n in report["notes"]), f"{report['notes']}")
    bench.check(f"{name}: the trace is whole", bench.tool("check", trace)[0] == 0)


def check_loaders(bench, jdk, gc, options):
    trace = bench.path("loaders.mfly")
    got = bench.java(jdk, "-Xmx256m", *jdk.flags(gc), bench.agent_flag(f"{options},file={trace}"), "-cp", bench.classes, "Crowded", "10", "500", "1",
                     "100", str(LOADERS), trace)
    name = f"{jdk.release} {gc} {options}, {LOADERS} loaders"
    bench.check(f"{name}: the program is unharmed", got.status == 0 and not got.err, got.out + got.err)
    report = bench.json("report", "--min", "0", trace)
    lined = [r for r in places(report["rows"], "Crowd") if r["frames"][0]["line"] == 7]
    bench.check(f"{name}: each birth has its line", total(lined) == 5000 * LOADERS, f"{total(lined)}")
    bench.check(f"{name}: and nothing is said to have found no room", not any("more than" in n for n in report["notes"]), f"{report['notes']}")
    bench.check(f"{name}: the trace is whole", bench.tool("check", trace)[0] == 0)


def main():
    args = jvm.parser(__doc__).parse_args()
    bench = jvm.Bench(args.keep)
    for jdk, gc in jvm.pairs(args):
        check(bench, jdk, gc, "exact,interval=1g")  # counts alone: a sample has its line
        check_loaders(bench, jdk, gc, "exact,interval=1g")
    return bench.done()


if __name__ == "__main__":
    sys.exit(main())
