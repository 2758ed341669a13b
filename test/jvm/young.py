#!/usr/bin/env python3
"""The young generation's size in tenure's decisions: found by a run, set as the next one starts, judged against the one before, and left
alone where the program's options, the heap or the collector say otherwise. java/Passing.java keeps each of its objects for a tenth of what
is made between two collections.

    test/jvm/young.py --jdk 11 --gc Serial
"""
import json
import sys

import jvm
import tenure

HEAP = ["-Xms96m", "-Xmx96m"]
MADE, SPAN = 6000, 2  # MB; what is kept is to fit into survivor spaces
YOUNG = 2  # the lever
BEFORE, AFTER = 32, 64  # MB: a third of the heap, and twice that
NEAR = 3  # MB, by which the VM rounds
SLOPPY = 0.35  # of what was foretold; ages in collections don't tell when in one an object dies


class Case:
    def __init__(self, bench, jdk, gc):
        self.bench, self.jdk, self.gc, self.name = bench, jdk, gc, f"{jdk.release} {gc}"
        self.file = bench.path(f"{jdk.release}-{gc}.json")
        self.number = 0

    def check(self, what, ok, why=""):
        self.bench.check(f"{self.name}: {what}", ok, why)

    def run(self, *options, heap=HEAP, gc=None):
        """A run's trace, how large its young generation was, and what the file says of that then."""
        self.number += 1
        path = self.bench.path(f"{self.jdk.release}-{self.gc}-{self.number}.mfly")
        words = options or ("tenure",)
        agent = self.bench.agent_flag(",".join([*words, "tenure-round=8", "compress=no", f"decisions={self.file}", f"file={path}"]))
        biased = ["-XX:-UseBiasedLocking"] if self.jdk.major == 11 else []
        got = self.bench.java(self.jdk, *self.jdk.flags(gc or self.gc), *biased, *heap, agent, "-cp", self.bench.classes, "Passing",
                              str(MADE), str(SPAN))
        words = got.out.split()
        self.check(f"run {self.number}: the program is unharmed", got.status == 0 and words[2:] == ["wrong", "0"] and not got.err,
                   got.out + got.err)
        with open(self.file, encoding="utf-8") as f:
            said = json.load(f).get("young")
        return tenure.Trace(path), int(words[1]), said

    def edit(self, **fields):
        with open(self.file, encoding="utf-8") as f:
            all_ = json.load(f)
        all_["young"] = {**all_["young"], **fields}
        with open(self.file, "w", encoding="utf-8") as f:
            json.dump(all_, f)

    def found(self):
        """Without another lever: what is promoted early fills the old generation, and then it is not known what that holds."""
        t, young, said = self.run("tenure=learn")
        self.check("a larger one is found", said is not None and said["action"] == "set" and abs(said["mb"] - AFTER) <= NEAR
                   and abs(young - BEFORE) <= NEAR and said["heap_mb"] == 96, f"{young} {said}\n{t.story()}")
        self.check("and said", any("the next run with these decisions begins with" in n for n in t.notes), t.story())
        return t

    def set(self, before):
        t, young, said = self.run()
        self.check("it is set as the VM starts", abs(young - AFTER) <= NEAR, f"{young}")
        self.check("which is told, once", len(t.told(tenure.TAKE, YOUNG, tenure.SAYS_SO)) == 1, t.story())
        self.check("and stays in the file", said["action"] == "set" and said["runs"] == 1, f"{said}")
        self.check("less is copied", tenure.copied(t.rounds[2:]) < 0.8 * tenure.copied(before.rounds[2:]), t.story() + before.story())
        outcomes = [o for o in t.outcomes if o["lever"] == YOUNG]
        self.check("about as was foretold", len(outcomes) == 1
                   and outcomes[0]["observed"] < (1 + SLOPPY) * outcomes[0]["predicted"], f"{outcomes}\n{said}\n{t.story()}")

    def left(self):
        for what, heap, young, why in (("options of the program's own", [*HEAP, "-Xmn12m"], 12, "own options"),
                                       ("another heap", ["-Xms72m", "-Xmx72m"], 24, "for a heap of 96 MB, and this one has 72")):
            t, got, said = self.run("tenure=apply", heap=heap)
            self.check(f"{what}: nothing is set, and why is said", abs(got - young) <= NEAR and said["action"] == "set"
                       and any("is not set" in n and why in n for n in t.notes), f"{got}\n{t.story()}")
        t, got, said = self.run("tenure=dry-run")
        self.check("a dry run sets nothing", abs(got - BEFORE) <= NEAR and not t.told(tenure.TAKE, YOUNG), f"{got}\n{t.story()}")

    def back(self):
        self.edit(copied_before=10)
        t, young, said = self.run()
        self.check("what does not pay is taken back, for the next run", said["action"] == "keep out" and abs(young - AFTER) <= NEAR
                   and len(t.told(tenure.TAKE_BACK, YOUNG, "for the next run")) == 1, f"{young} {said}\n{t.story()}")
        t, young, said = self.run()
        self.check("and stays out", said["action"] == "keep out" and abs(young - BEFORE) <= NEAR, f"{young} {said}")

    def go(self):
        before = self.found()
        self.set(before)
        self.left()
        if self.jdk.has("G1"):
            t, _, _ = self.run("tenure=apply", gc="G1")
            self.check("G1 chooses its own", any("G1 chooses its own" in n for n in t.notes), t.story())
        self.back()


def main():
    args = jvm.parser(__doc__).parse_args()
    bench = jvm.Bench(args.keep)
    for jdk, gc in jvm.pairs(args):
        if gc in ("Serial", "Parallel"):
            Case(bench, jdk, gc).go()
    return bench.done()


if __name__ == "__main__":
    sys.exit(main())
