"""`mayfly info --vm`: of a JDK's home, its library, a process, a stripped library, and of what is no VM."""
import json
import os
import shutil
import subprocess
import sys

from harness import Cli

cli = Cli()
home = os.environ.get("MAYFLY_JAVA_HOME", "")
library = os.path.join(home, "lib/server/libjvm.so")


def facts(*args):
    got = cli.run("info", "--vm", *args, "--json")
    cli.equal(f"{args[0]}: exit status", 0, got.returncode)
    return json.loads(got.stdout) if got.returncode == 0 else None


def refused(what, part, *args):
    got = cli.run("info", "--vm", *args)
    cli.check(f"{what}: exit status", got.returncode in (1, 2), got.returncode)
    cli.has(f"{what}: the sentence", part, got.stderr)
    cli.equal(f"{what}: nothing on stdout", "", got.stdout)


os.mkfifo(cli.path("pipe"))
os.symlink("circle", cli.path("circle"))
os.mkdir(cli.path("shut"), 0)
refused("nothing there", "there is no /no/such", "/no/such")
refused("a folder that is no JDK", "has no lib/server/libjvm.so", cli.work)
refused("no library", "not an ELF file", cli.write("libjvm.so", "x" * 100))
refused("a pipe", "pipe is not a regular file", cli.path("pipe"))
refused("nothing in it", "none is empty", cli.write("none", ""))
refused("a circle of links", "Too many levels of symbolic links", cli.path("circle"))
refused("no name", "--vm needs", "")
refused("a name too long", "the path is too long", "x" * 5000)
if os.geteuid() != 0:
    refused("a folder that lets nobody in", "Permission denied", cli.path("shut", "libjvm.so"))
refused("no process", "there is no process 99999999", "99999999")
refused("no Java", "is not a Java VM", str(os.getpid()))
refused("a trace and a VM", "a trace or a VM, not both", "/no/such", "orders.mfly")

if not os.path.exists(library):
    cli.skip("a JDK", "there is none")
    sys.exit(cli.done())

whole = facts(home)
known = whole["vm"]["jdk"].split(".")[0] in ("11", "17", "21", "25") and whole["vm"]["symbols"] == "whole"
can = {c["name"]: c for c in whole["capabilities"]}
states = {m["name"]: m["state"] for m in whole["landmarks"]}
cli.equal("the library", os.path.realpath(library), whole["vm"]["library"])
cli.check("it is of no process", whole["vm"]["pid"] is None and whole["collector"] is None and whole["flags"] is None, whole["vm"])
if known:
    cli.check("all of it can be done", all(c["can"] for c in can.values()), can)
    cli.equal("what every release has", "found", states["SharedRuntime::dtrace_object_alloc(oop)"])
else:
    cli.check("a release that is not known says why", all(c["why"] for c in can.values()), can)
cli.equal("of bin/java it is the library of its JDK", whole["vm"], facts(os.path.join(home, "bin/java"))["vm"])
screen = cli.run("info", "--vm", library)
cli.has("the screen names the release", f"JDK {whole['vm']['jdk']}", screen.stdout)
if known:
    cli.equal("whose symbols", ".symtab", whole["vm"]["symbols_from"])
    cli.has("the screen tells whose symbols", "symbols whole, from .symtab", screen.stdout)
cli.has("the screen has the answers", "late attach", screen.stdout)
cli.check("and each line fits", all(len(line) <= 80 for line in cli.run("info", "--vm", library, "--width", "80").stdout.splitlines()[2:]),
          screen.stdout)



def running(*flags):
    """A process, and what is said of it."""
    java = subprocess.Popen([os.path.join(home, "bin/java"), "-XX:+UseSerialGC", *flags, "-cp", cli.work, "--source", "11",
                             cli.write("Idle.java", "class Idle { public static void main(String[] a) throws Exception {"
                                       " System.out.println(1); System.in.read(); } }")],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=cli.env)
    java.stdout.readline()
    told = facts(str(java.pid))
    java.communicate()
    return java, told


java, process = running()
cli.equal("a process: its number", java.pid, process["vm"]["pid"])
cli.equal("a process: its collector", "Serial", process["vm"]["gc"])
cli.check("a process: which is supported", process["collector"]["can"], process["collector"])
cli.equal("a process: the same answers", whole["capabilities"], process["capabilities"])
if known:
    cli.equal("a process: its flags", (True, None), (process["flags"]["can"], process["flags"]["why"]))
if known:
    flag = "-XX:+DTraceAllocProbes"
    _, odd = running(flag)
    cli.check(f"{flag}: the engine would refuse, and it says so", odd["flags"] and not odd["flags"]["can"] and
              "leave out " + flag in odd["flags"]["why"], odd["flags"])

if shutil.which("strip") and known:
    os.makedirs(cli.path("jdk/lib/server"))
    shutil.copy(os.path.join(home, "release"), cli.path("jdk/release"))
    subprocess.run(["strip", "-R", ".note.stapsdt", "-R", ".gnu_debuglink", "-o", cli.path("jdk/lib/server/libjvm.so"), library],
                   check=True)
    stripped = facts(cli.path("jdk"))
    cli.equal("stripped: the release is known", whole["vm"]["jdk"], stripped["vm"]["jdk"])
    cli.equal("stripped: it says so", ("stripped", None), (stripped["vm"]["symbols"], stripped["vm"]["symbols_from"]))
    cli.check("stripped: nothing can be done", not any(c["can"] for c in stripped["capabilities"]), stripped)
    cli.equal("stripped: and why", {"the library is stripped, and its debug symbols are not installed; "
                                    "nor will its own probe object__alloc do: it has no notes of it"},
              {c["why"] for c in stripped["capabilities"]})
sys.exit(cli.done())
