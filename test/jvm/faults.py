#!/usr/bin/env python3
"""The exact engine, as counts (`exact`), with single objects (`exact=trace`) and by call paths (`every=1`), where things go wrong:
virtual threads and short ones by the thousand, threads that are killed or run out of stack or memory, signals and traps of others,
classes that are redefined, a debugger that steps and leaves frames, a full and a slow disk, other agents, recordings that come and
go, an engine that has given up. java/Faults.java knows what it allocated: births must be equal to that, audits whole, what stands
at the end equal to the VM's own histogram, and the program unharmed.

    test/jvm/faults.py --jdk 21 --gc G1 --case virtual --case signals
"""
import collections
import glob
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
import zipfile

import events
import exact
import jdwp
import jvm
import paths
from matrix import LATE

MADE = re.compile(r"^made (\S+) (\d+) (\d+)$", re.M)
COPY = "mayfly: another agent samples allocations in this VM (async-profiler, a Datadog agent, an IDE …) and only one can: stop it and try again"
ON = "; nothing is recorded, the program goes on\n"  # at a start; who attaches is told otherwise
DISK = 64 << 10  # bytes, of the full disk
FULL = {"header": "exact", "survivors": "exact=survivors", "events": "exact=trace", "walked": "exact,every=1"}
LATER = {"header": ["--exact"], "survivors": ["--exact=survivors"], "events": ["--exact=trace"], "walked": ["--exact", "--every", "1"]}


class Weighed(exact.Exact):
    """With each sample: collections before it, and the interval that it is weighed by."""

    def __init__(self, path):
        self.by, self.weighed = {}, []
        super().__init__(path)

    def config(self, r):
        super().config(r)
        self.by[r["id"]] = r["interval"]

    def alloc(self, r):
        self.weighed.append((len(self.clock), self.by[r["config"]]))

    birth = alloc


class Case(events.Case):
    def __init__(self, bench, jdk, gc, verify, compact, mode):
        super().__init__("survivors" if mode == "survivors" else "trace", bench, jdk, gc, verify, compact)
        self.mode, self.library = mode, os.environ.get("MAYFLY_FAULTS") or newest_library()
        if mode not in ("survivors", "events"):
            self.KINDS = ("header", "followed")

    def name(self, what):
        return super().name(f"{self.mode} {what}")

    def agent(self, path, more=""):
        return self.bench.agent_flag(f"file={path},{FULL[self.mode]},audit,{exact.SAMPLES}{more}")

    def command(self, *args, flags=(), heap="-Xmx128m"):
        native = ["--enable-native-access=ALL-UNNAMED"] if self.jdk.major >= 22 else []
        return [*self.flags(), *self.unbiased(), *native, heap, "-Xmn12m", *flags, "-cp", self.bench.classes, "Faults", *args, self.library]

    def unbiased(self):
        """As the agent has it from a launch on; a program without one must be told."""
        return ["-XX:-UseBiasedLocking"] if self.jdk.major == 11 else []

    def unharmed(self, what, got):
        crashes = glob.glob(self.bench.path("hs_err*.log")) + glob.glob(self.bench.path("core*"))
        for crash in crashes:
            os.rename(crash, self.bench.path("kept-" + os.path.basename(crash)))
        err = LATE.sub("", got.err)
        return self.check(f"{what}: the program is unharmed", got.status == 0 and not err and got.out.endswith("good\n") and not crashes,
                          f"exit status {got.status} {crashes}\n{got.out[-2000:]}{got.err[-3000:]}")

    def recorded(self, what, *args, flags=(), heap="-Xmx128m", before=(), meanwhile=None, said=(), **more):
        """Runs it under the agent; what it said and what the trace says. None: it is no use to go on."""
        path = self.bench.path("faults.mfly")
        more.setdefault("stdin", subprocess.PIPE if meanwhile else subprocess.DEVNULL)
        process = self.bench.start(self.jdk, *before, self.agent(path), *self.command(*args, flags=flags, heap=heap), **more)
        if meanwhile:
            while (line := process.stdout.readline()) not in ("ready\n", ""):
                if line.startswith("Listening for transport"):
                    self.port = int(line.split()[-1].split(":")[-1])
            meanwhile(process)
        got = self.bench.finish(process)
        for line in said:
            self.check(f"{what}: it is said: {line.strip()[:60]}…", line in got.err, got.err)
            got.err = got.err.replace(line, "", 1)
        if not self.unharmed(what, got):
            return None, None
        e = self.read(what, path) if self.mode in ("survivors", "events") else self.whole(what, path)
        if e is None or (self.mode in ("header", "walked") and not self.engine(what, e)):
            return None, None
        if self.mode == "walked":
            self.walks(what, e)
        return got, e

    def whole(self, what, path):
        """With the walks, where there are any."""
        e = super().whole(what, path)
        return paths.Paths(path) if e and self.mode == "walked" else e

    def walks(self, what, e):
        """Each birth was walked."""
        self.bench.say(f"{self.name(what)}: {e.walk_count} walks, ends {e.ends}, {e.refused} refused, {e.unnamed} unnamed")
        self.check(f"{what}: each walk ended somehow", e.walk_count and sum(e.ends) == e.walk_count, f"{e.walk_count} {e.ends}")
        self.check(f"{what}: nothing strange was on a stack", not e.ends[4], e.ends)

    def counts(self, what, e, out):
        for name, least, most in MADE.findall(out)[-2:]:
            told = e.of_class(name).objects
            self.check(f"{what}: {told} of {name} were born, as it counts", int(least) <= told <= int(most), f"{least} to {most}")

    def whole_run(self, what, *args, alone=True, **more):
        """All that is held in every case."""
        got, e = self.recorded(what, *args, **more)
        if e is None:
            return None, None
        self.counts(what, e, got.out)
        kinds = [g["kind"] for g in e.gcs]
        self.check(f"{what}: {kinds.count(4)} full collections were followed, and there is none else", 2 not in kinds, kinds)
        bad = [a for a in e.audits if a["walked"] != a["seen"]] if self.sure() else []
        seen, walked = sum(a["seen"] for a in e.audits), sum(a["walked"] for a in e.audits)
        young = sum(g["kind"] == 0 and not g["failed"] for g in e.gcs)
        self.check(f"{what}: {len(e.audits)} audits: {seen} of {walked} objects were seen", not bad and (e.audits or young < 3), bad[:10])
        if self.mode == "events":
            self.stands(what, e, got.out, "Faults$", alone)
        return got, e

    def sure(self):
        """On 11 and 17 what fills the VM's gaps can't be told from what a program may have."""
        return self.jdk.major >= 21 or self.gc == "Serial"

    # The cases.

    def virtual(self, scale):
        if self.jdk.major < 21:
            return
        _, e = self.whole_run("virtual", "virtual", str(3000 * scale), heap="-Xmx96m")
        if e is None:
            return
        chunks = e.of_class("jdk.internal.vm.StackChunk")
        self.check("virtual: of their stacks none is counted, and that is said", not chunks.objects and not any(chunks.young) and
                   any("StackChunk" in n for n in e.notes), f"{vars(chunks)}\n{e.notes}")

    def brief(self, scale):
        got, e = self.whole_run("brief", "brief", str(3000 * scale), heap="-Xmx128m", flags=["-Xms128m", "-XX:+AlwaysPreTouch"])
        if e is None:
            return
        sizes = [int(kb) for kb in re.findall(r"^resident (\d+)$", got.out, re.M)]
        self.check(f"brief: {len(sizes)} looks at memory: {sizes} kB", len(sizes) == 2 and (sizes[1] - sizes[0] < 24 << 10 or self.bench.sanitized),
                   sizes)

    def native(self, scale):
        self.whole_run("native", "native", str(1000 * scale))

    def killed(self, scale):
        if self.jdk.major < 20:
            self.whole_run("killed", "killed", str(20 * scale))

    def overflow(self, scale):
        for flags in ([], ["-Xint"]):
            got, _ = self.whole_run("overflow" + " -Xint" * bool(flags), "overflow", str(10 * scale), flags=flags)
            if got:
                self.check("overflow: every place that is new was met", "\nguests 0\n" in "\n" + got.out, got.out[:300])

    def unload(self, scale):
        for flags in ([], ["-Xint"]):
            what = "unload" + " -Xint" * bool(flags)
            got, e = self.recorded(what, "unload", str(5 * scale), flags=flags)
            if e is None:
                continue
            self.counts(what, e, got.out)
            made = {name: int(n) for name, n, _ in MADE.findall(got.out)[:-2]}
            told = {name: e.of_class(name).objects for name in made}
            off = {name: (n, told[name]) for name, n in made.items() if told[name] != n}
            self.check(f"{what}: objects of each of {len(made)} classes that came and went", not off, f"{len(off)} are off: {list(off.items())[:8]}")
            places = {place for (name, place), s in e.sites.items() if name in made and s.objects}
            wrong = {(name, place): s.objects for (name, place), s in e.sites.items()
                     if name in made and s.objects and place not in (f"{name}.get", "")}
            nameless = {name: s.objects for (name, place), s in e.sites.items() if name in made and not place}
            usual = max((place for _, place in wrong), key=[place for _, place in wrong].count, default="")
            self.check(f"{what}: all but the first of each were made by its own method", sum(n for n in wrong.values()) == len(made),
                       f"{len(places)} places\nwithout one: {nameless}\n{usual} and {[w for w in wrong.items() if w[0][1] != usual][:8]}")

    def starve(self, scale):
        self.whole_run("starve", "starve", str(scale), heap="-Xmx48m", flags=self.brimful())

    def signals(self, scale):
        for hertz in ("1000", "4000")[:scale]:
            got, _ = self.whole_run(f"signals {hertz}", "signals", hertz)
            if got:
                walked = int(re.search(r"^walked (\d+)$", got.out, re.M)[1])
                self.check(f"signals {hertz}: {walked} stacks were walked", walked > 100)

    def traps(self, scale):
        self.whole_run("traps: comes later", "traps", str(12 * scale))
        self.whole_run("traps: was there before", "traps", str(12 * scale), before=[f"-agentpath:{self.library}=trap"])


    # Code that is made anew.

    def kinds(self, what, e, out):
        """Each object by its class, and by the method that made it, whatever has become of its code."""
        made = {tuple(name.rsplit(".", 1)): int(n) for name, n, _ in MADE.findall(out)[:-2]}
        told = collections.Counter()
        for (class_, place), s in e.sites.items():
            if class_ in ("Faults$Odds", "Faults$Even") and s.objects:
                told[class_, place.removeprefix("Faults$Kind.")] += s.objects
        for class_ in ("Faults$Odds", "Faults$Even"):
            n = sum(n for key, n in made.items() if key[0] == class_)
            self.check(f"{what}: {n} of {class_} were born", n > 0 and e.of_class(class_).objects == n, e.of_class(class_).objects)
        elsewhere = sum(told[key] - n for key, n in made.items() if told[key] > n) + sum(n for key, n in told.items() if key not in made)
        self.check(f"{what}: {elsewhere} of {sum(made.values())} are told of another method", elsewhere <= sum(made.values()) / 5000,
                   f"{made}\n{told}")
        if self.mode == "walked":
            by = [(e.of[site], n) for site, n in e.births.items() if e.of[site][0] in ("Faults$Odds", "Faults$Even")]
            strange = [(of, n) for of, n in by if of[1][1:2] not in ([], ["Faults.turn"])]
            self.check(f"{what}: by no other path", not strange, strange)
            known = sum(n for of, n in by if len(of[1]) > 1)
            self.check(f"{what}: of {sum(n for _, n in by)} the path of {known} is known", known >= 0.99 * sum(n for _, n in by), by)

    def redefined(self, scale):
        """By a Java agent, hundreds of times a second, and often enough on a busy machine too."""
        for flags in ([], ["-Xint"]):
            what = "redefined" + " -Xint" * bool(flags)
            got, e = self.turned(what, scale, flags=flags)
            if e is not None:
                self.kinds(what, e, got.out)

    def turned(self, what, scale, threads=1, flags=(), **more):
        enough, jar = self.bench.path("redefined"), self.bench.path("redefiner.jar")
        with zipfile.ZipFile(jar, "w") as z:
            z.writestr("META-INF/MANIFEST.MF", "Premain-Class: Redefiner\nCan-Redefine-Classes: true\n")
            z.write(os.path.join(self.bench.classes, "Redefiner.class"), "Redefiner.class")
        return self.whole_run(what, "turn", str(threads), flags=[f"-javaagent:{jar}={enough}", *flags], alone=False,
                              meanwhile=lambda p: self.wait_for(p, enough, scale), **more)

    def ids(self, scale):
        """The VM hands out jmethodIDs that are none, where a redefinition meets two threads that ask for them. Here it does so often."""
        found = self.bench.path("slow-ids")
        late = {"LD_PRELOAD": os.path.join(os.path.dirname(self.library), "slow_ids.so"), "SLOW_IDS": found, "MALLOC_PERTURB_": "165"}
        self.turned("ids", scale, threads=4, env=late)
        if self.jdk.major > 11:  # whose locks are others
            self.check("ids: who asks for them was made to wait", os.path.exists(found))

    def wait_for(self, process, path, seconds):
        time.sleep(seconds)
        while not os.path.exists(path) and process.poll() is None:
            time.sleep(0.05)
        if os.path.exists(path):
            os.remove(path)

    def stepped(self, scale):
        """By a debugger that stops a thread, steps, leaves frames and redefines the class that the thread is in."""
        if not os.path.exists(os.path.join(self.jdk.home, "lib/libjdwp.so")):
            self.bench.skip(self.name("stepped"), "no JDWP in this JDK")
            return
        listen = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0"
        got, e = self.whole_run("stepped", "turn", "1", flags=[listen], alone=False, meanwhile=lambda p: self.step(p, scale))
        if e is not None:
            self.kinds("stepped", e, got.out)

    def step(self, process, scale):
        with open(os.path.join(self.bench.classes, "Faults$Kind.class"), "rb") as f:
            odds = f.read()
        codes = [odds.replace(b"Faults$Odds", b"Faults$Even"), odds]
        d = jdwp.Debugger(self.port)
        faults, kind = d.class_of("LFaults;"), d.class_of("LFaults$Kind;")
        stop = d.break_at(faults, d.method_of(faults, "stop"))
        popped, steps, times = 0, 0, 60 * scale
        for number in range(times):
            thread = d.stop().thread
            if number % 3 == 0:
                d.redefine(kind, codes[number // 3 % 2])
            if number % 2 == 0:
                d.pop(thread, d.frames(thread, 2)[1])  # and the method that made it
                popped += 1
            for depth in [jdwp.OUT] * 2 * (number % 2) + [jdwp.INTO] * (number % 40):
                steps += self.one_step(d, thread, depth)
            if number == times - 1:
                d.clear(jdwp.BREAKPOINT, stop)  # while the thread stands: no stop is under way when the debugger leaves
            d.resume(thread)
        d.leave()
        self.check(f"stepped: {popped} frames were left, {steps} steps made", popped and steps)

    def one_step(self, d, thread, depth):
        step = d.step(thread, depth)
        d.resume(thread)
        d.stop()
        d.clear(jdwp.STEP, step)
        return 1

    # Disks.

    def full_disk(self, scale):
        path = self.bench.path("faults.mfly")
        said = f"mayfly: can't write the trace {path}: File too large; recording ends, the program goes on\n"
        process = self.bench.start(self.jdk, self.agent(path), *self.command("busy", str(scale), flags=["-Xmn8m"]), stdin=subprocess.DEVNULL,
                                   preexec_fn=limit_disk)
        got = self.bench.finish(process)
        self.check("full disk: it is said", said in got.err, got.err)
        got.err = got.err.replace(said, "", 1)
        self.unharmed("full disk", got)
        status, out, err = self.bench.tool("check", path)
        self.check("full disk: the cut is told", status == 0 and ": sound, but cut" in out, out + err)

    def slow_disk(self, scale):
        """Whole intervals are lost, and only they; the counts are whole all the same."""
        path = self.bench.path("faults.mfly")
        flags = ["-Xms96m", "-Xmn32m", "-XX:+AlwaysPreTouch"]
        got = self.bench.java(self.jdk, self.agent(path), *self.command("busy", "6", heap="-Xmx96m", flags=flags),
                              env={"LD_PRELOAD": os.path.join(os.path.dirname(self.library), "slow_disk.so")})
        if not self.unharmed("slow disk", got):
            return
        status, out, err = self.bench.tool("check", path)
        self.check("slow disk: mayfly check", status == 0 and ": whole" in out, out + err)
        e = events.Events(path)
        self.counts("slow disk", e, got.out)
        sizes = [int(kb) for kb in re.findall(r"^resident (\d+)$", got.out, re.M)]
        self.check(f"slow disk: memory is bounded: {sizes} kB", sizes[1] - sizes[0] < 160 << 10 or self.bench.sanitized, sizes)
        if self.mode == "events":
            self.lost("slow disk", e)

    def cut_off(self, scale):
        """A program ends while much waits for a slow disk: of single objects the last intervals are lost, the counts are whole."""
        path = self.bench.path("faults.mfly")
        flags = ["-Xms96m", "-Xmn32m", "-XX:+AlwaysPreTouch"]
        got = self.bench.java(self.jdk, self.agent(path), *self.command("cut off", "6", heap="-Xmx96m", flags=flags),
                              env={"LD_PRELOAD": os.path.join(os.path.dirname(self.library), "slow_disk.so"), "SLOW_DISK_NS": "1100"})
        if not self.unharmed("cut off", got):
            return
        status, out, err = self.bench.tool("check", path)
        if not self.check("cut off: mayfly check", status == 0 and ": whole" in out, out + err):
            return
        e = events.Events(path)
        self.counts("cut off", e, got.out)
        if self.mode == "events":
            self.lost("cut off", e)

    def lost(self, what, e):
        untold, part, early = 0, [], []
        for (gc, done, _), announced in zip(e.steps[:-1], e.lost_by):
            told = sum(events.total(done, "born").values())
            untold += told == 0 and gc["births"] > 0
            if announced > untold + (self.gc != "G1"):
                early.append((gc["young"], announced, untold))
            if told not in (0, gc["births"]):
                part.append((gc, told))
        # The one at the end, and, but with G1, the one that the histogram ends, end with no collection that is told of.
        self.check(f"{what}: {e.intervals_lost} of {len(e.gcs)} intervals are lost, and said to be; {untold} collections have none of their births",
                   0 < untold <= e.intervals_lost <= untold + 1 + (self.gc != "G1"), "")
        self.check(f"{what}: none is announced before its turn", not early, f"{len(early)}: (young, announced, lost)\n{early[:5]}")
        self.check(f"{what}: no interval is told in part", not part, part[:5])
        self.check(f"{what}: every event makes sense", not e.heap.odd, e.heap.odd[:10])

    # Others in the same program.

    def others(self, scale):
        """Flight recorder, a Java agent that has classes made anew, dumps, and mayfly itself, again, by its own name and as a copy."""
        jar = self.bench.path("transformer.jar")
        with zipfile.ZipFile(jar, "w") as z:
            z.writestr("META-INF/MANIFEST.MF", "Premain-Class: Transformer\nCan-Retransform-Classes: true\n")
            z.write(os.path.join(self.bench.classes, "Transformer.class"), "Transformer.class")
        copy = shutil.copy(self.bench.agent, self.bench.path("copy.so"))
        flags = [f"-javaagent:{jar}", "-XX:StartFlightRecording=settings=profile", "-Xlog:jfr*=off",
                 *([] if self.jdk.major < 17 else ["-Xlog:jfr+startup=off"]),  # a name that 11 does not know
                 self.agent(self.bench.path("second.mfly")), f"-agentpath:{copy}=file={self.bench.path('third.mfly')},exact"]
        running = f"mayfly: mayfly already records this program, to {self.bench.path('faults.mfly')}"
        said = [running + ON, COPY + ON] + [running + "\n"] * scale
        self.whole_run("others", "wait", "0", flags=flags, said=said, alone=False, meanwhile=lambda p: self.disturb(p, scale))

    def disturb(self, process, scale):
        jcmd = os.path.join(self.jdk.home, "bin/jcmd")
        for number in range(scale):
            tools = [subprocess.Popen([jcmd, str(process.pid), *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for command in
                     (["GC.heap_dump", self.bench.path(f"{number}.hprof")], ["Thread.print"], ["GC.class_histogram"], ["GC.run"])]
            status, out, err = self.bench.tool("attach", str(process.pid), "-d", "1s", "-o", self.bench.path("late.mfly"), "--exact")
            self.check("others: a second recording is refused", status != 0 and "already" in out + err, out + err)
            bad = [t.args for t in tools if t.wait() != 0]
            self.check("others: dumps, stacks and a histogram at once", not bad, bad)
            if not bad:
                os.remove(self.bench.path(f"{number}.hprof"))

    def histograms(self, scale):
        """Full collections that no event tells of (Serial, Parallel), one after another: ages are not held against the counts, which
        such a collection has no part in."""
        path = self.bench.path("faults.mfly")
        process = self.bench.start(self.jdk, self.agent(path), *self.command("wait", "0", heap="-Xmx64m"), stdin=subprocess.PIPE)
        process.stdout.readline()
        self.ask(process, 6 * scale)
        got = self.bench.finish(process)
        if not self.unharmed("histograms", got):
            return
        e = self.whole("histograms", path)
        if e is not None and self.engine("histograms", e):
            self.counts("histograms", e, got.out)

    def reborn(self, scale):
        """Where the VM's data of a loader was, that such a collection let go of, there is another's when the next one is told of."""
        got, e = self.recorded("reborn", "reborn", "0", meanwhile=lambda process: self.drop(process, 4 * scale))
        if e is not None:
            self.counts("reborn", e, got.out)

    def gone(self, scale):
        """Of code that the VM tells of when classes of what it made are gone, by a collection that it tells nobody of."""
        slow = os.path.join(os.path.dirname(self.library), "late_code.so")
        flags = ["-Xbatch", "-XX:-TieredCompilation", "-XX:CompileCommand=quiet", "-XX:CompileCommand=compileonly,Faults::again"]
        self.recorded("gone", "gone", str(4 * scale), flags=flags, before=[f"-agentpath:{slow}=1000"])

    def leaving(self, scale):
        """Classes go while the methods in call paths that waited are named, and with them those of code that was told of before."""
        told, test = self.bench.path("told"), os.path.dirname(self.library)
        slow = os.path.join(test, "slow_names.so")
        flags = [f"-Dtold={told}", "-Xbatch", "-XX:TieredStopAtLevel=1", "-XX:CompileCommand=quiet", "-XX:CompileCommand=compileonly,*::apply",
                 "-XX:CompileCommand=compileonly,Faults::ask", "-XX:CompileCommand=dontinline,*::apply"]
        self.recorded("leaving", "leaving", str(scale), flags=flags, env={"LD_PRELOAD": slow},
                      before=[f"-agentpath:{os.path.join(test, 'late_code.so')}=30", f"-agentpath:{slow}=ask={told}"])

    def drop(self, process, times):
        while times and process.stdout.readline() == "dropped\n":
            self.ask(process, 1)
            process.stdin.write("\n")
            process.stdin.flush()
            times -= 1

    def ask(self, process, times):
        for _ in range(times):
            subprocess.run([os.path.join(self.jdk.home, "bin/jcmd"), str(process.pid), "GC.class_histogram"], stdout=subprocess.DEVNULL,
                           check=True)

    def debugger(self, scale):
        """gdb comes and goes."""
        gdb = shutil.which("gdb")
        if not gdb:
            self.bench.skip(self.name("debugger"), "no gdb")
            return
        self.whole_run("debugger", "wait", "0", meanwhile=lambda p: self.debug(gdb, p, scale))

    def debug(self, gdb, process, scale):
        for _ in range(scale):
            got = subprocess.run([gdb, "-p", str(process.pid), "-batch", "-nx", "-ex", "info threads", "-ex", "detach"],
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
            self.check("debugger: it was there", "detached" in got.stdout, got.stdout[-500:])
            subprocess.run([os.path.join(self.jdk.home, "bin/jcmd"), str(process.pid), "GC.run"], stdout=subprocess.DEVNULL, check=True)

    # An engine that is there no more.

    def silent(self, scale):
        """Its audit fails; full collections go on, and find the trap still there. Samples are as close then as without it, unless
        it was said how close."""
        self.give_up(scale, f",interval={exact.ALONE}", exact.ALONE, exact.ALONE)
        self.give_up(scale, "", exact.COUNTED, exact.ALONE)

    def give_up(self, scale, interval, before, after):
        path = self.bench.path("faults.mfly")
        agent = self.bench.agent_flag(f"file={path},{FULL[self.mode]},audit,compress=no{interval}")
        got = self.bench.java(self.jdk, agent, *self.command("silent", str(4 + scale), flags=["-Xint", "-Xmn8m"]))
        if not self.unharmed("silent", got):
            return
        e = Weighed(path)
        self.check("silent: the engine gave up", e.facts.get("exact") == "refused" and "did not hold" in e.facts["exact.why"], e.facts)
        more = len(e.clock) - e.unsaid
        self.check(f"silent: {more} collections came after it", more > 10, e.clock[-5:])
        # Wider where many come, unless it was said how close.
        allowed = {after} if interval else {after << k for k in range(6)}
        self.check(f"silent: samples were {before} bytes apart, and {after} then",
                   e.intervals[0] == before and e.intervals[-1] == after and set(e.intervals) <= allowed, e.intervals)
        # Each sample by its own interval: what was drawn before it counts as that.
        alone = [s for s in e.weighed if s[0] >= e.unsaid]
        self.check(f"silent: {len(alone)} samples after it", {i for _, i in e.weighed[:3]} == {before} and alone and alone[-1][1] == after,
                   e.weighed[-10:])

    def unable(self, scale):
        """Refused when all else was begun, by a VM that does not let compiled code be made anew: samples are as close as without it."""
        path = self.bench.path("unable.mfly")
        flags = [f"-agentpath:{os.environ['MAYFLY_UNABLE']}"]
        process = self.bench.start(self.jdk, *self.command("wait", "0", flags=flags), stdin=subprocess.PIPE)
        process.stdout.readline()
        status, out, err = self.bench.tool("attach", str(process.pid), "-d", f"{2 * scale}s", "-o", path, "--exact", "--no-compress")
        self.unharmed("unable", self.bench.finish(process))
        self.check("unable: it was recorded", status in (0, 1), out + err)
        e = Weighed(path)
        self.check("unable: the engine was refused", e.facts.get("exact") == "refused" and "made anew" in e.facts["exact.why"], e.facts)
        # Once it is known, and not as the rate comes to allow it; from there on they follow the program by doublings and halvings.
        alone = e.intervals[1:]
        steps = all(b in (a // 2, a, a * 2) for a, b in zip(alone, alone[1:]))
        self.check("unable: samples were to be as far apart as beside counts, and are as close as alone", e.intervals[0] == exact.COUNTED and
                   alone and alone[0] == exact.ALONE and steps and min(alone) == exact.ALONE and e.weighed and e.weighed[-1][1] in alone,
                   (e.intervals, e.weighed[-5:]))

    def detach(self, scale):
        process = self.bench.start(self.jdk, *self.command("wait", "0"), stdin=subprocess.PIPE)
        process.stdout.readline()
        bad, sizes = [], []
        for number in range(8 * scale):
            path = self.bench.path(f"attach{number}.mfly")
            status, out, err = self.bench.tool("attach", str(process.pid), "-d", "300ms", "-o", path, *LATER[self.mode], "--no-compress")
            checked = self.bench.tool("check", path) if status == 0 else (1, "", "")
            if status != 0 or checked[0] != 0 or ": whole" not in checked[1]:
                bad.append((number, status, out, err, checked))
            else:
                os.remove(path)
            if process.poll() is None:
                with open(f"/proc/{process.pid}/status", encoding="ascii") as f:
                    sizes.append(int(re.search(r"VmRSS:\s+(\d+)", f.read())[1]))
        self.check(f"detach: {8 * scale} times while threads allocate", not bad, bad[:3])
        third = sizes[len(sizes) // 3:]
        self.check(f"detach: nothing is left behind: {sizes} kB", third and (third[-1] - min(third) < 32 << 10 or self.bench.sanitized),
                   sizes)
        self.unharmed("detach", self.bench.finish(process))


def limit_disk():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (DISK, DISK))


CASES = ("virtual", "brief", "native", "killed", "overflow", "unload", "starve", "signals", "traps", "redefined", "ids", "stepped", "full disk", "slow disk", "cut off", "others", "histograms", "reborn", "gone", "leaving", "debugger",
         "silent", "unable", "detach")


def newest_library():
    return os.path.join(os.path.dirname(os.path.dirname(jvm.newest_build())), "test/faults_agent.so")


def main():
    p = jvm.parser(__doc__)
    p.add_argument("--case", action="append", choices=CASES, help="may be repeated (default: all)")
    p.add_argument("--mode", action="append", choices=FULL, help="may be repeated (default: all)")
    p.add_argument("--scale", type=int, default=4, help="how much of it")
    p.add_argument("--compact", action="store_true", help="with compact object headers (25)")
    p.add_argument("--verify", action="store_true", help="let the VM verify its heap around each collection")
    args = p.parse_args()
    bench = jvm.Bench(args.keep)
    for jdk, gc in jvm.pairs(args):
        if gc not in exact.COLLECTORS or (args.compact and jdk.major < 25):
            continue
        for mode in args.mode or FULL:
            case = Case(bench, jdk, gc, args.verify, args.compact, mode)
            for name in args.case or CASES:
                getattr(case, name.replace(" ", "_"))(args.scale)
    return bench.done()


if __name__ == "__main__":
    sys.exit(main())
