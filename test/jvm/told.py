#!/usr/bin/env python3
"""Whether the agent sees that the VM has told all deaths before the next collection begins, or had none to tell (the flags of `gc`).

java/Passing.java makes small objects; so few are sampled that most collections find none of them dead. Then the thread of the VM that
tells deaths is not woken, which each next collection must have seen; where a death was told it must say nothing. JDK 11 tells in the
pause itself, and there is nothing to see.

    test/jvm/told.py --jdk 17 --gc Parallel
"""
import sys

import jvm
import trace

WAITED, NOTHING = 8, 16
MOST = 0.8  # of the collections before which none was told: that thread does other work, too


def gaps(path):
    """Of each collection of the young generation after the first death: deaths told since the one before, and its flags."""
    all_, told, begun = [], 0, False
    for kind, r in trace.records(path, ("death", "gc")):
        if kind == "death":
            told += 1
            continue
        if begun:
            all_.append((told, r["flags"] & (WAITED | NOTHING)))
        begun, told = begun or told > 0, 0
    return all_


def look(bench, jdk, gc):
    path, name = bench.path("told.mfly"), f"{jdk.release} {gc}"
    options = f"file={path},interval=32m,max-rate=0,compress=no"
    got = bench.java(jdk, *jdk.flags(gc), "-Xms96m", "-Xmx96m", "-Xmn32m", bench.agent_flag(options), "-cp", bench.classes,
                     "Passing", "4000", "1")
    bench.check(f"{name}: the program is unharmed", got.status == 0 and not got.err, got.out + got.err)
    all_ = gaps(path)
    some, none = [f for told, f in all_ if told], [f for told, f in all_ if not told]
    seen = sum(f != 0 for f in none)
    bench.say(f"{name}: deaths were told before {len(some)} collections, and none before {len(none)}, of which it was seen {seen} times")
    bench.check(f"{name}: it has some of both", len(some) >= 10 and len(none) >= 10, all_)
    bench.check(f"{name}: where deaths were told there is no more to say", not any(some), all_)
    bench.check(f"{name}: where none was told it was seen why", seen > MOST * len(none) if jdk.major >= 16 else seen == 0, all_)


def main():
    args = jvm.parser(__doc__).parse_args()
    bench = jvm.Bench(args.keep)
    for jdk, gc in jvm.pairs(args):
        look(bench, jdk, gc)
    return bench.done()


if __name__ == "__main__":
    sys.exit(main())
