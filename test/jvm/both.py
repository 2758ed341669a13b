#!/usr/bin/env python3
"""A young collection and a full one in one pause, as Serial and Parallel have them where the young one makes no room, or would not: what the
pause found dead has not survived it, and it is one pause, as long as the VM's log says.

    test/jvm/both.py --jdk 11 --jdk 17 --gc Serial --gc Parallel
"""
import json
import re
import sys

import jvm

MS_MORE = 0.3  # that a pause may be longer by the agent's clock, on average: its events come before and after the log's


class Case:
    def __init__(self, bench, jdk, gc, times):
        self.bench, self.name, self.path = bench, f"{jdk.release} {gc}", bench.path("both.mfly")
        self.log = bench.path("gc.log")
        agent = f"-agentpath:{bench.agent}=file={self.path},interval=64k,max-walks=0,max-rate=0"
        self.got = bench.java(jdk, *jdk.flags(gc), "-Xms48m", "-Xmx48m", "-Xmn12m", f"-Xlog:gc:file={self.log}", agent, "-cp", bench.classes,
                              "Pages", str(times), "22")

    def check(self, what, ok, why=""):
        return self.bench.check(f"{self.name}: {what}", ok, why)

    def gcs(self):
        status, out, err = self.bench.tool("export", self.path, "-t", "jsonl", "--table", "gcs")
        return [json.loads(line) for line in out.splitlines()] if status == 0 else []

    def pauses(self, gcs):
        told, whole = sum(gc["pause_ms"] for gc in gcs), {(gc["start_ms"], gc["end_ms"]) for gc in gcs}
        length = sum(end - start for start, end in whole)
        with open(self.log, encoding="utf-8") as f:
            log = [float(ms) for ms in re.findall(r"GC\(\d+\) Pause .* ([0-9.]+)ms$", f.read(), re.M)]
        # The log has one more where a pause is on as the program ends.
        self.check(f"{len(log)} pauses in the log, of {sum(log):.1f} ms; {len(gcs)} collections of {told:.1f} ms in {len(whole)} pauses",
                   abs(told - length) < 0.01 and len(gcs) <= len(log) <= len(gcs) + 1 and
                   sum(log) * 0.9 - max(log) <= told <= sum(log) + MS_MORE * len(whole), log[:10])

    def lives(self):
        for row in self.bench.json("report", self.path, "--min", "0")["rows"]:
            if [f["method"] for f in row["frames"]][:1] == ["page"]:
                curve = row["survival"]["young_gcs"]
                alive = dict(zip(curve["t"], curve["p"])).get(1)
                # One in some 900 is in hand when a collection comes.
                self.check(f"of {row['alloc']['samples']} pages {alive:.2%} outlive a collection", row["alloc"]["samples"] > 1000 and alive < 0.006, curve)
                return
        self.check("there are pages", False, "no such row")

    def go(self):
        if not self.check("the program is unharmed", self.got.status == 0 and self.got.out == "good\n" and not self.got.err, self.got.out + self.got.err):
            return
        gcs = self.gcs()
        first = [a for a, b in zip(gcs, gcs[1:]) if a["start_ms"] == b["start_ms"]]
        self.check(f"{len(first)} of {len(gcs)} collections came behind another in one pause", len(first) > 0, gcs[:3])
        timed = sum(gc["pause_ms"] > 0 for gc in first)
        self.check(f"{timed} of these {len(first)} others have a part of the pause", timed == len(first), first[:3])
        self.pauses(gcs)
        self.lives()


def main():
    p = jvm.parser(__doc__)
    p.add_argument("--times", type=int, default=8, help="that half of what is kept goes: with most of them such a pause comes")
    args = p.parse_args()
    bench = jvm.Bench(args.keep)
    for jdk, gc in jvm.pairs(args):
        # Later ones know before the pause which it will be.
        if jdk.major <= {"Serial": 21, "Parallel": 17}.get(gc, 0):
            Case(bench, jdk, gc, args.times).go()
    return bench.done()


if __name__ == "__main__":
    sys.exit(main())
