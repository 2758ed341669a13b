#!/usr/bin/env python3
"""The agent under java/Stress.java: threads and classes that come and go, stacks that overflow, virtual threads, children, every way
to end, small and odd settings, a full disk, kill -9. The program must end as it would without the agent, without crash files
and without warnings, and the trace must be whole, or say where it is cut.

    test/jvm/stress.py --runs 20 --jdk 25 --gc "ZGC generational" --case halt
"""
import glob
import os
import resource
import socket
import subprocess
import sys

import jvm

HEAP = ["-Xmx128m", "-XX:-HeapDumpOnOutOfMemoryError"]

# name: agent options, flags of the VM, rounds, end, exit status
CASES = {
    "return": ("interval=4k", [], 2, "return", 0),
    "exit": ("interval=4k", [], 1, "exit", 3),
    "halt": ("interval=4k", [], 1, "halt", 5),
    "throw": ("interval=4k", [], 1, "throw", 1),
    "oom": ("interval=4k", ["-Xmx64m"], 1, "oom", 1),
    "hang": ("interval=4k", [], 1, "exit-in-hook", None),
    "every byte": ("interval=1,max-walks=20000", [], 1, "return", 0),
    "every object": ("interval=0,depth=8", [], 1, "return", 0),
    "deep": ("interval=4k,depth=2048,max-walks=200", [], 1, "return", 0),
    "evict": ("interval=1k,max-live=16,max-rate=0", [], 2, "return", 0),
    "many": ("interval=1k,max-rate=0,max-walks=0,max-live=200000", [], 2, "return", 0),
    "memory": ("interval=1k,memory=1m,max-walks=0", [], 2, "return", 0),
    "thread": ("interval=1k,thread=^(short|task 7)", [], 2, "return", 0),
    "include": ("interval=4k,include=Stress*", [], 2, "return", 0),
    "exclude": ("interval=4k,exclude=Stress*,exclude=java.*", [], 2, "return", 0),
    "stored": ("interval=4k,compress=no", [], 2, "return", 0),
    "nop": ("engine=nop,interval=4k", [], 2, "return", 0),
    "no counters": ("interval=4k", ["-XX:-UsePerfData"], 2, "return", 0),
    "no counter file": ("interval=4k", ["-XX:+PerfDisableSharedMem"], 2, "return", 0),
    "no counter file, exit": ("interval=4k", ["-XX:+PerfDisableSharedMem"], 1, "exit", 3),
    "no counter file, halt": ("interval=4k", ["-XX:+PerfDisableSharedMem"], 1, "halt", 5),
    "check jni": ("interval=4k", ["-Xcheck:jni"], 1, "return", 0),
    "killed": ("interval=4k", [], 1, "forever", None),
    "full disk": ("interval=512,compress=no,max-walks=0", [], 2, "return", 0),
}
DISK = 600 << 10  # bytes, of the full disk


def ask(path, request):
    """What the agent answers; nothing where it does not listen yet, or no more."""
    reply = b""
    with socket.socket(socket.AF_UNIX) as s:
        try:
            s.connect(path)
            s.sendall(request.encode() + b"\n")
            while part := s.recv(4096):
                reply += part
        except (ConnectionError, FileNotFoundError):
            pass
    return dict(line.split(" ", 1) for line in reply.decode().splitlines() if " " in line)


def limit_disk():
    resource.setrlimit(resource.RLIMIT_FSIZE, (DISK, DISK))


class Run:
    def __init__(self, bench, jdk, gc, case, number):
        self.bench, self.jdk, self.case = bench, jdk, case
        options, flags, self.rounds, self.end, self.status = CASES[case]
        self.name = f"{jdk.release} {gc} {case}" + (f" {number}" if number else "")
        # Epsilon ends the program at once where others throw an OutOfMemoryError: no agent is told.
        self.cut_short = gc == "Epsilon" and self.end == "oom"
        if self.cut_short:
            self.status = 3
        self.trace = bench.path("stress.mfly")
        self.control = bench.path("control.sock")
        heap = ["-Xmx4g"] if gc == "Epsilon" else HEAP
        self.flags = [*jdk.flags(gc), *heap, *(f for f in flags if gc != "Epsilon" or "-Xmx" not in f)]
        # The agent is told to be seen on a socket of its own; commas in a regular expression would need a backslash.
        self.agent = bench.agent_flag(f"file={self.trace},control={self.control},{options}")

    def command(self, agent=True):
        return [*self.flags, *([self.agent] if agent else []), "-cp", self.bench.classes, "Stress", str(self.rounds), self.end]

    def go(self):
        for old in (self.trace, self.control):
            if os.path.exists(old):
                os.remove(old)
        got = getattr(self, "go_" + self.case.replace(" ", "_"), self.go_plainly)()
        crashes = glob.glob(self.bench.path("hs_err*")) + glob.glob(self.bench.path("core*"))
        self.bench.check(f"{self.name}: nothing crashed", not crashes, crashes)
        for crash in crashes:
            os.rename(crash, self.bench.path("kept-" + os.path.basename(crash)))
        return got

    def program(self, got, said=""):
        errors = got.err.replace(said, "", 1) if said else got.err
        out = jvm.CONSIDER.sub("", got.out)
        if self.cut_short:
            out = out.replace("Terminating due to java.lang.OutOfMemoryError: Java heap space\n", "")
        if self.end in ("throw", "oom") and not self.cut_short:
            word = "IllegalArgumentException: as asked for" if self.end == "throw" else "OutOfMemoryError: Java heap space"
            quiet = word in errors and "mayfly" not in errors and "WARNING" not in errors
        else:
            quiet = not errors
        self.bench.check(f"{self.name}: the program is unharmed", quiet and got.status == self.status and out == "ready\ndone\n",
                         f"exit status {got.status}\nstdout: {got.out}\nstderr: {got.err}")

    def whole(self):
        status, out, err = self.bench.tool("check", self.trace)
        self.bench.check(f"{self.name}: mayfly check", status == 0 and ": whole" in out, out + err)

    def go_plainly(self):
        got = self.bench.java(self.jdk, *self.command())
        self.program(got)
        if self.cut_short:
            self.bench.check(f"{self.name}: what is whole is read", self.bench.json("report", self.trace)["trace"]["samples"] > 0)
            return
        self.whole()
        self.bench.check(f"{self.name}: the control socket is gone", not os.path.exists(self.control))
        if self.case == "nop":
            return
        info = self.bench.json("info", self.trace)
        self.bench.check(f"{self.name}: there are samples", info["samples"] > 0, info)

    def go_check_jni(self):
        """The VM complains about its own libraries too; the agent must add nothing."""
        plain = self.bench.java(self.jdk, *self.command(agent=False))
        got = self.bench.java(self.jdk, *self.command())
        complaints = [{line for line in (g.out + g.err).splitlines() if "WARNING" in line or "FATAL" in line} for g in (plain, got)]
        self.bench.check(f"{self.name}: no complaint about the agent", got.status == 0 and complaints[1] <= complaints[0],
                         f"exit status {got.status}\n" + got.out[-3000:] + got.err[-3000:])
        self.whole()

    def running(self):
        """The program, with some of the trace written."""
        process = self.bench.start(self.jdk, *self.command(), stdin=subprocess.DEVNULL)
        process.stdout.readline()
        while process.poll() is None and int(ask(self.control, "status").get("bytes", 0)) < 100_000:
            ask(self.control, "flush")
        return process

    def cut(self, process):
        process.kill()
        self.bench.finish(process)
        with open(self.trace, "rb+") as f:  # as if the last block had been on its way
            f.truncate(os.path.getsize(self.trace) - 7)
        status, out, err = self.bench.tool("check", self.trace)
        self.bench.check(f"{self.name}: the cut is told", status == 0 and ": sound, but cut" in out, f"exit status {status}\n{out}{err}")
        report = self.bench.json("report", self.trace)
        self.bench.check(f"{self.name}: what is whole is read", report["trace"]["samples"] > 0 and not report["trace"]["complete"],
                         report["trace"])

    def go_killed(self):
        self.cut(self.running())

    def go_hang(self):
        """System.exit in a shutdown hook waits for itself for ever: so it does with the agent."""
        process = self.bench.start(self.jdk, *self.command(), stdin=subprocess.DEVNULL)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            pass
        self.bench.check(f"{self.name}: hangs as it does without the agent", process.poll() is None)
        self.bench.check(f"{self.name}: the agent still answers", ask(self.control, "status").get("state") == "recording")
        self.cut(process)

    def go_full_disk(self):
        got = self.bench.java(self.jdk, *self.command(), preexec_fn=limit_disk)
        said = f"mayfly: can't write the trace {self.trace}: File too large; recording ends, the program goes on\n"
        self.bench.check(f"{self.name}: it is said", said in got.err, got.err)
        self.program(got, said)
        self.bench.check(f"{self.name}: the trace is no larger", os.path.getsize(self.trace) <= DISK)
        report = self.bench.json("report", self.trace)
        self.bench.check(f"{self.name}: what is whole is read", report["trace"]["samples"] > 0 and not report["trace"]["complete"],
                         report["trace"])


def main():
    p = jvm.parser(__doc__)
    p.add_argument("--runs", type=int, default=1)
    p.add_argument("--case", action="append", choices=CASES, help="may be repeated (default: all)")
    args = p.parse_args()
    bench = jvm.Bench(args.keep)
    for jdk, gc in jvm.pairs(args):
        for case in args.case or CASES:
            if case == "full disk" and gc.startswith("ZGC"):
                continue  # Z's heap is a file to the system: the VM itself does not start within the limit
            for number in range(1, args.runs + 1):
                Run(bench, jdk, gc, case, number if args.runs > 1 else 0).go()
    bench.done()


if __name__ == "__main__":
    sys.exit(main())
