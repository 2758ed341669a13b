#!/usr/bin/env python3
"""Recordings that begin and end in the middle of a program that collects some 500 times a second. What is born for the recording has all
its pauses told of, from before the first birth to behind the last one: `mayfly check` finds nothing odd, and no collection counts as
one that a tool asked for. Nor is a collection audited behind which births had ended already. And once more with G1 while it marks all
the time: many pauses are no collections then, and no interval of events may begin at one.

    test/jvm/edges.py --runs 40 --jdk 17 --gc G1
"""
import re
import subprocess
import sys

import jvm

HEAP = ["-Xms64m", "-Xmx64m", "-Xmn1m"]
MARKING = ["-Xmn8m", "-XX:InitiatingHeapOccupancyPercent=0", "-XX:-G1UseAdaptiveIHOP"]
SILENT = "that a tool asked for"
LEAST = 50  # collections of each recording
# What the end of a recording does besides, while the program goes on. Rewriting classes takes longest.
HOWS = (("header", "attach", "--exact", "--audit"), ("events", "attach", "--exact=trace"), ("tenure", "tenure", "--exact=trace", "--attach"))
EVENTS = HOWS[1:2]


class Case:
    def __init__(self, bench, jdk, gc, marking=False):
        self.bench, self.name = bench, f"{jdk.release} {gc}{' marking' * marking}"
        loading = ["-XX:+EnableDynamicAgentLoading"] if jdk.major >= 21 else []
        biased = ["-XX:-UseBiasedLocking"] if jdk.major == 11 else []
        self.process = bench.start(jdk, *jdk.flags(gc), *HEAP, *MARKING * marking, *biased, *loading, "-cp", bench.classes,
                                   "Mill", "input", stdin=subprocess.PIPE)
        while self.process.stdout.readline() not in ("ready\n", ""):
            pass

    def record(self, *command):
        """Until there were enough collections, however long they take here."""
        recorder = subprocess.Popen([self.bench.mayfly, *command], cwd=self.bench.work, env=self.bench.env, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.bench.recorded(self.process.pid, recorder)
        asked = ("attach", str(self.process.pid))
        while recorder.poll() is None:
            if any(int(n) >= LEAST for n in re.findall(r"^young +(\d+)$", self.bench.tool(*asked, "--status")[1], re.M)):
                self.bench.tool(*asked, "--stop")
                break
        out, err = recorder.communicate(timeout=jvm.LIMIT)
        return recorder.returncode, out, err

    def one(self, how, number):
        what, command, *options = how
        path = self.bench.path(f"{what}{number}.mfly")
        status, out, err = self.record(command, *options, str(self.process.pid), "-o", path)
        told = self.bench.tool("check", path)
        info = self.bench.json("info", path) if status == 0 else {"gcs": {}}
        collections = sum(info["gcs"].get(k, 0) for k in ("young", "mixed", "full"))
        self.bench.check(f"{self.name}: {what} {number}: all makes sense, in {collections} collections",
                         status == 0 and told[0] == 0 and ": whole" in told[1] and SILENT not in out + err and collections >= LEAST,
                         f"{out}{err}{told[1]}{told[2]}")
        if "--audit" in options and status == 0:
            audit = info["exact"]["audit"]
            self.bench.check(f"{self.name}: {what} {number}: all births of the collections that were audited were seen",
                             audit and audit["walked"] and audit["walked"] == audit["seen"], info["exact"])

    def go(self, hows, runs):
        for number in range(runs):
            for how in hows:
                self.one(how, number)
        if self.process.poll() is None:
            self.process.stdin.write("\n")
        got = self.bench.finish(self.process)
        self.bench.check(f"{self.name}: the program is unharmed", got.status == 0 and "sum" in got.out and not got.err,
                         got.out[-2000:] + got.err[-2000:])


def main():
    p = jvm.parser(__doc__)
    p.add_argument("--runs", type=int, default=4, help="recordings of each kind")
    args = p.parse_args()
    bench = jvm.Bench(args.keep)
    for jdk, gc in jvm.pairs(args):
        if gc in ("Serial", "Parallel", "G1"):
            Case(bench, jdk, gc).go(HOWS, args.runs)
        if gc == "G1":
            Case(bench, jdk, gc, marking=True).go(EVENTS, 2 * args.runs)
    return bench.done()


if __name__ == "__main__":
    sys.exit(main())
