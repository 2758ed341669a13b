#!/usr/bin/env python3
"""`mayfly heap PID` against what is known: java/Holdings.java holds objects of known number and age, and each must be told with its
site, with and without a forced collection, object for object; by class it must be what the VM's own histogram says right after.
Identity hashes must be what they were, whatever the collections that were forced did to marks.

    test/jvm/holdings.py --jdk 21 --gc G1 --case launch --case unload
"""
import os
import re
import subprocess
import sys
import time

import jvm
from exact import COLLECTORS, VERIFY
from matrix import LATE

SAMPLES = "interval=512k"
HELD = {"first": 60_000, "second": 20_000, "bytes": 10_001, "vast": 4}
CLASSES = {"older": "Holdings$Older", "first": "Holdings$First", "second": "Holdings$Second", "bytes": "byte[]", "vast": "long[]"}
NO_COMPILE = re.compile(r"\d+:\s+Current compiles:\s+(C[12] compile queue:\s+Empty\s+)+")
A_THREAD = {"java.lang.Thread", "java.lang.Thread$FieldHolder", "java.lang.String", "byte[]", "java.lang.Object",
            "java.security.AccessControlContext", "java.lang.ThreadGroup[]", "java.lang.Thread[]"}
PRIMITIVES = {"Z": "boolean", "B": "byte", "C": "char", "S": "short", "I": "int", "J": "long", "F": "float", "D": "double"}


def jcmd():
    return os.path.join(jvm.own_jdk().home, "bin/jcmd")


def ask(pid, *command):
    """What the VM answers."""
    return subprocess.run([jcmd(), pid, *command], stdout=subprocess.PIPE, text=True, check=True).stdout


def java_name(name):
    """As people write it: of "[Ljava.lang.String;" java.lang.String[]."""
    depth = len(name) - len(name.lstrip("["))
    base = name[depth:]
    if depth:
        base = base[1:-1] if base.startswith("L") else PRIMITIVES[base]
    return base + "[]" * depth


class Program:
    """Holdings, started."""

    def __init__(self, case, *flags):
        self.case, self.bench = case, case.bench
        self.process = self.bench.start(case.jdk, *case.flags(), *flags, "-cp", self.bench.classes, "Holdings", stdin=subprocess.PIPE)
        self.pid = str(self.process.pid)
        self.process.stdout.readline()

    def do(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        said = self.process.stdout.readline().split()
        if said[:1] != ["ok"]:
            raise RuntimeError(f"{command}: {said} {self.process.poll()} {self.process.stderr.read()[-3000:]}")
        return int(said[1]) if len(said) > 1 else None

    def hold(self, held):
        for method, n in held.items():
            self.do(f"hold {method} {n}")

    def heap(self, *options):
        return self.bench.json("heap", self.pid, *options)

    def end(self, what):
        self.process.stdin.write("end\n")
        self.process.stdin.flush()
        got = self.bench.finish(self.process)
        stray = LATE.sub("", got.err) if self.case.jdk.major >= 21 else got.err
        self.case.check(f"{what}: the program is unharmed", got.status == 0 and not stray,
                        f"exit status {got.status}\n{got.out[-3000:]}{got.err[-3000:]}")

    def compiled(self):
        """Until then the compiler holds what its method's profile names, dead classes too (doc/jvm.md, "Counting the heap")."""
        end = time.monotonic() + jvm.LIMIT
        while not (idle := NO_COMPILE.fullmatch(ask(self.pid, "Compiler.queue"))) and time.monotonic() < end:
            time.sleep(0.05)
        return bool(idle)

    def histogram(self):
        """The VM's own: it makes a full collection first."""
        rows = re.findall(r"^ *\d+: +(\d+) +(\d+) +(\S+)", ask(self.pid, "GC.class_histogram"), re.M)
        classes = {}
        for n, size, name in rows:  # one for each of a name, by their loaders
            had = classes.get(java_name(name), (0, 0))
            classes[java_name(name)] = had[0] + int(n), had[1] + int(size)
        return classes


def told(report):
    """(class, method) → row."""
    return {(r["class"], r["frames"][0]["class"] + "." + r["frames"][0]["method"] if r["frames"] else ""): r for r in report["rows"]
            if not r["older"]}


class Case:
    def __init__(self, bench, jdk, gc, verify, tight=False):
        self.bench, self.jdk, self.gc, self.verify, self.tight = bench, jdk, gc, verify, tight

    def check(self, what, ok, why=""):
        return self.bench.check(f"{self.jdk.release} {self.gc}{' tight' * self.tight}: {what}", ok, why)

    def marks(self):
        """Whether they have room for sites."""
        if self.jdk.major == 11:
            return ["-XX:+UseBiasedLocking", "-XX:BiasedLockingStartupDelay=0"] if self.tight else ["-XX:-UseBiasedLocking"]
        return ["-XX:+UseCompactObjectHeaders"] if self.tight else []

    def flags(self):
        return [*self.jdk.flags(self.gc), "-Xmx512m", "-Xmn24m", *self.marks(), *(VERIFY if self.verify else [])]

    def sums(self, what, report):
        """Every report adds up."""
        h = report["heap"]
        rows = sum(r["objects"] for r in report["rows"]), sum(r["bytes"] for r in report["rows"])
        parts = all(r["objects"] == r["old"]["objects"] + r["unknown"]["objects"] + sum(a["objects"] for a in r["young"])
                    for r in report["rows"])
        all_ = h["known"]["objects"] + h["unknown"]["objects"], h["known"]["bytes"] + h["unknown"]["bytes"]
        self.check(f"{what}: {all_[0]} objects: the rows are all of it", rows == all_ and parts, f"{rows} {all_}")
        self.check(f"{what}: nothing is unread, or lost", not h["unread"] and not h["unstamped"] and not h["sites_lost"], h)
        self.check(f"{what}: no more than the VM has in use", all_[1] <= h["used"] and h["used"] == h["vm_used"], h)

    def truth(self, what, report, held):
        rows = told(report)
        for method, n in held.items():
            row = rows.get((CLASSES[method], f"Holdings.{method}"), {"objects": 0})
            self.check(f"{what}: {n} of {method}", row["objects"] == n,
                       {k: v for k, v in row.items() if k != "young"})

    def hashes(self, p, what):
        wrong = p.do("check")
        self.check(f"{what}: identity hashes are what they were", wrong == 0, wrong)

    def against_the_vm(self, p, what):
        """By class: the program rests, and nothing was allocated since but by the VM's own thread that answers jcmd."""
        ask(p.pid, "VM.version")
        self.check(f"{what}: compilers come to rest", p.compiled())
        p.heap("--gc")  # what it only queues (cleaners, phantom references) is gone after the next one
        report, vm = p.heap("--gc", "--by", "class"), p.histogram()
        ours = {r["class"]: (r["objects"], r["bytes"]) for r in report["rows"]}
        hidden = re.compile(r"\$\$|0x|jdk\.internal\.vm\.Filler")
        if self.jdk.major < 19 and self.gc == "Serial":  # whose gaps are filled with int[]
            hidden = re.compile(hidden.pattern + r"|^int\[\]$")
        apart = {c: (ours.get(c), vm.get(c)) for c in {*ours, *vm} if not hidden.search(c or "") and ours.get(c) != vm.get(c)}
        # The thread that forces the collection is one of the program's as long as it does.
        more = {c: ours[c][0] - vm.get(c, (0, 0))[0] for c in apart if c in ours}
        self.check(f"{what}: {len(vm)} classes are as the VM counts them, but for one thread",
                   len(more) == len(apart) and all(n == 1 and c in A_THREAD for c, n in more.items()), apart)

    def young(self, p, what):
        """At a collection that comes by itself."""
        p.do("churn")
        report = p.heap()
        p.do("rest")
        self.check(f"{what}: it was not forced", not report["heap"]["forced"], report["heap"])
        return report

    def mark(self, p):
        """Objects that are followed are let go in a full collection where they have a monitor, and where a hash of the program's is
        an identity of another one's: of 30 000 hashes and 80 000 objects one or two are."""
        if not self.tight:
            p.do("hash")
            p.do("lock")

    def launch(self):
        trace = self.bench.path(f"launch-{self.jdk.name}-{self.gc}.mfly")
        p = Program(self, self.bench.agent_flag(f"file={trace},exact,audit,{SAMPLES}"))
        held = dict(HELD)
        p.do("warm")
        p.hold(held)
        self.mark(p)
        p.do("collect 17")
        first = self.young(p, "launch")
        self.sums("launch, next", first)
        self.truth("launch, next", first, held)
        self.hashes(p, "launch, next")
        for number in range(3):
            what = f"launch, forced {number + 1}"
            report = p.heap("--gc")
            self.sums(what, report)
            self.truth(what, report, held)
            self.hashes(p, what)
            held["first"] = p.do(f"drop first {number + 2}")
            held["vast"] = p.do("drop vast 3")
            held["second"] = p.do("hold second 500")
            p.do("collect 2")
        after = self.young(p, "launch, after")
        self.truth("launch, after", after, {"second": held["second"], "bytes": held["bytes"]})
        status, out, err = self.bench.tool("check", trace)
        self.check("launch: mayfly check", status in (0, 1) and "sound, but cut" in out, out + err)
        self.against_the_vm(p, "launch")
        p.end("launch")

    def attach(self):
        p = Program(self)
        p.do("warm")
        p.hold({"older": 5000})
        p.do("collect 3")
        recorder, _ = self.record(p, "attach")
        p.hold(HELD)
        self.mark(p)
        report = p.heap("--gc")
        self.sums("attach", report)
        self.truth("attach", report, HELD)
        self.hashes(p, "attach")
        by_class = {r["class"]: r for r in p.heap("--gc", "--by", "class")["rows"]}
        for method in ("first", "second"):
            row = by_class[CLASSES[method]]
            self.check(f"attach: {method}: all of the class, all with their site", row["objects"] == HELD[method] and
                       row["unknown"]["objects"] == 0, row)
        older = by_class["Holdings$Older"]
        self.check("attach: 5000 older ones", (older["objects"], older["unknown"]["objects"]) == (5000, 5000), older)
        self.against_the_vm(p, "attach")
        self.bench.tool("attach", p.pid, "--stop")
        recorder.communicate()
        self.hashes(p, "attach, after")
        self.attached_again(p)
        p.end("attach")

    def record(self, p, what):
        """The recorder, and its trace; the program's code has been compiled with the probes in it."""
        trace = self.bench.path(f"{what}-{self.jdk.name}-{self.gc}.mfly")
        recorder = subprocess.Popen([self.bench.mayfly, "attach", p.pid, "--exact",
                                     "-o", trace, "--interval", "512k"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.bench.recorded(p.pid, recorder)
        p.do("warm")
        p.do("warm")
        return recorder, trace

    def attached_again(self, p):
        """Objects have kept the marks of the first recording: to the second they are older than it."""
        recorder, trace = self.record(p, "again")
        before = HELD["second"]
        p.hold({"second": 7000})
        report = p.heap("--gc")
        self.sums("again", report)
        by_class = {r["class"]: r for r in p.heap("--gc", "--by", "class")["rows"]}
        for method in ("first", "bytes", "vast", "second"):
            row = by_class[CLASSES[method]]
            self.check(f"again: {method} of the first recording are older", row["unknown"]["objects"] >= HELD[method], row)
        row, fresh = by_class[CLASSES["second"]], told(report).get((CLASSES["second"], "Holdings.second"), {"objects": 0})["objects"]
        self.check("again: 7000 more of second", row["objects"] == before + 7000 and fresh == 7000,
                   (row, fresh))
        self.against_the_vm(p, "again")
        self.bench.tool("attach", p.pid, "--stop")
        recorder.communicate()
        status, out, err = self.bench.tool("check", trace)
        self.check("again: the trace is sound", status == 0, out + err)

    def unload(self, rounds):
        """Classes come and go, while the old generation is full of dead objects of theirs."""
        trace = self.bench.path(f"unload-{self.jdk.name}-{self.gc}.mfly")
        concurrent = ["-XX:InitiatingHeapOccupancyPercent=1", "-XX:G1HeapRegionSize=1m"] if self.gc == "G1" else []
        p = Program(self, "-XX:MaxTenuringThreshold=1", *concurrent, self.bench.agent_flag(f"file={trace},exact,{SAMPLES}"))
        held = {"first": 20_000, "second": 10_000}
        p.do("warm")
        p.hold(held)
        if not self.tight:
            p.do("hash")
        for number in range(rounds):
            p.do("classes 300")
            p.do("collect 8")
            report = self.young(p, f"unload {number}") if number % 3 != 2 else p.heap("--gc")
            self.truth(f"unload {number}", report, held)
            self.check(f"unload {number}: nothing is unread, or lost", not report["heap"]["unread"] and
                       not report["heap"]["unstamped"], report["heap"])
        self.hashes(p, "unload")
        self.against_the_vm(p, "unload")
        p.end("unload")


def refusals(bench, jdk):
    """Where it can't be, one sentence says what is missing."""
    case = Case(bench, jdk, "G1", False)

    def says(what, p, *words):
        status, out, err = bench.tool("heap", p)
        case.check(f"refused: {what}", status == 1 and not out and err.count("\n") == 1 and all(w in err for w in words), out + err)

    status, out, err = bench.tool("heap", "--gc", "x.mfly")
    case.check("refused: --gc of a file", status == 2 and "--gc is for a PID" in err, err)
    status, out, err = bench.tool("heap", "--at", "end", "1")
    case.check("refused: --at of a PID", status == 2 and "--objects and --whole are for a FILE" in err, err)
    says("no such process", "999999999", "no process")
    p = Program(case)
    says("not recorded", p.pid, "not being recorded", f"mayfly attach {p.pid} --exact")
    p.end("refused")
    p = Program(case, bench.agent_flag(f"file={bench.path('plain.mfly')},{SAMPLES}"))
    says("without the engine", p.pid, "--exact")
    p.end("refused, without the engine")
    p = Program(case, bench.agent_flag(f"file={bench.path('idle.mfly')},exact,{SAMPLES}"))
    says("no collection comes", p.pid, "--gc")
    p.end("refused, no collection")


CASES = ("launch", "attach", "unload", "refused")


def main():
    p = jvm.parser(__doc__)
    p.add_argument("--case", action="append", choices=CASES, help="may be repeated (default: all)")
    p.add_argument("--rounds", type=int, default=6, help="of unload")
    p.add_argument("--verify", action="store_true", help="let the VM verify its heap around each collection")
    p.add_argument("--tight", action="store_true", help="marks have no room for sites: compact headers (25), biased locks (11, by attach)")
    args = p.parse_args()
    cases = args.case or CASES
    bench = jvm.Bench(args.keep)
    for jdk, gc in jvm.pairs(args):
        if gc not in COLLECTORS or (args.tight and 11 < jdk.major < 25):
            continue
        case = Case(bench, jdk, gc, args.verify, args.tight)
        if "launch" in cases:
            case.launch()
        if "attach" in cases:
            case.attach()
        if "unload" in cases:
            case.unload(args.rounds)
    if "refused" in cases:
        for jdk in jvm.jdks(args.jdk):
            refusals(bench, jdk)
    return bench.done()


if __name__ == "__main__":
    sys.exit(main())
