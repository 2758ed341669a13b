#!/usr/bin/env python3
"""`mayfly heap FILE` on a trace of accounts against the VM's own class histogram of all objects, the dead ones too: java/Holdings.java
makes objects of known number, some of which die where they stand. Until the old generation is collected every object must be counted;
behind a full collection the VM's number must be within the bounds.

    test/jvm/stock.py --jdk 21 --gc Serial
"""
import re
import sys

import jvm
from exact import COLLECTORS
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
    return bench.done()


if __name__ == "__main__":
    sys.exit(main())
