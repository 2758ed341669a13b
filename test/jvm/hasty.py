#!/usr/bin/env python3
"""Recordings of a running program that end soon after the exact counts came to hold: with no collection after that they tell of no life, and
of a moment's births, and the samples do alone, which tell of all of it. Where another collection comes, or most of the recording, the
counts do.

    test/jvm/hasty.py --jdk 21 --gc G1
"""
import subprocess
import sys
import time

import jvm
from exact import COLLECTORS, Case
from holdings import Program

LATE = "were found to be right only late"
REST = 1.5  # seconds; what is done without resting takes much less
# (before the collections, how many: the second is the first that counts can be held against; after them)
ENDS = {"late": (REST, 2, 0), "late, and one more": (REST, 3, 0), "soon": (0, 2, REST)}


class Hasty(Case):
    def record(self, what, before, collections, after):
        """The trace of it."""
        path = self.bench.path(f"{what}.mfly")
        p = Program(self, "-Xint", "-Xmx64m", "-Xmn8m")
        recorder = subprocess.Popen([self.bench.mayfly, "attach", p.pid, "--exact", "--no-compress", "-o", path], env=self.bench.env,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.bench.recorded(p.pid, recorder)
        time.sleep(before)
        p.do(f"collect {collections}")
        time.sleep(after)
        self.bench.tool("attach", p.pid, "--stop")
        recorder.communicate()
        p.end(what)
        return path

    def refused(self, what, e, path):
        why = e.facts.get("exact.why", "")
        self.check(f"{what}: the samples do alone, and the trace says why", (e.facts.get("engine"), e.facts.get("exact")) ==
                   ("sampled", "refused") and LATE in why, f"{e.facts}\n{e.notes}")
        status, out, err = self.bench.tool("report", path)
        self.check(f"{what}: so does the report", status == 0 and "exact engine ·" not in out and "Exact counts begin" not in out and
                   LATE in " ".join(out.split()), out + err)

    def run(self):
        for what, (before, collections, after) in ENDS.items():
            path = self.record(what, before, collections, after)
            e = self.whole(what, path)
            if e and what == "late":
                self.refused(what, e, path)
            elif e:
                self.engine(what, e, self.jdk.major == 11)


def main():
    args = jvm.parser(__doc__).parse_args()
    bench = jvm.Bench(args.keep)
    for jdk, gc in jvm.pairs(args):
        if gc in COLLECTORS:
            Hasty(bench, jdk, gc, False).run()
    bench.done()


if __name__ == "__main__":
    sys.exit(main())
