#!/usr/bin/env python3
"""`mayfly top PID` on a real JVM, in a terminal: rows come, and when it is left, however that happens, the program is as it was:
no recording, no file, no socket, unharmed. A recording that was there before goes on.

    test/jvm/top.py --jdk 25 --gc G1
"""
import glob
import os
import re
import signal
import stat
import sys

import jvm

sys.path.insert(0, os.path.join(jvm.HERE, "../cli"))
import pane  # noqa: E402

HEAP = ["-Xms64m", "-Xmx64m", "-Xmn3m"]
ROW = r"^[> ] +\d.*Mill"
REST = "5"  # ms after each megabyte, so that the machine has time for others


class Case:
    def __init__(self, bench, jdk, gc, *options):
        self.bench, self.name = bench, f"{jdk.release} {gc}"
        loading = ["-XX:+EnableDynamicAgentLoading"] if jdk.major >= 21 else []
        self.process = bench.start(jdk, *jdk.flags(gc), *HEAP, *loading, *options, "-cp", bench.classes, "Mill", "input", REST,
                                   stdin=-1)
        while self.process.stdout.readline() not in ("ready\n", ""):
            pass
        self.pid = self.process.pid

    def check(self, what, ok, why=""):
        return self.bench.check(f"{self.name}: {what}", ok, why)

    def top(self, *args):
        self.pane = pane.Pane(self.bench.work, f"{self.bench.mayfly} top {self.pid} {' '.join(args)}",
                              MAYFLY_AGENT=self.bench.agent)
        self.check(f"rows {' '.join(args)}", self.pane.until(ROW))

    def files(self):
        return glob.glob(f"/tmp/mayfly-{self.pid}-*") + glob.glob(f"/tmp/.mayfly-{self.pid}.sock")

    def status(self):
        return self.bench.tool("attach", str(self.pid), "--status")

    def recorded(self, what):
        """That it is being recorded, into a file for its user's eyes only."""
        got, out, err = self.status()
        self.check(f"{what}: it is recorded", got == 0 and "recording" in out, out + err)
        file = re.search(r"^file +(.*)$", out, re.MULTILINE)
        mode = stat.S_IMODE(os.stat(file.group(1)).st_mode) if file else 0
        self.check(f"{what}: nobody else may read it", mode == 0o600, oct(mode))

    def untouched(self, what):
        got, out, err = self.status()
        self.check(f"{what}: no recording is left", got == 1 and "no agent is recording there" in err, out + err)
        self.check(f"{what}: no file is left", not self.files(), self.files())

    def left(self, what):
        screen = self.pane.until(r"^exit=\d+$")
        self.check(f"{what}: exit status", re.search("^exit=0$", screen, re.MULTILINE), screen)
        self.check(f"{what}: the terminal is as it was", self.pane.restored(), screen)
        self.pane.close()
        return screen

    def by_key(self):
        self.top()
        self.recorded("watched")
        self.pane.keys("Enter")
        self.pane.until("OUTLIVES")
        self.pane.keys("q")
        self.left("q")
        self.untouched("q")

    def by_signal(self):
        self.top("--interval", "64k")
        os.kill(self.pane.child(), signal.SIGTERM)
        self.left("SIGTERM")
        self.untouched("SIGTERM")

    def by_hangup(self):
        self.top()
        child = self.pane.child()
        self.pane.close()
        self.check("hangup: it ends", pane.gone(child))
        self.untouched("hangup")

    def kept(self):
        self.top("-o", "kept.mfly")
        self.pane.keys("q")
        screen = self.left("-o")
        self.check("-o: it is told where the trace is", "wrote kept.mfly" in screen.replace("\n", ""), screen)
        self.untouched("-o")
        got, out, err = self.bench.tool("check", "kept.mfly")
        self.check("-o: the trace is whole", got == 0, out + err)

    def finish(self):
        self.process.stdin.write("\n")
        got = self.bench.finish(self.process)
        self.check("the program is unharmed", got.status == 0 and "sum" in got.out and not got.err, got.err)

    def ends(self):
        """The program ends while it is watched: the last view stays."""
        self.top()
        self.finish()
        screen = self.pane.until("the program has ended")
        self.check("the last view stays", re.search(ROW, screen, re.MULTILINE), screen)
        self.pane.keys("q")
        self.left("after its end")
        self.check("after its end: no file is left", not self.files(), self.files())


def join(bench, jdk, gc):
    """A program that is recorded already: watched, and recorded on."""
    case = Case(bench, jdk, gc, bench.agent_flag(f"file={bench.path('own.mfly')}"))
    case.top()
    case.pane.keys("q")
    screen = case.left("joined")
    case.check("joined: it is told that the recording goes on", "that goes on" in screen.replace("\n", " "), screen)
    got, out, err = case.status()
    case.check("joined: it is recorded on", got == 0 and "own.mfly" in out, out + err)
    case.check("joined: its file is there", os.path.exists(bench.path("own.mfly")))
    case.finish()


def join_another(bench, jdk, gc):
    """Two that watch: the first takes the recording with it, and its file; the other sees its end, and says so."""
    case = Case(bench, jdk, gc)
    case.top()
    first, folder = case.pane, bench.path("another")
    os.makedirs(folder, exist_ok=True)
    case.pane = pane.Pane(folder, f"{bench.mayfly} top {case.pid}", MAYFLY_AGENT=bench.agent)
    case.check("joined to another: rows", case.pane.until(ROW))
    case.pane, second = first, case.pane
    case.pane.keys("q")
    case.left("the first of two")
    case.pane = second
    screen = case.pane.until("the recording was stopped$")
    case.check("the second of two: the last view stays", re.search(ROW, screen, re.MULTILINE), screen)
    case.pane.keys("q")
    screen = case.left("the second of two")
    case.check("the second of two: it is told of the end", "that has ended meanwhile" in screen.replace("\n", ""), screen)
    case.finish()


def main():
    args = jvm.parser(__doc__).parse_args()
    bench = jvm.Bench(args.keep)
    if not pane.available():
        bench.skip("all", "there is no tmux")
        bench.done()
    for jdk, gc in jvm.pairs(args):
        if gc == "Epsilon":
            continue
        case = Case(bench, jdk, gc)
        case.by_key()
        case.by_signal()
        case.by_hangup()
        case.kept()
        case.ends()
        join(bench, jdk, gc)
        join_another(bench, jdk, gc)
    bench.done()


if __name__ == "__main__":
    sys.exit(main())
