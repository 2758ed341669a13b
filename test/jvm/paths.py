#!/usr/bin/env python3
"""Call paths walked by the exact engine (`every`) against what is known: java/Paths.java knows how many objects of each class were
made by each of its paths, with all kinds of frames on the stack. With every=1 the trace must say the same, to the object.

    test/jvm/paths.py --jdk 21 --gc G1 --mode c2 --mode interpreter
"""
import collections
import math
import sqlite3
import sys

import jvm
import trace
from exact import COLLECTORS, SAMPLES, VERIFY, Exact

CUT, EXACT, WALKED = 1, 4, 8
MODES = {
    "c2": [],
    "interpreter": ["-Xint"],
    "c1": ["-XX:TieredStopAtLevel=1"],
    "apart": ["-XX:-Inline"],
    "eager": ["-Xcomp"],
}
OUTER = ("main", "round")
BRANCHING, ROOM = 18, 163840 # frames each of which is one of two; paths at a time
RESTING = ("Paths$Virtual", "light resting")


class Paths(Exact):
    """Births by class and by the methods of Paths, leaf first; and how the walks went."""

    def __init__(self, path):
        self.stacks, self.flags, self.births = {0: []}, {}, collections.Counter()
        self.of, self.walk_count, self.ends, self.unnamed, self.refused = {}, 0, [0] * 6, 0, 0
        super().__init__(path)

    def frame(self, r):
        super().frame(r)
        self.stacks[r["id"]] = [self.methods[r["method"]], *self.stacks[r["parent"]]]

    def site(self, r):
        super().site(r)
        self.flags[r["id"]] = r["flags"]
        self.of[r["id"]] = (self.classes.get(r["class"], ""), self.stacks[r["frame"]])

    def site_births(self, r):
        super().site_births(r)
        self.births[r["site"]] += r["objects"]

    def walks(self, r):
        self.walk_count += r["walks"]
        self.unnamed += r["unnamed"]
        self.refused += r["refused"]
        self.ends = [a + b for a, b in zip(self.ends, r["ends"] + [0] * 6)]

    def told(self, walked=True):
        """{(class, path): objects} of sites that were walked, or that were not."""
        found = collections.Counter()
        for site, n in self.births.items():
            if bool(self.flags[site] & WALKED) == walked:
                class_, stack = self.of[site]
                found[class_, path_of(stack)] += n
        return found


def path_of(stack):
    mine = [m.split(".")[-1] for m in stack if m.startswith(("Paths", "Upset", "Branches")) and "Lambda" not in m]
    return " ".join(m for m in mine if "lambda$" not in m and m not in OUTER and m != "<init>")


def truth_of(out):
    found = collections.Counter()
    for line in out.splitlines():
        n, class_, path = line.split(" ", 2)
        found[class_, " ".join(m for m in path.split() if m not in OUTER)] += int(n)
    return found


def diff(want, got):
    keys = sorted(k for k in set(want) | set(got) if want[k] != got[k])
    return "\n".join(f"{k}: {want[k]} made, {got[k]} told" for k in keys)


class Case:
    def __init__(self, bench, jdk, gc, mode, verify):
        self.bench, self.jdk, self.gc, self.mode, self.verify = bench, jdk, gc, mode, verify

    def check(self, what, ok, why=""):
        return self.bench.check(f"{self.jdk.release} {self.gc} {self.mode}: {what}", ok, why)

    def run(self, every, rounds, program="Paths", *more):
        path = self.bench.path("paths.mfly")
        flags = self.jdk.flags(self.gc) + (VERIFY if self.verify else []) + MODES[self.mode]
        got = self.bench.java(self.jdk, *flags, "-Xmx128m", "-Xmn16m",
                              self.bench.agent_flag(f"file={path},exact,audit,every={every},depth=200,{SAMPLES}"),
                              "-cp", self.bench.classes, program, str(rounds), *more)
        if not self.check(f"every={every}: the program is unharmed", got.status == 0 and not got.err,
                          f"exit status {got.status}\n{got.out[-2000:]}{got.err[-4000:]}"):
            return None, None
        status, out, err = self.bench.tool("check", path)
        if not self.check(f"every={every}: mayfly check", status == 0 and ": whole" in out, out + err):
            return None, None
        e, self.path = Paths(path), path
        self.check(f"every={every}: the engine did it", e.facts.get("engine") == "exact" and e.facts.get("every") == str(every),
                   f"{e.facts}\n{e.notes}")
        return truth_of(got.out), e

    def own(self, counts):
        """Classes of Paths whose every object is known."""
        return collections.Counter({k: n for k, n in counts.items() if k[0].startswith("Paths$") and "Lambda" not in k[0]})

    def all(self, rounds):
        want, e = self.run(1, rounds)
        if e is None:
            return
        self.bench.say(f"{self.jdk.release} {self.gc} {self.mode}: {e.walk_count} walks, ends {e.ends}, {e.refused} refused, "
                       f"{e.unnamed} unnamed, {len(e.births)} sites")
        got = self.own(e.told())
        # Deeper than is recorded: only its end is.
        cut = {k: n for k, n in got.items() if k[0] == "Paths$Deep"}
        for k in cut:
            del got[k]
        deep = want.pop(("Paths$Deep", "deep"), 0)
        # What the program makes once for itself.
        for k in list(got):
            if not k[1]:
                del got[k]
        # Of a virtual thread that rested the frames above may still be put away: the path is known up to there.
        if want["Paths$Virtual", "light resting"]:
            known = got.pop(RESTING, 0) + got.pop(("Paths$Virtual", "light"), 0)
            away = sum(n for s, n in e.births.items() if e.of[s][0] == "Paths$Virtual" and e.flags[s] & CUT)
            # Where a thread rests again its stack may need a StackChunk that the VM has no room for in the buffer: that is walked, and not told.
            chunks = e.ends[2] - away
            self.check("virtual threads that rested", known == want.pop(RESTING) and 0 <= chunks <= known // 5, f"{known} {away} {e.ends}")
        self.check("each path has the objects that it made", want == got, diff(want, got))
        self.check("all of the deep ones are there, and are cut",
                   sum(cut.values()) == deep and all(set(k[1].split()) == {"fall"} for k in cut), cut)
        rest = self.own(e.told(False))
        self.check("none of them was left to its line", not rest, rest)
        self.check("nothing strange was on a stack", e.ends[3] == e.ends[4] == 0, e.ends)

    def upset(self, every, rounds):
        """Code that comes and goes under the walks: the program is unharmed, and all that it made is there."""
        want, e = self.run(every, rounds, "Upset")
        if e is None:
            return
        self.bench.say(f"{self.jdk.release} {self.gc} {self.mode}: upset: {e.walk_count} walks, ends {e.ends}, {e.refused} refused, "
                       f"{e.unnamed} unnamed")
        self.check("upset: each walk ended somehow", sum(e.ends) == e.walk_count, e.ends)
        told = e.told() + e.told(False)
        for (class_, path), n in want.items():
            got = sum(v for k, v in told.items() if k[0] == class_)
            self.check(f"upset: {n} of {class_}", got == n, got)
            # What was unnamed, or cut, is known up to there.
            strange = {k: v for k, v in e.told().items() if k[0] == class_ and not path.startswith(k[1])}
            self.check(f"upset: {class_} by no other path", not strange, strange)

    def branches(self, objects):
        """More paths than there is room for as the program starts, which make nothing any more: they make room."""
        want, e = self.run(1, BRANCHING, "Branches", str(objects))
        if e is None:
            return
        walked, rest, paths = collections.Counter(), collections.Counter(), collections.Counter()
        for site, n in e.births.items():
            (walked if e.flags[site] & WALKED else rest)[e.of[site][0]] += n
            paths[e.of[site][0]] += 1
        self.bench.say(f"{self.jdk.release} {self.gc} {self.mode}: branches: {e.walk_count} walks, {e.refused} refused; walked {walked['Branches$Steady']}, "
                       f"by its line {rest['Branches$Steady']}")
        self.check("branches: not all paths found room", rest["Branches$Leaf"] > 0 and paths["Branches$Leaf"] > ROOM * 9 // 10, paths["Branches$Leaf"])
        for (class_, _), n in want.items():
            self.check(f"branches: {n} of {class_}", walked[class_] + rest[class_] == n, (walked[class_], rest[class_]))
        self.check("branches: what comes later finds room", rest["Branches$Steady"] < walked["Branches$Steady"],
                   (walked["Branches$Steady"], rest["Branches$Steady"]))

    def some(self, every, rounds):
        """Of each path about one in `every`: within four standard errors of a binomial share."""
        want, e = self.run(every, rounds)
        if e is None:
            return
        walked, rest = self.own(e.told()), self.own(e.told(False))
        by_class = collections.Counter()
        for (class_, _), n in (walked + rest).items():
            by_class[class_] += n
        bad = []
        for (class_, path), n in want.items():
            if class_ == "Paths$Deep" or (class_, path) == RESTING:
                continue
            error = math.sqrt(n / every * (1 - 1 / every))
            if abs(walked[class_, path] - n / every) > 4 * error + 1:
                bad.append(f"{class_} {path}: {n} made, {walked[class_, path]} walked, {error:.1f}")
        self.check(f"every={every}: each path has its share", not bad, "\n".join(bad))
        for class_ in sorted({k[0] for k in want}):
            made = sum(n for (c, _), n in want.items() if c == class_)
            self.check(f"every={every}: all {made} of {class_} are counted, walked or not", made <= by_class[class_] <= made + 10,
                       by_class[class_])
        self.sums(f"every={every}", sorted({k[0] for k in want}), by_class)

    def sums(self, what, classes, counted):
        """What the tool makes of it: stacks, and what became of their objects, sum up to what was counted."""
        made = self.path + ".db"
        status, out, err = self.bench.tool("export", self.path, "--to", "sqlite", "-o", made)
        self.check(f"{what}: export", status == 0, out + err)
        db = sqlite3.connect(made)
        born = dict(db.execute("select class, sum(alloc_objects) from sites join classes using (class_id) group by class"))
        became = dict(db.execute("select class, sum(objects) from ages join sites using (site) join classes using (class_id) group by class"))
        size = dict(db.execute("select class, sum(alloc_bytes) from sites join classes using (class_id) group by class"))
        db.close()
        _, folded, _ = self.bench.tool("export", self.path, "--to", "collapsed")
        stacks = collections.Counter()
        for line in folded.splitlines():
            stacks[line.rpartition(" ")[0].split(";")[-1]] += int(line.rpartition(" ")[2])
        off = {c: (counted[c], born.get(c), became.get(c)) for c in classes
               if abs(born.get(c, 0) - counted[c]) > 0.5 or abs(became.get(c, 0) - counted[c]) > 0.5}
        self.check(f"{what}: sites and ages sum up to what was counted", not off, off)
        off = {c: (size[c], stacks[c]) for c in classes if abs(size[c] - stacks[c]) > len(folded.splitlines())}
        self.check(f"{what}: stacks sum up to what was counted", not off, off)


def main():
    p = jvm.parser(__doc__)
    p.add_argument("--mode", action="append", choices=sorted(MODES), help="may be repeated (default: all)")
    p.add_argument("--rounds", type=int, default=20000)
    p.add_argument("--every", type=int, action="append", help="besides 1 (default: 2 and 100)")
    p.add_argument("--upset", type=int, metavar="ROUNDS", help="only java/Upset.java: code that comes and goes")
    p.add_argument("--branches", type=int, metavar="OBJECTS", help="only java/Branches.java: more paths than there is room for")
    p.add_argument("--verify", action="store_true", help="let the VM verify its heap around each collection")
    args = p.parse_args()
    bench = jvm.Bench(args.keep)
    for jdk, gc in jvm.pairs(args):
        for mode in (args.mode or MODES) if gc in COLLECTORS else ():
            case = Case(bench, jdk, gc, mode, args.verify)
            if args.branches:
                case.branches(args.branches)
                continue
            if args.upset:
                case.upset(1, args.upset)
                case.upset(3, args.upset)
                continue
            case.all(args.rounds)
            for every in args.every or (2, 100):
                case.some(every, args.rounds)
    return bench.done()


if __name__ == "__main__":
    sys.exit(main())
