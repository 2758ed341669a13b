#!/usr/bin/env python3
"""A program that closes descriptors which are not its own, and opens files and sockets that get their numbers (java/Fds.java): they stay its own,
the program lives on, the writer does not spin, and the agent says what it can't do any more.

    test/jvm/fds.py --jdk 21 --gc G1 --case trace
"""
import os
import re
import socket
import subprocess
import sys
import time

import jvm
from matrix import LATE
from stress import ask

OPENS = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in ("java.io", "sun.nio.ch")]
TRACE = "mayfly: can't write the trace {}: the program closed the agent's descriptor of it; recording ends, the program goes on\n"
CONTROL = ("mayfly: the program closed the descriptor of the control socket: the recording can't be asked for its state, or stopped, from outside "
           "any more\n")
WAKER = ("mayfly: the program closed the descriptor by which the agent's writer is woken: it looks 50 times a second by itself, and more may be "
         "lost than is usual\n")
PATIENCE = 30  # seconds, for what takes one
TICKS = 3  # of the writer, one a second
SPINS = 0.25  # of a processor: a writer that goes round and round has what it gets of one
CASES = ("trace", "control", "server", "waker", "closed", "all")


class Program:
    """Fds, started, with what is open in it for the agent."""

    def __init__(self, case, what):
        self.case, self.bench, self.what = case, case.bench, what
        self.trace, self.control, self.said = (self.bench.path(f"{what}.{end}") for end in ("mfly", "sock", "err"))
        flag = self.bench.agent_flag(f"file={self.trace},control={self.control},compress=no,interval=16k")
        with open(self.said, "w", encoding="utf-8") as err:
            self.process = self.bench.start(case.jdk, *case.jdk.flags(case.gc), "-Xmx64m", *OPENS, flag, "-cp", self.bench.classes, "Fds",
                                            stdin=subprocess.PIPE, stderr=err)
        self.proc = f"/proc/{self.process.pid}"
        self.process.stdout.readline()
        self.numbers()

    def check(self, what, ok, why=""):
        return self.case.check(f"{self.what}: {what}", ok, why)

    def numbers(self):
        links = {}
        for n in os.listdir(f"{self.proc}/fd"):
            try:
                links[int(n)] = os.readlink(f"{self.proc}/fd/{n}")
            except FileNotFoundError:
                continue
        with open(f"{self.proc}/net/unix", encoding="utf-8") as f:
            listens = [f"socket:[{line.split()[6]}]" for line in f if line.endswith(self.control + "\n")]
        self.of_trace = [n for n, link in links.items() if link == self.trace]
        self.of_control = [n for n, link in links.items() if link in listens]
        self.of_waker = [n for n, link in links.items() if link.startswith("socket:") and link not in listens]
        self.check("the agent has its trace, its socket, and a pair to wake its writer",
                   (len(self.of_trace), len(self.of_control), len(self.of_waker)) == (1, 1, 2), links)

    def do(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        said = self.process.stdout.readline().split()
        if said[:1] != ["ok"]:
            raise RuntimeError(f"{command}: {said} {self.process.poll()} {self.err()}")
        return said[1:]

    def take(self, numbers):
        """The program's files that have these numbers now."""
        for n in numbers:
            self.do(f"close {n}")
        path = self.bench.path(f"{self.what.replace(' ', '-')}-mine")
        files = self.do(f"take {path} {' '.join(map(str, numbers))}")
        assert len(files) == len(numbers)
        return files

    def err(self):
        with open(self.said, encoding="utf-8") as f:
            return LATE.sub("", f.read())

    @staticmethod
    def until(condition):
        end = time.monotonic() + PATIENCE
        while not condition() and time.monotonic() < end:
            time.sleep(0.02)
        return condition()

    def told(self, *sentences):
        self.until(lambda: len(self.err()) >= sum(map(len, sentences)))
        self.check("what is lost is told, once", sorted(self.err().splitlines(True)) == sorted(sentences), self.err())

    def ticks(self):
        """Until the writer has written so often."""
        for _ in range(TICKS):
            size = os.path.getsize(self.trace)
            if not self.until(lambda was=size: os.path.getsize(self.trace) > was):
                return False
        return True

    def writers(self):
        """The processor's time that each thread of that name has had, in seconds."""
        found = []
        for task in os.listdir(f"{self.proc}/task"):
            try:
                with open(f"{self.proc}/task/{task}/stat", encoding="utf-8") as f:
                    name, rest = re.fullmatch(r"\d+ \((.*)\) (.*)", f.read().strip()).groups()
            except FileNotFoundError:
                continue
            if name == "mayfly":
                found.append(sum(map(int, rest.split()[11:13])) / os.sysconf("SC_CLK_TCK"))
        return found

    def rests(self):
        before, begun = self.writers(), time.monotonic()
        self.do("work 20000")
        ticked = self.ticks()
        had, took = self.writers(), time.monotonic() - begun
        self.check("the writer writes, and does not spin", ticked and len(before) == len(had) == 1 and had[0] - before[0] < SPINS * took,
                   f"{before} {had} in {took} s")

    def clean(self, files):
        """They take what the program writes, and have nothing else."""
        self.do("write")
        for file in files:
            with open(file, "rb") as f:
                got = f.read()
            self.check("the program's file is its own", got == b"mine\nmore\n", got[:200])

    def end(self, status):
        self.process.stdin.write("end\n")
        self.process.stdin.flush()
        got = self.bench.finish(self.process)
        self.check("the program is unharmed", got.status == 0, f"exit status {got.status}\n{got.out}{self.err()}")
        code, out, err = self.bench.tool("check", self.trace)
        self.check(f"the trace is{status}", code == 0 and f":{status}" in out, out + err)
        self.check("the socket's file is gone", not os.path.exists(self.control))

    def noted(self, *sentences):
        notes = self.bench.json("info", self.trace)["notes"]
        self.check("the trace says so", all(notes.count(s.removeprefix("mayfly: ").strip() + ".") == 1 for s in sentences), notes)


class Case:
    def __init__(self, bench, jdk, gc):
        self.bench, self.jdk, self.gc = bench, jdk, gc

    def check(self, what, ok, why=""):
        return self.bench.check(f"{self.jdk.release} {self.gc}: {what}", ok, why)

    def trace(self):
        """The recording ends, and what was written of it stays."""
        p = Program(self, "trace")
        p.do("work 20000")
        p.ticks()
        files = p.take(p.of_trace)
        p.told(TRACE.format(p.trace))
        p.check("the writer ends", p.until(lambda: not p.writers()))
        p.clean(files)
        p.end(" sound, but cut")

    def control(self):
        p = Program(self, "control")
        files = p.take(p.of_control)
        p.told(CONTROL)
        p.rests()
        p.clean(files)
        p.end(" whole")
        p.noted(CONTROL)

    def server(self):
        """The program's own server has the number, and so its clients."""
        p = Program(self, "server")
        p.do("warm")  # a server's first comes with others that stay
        p.do(f"close {p.of_control[0]}")
        port = int(p.do(f"listen {p.of_control[0]}")[0])
        p.told(CONTROL)
        with socket.create_connection(("127.0.0.1", port)) as client:
            p.rests()
            p.do("greet")
            said = client.makefile().read()
        p.check("who comes to the program's server is the program's", said == "hello\n", said)
        p.end(" whole")

    def waker(self):
        """Either end, and both."""
        for name, ends in (("waker", slice(2)), ("first end", slice(1)), ("second end", slice(1, 2))):
            p = Program(self, name)
            files = p.take(sorted(p.of_waker)[ends])
            p.told(WAKER)
            p.rests()
            p.check("it answers", ask(p.control, "status").get("state") == "recording")
            p.clean(files)
            p.end(" whole")
            p.noted(WAKER)

    def closed(self):
        """And nothing else opened."""
        p = Program(self, "closed")
        for n in p.of_control + p.of_waker:
            p.do(f"close {n}")
        p.told(CONTROL, WAKER)
        p.rests()
        p.end(" whole")
        p.noted(CONTROL, WAKER)

    def all(self):
        """As who becomes a daemon."""
        p = Program(self, "all")
        p.do("work 20000")
        p.ticks()
        files = p.take(p.of_waker + p.of_control + p.of_trace)
        p.check("the writer ends", p.until(lambda: not p.writers()))
        said, lost = p.err().splitlines(True), TRACE.format(p.trace)
        p.check("that the trace is lost is told, and nothing is told twice",
                lost in said and len(said) == len(set(said)) and set(said) <= {lost, CONTROL, WAKER}, said)
        p.clean(files)
        p.end(" sound, but cut")


def main():
    parser = jvm.parser(__doc__)
    parser.add_argument("--case", action="append", choices=CASES, help="may be repeated (default: all)")
    args = parser.parse_args()
    bench = jvm.Bench(args.keep)
    for jdk, gc in jvm.pairs(args):
        for name in args.case or CASES:
            getattr(Case(bench, jdk, gc), name)()
    return bench.done()


if __name__ == "__main__":
    sys.exit(main())
