#!/usr/bin/env python3
"""However a program ends, its trace is whole, and holds what it made: with a heap so full that the VM can't make the thread that would tell of
its end, by exit, halt or an exception, and by exit(3) in native code.

    test/jvm/ends.py --jdk 17 --gc G1
    test/jvm/ends.py --jdk 11 --jdk 25 --gc Serial --mode exact=trace
"""
import csv
import io
import os
import subprocess
import sys

import jvm
import trace
from stress import ask

MODES = ["interval=1k,max-walks=0", "exact", "exact=trace", "tenure"]
HEADER = 32 # bytes of a trace without a block
LEFT = 5 # the status of who ends by native code
WAYS = ["return", "exit", "halt", "throw", "native"]
ON_FULL = ["-XX:+ExitOnOutOfMemoryError"]  # up to 17 by exit(3), from 21 on by _exit, which nobody sees


class Case:
    def __init__(self, bench, jdk, gc, mode, library):
        self.bench, self.jdk, self.gc, self.mode, self.library = bench, jdk, gc, mode, library

    def run(self, heap, way, flags=()):
        name = f"{self.jdk.release} {self.gc} {self.mode.split(',')[0]}: {heap}, {way}{' ' if flags else ''}{' '.join(flags)}"
        path = self.bench.path("ends.mfly")
        if os.path.exists(path):
            os.unlink(path)
        got = self.bench.java(self.jdk, *self.jdk.flags(self.gc), "-Xmx24m", *flags, self.bench.agent_flag(f"file={path},{self.mode}"),
                              "-cp", self.bench.classes, "Ends", heap, way, self.library)
        status, out, err = self.bench.tool("check", path)
        if self.bench.check(f"{name}: the trace is whole", status == 0 and ": whole" in out, out + err + got.err):
            self.made(name, path, got)
            if got.status == LEFT: # on a full heap the VM may not find room to call it
                self.told(name, path)
        if (heap, way) == ("free", "native"):
            self.bench.check(f"{name}: it left by native code", got.status == LEFT, got.out + got.err)
        self.bench.check(f"{name}: the end was not waited for", "seconds after the program's end" not in got.err, got.err)

    def killed(self):
        """By then a first block says what VM it is, and not because the first second is over."""
        name = f"{self.jdk.release} {self.gc} {self.mode.split(',')[0]}: killed"
        path, control = self.bench.path("killed.mfly"), self.bench.path("control.sock")
        process = self.bench.start(self.jdk, *self.jdk.flags(self.gc), self.bench.agent_flag(f"file={path},compress=no,control={control},{self.mode}"),
                                   "-cp", self.bench.classes, "Ends", "free", "wait", stdin=subprocess.PIPE)
        while process.poll() is None and int(ask(control, "status").get("bytes", 0)) <= HEADER:
            pass
        process.kill()
        got = self.bench.finish(process)
        status, out, err = self.bench.tool("check", path)
        self.bench.check(f"{name}: the trace is cut", status == 0 and ": sound, but cut" in out, out + err + got.err)
        kind, time, count, payload = next(trace.blocks(path))
        rows = trace.Payload(payload, time)
        records = [rows.record() for _ in range(count)]
        names = {record[0] for record in records}
        self.bench.check(f"{name}: its first block has the VM's facts, and no tick", "fact" in names and "tick" not in names, names)

    def told(self, name, path):
        _, out, err = self.bench.tool("info", path)
        self.bench.check(f"{name}: it says that the VM said nothing", "without a word from the VM" in out, out + err)

    def made(self, name, path, got):
        if not self.mode.startswith("exact"):
            return
        status, out, err = self.bench.tool("report", path, "--by", "class", "--min", "0", "--csv")
        rows = {row["class"]: int(row["alloc_objects"]) for row in csv.DictReader(io.StringIO(out))}
        want = int(got.out.split()[1])
        self.bench.check(f"{name}: {want} Things", rows.get("Ends$Thing") == want, f"{rows.get('Ends$Thing')}\n{err}{got.out}")


def main():
    parser = jvm.parser(__doc__)
    parser.add_argument("--mode", action="append", help="of " + ", ".join(MODES) + " (all)")
    args = parser.parse_args()
    bench = jvm.Bench(args.keep)
    library = os.path.join(os.path.dirname(os.environ["MAYFLY_HOLDER"]), "ends_library.so")
    for jdk, gc in jvm.pairs(args):
        for mode in args.mode or MODES:
            case = Case(bench, jdk, gc, mode, library)
            for way in WAYS:
                case.run("full", way)
            case.run("free", "native")
            case.killed()
            if jdk.major < 21:
                case.run("full", "return", ON_FULL)
    return bench.done()


if __name__ == "__main__":
    sys.exit(main())
