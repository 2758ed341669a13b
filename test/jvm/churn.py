#!/usr/bin/env python3
"""Are churn windows found where they are, and nowhere else? (java/Bursts.java)

    test/jvm/churn.py --bursts 10 --flat 100 --jdk 17 --gc G1

In runs with a burst (a quarter of all that is allocated, by one line, in known seconds) the first window and its first line must be
those. Of runs without, at most one in twenty may have a window. They go side by side, for they mostly sleep.
"""
import json
import random
import sys

import jvm

MB_S, SECONDS = 60, 20
SLACK_MS = 1500  # two steps of the series or so, and the time that the VM takes to start


def launch(bench, jdk, gc, name, seed, burst):
    path = bench.path(f"{name}-{seed}.mfly")
    r = random.Random(seed)
    length = r.uniform(3, 6) if burst else 0
    begin = r.uniform(4, SECONDS - 2 - length) if burst else 0
    process = bench.start(jdk, *jdk.flags(gc), "-Xmx64m", bench.agent_flag(f"file={path},seed={seed}"), "-cp", bench.classes,
                          "Bursts", str(seed), str(SECONDS), str(MB_S), str(begin), str(length), "0.25")
    return process, path


def runs(bench, jdk, gc, name, count, burst, width):
    """(truth, churn --json) of each."""
    for first in range(1, count + 1, width):
        batch = [launch(bench, jdk, gc, name, seed, burst) for seed in range(first, min(first + width, count + 1))]
        for process, path in batch:
            got = bench.finish(process)
            if got.status != 0:
                bench.check(f"{jdk.release} {gc} {name}: the program ended well", False, got.err)
                continue
            yield json.loads(got.out), bench.json("churn", path)


def wrong(truth, got):
    if not got["windows"]:
        return f"no window in {got['run']}; the burst was at {truth}"
    window = got["windows"][0]
    line = window["rows"][0]["frames"][0]["method"]
    near = abs(window["from_ms"] - truth["from_ms"]) <= SLACK_MS and abs(window["to_ms"] - truth["to_ms"]) <= SLACK_MS
    if near and line == "burst":
        return None
    return f"window {window['from_ms']} to {window['to_ms']} ms, first line {line}; the burst was at {truth}"


def main():
    p = jvm.parser(__doc__)
    p.add_argument("--bursts", type=int, default=4)
    p.add_argument("--flat", type=int, default=4)
    p.add_argument("--width", type=int, default=4, help="programs side by side")
    args = p.parse_args()
    bench = jvm.Bench(args.keep)
    for jdk, gc in jvm.pairs(args):
        bursts = list(runs(bench, jdk, gc, "burst", args.bursts, True, args.width))
        bad = [w for truth, got in bursts if (w := wrong(truth, got))]
        bench.check(f"{jdk.release} {gc}: {len(bursts)} bursts, each found first with its line", not bad, "\n".join(bad))
        found = [got["windows"] for _, got in runs(bench, jdk, gc, "flat", args.flat, False, args.width)]
        some = [w for w in found if w]
        bench.say(f"{jdk.release} {gc}: {len(some)} of {len(found)} flat runs have a window")
        bench.check(f"{jdk.release} {gc}: a flat run has none", len(some) <= len(found) // 20,
                    "\n".join(f"{w[0]['from_ms']} to {w[0]['to_ms']} ms, {w[0]['times_average']} times the average" for w in some))
    bench.done()


if __name__ == "__main__":
    sys.exit(main())
