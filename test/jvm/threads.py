#!/usr/bin/env python3
"""--thread takes the threads whose names match, and no others, on every JDK and collector, virtual threads by their common name.

    test/jvm/threads.py --jdk 11 --gc G1
"""
import csv
import io
import sys

import jvm

LEFT, RIGHT = {"left 0", "left 1", "left 2"}, {"right 0", "right 1", "right 2"}


def seen(bench, trace):
    """The threads that have samples: their names stand where sites do."""
    status, out, err = bench.tool("report", trace, "--by", "thread", "--min", "0", "--csv")
    if status != 0:
        raise RuntimeError(err)
    return {row["site"] for row in csv.DictReader(io.StringIO(out))}


def check(bench, jdk, gc, pattern, want, others):
    """others: whether threads of the VM's own may be there too."""
    name = f"{jdk.release} {gc} {pattern}"
    trace = bench.path("threads.mfly")
    heap = ["-Xmx1g"] if gc == "Epsilon" else ["-Xmx64m"]
    got = bench.java(jdk, *jdk.flags(gc), *heap, bench.agent_flag(f"file={trace},interval=1k,max-walks=0,thread={pattern}"),
                     "-cp", bench.classes, "Named")
    bench.check(f"{name}: the program is unharmed", got.status == 0 and not got.err, got.err)
    found = seen(bench, trace)
    bench.check(f"{name}: its threads", want <= found if others else want == found, f"{sorted(found)}, not {sorted(want)}")


def main():
    args = jvm.parser(__doc__).parse_args()
    bench = jvm.Bench(args.keep)
    for jdk, gc in jvm.pairs(args):
        virtual = {"virtual threads"} if jdk.major >= 21 else set()
        check(bench, jdk, gc, "^left", LEFT, False)
        check(bench, jdk, gc, "^(left|right) 1$", {"left 1", "right 1"}, False)
        check(bench, jdk, gc, "^virtual", virtual, False)
        check(bench, jdk, gc, ".*", LEFT | RIGHT | virtual, True)
    return bench.done()


if __name__ == "__main__":
    sys.exit(main())
