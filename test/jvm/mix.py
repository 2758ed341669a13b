#!/usr/bin/env python3
"""Bytes by size against a known mix (java/Mix.java), at the default interval and others: how far off the VM's own sampler is.

    test/jvm/mix.py --runs 10 --jdk 17 --gc G1

JDK 25 must be met: the sums of all runs within four standard errors at each size. Before, they are shown: doc/jvm.md, "Sampler bias".
"""
import json
import math
import sys

import jvm


def main():
    p = jvm.parser(__doc__)
    p.add_argument("--runs", type=int, default=3)
    p.add_argument("--megabytes", default="2000")
    p.add_argument("--small", type=int, default=1, help="small objects have so many times the bytes of large ones")
    p.add_argument("--interval", default=["64k", "512k"], nargs="*")
    args = p.parse_args()
    bench = jvm.Bench(args.keep)
    for jdk, gc in jvm.pairs(args):
        for interval in args.interval:
            true, estimate, variance = {}, {}, {}
            for seed in range(1, args.runs + 1):
                path = bench.path("mix.mfly")
                options = f"file={path},seed={seed},interval={interval},max-walks=0"
                got = bench.java(jdk, *jdk.flags(gc), "-Xms1g", "-Xmx4g", bench.agent_flag(options), "-cp", bench.classes, "Mix",
                                 str(seed), args.megabytes, str(args.small))
                truth, report = json.loads(got.out), bench.json("report", "--together", path)
                rows = {r["frames"][0]["method"]: r for r in report["rows"]
                        if r["frames"] and r["frames"][0]["class"] == "Mix" and not r["class"].startswith("java.")}
                for method, bytes_ in truth.items():
                    row = rows[method]["alloc"]
                    true[method] = true.get(method, 0) + bytes_
                    estimate[method] = estimate.get(method, 0) + row["bytes"]
                    # One sample more or less: the variance of a sum of Poisson counts of this weight.
                    size = row["bytes"] / row["objects"]
                    p_ = -math.expm1(-size / report["trace"]["interval"])
                    variance[method] = variance.get(method, 0) + (1 - p_) / p_ * size * bytes_
            name = f"{jdk.release} {gc}, interval {interval}"
            bench.say(f"{name}: " + ", ".join(f"{m} {estimate[m] / true[m]:.3f} ({math.sqrt(variance[m]) / true[m]:.3f})" for m in true))
            off = {m: round((estimate[m] - true[m]) / max(1, math.sqrt(variance[m])), 1) for m in true if estimate[m] != true[m]}
            if jdk.major >= 25:
                bench.check(f"{name}: the mix is met", all(abs(z) < 4 for z in off.values()), off)
            else:
                bench.skip(f"{name}: the mix is met", "the VM's sampler is biased")
    bench.done()


if __name__ == "__main__":
    sys.exit(main())
