#!/usr/bin/env python3
"""The VM's own count of what survived, by age, against what the samples say.

Serial and G1 keep an age table: the bytes that have survived 1, 2, … young collections. java/Truth.java keeps objects for a known
number of rounds; the trace has the table at each collection, and the lives of the samples. Both are summed over all ages and
collections of all runs; they must not be further apart than sampling explains (four standard errors: by chance once in 16 000).
Up to JDK 24 the VM's sampler is biased (doc/jvm.md, "Sampler bias"), so there the numbers are only shown.
"""
import math
import sys

import jvm
import trace
from truth import HEAP, PLAIN, YOUNG

AGES = 12  # with so many runs, ages beyond have too few objects


def weight(size, interval):
    return 1 / -math.expm1(-size / interval)


def sums(path):
    """By age: [the VM's bytes, the estimate's bytes] over all collections, and the variance of the estimates' sum."""
    births, deaths, tables, interval = {}, {}, {}, 1
    for kind, r in trace.records(path, ("config", "birth", "death", "gc")):
        if kind == "config":
            interval = r["interval"]
        elif kind == "birth":
            # The program's tables went to the old generation with the full collection before its first round.
            if r["full"]:
                births[r["object"]] = (r["young"], r["size"])
        elif kind == "death":
            deaths[r["object"]] = r["young"]
        elif kind == "gc" and r["ages"]:
            tables[r["young"]] = r["ages"]
    first = min(y for y, _ in births.values())
    rows, variance = [[0, 0] for _ in range(AGES)], 0
    for clock, table in tables.items():
        for age in range(1, AGES + 1):
            if clock - age >= first:
                rows[age - 1][0] += table[age - 1]
    for object_, (born, size) in births.items():
        w = weight(size, interval)
        # At the collection that brings the clock to c it has survived c - born, if it does.
        last = min(deaths.get(object_, math.inf), max(tables) + 1, born + AGES + 1)
        survived = [c for c in range(born + 1, last) if c in tables]
        for clock in survived:
            rows[clock - born - 1][1] += w * size
        variance += (1 - 1 / w) * (w * size * len(survived)) ** 2
    return rows, variance


def main():
    p = jvm.parser(__doc__)
    p.add_argument("--runs", type=int, default=6)
    args = p.parse_args()
    bench = jvm.Bench(args.keep)
    for jdk, gc in jvm.pairs(args):
        if gc not in ("Serial", "G1"):
            continue
        variance, estimates, truths = 0, [0] * AGES, [0] * AGES
        for seed in range(1, args.runs + 1):
            path = bench.path("ages.mfly")
            got = bench.java(jdk, *jdk.flags(gc), *HEAP, *YOUNG,
                             bench.agent_flag(f"file={path},seed={seed},interval=16k,compress=no,{PLAIN}"), "-cp", bench.classes,
                             "Truth", str(seed), "40", "young", "60")
            if got.status or got.err:
                bench.check(f"{jdk.release} {gc}: seed {seed} runs", False, got.out + got.err)
                continue
            rows, more = sums(path)
            variance += more
            for age, (table, estimate) in enumerate(rows):
                estimates[age] += estimate
                truths[age] += table
        ratios = " ".join(f"{e / t:.3f}" for e, t in zip(estimates, truths) if t)
        bench.say(f"{jdk.release} {gc}: estimate / VM by age: {ratios}")
        off = (sum(estimates) - sum(truths)) / math.sqrt(variance)
        what = f"{jdk.release} {gc}: {sum(estimates) / sum(truths):.3f} of the VM's age table, {off:+.1f} standard errors"
        if jdk.major >= 25:
            bench.check(what, abs(off) < 4)
        else:
            bench.skip(what, "the VM's sampler is biased")
    bench.done()


if __name__ == "__main__":
    sys.exit(main())
