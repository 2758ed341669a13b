#!/usr/bin/env python3
"""What `mayfly attach` says of a recording that could not begin, or did not come to its end, in a program that runs on, and `mayfly record`
of one that did not come to the program's end: the truth, and a status to go by.

    test/jvm/attaches.py --jdk 25 --gc G1
"""
import glob
import os
import shutil
import signal
import subprocess
import sys
import time

import jvm

HEAP = ["-Xms64m", "-Xmx64m"]
# A /tmp that no other test has: the agent's copies there have names by what is in them. $0 is where the classes are, $1 becomes it.
ALONE = 'mount --bind "$0" /mnt && mount --bind "$1" /tmp && shift && exec "$@"'
HEADER = 32  # bytes of a trace before its first block: doc/trace-format.md


class Case:
    def __init__(self, bench, jdk, gc, classes=None, **more):
        self.bench, self.name = bench, f"{jdk.release} {gc}"
        loading = ["-XX:+EnableDynamicAgentLoading"] if jdk.major >= 21 else []
        self.process = bench.start(jdk, *jdk.flags(gc), *HEAP, *loading, "-cp", classes or bench.classes, "Mill", "input", "5",
                                   stdin=subprocess.PIPE, **more)
        while self.process.stdout.readline() not in ("ready\n", ""):
            pass
        self.pid = str(self.process.pid)

    @classmethod
    def alone(cls, bench, jdk, gc):
        """In another mount namespace, as in a container."""
        os.makedirs(bench.path("tmp"), exist_ok=True)
        return cls(bench, jdk, gc, "/mnt", before=["unshare", "--mount", "sh", "-c", ALONE, bench.classes, bench.path("tmp")])

    def check(self, what, ok, why=""):
        return self.bench.check(f"{self.name}: {what}", ok, why)

    def attach(self, name, *options):
        return self.bench.tool("attach", self.pid, "-o", self.bench.path(name), *options)

    def idle(self, what):
        status, out, err = self.bench.tool("attach", self.pid, "--status")
        self.check(f"{what}: nothing is recorded", status == 1 and "no agent is recording there" in err, out + err)

    def finish(self, said=""):
        self.process.stdin.write("\n")
        got = self.bench.finish(self.process)
        self.check("the program is unharmed", got.status == 0 and "sum" in got.out and said in got.err, got.out + got.err)


def deaf(bench, jdk, gc):
    """Something else has the name of the control socket: nobody could end the recording."""
    case = Case(bench, jdk, gc)
    path = f"/tmp/.mayfly-{case.pid}.sock"
    if os.path.exists(path):  # of a killed process of that number
        os.remove(path)
    os.mkdir(path)
    status, out, err = case.attach("deaf.mfly", "-d", "300ms")
    os.rmdir(path)
    case.check("deaf: it is refused", status == 1 and "or listen on its control socket" in err, out + err)
    case.check("deaf: there is no trace", not os.path.exists(bench.path("deaf.mfly")))
    case.idle("deaf")
    status, out, err = case.attach("hears.mfly", "-d", "300ms")
    case.check("deaf no more: it records", status == 0 and "wrote" in err, out + err)
    case.finish(f"can't listen on the control socket {path}")


def ended(bench, jdk, gc):
    """The program ends before it has answered."""
    case = Case(bench, jdk, gc, env={"ATTACH_AGENT_ENDS": "1"})
    env = bench.env
    bench.env = {**env, "MAYFLY_AGENT": os.path.join(os.path.dirname(os.path.dirname(bench.agent)), "test/attach_agent.so")}
    status, out, err = case.attach("ended.mfly", "-d", "300ms")
    bench.env = env
    case.check("ended: it is said", status == 1 and err.endswith(f"process {case.pid} ended while it was to load the agent.\n"), out + err)
    bench.finish(case.process)


def full(bench, jdk, gc):
    """The trace can't grow any more, in the middle of the recording."""
    case = Case(bench, jdk, gc, before=["prlimit", "--fsize=60000"])
    status, out, err = case.attach("full.mfly", "-d", "250s", "--interval", "1k", "--no-compress")
    case.check("full: that is a failure", status == 1 and "runs on, but its trace could not be written any more" in err, out + err)
    case.check("full: nobody was killed", "killed" not in err, err)
    case.idle("full")
    case.finish("File too large; recording ends, the program goes on")


def launched(bench, jdk, gc):
    """
    The same from the start on. A program that fails has a status of its own, and that is what is told. How much the first
    block holds is a matter of when the writer comes to it, so it may be too long for a kilobyte: then the trace is its header.
    """
    def record(limit, *program):
        command = ["prlimit", f"--fsize={limit}", bench.mayfly, "record", "-o", bench.path("launched.mfly"), "--interval", "1k", "--no-compress", "--"]
        return subprocess.run([*command, jdk.java, *jdk.flags(gc), *HEAP, "-cp", bench.classes, *program], cwd=bench.work, env=bench.env,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=jvm.LIMIT)

    for limit, program, status in ((1024, ["Mill", "200"], 1), (HEADER, ["Ends", "free", "exit"], 3)):
        got = record(limit, *program)
        bare = os.path.getsize(bench.path("launched.mfly")) == HEADER
        told = "or the trace could not be written" if bare else "the trace has no end"
        bench.check(f"{jdk.release} {gc}: launched: {program[0]}: exit status {status}", got.returncode == status, got)
        bench.check(f"{jdk.release} {gc}: launched: {program[0]}: it is said why", "File too large; recording ends, the program goes on" in got.stderr
                    and told in got.stderr, got)
        if limit == HEADER:
            bench.check(f"{jdk.release} {gc}: launched: {program[0]}: nothing is written", bare, got)


def until(happens):
    while not happens():
        time.sleep(0.01)


def ferried(bench, jdk, gc):
    """Ended while the agent is being copied into the program's /tmp: nothing is left there."""
    if os.geteuid() != 0:
        return bench.skip(f"{jdk.release} {gc}: ferried", "only root can make a mount namespace")
    case = Case.alone(bench, jdk, gc)
    library, copies = bench.path(f"{case.pid}.so"), f"/proc/{case.pid}/root/tmp/.mayfly-agent-*"
    os.mkfifo(library)
    process = subprocess.Popen([bench.mayfly, "attach", case.pid, "-o", bench.path("ferried.mfly")], cwd=bench.work,
                               env={**bench.env, "MAYFLY_AGENT": library}, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    with open(library, "wb"):
        until(lambda: glob.glob(copies) or process.poll() is not None)
        process.send_signal(signal.SIGTERM)
        got = process.poll()
    _, err = process.communicate(timeout=jvm.LIMIT)
    case.check("ferried: it ends by itself", got is None and process.returncode == 1, f"{process.returncode} {err}")
    case.check("ferried: no copy is left", not glob.glob(copies), glob.glob(copies))
    case.finish()


def left_over(bench, jdk, gc):
    """A copy that an attach left in the program's /tmp, as it was killed: the next ones don't load one more each."""
    if os.geteuid() != 0:
        return bench.skip(f"{jdk.release} {gc}: left over", "only root can make a mount namespace")
    case = Case.alone(bench, jdk, gc)

    def copies():
        """Those that are loaded, by file."""
        with open(f"/proc/{case.pid}/maps", encoding="utf-8") as f:
            return {(line.split()[4], line.split()[5]) for line in f if "/.mayfly-agent-" in line}

    for i in range(3):
        status, out, err = case.attach(f"left-{i}.mfly", "-d", "300ms")
        case.check(f"left over: attach {i} records", status == 0 and "wrote" in err, out + err)
        path = f"/proc/{case.pid}/root{next(iter(copies()))[1]}"
        shutil.copy(bench.agent, path)
    case.check("left over: one copy is loaded", len(copies()) == 1, copies())
    os.unlink(path)
    case.finish()


def no_place(bench, jdk, gc):
    """Containers with a /tmp from which nothing can be loaded (docker's --tmpfs), or that can't be written."""
    if os.geteuid() != 0:
        return bench.skip(f"{jdk.release} {gc}: no place", "only root can mount")
    for options, says in (("noexec", "the program's /tmp is mounted noexec"), ("ro", "can't be written")):
        # The same /tmp, for the classes may be in it.
        mount = f'mount --bind /tmp /tmp && mount -o remount,bind,{options} /tmp && exec "$@"'
        case = Case(bench, jdk, gc, before=["unshare", "--mount", "sh", "-c", mount, "sh"])
        status, out, err = case.attach(f"{options}.mfly", "-d", "300ms")
        case.check(f"no place: {options}: that is said, and what to do", status == 1 and says in err and "docker: --tmpfs /tmp:exec" in err, out + err)
        case.finish()


def main():
    args = jvm.parser(__doc__).parse_args()
    bench = jvm.Bench(args.keep)
    for jdk, gc in jvm.pairs(args):
        deaf(bench, jdk, gc)
        ended(bench, jdk, gc)
        full(bench, jdk, gc)
        launched(bench, jdk, gc)
        ferried(bench, jdk, gc)
        left_over(bench, jdk, gc)
        no_place(bench, jdk, gc)
    bench.done()


if __name__ == "__main__":
    sys.exit(main())
