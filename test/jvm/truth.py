#!/usr/bin/env python3
"""Compares what mayfly says with what is known: runs java/Truth.java and looks whether 95 % intervals hold the truth in 95 % of runs.

    test/jvm/truth.py --runs 40 --jdk 17 --gc G1

For each JDK and collector it prints how often the intervals of survival (at each age, per site and per caller of one line) and of
the bytes allocated held the truth, and fails where that is not 90 to 99 %, or, in a small number of runs, where chance does not
explain it. Where all objects of a site have the same life, every single death must be told at its own collection.
"""
import json
import math
import random
import sys

import jvm

HEAP = ["-XX:MetaspaceSize=64m"]
FULL = ["-Xms512m", "-Xmx4g"]  # ZGC collects by itself whenever a tenth of the heap is first used
YOUNG = ["-Xms1g", "-Xmx1g", "-Xmn64m", "-XX:SurvivorRatio=2", "-XX:TargetSurvivorRatio=90", "-XX:MaxTenuringThreshold=15",
         "-XX:InitialTenuringThreshold=15", "-XX:-UseAdaptiveSizePolicy", "-XX:InitiatingHeapOccupancyPercent=95"]
PLAIN = "max-rate=0,max-walks=0,max-live=1000000,memory=512m"
HUMONGOUS = 512 << 10  # of G1 with this heap: not followed, doc/jvm.md


def survival(died, alive):
    """Kaplan and Meier over the whole population: doc/metrics.md, "survival", with every object tracked. [p(0), p(1), …]"""
    curve, p = [1.0], 1.0
    for age in range(max(len(died), len(alive))):
        at_risk = sum(died[age:]) + sum(alive[age + 1:])
        if not at_risk:
            break
        p *= 1 - (died[age] if age < len(died) else 0) / at_risk
        curve.append(p)
    return curve


def merge(lists):
    return [sum(column) for column in zip(*(list_ + [0] * (64 - len(list_)) for list_ in lists))]


class Tally:
    """How often an interval held the truth."""

    def __init__(self):
        self.all = self.held = 0

    def add(self, held):
        """A bool, or the share that was held."""
        self.all += 1
        self.held += held

    @property
    def share(self):
        return self.held / self.all if self.all else math.nan

    def chance(self, coverage=0.90):
        """How likely so many misses, or more, are if intervals hold the truth that often."""
        misses = self.all - self.held
        return sum(math.comb(self.all, k) * (1 - coverage)**k * coverage**(self.all - k)
                   for k in range(misses, self.all + 1))

    def __str__(self):
        return f"{100 * self.share:.1f} % of {self.all}"


class Comparison:
    """All runs of one JDK and collector."""

    def __init__(self, bench, jdk, gc, args):
        self.bench, self.jdk, self.gc, self.args = bench, jdk, gc, args
        self.way = args.way or jvm.COLLECTORS[gc][3]
        # Generational ZGC tells deaths at the collections of its old generation only.
        self.clock = "full_gcs" if gc == "ZGC generational" else "young_gcs"
        self.survival, self.bytes, self.single = Tally(), Tally(), Tally()
        self.by_site, self.strays, self.points = {}, [], []
        self.ratio = {}  # site: estimated bytes, true bytes
        self.valid, self.trouble = 0, []

    def flags(self):
        flags = self.jdk.flags(self.gc) + HEAP
        return flags + (YOUNG if self.way == "young" else FULL)

    def run(self, seed):
        trace = self.bench.path("truth.mfly")
        options = f"file={trace},seed={seed},interval={self.args.interval},{self.args.options}"
        got = self.bench.java(self.jdk, *self.flags(), self.bench.agent_flag(options), "-cp", self.bench.classes, "Truth",
                              str(seed), str(self.args.rounds), self.way, str(self.args.scale),
                              *(["hurry"] if self.args.hurry else []))
        if got.status or got.err:
            self.trouble.append(f"seed {seed}: exit status {got.status}\n{got.out[-2000:]}{got.err[-2000:]}")
            return
        truth = json.loads(got.out)
        if truth["surprises"] or truth["witness_errors"]:
            self.bench.say(f"seed {seed}: the program's own record says it is no truth: {truth['surprises']} unplanned collections, "
                           f"{truth['witness_errors']} objects not gone when due")
            return
        self.valid += 1
        status, out, err = self.bench.tool("check", trace)
        if status:
            self.trouble.append(f"seed {seed}: mayfly check: {out}{err}")
        self.compare_filling(self.bench.json("info", trace), seed)
        whole = self.bench.json("report", "--together", trace)
        self.compare(truth, whole, seed)
        for caller in ("twoShort", "twoLong"):
            part = self.bench.json("report", "--together", "--where", f"stack=*{caller}*", trace)
            self.compare({"sites": [s for s in truth["sites"] if s["caller"] == caller]}, part, seed, caller)

    def compare_filling(self, info, seed):
        """Serial and Parallel tell to the byte what the heap filled by; a twentieth may be room that no object took."""
        if self.gc not in ("Serial", "Parallel"):
            return
        filling = info["filling"]
        heap, sampled = (filling[key] for key in ("heap_bytes", "sampled_bytes"))
        error = math.sqrt(max(s["interval"] for s in info["sampling"]) * sampled)
        if filling["spans"] < 3 or not 0.95 * heap - 4 * error <= sampled <= heap + 4 * error:
            self.trouble.append(f"seed {seed}: samples stand for {sampled:.0f} bytes where the heap filled by {heap:.0f}: {filling}")

    def compare(self, truth, report, seed, name=None):
        for method in dict.fromkeys(s["method"] for s in truth["sites"]):
            sites = [s for s in truth["sites"] if s["method"] == method]
            rows = [r for r in report["rows"] if r["class"] == sites[0]["class"] and r["frames"] and
                    (r["frames"][0]["class"], r["frames"][0]["method"]) == ("Truth", method)]
            if len(rows) != 1:
                self.trouble.append(f"seed {seed}: {len(rows)} rows for Truth.{method}")
                continue
            self.compare_bytes(name or method, sites, rows[0])
            self.compare_survival(name or method, sites, rows[0], seed)

    def compare_bytes(self, name, sites, row):
        true = sum(s["objects"] * s["size"] for s in sites)
        lo, hi = (row["alloc"]["bytes"] * c for c in row["alloc"]["ci95"])
        # Rounded to whole bytes and six digits on the way.
        held = lo * (1 - 1e-5) - 1 <= true <= hi * (1 + 1e-5) + 1
        self.bytes.add(held)
        self.by_site.setdefault(name, (Tally(), Tally()))[1].add(held)
        estimated, total = self.ratio.get(name, (0, 0))
        self.ratio[name] = (estimated + row["alloc"]["bytes"], total + true)

    def compare_survival(self, name, sites, row, seed):
        if self.gc == "G1" and sites[0]["size"] >= HUMONGOUS:
            return
        if not row["survival"][self.clock]:
            self.trouble.append(f"seed {seed}: no survival for {name}")
            return
        truth = survival(merge([s["died"] for s in sites]), merge([s["alive"] for s in sites]))
        curve = row["survival"][self.clock]
        inner = []
        for t, p, lo, hi in zip(curve["t"], curve["p"], curve["lo"], curve["hi"]):
            true = truth[t] if t < len(truth) else truth[-1]
            held = lo - 1e-5 <= true <= hi + 1e-5
            if 0.01 < true < 0.99:
                inner.append(held)
            elif not 0 < true < 1 and p != true:
                self.strays.append(f"seed {seed}: {name}: {p:.4g} outlive {t} collections, and {true:.0f} do")
        if inner:  # points of one curve are alike, so they count as one
            self.survival.add(sum(inner) / len(inner))
            self.by_site.setdefault(name, (Tally(), Tally()))[0].add(sum(inner) / len(inner))
            self.single.add(random.Random(f"{seed} {name}").choice(inner))

    def report(self):
        say = self.bench.say
        say(f"{self.jdk.release} {self.gc}: survival {self.survival}, one point of each {self.single}, bytes {self.bytes}")
        for name, (curve, total) in self.by_site.items():
            estimated, true = self.ratio[name]
            say(f"  {name:10} survival {curve}   bytes {total}   estimated / true {estimated / true:.4f}")

    def judge(self):
        name = f"{self.jdk.release} {self.gc}{' full' if self.way != jvm.COLLECTORS[self.gc][3] else ''}"
        check = self.bench.check
        check(f"{name}: {self.valid} of {self.args.runs} runs are what they should be",
              self.valid >= (self.args.runs + 1) // 2 and not self.trouble, "\n".join(self.trouble[:5]))
        check(f"{name}: deaths are told at their own collection", not self.strays,
              f"{len(self.strays)} points are off\n" + "\n".join(self.strays[:20]))
        chance = self.single.chance()
        check(f"{name}: survival: {self.survival} curves", self.single.all and chance > 1e-4,
              f"of one point of each, {self.single}: so many misses have a chance of {chance:.2g} if intervals hold the truth in 90 %")
        # Up to JDK 24 the VM's sampler is biased: doc/jvm.md, "Sampler bias".
        if self.jdk.major >= 25:
            check(f"{name}: bytes: {self.bytes}", self.bytes.chance() > 1e-4)
        if self.args.runs >= 40:
            check(f"{name}: survival is held in 90 to 99 %", 0.90 <= self.survival.share <= 0.99, self.survival)
            if self.jdk.major >= 25:
                check(f"{name}: bytes are held in 90 to 99 %", 0.90 <= self.bytes.share <= 0.99, self.bytes)


def main():
    p = jvm.parser(__doc__)
    p.add_argument("--runs", type=int, default=6)
    p.add_argument("--seed", type=int, default=1, help="of the first run")
    p.add_argument("--rounds", type=int, default=60)
    p.add_argument("--interval", default="16k")
    p.add_argument("--scale", type=int, default=100, help="objects in percent")
    p.add_argument("--options", default=PLAIN, help="of the agent")
    p.add_argument("--hurry", action="store_true", help="don't wait for the VM to tell deaths: shows how many it tells late")
    p.add_argument("--way", choices=("young", "full"), help="how each round's one collection is made")
    args = p.parse_args()
    bench = jvm.Bench(args.keep)
    for jdk, gc in jvm.pairs(args):
        if not jvm.COLLECTORS[gc][3]:
            continue
        comparison = Comparison(bench, jdk, gc, args)
        for seed in range(args.seed, args.seed + args.runs):
            comparison.run(seed)
        if comparison.valid:
            comparison.report()
        comparison.judge()
    bench.done()


if __name__ == "__main__":
    sys.exit(main())
