#!/usr/bin/env python3
"""The agent in each JDK with each collector, in each way that a recording can begin and end. A run must leave the program
as it was: exit status, output, no word on stderr but the VM's own about agents that are loaded late; and the trace must be whole.

    test/jvm/matrix.py --jdk 17 --gc G1 --mode attach
"""
import os
import re
import socket
import subprocess
import sys
import time

import jvm

HEAP = ["-Xmx128m", "-XX:MetaspaceSize=64m"]
MEGABYTES = "600"
AGENT = "interval=64k"
# What JDK 21 and later say when an agent is loaded into a running program (JEP 451).
LATE = re.compile(r"WARNING: A JVM TI agent has been loaded dynamically \(.*\)\n"
                  r"WARNING: If a serviceability tool is in use, please run with -XX:\+EnableDynamicAgentLoading to hide this warning\n"
                  r"(WARNING: If a serviceability tool is not in use, please run with -Djdk\.instrument\.traceUsage .*\n)?"
                  r"WARNING: Dynamic loading of agents will be disallowed by default in a future release\n")
OWN = re.compile(r"mayfly: .*\n")


def ask(path, request):
    """The agent's whole reply, or "" where nobody listens."""
    with socket.socket(socket.AF_UNIX) as s:
        try:
            s.connect(path)
            s.sendall(request.encode() + b"\n")
            reply = b""
            while part := s.recv(4096):
                reply += part
        except (ConnectionError, FileNotFoundError):
            return ""
    return reply.decode()


class Case:
    def __init__(self, bench, jdk, gc):
        self.bench, self.jdk, self.gc = bench, jdk, gc
        self.control = bench.path("control.sock")
        self.log = bench.path("gc.log")

    def program(self, argument, options=None):
        heap = ["-Xmx4g"] if self.gc == "Epsilon" else HEAP
        agent = [] if options is None else [self.bench.agent_flag(options)]
        return [*self.jdk.flags(self.gc), *heap, f"-Xlog:gc*:file={self.log}:tags:filecount=0", *agent,
                "-cp", self.bench.classes, "Mill", argument,
                *(["5"] if self.gc == "Epsilon" and argument == "input" else [])]

    def begin(self, *args):
        """A program that runs until its input ends, and what it has said when it is ready."""
        process = self.bench.start(self.jdk, *args, stdin=subprocess.PIPE)
        said = ""
        for line in process.stdout:
            said += line
            if line == "ready\n":
                break
        return process, said

    def name(self, mode):
        return f"{self.jdk.release} {self.gc} {mode}"

    def ended(self, mode, got, late=False):
        """The program is as it was."""
        got.out = jvm.CONSIDER.sub("", got.out)
        stray = LATE.sub("", got.err) if late and self.jdk.major >= 21 else got.err
        good = got.status == 0 and re.fullmatch(r"ready\nsum \d+\n", got.out) and not stray
        # The sum depends on when the input ended.
        if good and mode not in ("attach", "paused", "duration"):
            good = got.out == self.expected
        self.bench.check(f"{self.name(mode)}: the program is unharmed", good,
                         f"exit status {got.status}\nstdout: {got.out}\nstderr: {got.err}")
        # A killed process of that number may have left the usual one behind, which only a recording removes.
        place = self.control if mode in ("paused", "duration", "busy") else f"/tmp/.mayfly-{got.pid}.sock"
        self.bench.check(f"{self.name(mode)}: the control socket is gone", not os.path.exists(place))

    def trace(self, mode, path, collected=True):
        """The trace is whole, sums are kept, and there is in it what must be."""
        status, out, err = self.bench.tool("check", path)
        self.bench.check(f"{self.name(mode)}: mayfly check", status == 0 and ": whole" in out, out + err)
        if status != 0:
            return None
        info = self.bench.json("info", path)
        lives, gcs = info["lives"], info["gcs"]
        problems = []
        if not info["complete"] or info["lost"]:
            problems.append("it is not complete")
        if not info["samples"] or not lives["tracked"]:
            problems.append("there are no samples")
        if lives["tracked"] != lives["died"] + lives["alive"] + lives["untracked"]:
            problems.append("lives don't add up")
        # On a machine that has little time for it, the program may not get to a second collection.
        collections = sum(gcs[k] for k in ("young", "mixed", "full", "concurrent"))
        if collected and collections > 2 and not lives["died"]:
            problems.append("nothing died")
        if self.gc == "Epsilon" and (lives["died"] or collections):
            problems.append("Epsilon collects nothing")
        deaths = "none" if self.gc == "Epsilon" else "old" if self.gc == "ZGC generational" else "collection"
        clock = "none" if self.gc == "Epsilon" else "counters"
        facts = info["facts"]
        if (facts["gc"], facts["deaths"], facts["clock.gc"]) != (self.gc, deaths, clock):
            problems.append("the facts are wrong")
        if facts["start"] != ("attach" if mode == "attach" else "launch"):
            problems.append(f"start is {facts['start']}")
        if ("waited" in facts) != (mode in ("paused", "delay")):
            problems.append(f"it waited {facts.get('waited', 'not at all')}")
        self.bench.check(f"{self.name(mode)}: what is in the trace", not problems, f"{problems}\n{info}")
        return info

    def in_log(self):
        """How many collections the VM's log has, in doc/jvm.md's sense."""
        ids = set()
        with open(self.log, encoding="utf-8") as f:
            for line in f:
                pause = re.search(r"GC\((\d+)\) (?:[yYO]: )?Pause .*ms$", line.strip())
                if pause:
                    # Generational Shenandoah: an old marking ends under the number of the young one it began with.
                    ids.add(pause[1] + (" old" if "Final Mark (Old)" in line else ""))
        return len(ids)

    def whole(self, mode, *flags):
        """The program from its start to its end."""
        bench = self.bench
        trace = bench.path(f"{mode}.mfly")
        got = bench.java(self.jdk, *flags, *self.program(MEGABYTES, f"file={trace},{AGENT}"))
        self.ended(mode, got)
        info = self.trace(mode, trace)
        if info and self.gc != "Epsilon":
            gcs = info["gcs"]
            seen = sum(gcs[k] for k in ("young", "mixed", "full", "concurrent"))
            logged = self.in_log()
            # Of a pause in which a young collection turns into a full one, both count: so does the log.
            bench.check(f"{self.name(mode)}: {logged} collections as in the VM's log", seen == logged, f"seen {seen}: {gcs}")

    def start(self):
        self.whole("start")

    def memory(self):
        """The VM's counters are in no file, only in its memory."""
        self.whole("memory", "-XX:+PerfDisableSharedMem")

    def attach(self):
        bench = self.bench
        process, ready = self.begin(*self.program("input"))
        results = []
        for number in (1, 2):
            trace = bench.path(f"attach{number}.mfly")
            status, out, err = bench.tool("attach", str(process.pid), "-d", "1s", "-o", trace, "--interval", "64k")
            results.append((trace, status, out, err))
            bench.check(f"{self.name('attach')} {number}: nothing is left but the trace",
                        status == 0 and not os.path.exists(f"/tmp/.mayfly-{process.pid}.sock"), out + err)
        process.stdin.write("\n")
        got = bench.finish(process)
        got.out = ready + got.out
        self.ended("attach", got, late=True)
        for trace, status, _, _ in results:
            if status == 0:
                # Those with generations may take longer to their first collection that tells deaths.
                self.trace("attach", trace, collected="generational" not in self.gc)

    def paused(self):
        bench = self.bench
        trace = bench.path("paused.mfly")
        process, ready = self.begin(*self.program("input", f"file={trace},control={self.control},paused,{AGENT}"))
        waits, begins = ask(self.control, "status"), ask(self.control, "start")
        bench.check(f"{self.name('paused')}: waits, then begins", "state waiting\n" in waits and begins == "ok\n", waits + begins)
        # Generational ZGC may take long to its first collection of the old generation.
        wanted = "samples" if self.gc in ("Epsilon", "ZGC generational") else "died"
        status = ""
        while process.poll() is None and not re.search(rf"^{wanted} [1-9]", status, re.M):
            status = ask(self.control, "status")
        flushed, stopped = ask(self.control, "flush"), ask(self.control, "stop")
        bench.check(f"{self.name('paused')}: flushes and stops", flushed == stopped == "ok\n", flushed + stopped)
        process.stdin.write("\n")
        got = bench.finish(process)
        got.out = ready + got.out
        self.ended("paused", got)
        self.trace("paused", trace, collected=wanted == "died")

    def delay(self):
        trace = self.bench.path("delay.mfly")
        began = time.monotonic()
        got = self.bench.java(self.jdk, *self.program(MEGABYTES, f"file={trace},delay=100ms,{AGENT}"))
        took = time.monotonic() - began
        self.ended("delay", got)
        info = self.trace("delay", trace)
        if info:
            waited = int(info["facts"]["waited"]) / 1e6
            self.bench.check(f"{self.name('delay')}: {waited:.0f} ms of waiting and {info['duration_ms']:.0f} of recording are no more than the run",
                             waited >= 100 and waited + info["duration_ms"] <= took * 1000)

    def duration(self):
        bench = self.bench
        trace = bench.path("duration.mfly")
        process, ready = self.begin(*self.program("input", f"file={trace},control={self.control},duration=500ms,{AGENT}"))
        while process.poll() is None and os.path.exists(self.control):
            pass
        process.stdin.write("\n")
        got = bench.finish(process)
        got.out = ready + got.out
        self.ended("duration", got)
        self.trace("duration", trace)

    def busy(self):
        """Another agent holds the sampler: we say so, and the program runs on."""
        bench, holder, probe = self.bench, os.environ.get("MAYFLY_HOLDER"), os.environ.get("MAYFLY_PROBE")
        name = self.name("busy")
        if not holder or not probe:
            bench.skip(name, "the other agent is built with ctest's tests only: MAYFLY_HOLDER, MAYFLY_PROBE")
            return
        sentence = "another agent samples allocations in this VM"
        trace = bench.path("busy.mfly")
        flags = self.program(MEGABYTES)
        got = bench.java(self.jdk, f"-agentpath:{holder}", bench.agent_flag(f"file={trace},control={self.control}"), *flags)
        bench.check(f"{name}: said at start", got.err.startswith("mayfly: ") and sentence in got.err, got.err)
        got.err = OWN.sub("", got.err)
        self.ended("busy", got)
        bench.check(f"{name}: no trace", not os.path.exists(trace))
        flags = self.program("input")
        process, ready = self.begin(f"-agentpath:{holder}", *flags)
        answer = subprocess.run([probe, str(process.pid), "30000", "load", bench.agent, f"file={trace}"], stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, timeout=jvm.LIMIT).stdout
        bench.check(f"{name}: Agent_OnAttach answers 11", answer.startswith("ok 11"), answer)
        status, out, err = bench.tool("attach", str(process.pid), "-d", "1s", "-o", trace)
        bench.check(f"{name}: mayfly attach says so", status == 1 and "another agent" in err, out + err)
        process.stdin.write("\n")
        got = bench.finish(process)
        got.out, got.err = ready + got.out, OWN.sub("", got.err)
        bench.check(f"{name}: the program is unharmed", got.status == 0 and "sum" in got.out
                    and not (LATE.sub("", got.err) if self.jdk.major >= 21 else got.err), got.out + got.err)


MODES = ("start", "memory", "attach", "paused", "delay", "duration", "busy")


def main():
    p = jvm.parser(__doc__)
    p.add_argument("--mode", action="append", choices=MODES, help="may be repeated (default: all)")
    args = p.parse_args()
    bench = jvm.Bench(args.keep)
    for jdk, gc in jvm.pairs(args):
        case = Case(bench, jdk, gc)
        case.expected = jvm.CONSIDER.sub("", bench.java(jdk, *case.program(MEGABYTES)).out)
        for mode in args.mode or MODES:
            getattr(case, mode)()
    bench.done()


if __name__ == "__main__":
    sys.exit(main())
