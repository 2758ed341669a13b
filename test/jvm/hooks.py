#!/usr/bin/env python3
"""The VM's functions are found and patched (src/hotspot) so that each object of a known number is seen: in interpreted code and in that of
either compiler, from the start and after a late attach, with C2's fast path; and each full collection comes by the trap (hooks_agent.c).

    test/jvm/hooks.py --jdk 11 --gc Serial
"""
import os
import subprocess
import sys

import jvm

HEAP = ["-Xmx256m", "-Xmn64m"]
THREADS = 2
# How it is compiled: flags, objects a thread.
MODES = {"interpreter": (["-Xint"], 50_021), "C1": (["-XX:TieredStopAtLevel=1"], 300_007), "C2": (["-XX:-TieredCompilation"], 2_000_003)}
VERIFY = ["-XX:+UnlockDiagnosticVMOptions", "-XX:+VerifyBeforeGC", "-XX:+VerifyAfterGC"]


class Counts:
    """What the agent wrote."""

    def __init__(self, path):
        self.values, self.classes = {}, []
        with open(path, encoding="utf-8") as f:
            for line in f:
                name, rest = line.rstrip("\n").split(" ", 1)
                if name == "class":
                    self.classes.append(tuple(map(int, rest.split())))
                else:
                    self.values[name] = rest

    def of(self, number):
        """Those of the class with so many events: (events, outside of the library)."""
        return next((c for c in self.classes if c[0] == number), None)

    def __str__(self):
        return f"{self.values}, classes {sorted(self.classes, reverse=True)[:5]}"


class Hooks:
    def __init__(self, bench, agent):
        self.bench, self.agent, self.output = bench, agent, bench.path("counts")

    def options(self, more=""):
        if os.path.exists(self.output):
            os.remove(self.output)
        return self.output + more

    def counts(self, name, got):
        ok = got.status == 0 and "done" in got.out and os.path.exists(self.output)
        if not self.bench.check(f"{name}: the program is unharmed", ok, f"{got.status} {got.out}{got.err}"):
            return None
        c = Counts(self.output)
        self.bench.check(f"{name}: no trouble", "trouble" not in c.values, c)
        return c

    def started(self, jdk, gc, mode):
        flags, number = MODES[mode]
        name = f"{jdk.release} {gc} {mode}"
        verify = VERIFY if mode == "C2" else []
        got = self.bench.java(jdk, *jdk.flags(gc), *HEAP, *flags, *verify, f"-agentpath:{self.agent}={self.options()}", "-cp",
                              self.bench.classes, "Hooks", str(number), "0", str(THREADS))
        c = self.counts(name, got)
        if not c:
            return
        seen = c.of(number * THREADS)
        self.bench.check(f"{name}: each of {number * THREADS} objects is seen", seen is not None, c)
        self.bench.check(f"{name}: each of 3 full collections is seen", c.values["full"] == "3", c)
        if mode == "C2":
            self.fast(name, jdk, seen, c)

    def fast(self, name, jdk, seen, c):
        self.bench.check(f"{name}: nearly all of them in compiled code", seen and seen[1] > 0.98 * seen[0], c)
        wraps = jdk.major == 17
        self.bench.check(f"{name}: the wrapper mends on 17 only", (c.values["mended"] != "0") == wraps and c.values["missed"] == "0", c)

    def slow(self, jdk, gc):
        """Without the fast path, as the VM has it: so that the test above can fail."""
        flags, number = MODES["C2"]
        name = f"{jdk.release} {gc} C2, slow"
        got = self.bench.java(jdk, *jdk.flags(gc), *HEAP, *flags, f"-agentpath:{self.agent}={self.options(',slow')}", "-cp",
                              self.bench.classes, "Hooks", str(number), "0", str(THREADS))
        c = self.counts(name, got)
        if c:
            seen = c.of(number * THREADS)
            self.bench.check(f"{name}: most of them in the VM", seen and seen[1] < 0.3 * seen[0], c)

    def attached(self, jdk, gc, probe):
        """The loop is compiled before the agent comes."""
        number = MODES["C2"][1]
        name = f"{jdk.release} {gc} attached"
        dynamic = ["-XX:+EnableDynamicAgentLoading"] if jdk.major >= 21 else []
        process = self.bench.start(jdk, *jdk.flags(gc), *HEAP, *dynamic, "-cp", self.bench.classes, "Hooks", str(number), str(number),
                                   str(THREADS), "wait", stdin=subprocess.PIPE)
        process.stdout.readline()
        said = subprocess.run([probe, str(process.pid), "20000", "load", self.agent, self.options()], stdout=subprocess.PIPE,
                              text=True, check=False).stdout
        self.bench.check(f"{name}: the agent is loaded", said == "ok 0\n", said)
        process.stdin.write("go\n")
        process.stdin.flush()
        c = self.counts(name, self.bench.finish(process))
        if not c:
            return
        if jdk.major < 25:
            self.bench.check(f"{name}: each of {number * THREADS} objects is seen", c.of(number * THREADS) is not None, c)
            return
        # What the interpreter allocates until the code is compiled again is not seen.
        most = max(n for n, _ in c.classes)
        self.bench.say(f"{name}: {most} of {number * THREADS}")
        self.bench.check(f"{name}: most are seen", 0.5 * number * THREADS < most <= number * THREADS, c)


def main():
    args = jvm.parser(__doc__).parse_args()
    agent, probe = os.environ.get("MAYFLY_HOOKS"), os.environ.get("MAYFLY_PROBE")
    if not agent or not probe:
        print("1..0 # SKIP MAYFLY_HOOKS does not name hooks_agent.so, or MAYFLY_PROBE not attach_probe")
        return 77
    bench = jvm.Bench(args.keep)
    hooks = Hooks(bench, agent)
    for jdk, gc in jvm.pairs(args):
        if gc not in ("Serial", "Parallel", "G1") or jdk.major not in jvm.KNOWN:
            continue
        for mode in MODES:
            hooks.started(jdk, gc, mode)
        if jdk.major < 21:
            hooks.slow(jdk, gc)
        hooks.attached(jdk, gc, probe)
    return bench.done()


if __name__ == "__main__":
    sys.exit(main())
