#!/usr/bin/env python3
"""For minutes or hours what other tests do for seconds: the exact engine, as counts and with single objects, in java/Storm.java at its
wildest, in heaps of many sizes, with and without the VM's own verification. Each trace must be whole, each leaf counted, audits hold,
and (every --replay runs) what stands at the end be what the VM's histogram counts. At the end a table: runs and collections by cell.

    test/jvm/storms.py --runs 30 --jdk 17 --jdk 25
    test/jvm/storms.py --runs 30 --jdk 25 --compact --gc G1 --mode events
"""
import collections
import glob
import re
import sys

import events
import exact
import jvm
import trace

# Flags, objects kept by each thread, System.gc() (or histograms) by second, whether the VM verifies.
HEAPS = (
    (["-Xmx64m"], 30000, 6, True),
    (["-Xmx40m", "-Xms40m"], 30000, 0, False),
    (["-Xmx128m", "-Xmn6m"], 20000, 0, True),
    (["-Xmx56m", "-Xmn16m", "-XX:MaxTenuringThreshold=2"], 40000, 2, False),
    (["-Xmx96m", "-Xmn3m"], 10000, 1, True),
    (["-Xmx48m", "-XX:SurvivorRatio=2"], 34000, 0, True),
)
MODES = {"header": "exact", "survivors": "exact=survivors", "events": "exact=trace"}
SINGLE = {"survivors": "survivors", "events": "trace"}


class Storms:
    def __init__(self, bench, jdk, gc, mode, args):
        rest = (bench, jdk, gc, False, args.compact)
        self.case = events.Case(SINGLE[mode], *rest) if mode in SINGLE else exact.Case(*rest)
        self.bench, self.jdk, self.gc, self.mode, self.args = bench, jdk, gc, mode, args
        self.runs = self.collections = self.failed = self.full = 0

    def cell(self):
        return f"{self.jdk.release} {self.gc}{' compact' * self.args.compact} {self.mode}"

    def sure(self):
        """On 11 and 17 what fills the VM's gaps can't be told from what a program may have."""
        return self.jdk.major >= 21 or self.gc == "Serial"

    def flags(self, number):
        flags, kept, gcs, verify = HEAPS[number % len(HEAPS)]
        self.case.verify = verify
        return [*self.case.flags(), "-XX:+IgnoreUnrecognizedVMOptions", "-XX:G1HeapRegionSize=1m", *flags, *self.case.brimful()], kept, gcs

    def run(self, number):
        flags, kept, gcs = self.flags(number)
        what, path = f"{self.mode} storm {number}", self.bench.path("storm.mfly")
        agent = self.bench.agent_flag(f"file={path},{MODES[self.mode]},audit,{exact.SAMPLES}")
        got = self.bench.java(self.jdk, *flags, agent, "-cp", self.bench.classes, "Storm", str(self.args.seconds), str(kept), str(gcs),
                              "wild", str(number), before=self.args.before)
        crashes = glob.glob(self.bench.path("hs_err*")) + glob.glob(self.bench.path("core*"))
        if not self.case.check(f"{what}: the program is unharmed", got.status == 0 and not got.err and got.out.endswith("good\n") and
                               not crashes, f"exit status {got.status} {crashes} {' '.join(flags)}\n{got.out[-2000:]}{got.err[-3000:]}"):
            return False
        return self.told(what, number, path, got.out)

    def told(self, what, number, path, out):
        replayed = self.mode in SINGLE and number % self.args.replay == 0
        e = self.case.read(what, path) if replayed else self.case.whole(what, path, exact.Exact)
        if e is None or not (replayed or self.case.engine(what, e)):
            return False
        bad = self.bench.failed
        least, most = map(int, re.search(r"^made Storm\$Leaf (\d+) (\d+)$", out, re.M).groups())
        told = e.of_class("Storm$Leaf").objects
        self.case.check(f"{what}: {told} leaves were born", least <= told <= most, f"{least} to {most}")
        off = [a for a in e.audits if a["walked"] != a["seen"]] if self.sure() else []
        self.case.check(f"{what}: {len(e.audits)} audits", not off, off[:10])
        kinds = collections.Counter(g["kind"] for g in e.gcs)
        self.case.check(f"{what}: each full collection was followed", not kinds[2], kinds)
        if replayed:
            self.case.stands(what, e, out, "Storm$", alone=False)
        self.runs += 1
        self.collections += len(e.gcs)
        self.full += kinds[4]
        self.failed += sum(g["failed"] for g in e.gcs)
        return bad == self.bench.failed

    def row(self):
        return f"{self.cell()}: {self.runs} runs, {self.collections} collections, {self.full} of them full, {self.failed} regions failed"


def main():
    p = jvm.parser(__doc__)
    p.add_argument("--mode", action="append", choices=MODES, help="may be repeated (default: both)")
    p.add_argument("--runs", type=int, default=30, help="of each cell")
    p.add_argument("--first", type=int, default=0, help="number of the first")
    p.add_argument("--seconds", type=float, default=1, help="of each storm")
    p.add_argument("--replay", type=int, default=6, help="of so many recordings of single objects, one is replayed, which takes some time")
    p.add_argument("--compact", action="store_true", help="with compact object headers (25)")
    args = p.parse_args()
    args.before = ["nice", "-n", "5"]
    bench = jvm.Bench(args.keep)
    cells = [Storms(bench, jdk, gc, mode, args) for jdk, gc in jvm.pairs(args) for mode in args.mode or MODES
             if gc in exact.COLLECTORS and (not args.compact or jdk.major >= 25)]
    for number in range(args.first, args.first + args.runs):
        for cell in cells:
            if not cell.run(number):
                bench.keep = True
                bench.say(f"flags: {' '.join(cell.flags(number)[0])}")
    for cell in cells:
        bench.say(cell.row())
    return bench.done()


if __name__ == "__main__":
    sys.exit(main())
