#!/usr/bin/env python3
"""Attaches again and again to a program that collects all the time, each time for a moment. Taking the agent out must never
hang or crash the program, as the VM's own ways to do it can (doc/jvm.md, "Deaths"). And what stays behind must stay small.

    test/jvm/again.py --runs 400 --jdk 25 --gc Serial
    test/jvm/again.py --tenure --runs 40 --jdk 21 --gc Serial
    test/jvm/again.py --shed --runs 40 --jdk 25 --gc G1
    test/jvm/again.py --redefined --runs 20 --jdk 21 --gc Serial
    test/jvm/again.py --cached --runs 2 --jdk 25 --gc G1
"""
import os
import sys
import time
import zipfile

import jvm

HEAP = ["-Xms64m", "-Xmx64m", "-Xmn3m", "-XX:+AlwaysPreTouch"]  # so that what grows is not the heap
WARM = 20  # attaches, until what the VM makes once is made
LEAST, EACH = 1024, 4  # kB that may stay: at all, and of each attach
# C2 takes some MB once, at any time, and keeps them. Where what stays is measured, there is only C1.
MEASURED = {"Serial": ["-XX:TieredStopAtLevel=1"]}  # other collectors resize and remap their heap as they like


def resident(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as f:
        return next(int(line.split()[1]) for line in f if line.startswith("VmRSS:"))


# The VM that uses what it has freed finds something else there.
FREED = {"MALLOC_PERTURB_": "165"}


# Each begin and end has the VM throw away its compiled code, of which it keeps lists.
SHED = (["attach", "--exact"], ["attach", "--exact=trace"], ["tenure", "--exact", "--attach"])


class Shed:
    """To a program that unloads classes, and compiled code with them, all the time (java/Shed.java), with the exact engine."""
    NAME = "shed"

    def __init__(self, bench, jdk, gc):
        self.bench, self.jdk, self.gc, self.name = bench, jdk, gc, f"{jdk.release} {gc} {self.NAME}"
        loading = ["-XX:+EnableDynamicAgentLoading"] if jdk.major >= 21 else []
        biased = ["-XX:-UseBiasedLocking"] if jdk.major == 11 else []
        self.process = bench.start(jdk, *jdk.flags(gc), "-Xmx64m", *biased, *loading, *self.program(), stdin=-1, env=FREED)
        while self.process.stdout.readline() not in ("ready\n", ""):
            pass

    def program(self):
        return ["-cp", self.bench.classes, "Shed"]

    def go(self, runs):
        wrong = ""
        for number in range(runs):
            if not wrong:
                how = SHED[number % len(SHED)]
                status, out, err = self.bench.tool(*how, str(self.process.pid), "-d", "300ms", "-o", self.bench.path("shed.mfly"))
                # The program's options say that agents come late: nothing is said of that.
                wrong = "" if status == 0 and "loaded late" not in err else f"attach {number}: {out}{err}"
                time.sleep(0.4)
        self.bench.check(f"{self.name}: {runs} times", not wrong, wrong)
        if self.process.poll() is None:
            self.process.stdin.write("\n")
        got = self.bench.finish(self.process)
        self.bench.check(f"{self.name}: the program is unharmed", got.status == 0 and "sum" in got.out and not got.err, got.out[-500:] + got.err)


class Redefined(Shed):
    """To one with code that knows old methods, as a class is redefined and the heap collected all the time (java/Aged.java)."""
    NAME = "redefined"

    def program(self):
        jar = self.bench.path("aged.jar")
        with zipfile.ZipFile(jar, "w") as z:
            z.writestr("META-INF/MANIFEST.MF", "Premain-Class: Aged\nCan-Redefine-Classes: true\n")
        return [f"-javaagent:{jar}", "-cp", self.bench.classes, "Aged"]


class Cached(Shed):
    """To one whose VM notes what a cache of its classes (AOT, JDK 25) is to hold, which is nothing that was redefined."""
    NAME = "cached"

    def program(self):
        self.jar, self.noted = self.bench.path("shed.jar"), self.bench.path("shed.aotconf")
        with zipfile.ZipFile(self.jar, "w") as z:
            for name in sorted(os.listdir(self.bench.classes)):
                if name == "Leaf.class" or name.startswith("Shed"):
                    z.write(os.path.join(self.bench.classes, name), name)
        return [*self.aot("record"), "-cp", self.jar, "Shed"]

    def aot(self, mode):
        return [f"-XX:AOTMode={mode}", f"-XX:AOTConfiguration={self.noted}"]

    def go(self, runs):
        super().go(runs)
        cache = self.bench.path("shed.aot")
        made = self.bench.java(self.jdk, *self.jdk.flags(self.gc), "-Xmx64m", *self.aot("create"), f"-XX:AOTCache={cache}", "-cp", self.jar)
        self.bench.check(f"{self.name}: the cache is made", made.status == 0 and os.path.exists(cache), made.out[-1500:] + made.err)


class Case:
    def __init__(self, bench, jdk, gc, tenure):
        self.bench, self.gc, self.tenure, self.name = bench, gc, tenure, f"{jdk.release} {gc}{' tenure' if tenure else ''}"
        loading = ["-XX:+EnableDynamicAgentLoading"] if jdk.major >= 21 else []
        flags = [*jdk.flags(gc), *HEAP, *MEASURED.get(gc, []), *loading]
        self.process = bench.start(jdk, *flags, "-cp", bench.classes, "Mill", "input", stdin=-1, env=FREED if tenure else None)
        while self.process.stdout.readline() not in ("ready\n", ""):
            pass

    def attach(self, number):
        """Whether it went well."""
        how = ["tenure", "--attach", str(self.process.pid)] if self.tenure else ["attach", str(self.process.pid), "--interval", "16k"]
        status, out, err = self.bench.tool(*how, "-d", "100ms", "-o", self.bench.path("again.mfly"))
        if status == 0:
            return True
        ended = self.process.poll()
        self.process.kill()
        got = self.bench.finish(self.process)
        return self.bench.check(f"{self.name}: attach {number}", False, f"{out}{err}the program: exit status {ended}\n{got.out}{got.err}")

    def go(self, runs):
        before = 0
        for number in range(1, runs + 1):
            if not self.attach(number):
                return
            if number == WARM:
                before = resident(self.process.pid)
        grown = resident(self.process.pid) - before if before else 0
        self.bench.check(f"{self.name}: {runs} times", True)
        if self.gc in MEASURED and not self.tenure:
            self.bench.check(f"{self.name}: {grown} kB more", grown <= LEAST + EACH * runs,
                             f"{grown} kB after {before} kB")
        self.process.stdin.write("\n")
        got = self.bench.finish(self.process)
        self.bench.check(f"{self.name}: the program is unharmed", got.status == 0 and "sum" in got.out and not got.err, got.err)


def main():
    p = jvm.parser(__doc__)
    p.add_argument("--runs", type=int, default=100)
    p.add_argument("--tenure", action="store_true", help="with tenure, which brings threads of its own to Java")
    p.add_argument("--shed", action="store_true", help="to a program that unloads classes, with the exact engine")
    p.add_argument("--redefined", action="store_true", help="to a program of which a class is redefined, with the exact engine")
    p.add_argument("--cached", action="store_true", help="to a program of which an AOT cache is made, with the exact engine")
    args = p.parse_args()
    bench = jvm.Bench(args.keep)
    kinds = [kind for kind in (Shed, Redefined, Cached) if getattr(args, kind.NAME)]
    for jdk, gc in jvm.pairs(args):
        if kinds:
            for kind in kinds:
                kind(bench, jdk, gc).go(args.runs)
        elif gc != "Epsilon":
            Case(bench, jdk, gc, args.tenure).go(args.runs)
    bench.done()


if __name__ == "__main__":
    sys.exit(main())
