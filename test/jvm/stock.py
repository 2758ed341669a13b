#!/usr/bin/env python3
"""`mayfly heap FILE` on a trace of accounts against the VM's own class histogram of all objects, the dead ones too: java/Holdings.java
makes objects of known number, some of which die where they stand. Until the old generation is collected every object must be counted;
behind a full collection the VM's number must be within the bounds. Nor may one that is held be told dead, whatever tool has collections
made.

    test/jvm/stock.py --jdk 21 --gc Serial
"""
import collections
import os
import re
import subprocess
import sys

import jvm
from exact import COLLECTORS, Exact
from holdings import CLASSES, HELD, Case, Program, ask, java_name

OURS = [CLASSES[m] for m in ("older", "first", "second")]
NONE = {"counted": {"objects": 0, "bytes": 0}, "old_at_most": {"objects": 0, "bytes": 0}, "alive_is": "counted"}


def every_object(pid):
    """(number, bytes) by class, of all that stands: no collection comes before."""
    classes = {}
    for n, size, name in re.findall(r"^ *\d+: +(\d+) +(\d+) +(\S+)", ask(pid, "GC.class_histogram", "-all"), re.M):
        had = classes.get(java_name(name), (0, 0))
        classes[java_name(name)] = had[0] + int(n), had[1] + int(size)
    return classes


class Deaths(Exact):
    """Of each class, how many the accounts that tell (doc/metrics.md, "Exact counts") say died."""

    def __init__(self, path):
        self.born, self.lived, self.moved, self.stand = (collections.Counter() for _ in range(4))
        self.died, self.last = collections.Counter(), 0
        super().__init__(path)

    def class_at(self, r):
        return self.names[r["site"]][0] if r["site"] else ""

    def site_births(self, r):
        super().site_births(r)
        self.born[self.class_at(r)] += r["objects"] - r["outside_objects"]

    def site_ages(self, r):
        super().site_ages(r)
        self.lived[self.class_at(r)] += sum(r["objects"])
        self.moved[self.class_at(r)] += sum(r["promoted_objects"])

    def exact_gc(self, r):
        super().exact_gc(r)
        if r["kind"] == 3 and r["young"] == self.last + 1:
            self.last = r["young"]
            return
        if r["kind"] != 2 and r["young"] == self.last + 1:
            for class_ in {*self.born, *self.stand}:
                self.died[class_] += self.stand[class_] + self.born[class_] - self.lived[class_] - self.moved[class_]
        self.last, self.stand = r["young"], self.lived
        self.born, self.lived, self.moved = (collections.Counter() for _ in range(3))


WARM = 600_000  # Holdings.warm makes so many of each, and lets go of them
TOOLS = {"histogram": lambda p, path: ask(p.pid, "GC.class_histogram"),
         "dump": lambda p, path: (ask(p.pid, "GC.heap_dump", path), os.remove(path)),
         "run": lambda p, path: ask(p.pid, "GC.run"),
         "live": lambda p, path: subprocess.run([os.path.join(jvm.own_jdk().home, "bin/jmap"), "-histo:live", p.pid],
                                                stdout=subprocess.DEVNULL, check=True)}


class Stock(Case):
    def run(self, what, shaken):
        trace = self.bench.path(f"{what}-{self.jdk.name}-{self.gc}.mfly")
        # Large objects would begin a cycle of G1 at any time.
        calm = ["-XX:InitiatingHeapOccupancyPercent=100", "-XX:-G1UseAdaptiveIHOP"] if self.gc == "G1" and not shaken else []
        p = Program(self, *calm, self.bench.agent_flag(f"file={trace},exact,audit,interval=64k"))
        p.do("warm")
        p.hold({**HELD, "older": 30_000})
        p.do("collect 4")
        p.do("drop second 3")
        if shaken:
            p.do("collect 17")
            p.histogram()  # a full collection
            p.hold({"second": 4000})
        p.do("collect 5")
        p.hold({"first": 700})
        p.do("drop first 5")
        vm = every_object(p.pid)
        p.end(what)
        report = self.bench.json("heap", trace, "--by", "class")
        if shaken:
            self.bounds(what, report, vm)
        else:
            self.counted(what, report, vm)
        self.moments(what, trace, report["trace"]["gcs"])

    def tools(self, tool, *flags, after=True):
        """Collections that a tool has made, twice, while all that is held is young; up to 21 Serial and Parallel tell of none but GC.run's.
        after: others follow."""
        what = " ".join(["tools", tool, *flags, *([] if after else ["last"])])
        trace = self.bench.path(f"{what.replace(' ', '-')}-{self.jdk.name}-{self.gc}.mfly")
        p = Program(self, *flags, self.bench.agent_flag(f"file={trace},exact,audit,compress=no,interval=64k"))
        p.do("warm")
        p.do("collect 2")
        made = {"older": 30_000, "first": 50_000, "second": 40_000}
        p.hold({"older": 30_000})
        p.do("collect 1")
        p.hold({"first": 50_000})
        for _ in range(2):
            TOOLS[tool](p, self.bench.path("tools.hprof"))
            p.hold({"second": 20_000})
            if after:
                p.do("collect 2")
        vm = every_object(p.pid)
        p.end(what)
        status, out, err = self.bench.tool("check", trace)
        self.check(f"{what}: mayfly check", status == 0 and ": whole" in out, out + err)
        e = Deaths(trace)
        told = {m: (e.of_class(CLASSES[m]).objects, WARM + n) for m, n in made.items()}
        self.check(f"{what}: all births are told", all(have == want for have, want in told.values()), told)
        died = {m: e.died[CLASSES[m]] for m in made}
        self.check(f"{what}: none that is held died", all(0 < n <= WARM for n in died.values()), f"{died}\n{e.gcs[-8:]}\n{e.notes}")
        silent = self.gc != "G1" and tool != "run" and self.jdk.major < 25
        missing = sorted(set(e.clock) - {g["young"] for g in e.gcs})
        self.check(f"{what}: {2 * silent} collections have no account, and the trace says so", len(missing) == 2 * silent and
                   any(" 2 came, and who died" in n for n in e.notes) == silent, f"{missing} of {e.clock[-10:]}\n{e.notes}")
        rows = {r["class"]: r for r in self.bench.json("heap", trace, "--by", "class")["rows"]}
        for name in OURS if after else ():
            row = rows.get(name, NONE)
            least, most = row["counted"]["objects"], row["old_at_most"]["objects"]
            self.check(f"{what}: {vm[name][0]} of {name} are within {least} and {most} more", least <= vm[name][0] <= least + most, row)

    def counted(self, what, report, vm):
        gcs, rows = report["trace"]["gcs"], {r["class"]: r for r in report["rows"]}
        self.check(f"{what}: only young collections came", gcs["young"] and not gcs["full"] + gcs["mixed"] + gcs["concurrent"], gcs)
        for name in OURS:
            row = rows.get(name, NONE)
            self.check(f"{what}: {row['counted']['objects']} of {name} are counted, as the VM does", row["alive_is"] == "counted" and
                       (row["counted"]["objects"], row["counted"]["bytes"]) == vm[name], (row, vm[name]))
        self.no_more(what, rows, vm)

    def no_more(self, what, rows, vm):
        """The VM has what is older than the recording besides; what it makes as it ends is not in its histogram."""
        more = {c: (r["counted"], vm.get(c)) for c, r in rows.items() if not re.search(r"\$\$|0x|^\(", c) and
                r["counted"]["objects"] - r["young"][0]["objects"] > vm.get(c, (0, 0))[0]}
        self.check(f"{what}: of none of {len(rows)} classes more is counted than there is", not more, more)

    def bounds(self, what, report, vm):
        rows = {r["class"]: r for r in report["rows"]}
        for name in OURS:
            row = rows.get(name, NONE)
            least, most = row["counted"], row["old_at_most"]
            self.check(f"{what}: {vm[name][0]} of {name} are within {least['objects']} and {most['objects']} more",
                       least["objects"] <= vm[name][0] <= least["objects"] + most["objects"] and
                       least["bytes"] <= vm[name][1] <= least["bytes"] + most["bytes"] and
                       least["objects"] <= row["alive"]["objects"] <= least["objects"] + most["objects"], row)
        second = rows[CLASSES["second"]]["counted"]["objects"]
        self.check(f"{what}: what was made since is counted", second >= 4000, rows[CLASSES["second"]])
        self.no_more(what, rows, vm)

    def moments(self, what, trace, gcs):
        """After each collection: parts are a whole, and the young ones are those that the account has."""
        wrong, told = [], 0
        for gc in range(1, 1 + gcs["young"] + gcs["full"] + gcs["mixed"] + gcs["concurrent"]):
            report = self.bench.json("heap", trace, "--at", f"GC:{gc}")
            m = report["moments"][0]
            told += "counted" in m
            if "counted" not in m:
                continue
            for part in ("objects", "bytes"):
                rows = sum(r["counted"][part] for r in report["rows"])
                ages = sum(a[part] for a in m["young"]) + m["old"][part]
                if not rows == ages == m["counted"][part]:
                    wrong.append((gc, part, rows, ages, m["counted"]))
        self.check(f"{what}: {told} collections tell, and their parts sum up", told and not wrong, wrong)


def main():
    p = jvm.parser(__doc__)
    args = p.parse_args()
    bench = jvm.Bench(args.keep)
    for jdk, gc in jvm.pairs(args):
        if gc in COLLECTORS:
            case = Stock(bench, jdk, gc, False)
            case.run("stock", False)
            case.run("shaken", True)
            for tool in TOOLS:
                case.tools(tool)
            case.tools("histogram", after=False)
            case.tools("histogram", "-XX:-UsePerfData")
    return bench.done()


if __name__ == "__main__":
    sys.exit(main())
