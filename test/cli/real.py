"""`mayfly record` and `mayfly attach` with the agent in a real JVM."""
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys

from harness import Cli, HERE

cli = Cli()
home = os.environ.get("MAYFLY_JAVA_HOME", "")
java, javac = os.path.join(home, "bin/java"), os.path.join(home, "bin/javac")
if not (os.path.exists(cli.agent) and os.path.exists(javac)):
    cli.skip("with a real JVM", "there is no agent or no JDK")
    cli.done()
subprocess.run([javac, "-encoding", "UTF-8", "--release", "11", "-nowarn", "-d", cli.path("classes"), os.path.join(HERE, "Churn.java")],
               check=True, timeout=120, stderr=subprocess.DEVNULL)
PROGRAM = ["-Xmx64m", "-XX:+UseSerialGC", "-cp", cli.path("classes"), "Churn"]


class Running:
    """The program, until leave() or the end of the block."""

    def __init__(self, before=(), folder=None):
        program = [a if a != cli.path("classes") else folder or a for a in PROGRAM]
        self.process = subprocess.Popen([*before, java, *program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, cwd=cli.work, env=cli.env, text=True)
        self.process.stdout.readline()

    def __enter__(self):
        return self

    def leave(self):
        if self.process.poll() is None:
            self.process.stdin.write("\n")
            self.process.stdin.close()
        return self.process.wait(timeout=60)

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    @property
    def pid(self):
        return self.process.pid

    def socket(self):
        return os.path.exists(f"/tmp/.mayfly-{self.pid}.sock")


def wait_for(process, part):
    """Reads its stderr up to the line with the part."""
    lines = ""
    for line in process.stderr:
        lines += line
        if part in line:
            break
    return lines


def recording(process, pid):
    """Waits until the agent in the program has samples."""
    wait_for(process, "recording process")
    while process.poll() is None:
        status = cli.run("attach", str(pid), "--status").stdout
        if re.search(r"^samples +[1-9]", status, re.M):
            return


def wrote(what, stderr, name):
    found = re.search(r"wrote (\S+) \(([\d ]+) samples?, ", stderr)
    cli.check(f"{what}: says what it wrote", bool(found), stderr)
    if found:
        cli.equal(f"{what}: the file", name, found.group(1))
        cli.check(f"{what}: there are samples", int(found.group(2).replace(" ", "")) > 0, stderr)
    cli.check(f"{what}: the trace is whole", "ends before its last second" not in stderr, stderr)


# record
got = cli.run("record", "-o", "r.mfly", "--interval", "64k", "--", java, *PROGRAM, "300")
cli.equal("record: exit status", 0, got.returncode)
cli.equal("record: stdout is the program's", "ready\ndone\n", got.stdout)
wrote("record", got.stderr, "r.mfly")
got = cli.run("record", "-o", "s.mfly", "--interval", "64k", "--", "sh", "-c", 'exec "$0" "$@"', java, *PROGRAM, "300")
traces = glob.glob(cli.path("s.*.mfly"))
cli.equal("record a script: one trace", 1, len(traces))
wrote("record a script", got.stderr, os.path.basename(traces[0]) if traces else "")
got = cli.run("record", "-o", "n.mfly", "--", java, "-cp", cli.path("classes"), "NoSuchClass")
cli.equal("the program's own failure", 1, got.returncode)

# attach for a time
with Running() as program:
    got = cli.run("attach", str(program.pid), "-d", "1s", "-o", "a.mfly", "--interval", "64k")
    cli.equal("attach: exit status", 0, got.returncode)
    cli.equal("attach: nothing on stdout", "", got.stdout)
    wrote("attach", got.stderr, "a.mfly")
    cli.check("attach: the socket is gone", not program.socket())
    # Again, into the same program, until it is interrupted.
    p = cli.start("attach", str(program.pid), "-o", "b.mfly", "--interval", "64k")
    recording(p, program.pid)
    cli.check("again: the socket is there", program.socket())
    status = cli.run("attach", str(program.pid), "--status")
    cli.has("again: status", "state     recording", status.stdout)
    with open(os.path.join(HERE, "../../doc/control.md"), encoding="utf-8") as f:
        told = re.findall(r"`(\w+)`", next(line for line in f if line.startswith("| `status`")))[1:]
    cli.equal("again: status has what doc/control.md tells of", told, [line.split()[0] for line in status.stdout.splitlines()])
    cli.has("again: its file", cli.path("b.mfly"), status.stdout)
    twice = cli.run("attach", str(program.pid), "-d", "1s", "-o", "c.mfly")
    cli.equal("twice at once: exit status", 1, twice.returncode)
    cli.has("twice at once: the sentence", "mayfly records there already", twice.stderr)
    p.send_signal(signal.SIGINT)
    rest = p.stderr.read()
    cli.equal("interrupted: exit status", 0, p.wait(timeout=60))
    wrote("interrupted", rest, "b.mfly")
    cli.check("interrupted: the program runs on", program.process.poll() is None)
    cli.check("interrupted: the socket is gone", not program.socket())
    # Stopped from elsewhere.
    p = cli.start("attach", str(program.pid), "-o", "d.mfly", "--interval", "64k")
    recording(p, program.pid)
    stop = cli.run("attach", str(program.pid), "--stop")
    cli.equal("stopped from elsewhere", f"stopped the recording of process {program.pid}: {cli.path('d.mfly')}\n",
              stop.stdout)
    wrote("stopped from elsewhere", p.stderr.read(), "d.mfly")
    cli.equal("stopped from elsewhere: exit status", 0, p.wait(timeout=60))
    # A place where nothing can be written.
    got = cli.run("attach", str(program.pid), "-d", "1s", "-o", "/proc/x.mfly")
    cli.equal("no place for the trace", 1, got.returncode)
    cli.has("no place for the trace: the sentence", "no trace can be written to /proc/", got.stderr)
    cli.equal("the program's end", 0, program.leave())

# The program ends first.
with Running() as program:
    p = cli.start("attach", str(program.pid), "-o", "e.mfly", "--interval", "64k")
    recording(p, program.pid)
    program.leave()
    rest = p.stderr.read()
    cli.has("the program ends: the sentence", f"process {program.pid} has ended", rest)
    wrote("the program ends", rest, "e.mfly")
    cli.equal("the program ends: exit status", 0, p.wait(timeout=60))

# The program is killed.
with Running() as program:
    p = cli.start("attach", str(program.pid), "-o", "k.mfly", "--interval", "64k")
    recording(p, program.pid)
    program.process.kill()
    program.process.wait()
    rest = p.stderr.read()
    cli.has("killed: the sentence", "wrote k.mfly", rest)
    cli.equal("killed: exit status", 0, p.wait(timeout=60))

# What is asked of a process that is recorded: the agent has the VM's file mapped a second time, and the probes on.
PROGRAM.insert(0, f"-agentpath:{cli.agent}=exact,file={cli.path('vm.mfly')}")
with Running() as program:
    told = json.loads(cli.run("info", "--vm", str(program.pid), "--json").stdout)
    # The flags are found by symbols, which a stripped library has not.
    cli.check("info --vm: the flags of a process that is recorded", told["vm"]["symbols"] != "whole" or told["flags"]["can"], told["flags"])
del PROGRAM[0]

# Another mount namespace, with a /tmp of its own: as in a container.
ALONE = ["unshare", "--mount", "--propagation", "private", "sh", "-c",
         'mount --bind "$0" /mnt && mount -t tmpfs tmpfs /tmp && cd / && exec "$@"', cli.path("classes")]
probe = subprocess.run([*ALONE, "true"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) \
    if shutil.which("unshare") else None
if probe is None or probe.returncode:
    cli.skip("a file system of its own", "namespaces can't be made here")
else:
    with Running(before=ALONE, folder="/mnt") as program:
        got = cli.run("attach", str(program.pid), "-d", "1s", "-o", "f.mfly", "--interval", "64k")
        cli.equal("a file system of its own: exit status", 0, got.returncode)
        cli.has("a file system of its own: it is said", "sees another file system", got.stderr)
        wrote("a file system of its own", got.stderr, "f.mfly")
        left = [n for n in os.listdir(f"/proc/{program.pid}/root/tmp") if "mayfly" in n]
        cli.equal("a file system of its own: nothing is left behind", [], left)
        p = cli.start("attach", str(program.pid), "-o", "g.mfly", "--interval", "64k")
        recording(p, program.pid)
        program.process.kill()
        program.process.wait()
        rest = p.stderr.read()
        cli.has("killed in its own file system: the trace is brought all the same", "wrote g.mfly", rest)
        p.wait(timeout=60)
cli.done()
