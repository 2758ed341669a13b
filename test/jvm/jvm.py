"""What the tests with real JVMs share: which JDKs and collectors there are, running programs with the agent, reading traces.

From ctest everything comes in the environment (MAYFLY, MAYFLY_LIBRARY, MAYFLY_JAVA_HOME, MAYFLY_CLASSES); by hand, the newest
build is taken, and the programs in java/ are compiled. JDKs are those that tools/jdks has fetched, and the machine's own.
"""
import argparse
import atexit
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LIMIT = 300  # seconds: a hang is a failure with a name
# What Epsilon says on stdout at its start.
CONSIDER = re.compile(r"\[.*s\]\[warning\]\[gc[^\]]*\] Consider .*\n")
# What 25 says of --flag=-XX:-UseCompressedClassPointers.
OUTDATED = re.compile(r"OpenJDK 64-Bit Server VM warning: Option UseCompressedClassPointers was deprecated .*\n")

# The releases that the exact engine knows.
KNOWN = (11, 17, 21, 25, 26, 27)

# name: flags, JDKs (least, most), what one deliberate collection is (young: fill the heap; full: System.gc())
COLLECTORS = {
    "Serial": (["-XX:+UseSerialGC"], 11, 99, "young"),
    "Parallel": (["-XX:+UseParallelGC"], 11, 99, "young"),
    "G1": (["-XX:+UseG1GC"], 11, 99, "young"),
    "ZGC": (["-XX:+UnlockExperimentalVMOptions", "-XX:+UseZGC"], 11, 22, "full"),
    "ZGC generational": (["-XX:+UseZGC", "-XX:+ZGenerational"], 21, 99, "full"),
    "Shenandoah": (["-XX:+UseShenandoahGC"], 11, 99, "full"),
    "Shenandoah generational": (["-XX:+UnlockExperimentalVMOptions", "-XX:+UseShenandoahGC",
                                 "-XX:ShenandoahGCMode=generational"], 24, 99, "full"),
    "Epsilon": (["-XX:+UnlockExperimentalVMOptions", "-XX:+UseEpsilonGC"], 11, 99, None),
}


class Jdk:
    def __init__(self, name, home):
        self.name, self.home, self.java = name, home, os.path.join(home, "bin/java")
        with open(os.path.join(home, "release"), encoding="utf-8") as f:
            told = f.read()
        self.release = re.search(r'JAVA_VERSION="([^"]+)"', told).group(1)
        self.musl = 'LIBC="musl"' in told
        self.major = int(self.release.split(".")[0])
        self.more = [] # flags, whatever the collector

    def has(self, collector):
        return COLLECTORS[collector][1] <= self.major <= COLLECTORS[collector][2]

    def flags(self, collector):
        flags = COLLECTORS[collector][0]
        plain = ["-XX:-UseCompactObjectHeaders"] if self.major >= 27 else [] # unless a test wants them
        return [f for f in flags if not (f == "-XX:+ZGenerational" and self.major >= 23)] + plain + self.more

    def spelled(self, args):
        """As this release calls its flags."""
        return [a.replace("InitiatingHeapOccupancyPercent", "G1IHOP") if self.major >= 27 else a for a in args]


def own_jdk():
    home = os.environ.get("MAYFLY_JAVA_HOME") or os.environ.get("JAVA_HOME")
    if not home and shutil.which("javac"):
        home = os.path.dirname(os.path.dirname(os.path.realpath(shutil.which("javac"))))
    return Jdk("own", home) if home and os.path.exists(os.path.join(home, "release")) else None


def jdks(names=None):
    """Those of the names (11, 17, 21, 25, own, 17-musl and such, or a JAVA_HOME) that are there; None: all of the first five."""
    cache = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "mayfly/jdk")
    found = []
    for name in names or ["11", "17", "21", "25", "own"]:
        fetched = sorted(glob.glob(os.path.join(cache, name, "*/release")) + glob.glob(os.path.join(cache, name, "*/*/release")))
        home = name if "/" in name else os.path.dirname(fetched[0]) if fetched else ""
        label = re.sub(r"[^\w.+-]", "-", name) # it goes into names of files
        jdk = own_jdk() if name == "own" else Jdk(label, home) if os.path.exists(home + "/bin/java") else None
        if jdk:
            found.append(jdk)
    return found


def newest_build():
    """The last built mayfly that has an agent beside it and no sanitizer in it (those can't be loaded into a plain JVM)."""
    found = [b for b in glob.glob(os.path.join(ROOT, "build/*/bin"))
             if os.path.exists(b + "/mayfly") and os.path.exists(b + "/libmayfly.so") and "san" not in b]
    if not found:
        sys.exit("there is no build: cmake --preset dev && cmake --build --preset dev")
    return max(found, key=lambda b: os.path.getmtime(b + "/libmayfly.so")) + "/mayfly"


class Finished:
    def __init__(self, process, out, err):
        self.status, self.pid = process.returncode, process.pid
        self.out, self.err = (OUTDATED.sub("", text or "") for text in (out, err))


class Bench:
    """A folder to work in, the programs, and TAP on stdout. Made by main(); the folder stays where a test failed."""

    def __init__(self, keep=False):
        self.mayfly = os.environ.get("MAYFLY") or newest_build()
        self.agent = os.environ.get("MAYFLY_LIBRARY") or os.path.join(os.path.dirname(self.mayfly), "libmayfly.so")
        self.work = os.path.realpath(tempfile.mkdtemp(prefix="mayfly-jvm-"))
        self.classes = os.environ.get("MAYFLY_CLASSES") or self.compile()
        self.env = {k: v for k, v in os.environ.items()
                    if k not in ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "MAYFLY_LIBRARY")}
        self.env = self.with_preload(self.env)
        self.sanitized = "MAYFLY_PRELOAD" in os.environ  # which keeps for a while what was freed: a process's size tells nothing
        self.number = self.failed = self.skipped = 0
        self.keep = keep
        self.started = []
        atexit.register(self.end_all)

    @staticmethod
    def with_preload(env):
        """A sanitizer's library (sanitized.py) comes before all others."""
        libraries = [lib for lib in (os.environ.get("MAYFLY_PRELOAD"), env.get("LD_PRELOAD")) if lib]
        return {**env, "LD_PRELOAD": ":".join(libraries)} if libraries else env

    def path(self, *names):
        return os.path.join(self.work, *names)

    def compile(self):
        javac = os.path.join(own_jdk().home, "bin/javac")
        subprocess.run([javac, "-encoding", "UTF-8", "--release", "11", "-nowarn", "-d", self.path("classes"),
                        *glob.glob(os.path.join(HERE, "java/*.java"))], check=True, stderr=subprocess.DEVNULL)
        return self.path("classes")

    def agent_flag(self, options=""):
        return f"-agentpath:{self.agent}={options}"

    def start(self, jdk, *args, env=None, before=(), **more):
        more.setdefault("stdout", subprocess.PIPE)
        more.setdefault("stderr", subprocess.PIPE)
        process = subprocess.Popen([*before, jdk.java, *jdk.spelled(args)], cwd=self.work, env={**self.env, **self.with_preload(env or {})}, text=True,
                                   errors="replace", **more)
        self.started.append(process)
        return process

    def end_all(self):
        """Leaves no program behind, however the test ended."""
        for process in self.started:
            if process.poll() is None:
                process.kill()
                process.wait()

    def finish(self, process, limit=LIMIT):
        """Waits. A program that hangs is killed, and its status says so."""
        try:
            out, err = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            err += f"\nkilled after {limit} s\n"
        self.started.remove(process)
        return Finished(process, out, err)

    def java(self, jdk, *args, **more):
        return self.finish(self.start(jdk, *args, stdin=subprocess.DEVNULL, **more))

    def tool(self, *args):
        """`mayfly ARGS`: status, stdout, stderr. None and why for one that hangs."""
        try:
            got = subprocess.run([self.mayfly, *args], cwd=self.work, env=self.env, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return None, "", f"killed after {LIMIT} s\n"
        return got.returncode, got.stdout, got.stderr

    def recorded(self, pid, recorder):
        """Waits until the program is recorded, by whom who was started for that and may fail."""
        while recorder.poll() is None and self.tool("attach", str(pid), "--status")[0] != 0:
            time.sleep(0.01)

    def json(self, *args):
        status, out, err = self.tool(*args, "--json")
        if status != 0:
            raise RuntimeError(f"mayfly {' '.join(args)}: {err}")
        return json.loads(out)

    def check(self, what, ok, why=""):
        self.number += 1
        self.failed += not ok
        print(f"{'ok' if ok else 'not ok'} {self.number} - {what}", flush=True)
        if not ok:
            print("".join(f"# {line}\n" for line in str(why).splitlines()), end="", flush=True)
        return ok

    def skip(self, what, why):
        self.number += 1
        self.skipped += 1
        print(f"ok {self.number} - {what} # SKIP {why}", flush=True)

    def say(self, text):
        print("".join(f"# {line}\n" for line in text.splitlines()), end="", flush=True)

    def done(self):
        if self.failed or self.keep:
            self.say(f"what was written is in {self.work}")
        else:
            shutil.rmtree(self.work, ignore_errors=True)
        print(f"1..{self.number}")
        sys.exit(1 if self.failed else 77 if self.skipped == self.number else 0)


def parser(description):
    p = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--jdk", action="append", help="11, 17, 21, 25, own, or a JAVA_HOME; may be repeated (default: all)")
    p.add_argument("--gc", action="append", choices=COLLECTORS, help="may be repeated (default: all that the JDK has)")
    p.add_argument("--keep", action="store_true", help="keep what was written")
    p.add_argument("--flag", action="append", default=[], help="of the VM, besides: --flag=-XX:-UseTLAB; may be repeated")
    return p


def pairs(args):
    """Each JDK with each of its collectors, as asked for."""
    found = jdks(args.jdk)
    for jdk in found:
        jdk.more = args.flag
    return [(jdk, gc) for jdk in found for gc in args.gc or COLLECTORS if jdk.has(gc)]
