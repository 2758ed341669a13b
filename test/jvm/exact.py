#!/usr/bin/env python3
"""The exact engine against what is known: java/Truth.java has objects with known lives, and every birth, and every collection that
each object survived, must be in the trace, to the object; java/Marks.java uses monitors and hashes, java/Vast.java goes beyond
the young generation. Recordings that begin and end in a running program leave it unharmed; where the engine can't be had that
is said.

    test/jvm/exact.py --jdk 21 --gc G1 --case truth --case marks
"""
import ctypes
import itertools
import json
import os
import re
import shutil
import subprocess
import sys

import jvm
import trace
from matrix import LATE
from truth import HEAP, YOUNG

COLLECTORS = ("Serial", "Parallel", "G1")
AGES = 16
HUMONGOUS = 512 << 10  # of G1 with regions of 1 MB
VERIFY = ["-XX:+UnlockDiagnosticVMOptions", "-XX:+VerifyBeforeGC", "-XX:+VerifyAfterGC"]
SAMPLES = "compress=no,interval=512k"
# JDK 11's. Biased from the start on, and not 4 s later.
LOCKS = {"attach": ("-XX:-UseBiasedLocking",), "attach, biased": ("-XX:+UseBiasedLocking", "-XX:BiasedLockingStartupDelay=0")}
ALONE, COUNTED = 512 << 10, 1 << 20  # bytes between samples where nobody says
ROOM = 1024  # accounts on their way to the writer
ENDED = 8    # recordings
OLDER = 16   # collections, in which there may be objects that are older than the recording
EARLY = 12   # starts; before it was mended, two in five told of a collection too many


def can_serialise():
    """Whether the kernel makes all threads of a process execute a serialising instruction (membarrier(2)), without which no call is led elsewhere."""
    number, query, sync_core = 324, 0, 1 << 5
    return bool(max(0, ctypes.CDLL(None).syscall(number, query, 0, 0)) & sync_core)


class Site:
    """What the trace says of one (class, leaf method)."""

    def __init__(self):
        self.objects = self.bytes = self.outside = 0
        self.young, self.promoted = [0] * AGES, [0] * AGES


def add(to, counts):
    for i, n in enumerate(counts):
        to[i] += n


class Exact:
    """The exact engine's records of a trace: sites by (class, Class.method), "" where no method is known."""

    def __init__(self, path):
        self.strings, self.classes, self.methods, self.frames, self.names = {0: ""}, {}, {}, {0: None}, {}
        self.sites, self.audits, self.gcs, self.facts, self.notes, self.clock = {}, [], [], {}, [], []
        self.intervals = []
        self.defined, self.late = {}, set()
        for kind, r in trace.definitions(path): # a site's place may be told after what was counted there
            getattr(self, kind)(r)
        wanted = {name for name, _ in trace.KINDS.values() if hasattr(self, name)} - set(trace.DEFINITIONS)
        for kind, r in self.items(path, wanted):
            getattr(self, kind, lambda r: None)(r)

    def items(self, path, wanted):
        return trace.records(path, wanted)

    def string(self, r):
        self.strings[r["id"]] = r["text"]

    def class_(self, r):
        self.classes[r["id"]] = self.strings[r["name"]]

    def method(self, r):
        self.methods[r["id"]] = f"{self.strings[r['class_name']]}.{self.strings[r['name']]}"

    def frame(self, r):
        self.frames[r["id"]] = self.methods[r["method"]]

    def site(self, r):
        self.defined[r["id"]] = r
        self.names[r["id"]] = (self.classes.get(r["class"], ""), self.frames[r["frame"]] or "")

    def site_place(self, r):
        self.late.add(r["site"])
        self.site({**self.defined[r["as"]], "id": r["site"]})

    def at(self, r):
        """Site 0: the agent had no room for one more."""
        return self.sites.setdefault(self.names[r["site"]] if r["site"] else ("", ""), Site())

    def site_births(self, r):
        s = self.at(r)
        s.objects += r["objects"]
        s.bytes += r["bytes"]
        s.outside += r["outside_objects"]

    def site_ages(self, r):
        s = self.at(r)
        add(s.young, r["objects"])
        add(s.promoted, r["promoted_objects"])

    def audit(self, r):
        self.audits.append(r)

    def exact_gc(self, r):
        self.gcs.append(r)

    def config(self, r):
        self.intervals.append(r["interval"])

    def gc(self, r):
        self.clock.append(r["young"])

    def fact(self, r):
        self.facts[r["key"]] = r["value"]
        if r["key"] == "exact":
            self.unsaid = len(self.clock) # collections before it was said

    def note(self, r):
        self.notes.append(r["text"])

    def of_class(self, name):
        """Wherever they were born."""
        found = Site()
        for (class_, _), s in self.sites.items():
            if class_ == name:
                found.objects += s.objects
                found.outside += s.outside
                add(found.young, s.young)
                add(found.promoted, s.promoted)
        return found


setattr(Exact, "class", Exact.class_)


class Surge(Exact):
    """And of java/Brim.java's nodes, by collection: how many were born before it since the last one, and survived it as their first."""

    ROUND = 550_000  # Brim.LONG

    def __init__(self, path):
        self.born, self.met = {}, {}
        super().__init__(path)

    def is_node(self, r):
        return self.names.get(r["site"], ("", ""))[0] == "Brim$Node"

    def site_births(self, r):
        super().site_births(r)
        if self.is_node(r):
            self.born[r["young"]] = self.born.get(r["young"], 0) + r["objects"]

    def site_ages(self, r):
        super().site_ages(r)
        if self.is_node(r):
            first = sum(r["objects"][:1]) + sum(r["promoted_objects"][:1])
            self.met[r["young"]] = self.met.get(r["young"], 0) + first

    def wrong(self, spare):
        """Accounts with too many nodes, or too few: all live until their round is over. spare: how many it need not know of those
        whose region's evacuation failed, by account."""
        made, bad = 0, []
        for g in self.gcs:
            born, met = self.born.get(g["young"], 0), self.met.get(g["young"], 0)
            made += born
            live = min(born, made % self.ROUND)
            if not live - (spare(g) if g["failed"] else 0) <= met <= live:
                bad.append(f"{live} lived, {met} were counted: {g}")
        return bad


def survived(sites):
    """[k]: objects that are known to have survived k collections, or more."""
    lives = [0] * max(64, *(len(s["died"]) for s in sites), *(len(s["alive"]) for s in sites))
    for s in sites:
        add(lives, s["died"])
        add(lives, s["alive"])
    return [sum(lives[k:]) for k in range(AGES + 1)]


class Case:
    KINDS = ("header", "followed")

    def __init__(self, bench, jdk, gc, verify, compact=False):
        self.bench, self.jdk, self.gc, self.verify, self.compact = bench, jdk, gc, verify, compact

    def name(self, what):
        return f"{self.jdk.release} {self.gc}{' compact' * self.compact}: {what}"

    def check(self, what, ok, why=""):
        return self.bench.check(self.name(what), ok, why)

    def flags(self):
        return self.jdk.flags(self.gc) + (VERIFY if self.verify else []) + ["-XX:+UseCompactObjectHeaders"] * self.compact

    def brimful(self):
        """Flags for where memory runs out: 25's Parallel can't verify its heap after a failed promotion, with compact headers."""
        broken = self.verify and self.compact and self.gc == "Parallel"
        return ["-XX:-VerifyBeforeGC", "-XX:-VerifyAfterGC"] if broken else []

    def whole(self, what, path, reader=Exact):
        """The trace is whole and consistent; what the engine wrote in it. None: it can't be read."""
        status, out, err = self.bench.tool("check", path)
        if not self.check(f"{what}: mayfly check", status == 0 and ": whole" in out, out + err):
            return None
        return reader(path)

    def engine(self, what, e, biased=False):
        facts = (e.facts.get("engine"), e.facts.get("exact"))
        return self.check(f"{what}: the engine did it", facts == ("exact", self.KINDS[self.compact or biased]), f"{e.facts}\n{e.notes}")

    def audits(self, what, e, least=1):
        bad = [a for a in e.audits if a["walked"] != a["seen"]]
        seen, walked = sum(a["seen"] for a in e.audits), sum(a["walked"] for a in e.audits)
        self.check(f"{what}: {len(e.audits)} audits: {seen} of {walked} objects were seen", len(e.audits) >= least and not bad,
                   f"{len(bad)} are off\n" + "\n".join(map(str, bad[:20])))
        known = sum(a["attributed"] for a in e.audits)
        self.check(f"{what}: {100 * known / max(seen, 1):.3f} % have a line", known >= 0.99 * seen,
                   "\n".join(map(str, e.audits[:10])))

    # What is known.

    def truth(self, rounds, scale, env=None):
        path = self.bench.path("exact.mfly")
        flags = self.flags() + HEAP + YOUNG + (["-XX:G1HeapRegionSize=1m"] if self.gc == "G1" else [])
        got = self.bench.java(self.jdk, *flags, self.bench.agent_flag(f"file={path},exact,audit,{SAMPLES}"),
                              "-cp", self.bench.classes, "Truth", "1", str(rounds), "young", str(scale), "hurry", env=env)
        if not self.check("truth: the program is unharmed", got.status == 0 and not got.err, got.out[-2000:] + got.err[-2000:]):
            return
        truth = jvm.json.loads(got.out)
        if truth["surprises"] or truth["witness_errors"]:
            self.bench.skip(self.name("truth"), "the program's own record says that it is no truth")
            return
        e = self.whole("truth", path)
        if e is None or not self.engine("truth", e):
            return
        self.audits("truth", e, rounds)
        if env or self.jdk.musl: # what doors go by is not there
            self.check(f"truth: {e.facts.get('doors')} places had doors", int(e.facts.get("doors", 0)) == 0)
        elif not self.compact: # no fact: this kernel does not let code be changed so
            given = int(e.facts["doors"]) > 0 if "doors" in e.facts else not can_serialise()
            self.check(f"truth: {e.facts.get('doors')} places had doors", given)
            self.check("truth: without doors", self.shut())
        told = {g["young"] for g in e.gcs}
        self.check("truth: each collection has its account", set(e.clock) <= told, sorted(set(e.clock) - told))
        unknown = sum(g["unknown"] for g in e.gcs[-rounds:])
        failed = sum(g["failed"] for g in e.gcs)
        self.bench.say(f"{self.name('unknown')} {unknown} of {sum(g['survivors'] + g['promoted'] for g in e.gcs[-rounds:])} "
                       f"survivors in the rounds, {failed} regions failed")
        for method in dict.fromkeys(s["method"] for s in truth["sites"]):
            self.site(e, method, [s for s in truth["sites"] if s["method"] == method])

    def roomless(self, rounds, scale):
        """Where glibc gives libraries that are loaded later no room of each thread's, as musl."""
        self.truth(rounds, scale, {**self.bench.env, "GLIBC_TUNABLES": "glibc.rtld.optional_static_tls=0"})

    def aligned(self, size):
        apart = next((int(f.split("=")[1]) for f in self.flags() if f.startswith("-XX:ObjectAlignmentInBytes=")), 8)
        return (size + apart - 1) // apart * apart

    def shut(self):
        path = self.bench.path("shut.mfly")
        got = self.bench.java(self.jdk, *self.flags(), *HEAP, self.bench.agent_flag(f"file={path},exact,doors=no,{SAMPLES}"),
                              "-cp", self.bench.classes, "Marks", "3")
        return got.status == 0 and "doors" not in Exact(path).facts

    def site(self, e, method, sites):
        class_, size = sites[0]["class"], self.aligned(sites[0]["size"])
        objects = sum(s["objects"] for s in sites)
        got = e.sites.get((class_, f"Truth.{method}"), Site())
        elsewhere = ""
        if class_ != "byte[]":
            other = e.of_class(class_).objects - got.objects
            elsewhere = f"; {other} of its class are told to be of other places" if other else ""
        self.check(f"truth: {method}: {objects} were born", (got.objects, got.bytes) == (objects, objects * size),
                   f"told: {got.objects}, {got.bytes} bytes, not {objects * size}{elsewhere}")
        if self.gc == "G1" and size > HUMONGOUS:
            self.check(f"truth: {method}: all outside of the young generation",
                       got.outside == objects and not any(got.young + got.promoted), vars(got))
            return
        want = survived(sites)
        # An object that has been promoted is not met again.
        have = [y + p for y, p in zip(got.young, got.promoted)]
        early = got.promoted[:AGES - 1]
        good = have == want[1:] if not any(early) else False
        self.check(f"truth: {method}: who survived how much", good and not got.outside,
                   f"true: {want[1:]}\ntold: {have}\npromoted before their time: {early}, outside: {got.outside}")

    def full(self, rounds, scale):
        """Each round ends with System.gc(): what lives outlives it, and stands in the old generation then."""
        path = self.bench.path("full.mfly")
        got = self.bench.java(self.jdk, *self.flags(), *HEAP, *YOUNG, "-XX:+IgnoreUnrecognizedVMOptions", "-XX:G1HeapRegionSize=1m",
                              self.bench.agent_flag(f"file={path},exact,audit,{SAMPLES}"),
                              "-cp", self.bench.classes, "Truth", "1", str(rounds), "full", str(scale), "hurry")
        if not self.check("full: the program is unharmed", got.status == 0 and not got.err, got.out[-2000:] + got.err[-2000:]):
            return
        truth = jvm.json.loads(got.out)
        e = self.whole("full", path)
        if truth["surprises"] or e is None or not self.engine("full", e):
            self.bench.skip(self.name("full"), "the program's own record says that it is no truth")
            return
        kinds = [g["kind"] for g in e.gcs]
        self.check("full: the objects were followed through each", kinds.count(4) > rounds and 2 not in kinds, kinds)
        for method in dict.fromkeys(s["method"] for s in truth["sites"]):
            sites = [s for s in truth["sites"] if s["method"] == method]
            have = e.sites.get((sites[0]["class"], f"Truth.{method}"), Site())
            want = survived(sites)[1] if self.gc != "G1" or sites[0]["size"] <= HUMONGOUS else 0
            self.check(f"full: {method}: {want} outlived one", have.young[0] + have.promoted[0] == want, vars(have))

    # Headers in use.

    def marks(self, rounds):
        path = self.bench.path("marks.mfly")
        got = self.bench.java(self.jdk, *self.flags(), *HEAP, "-Xmx128m", "-Xmn8m",
                              self.bench.agent_flag(f"file={path},exact,audit,{SAMPLES}"), "-cp", self.bench.classes, "Marks",
                              str(rounds))
        made = re.fullmatch(r"ready\nmade (\d+)\n", got.out)
        if not self.check("marks: the program is unharmed", got.status == 0 and made and not got.err,
                          f"exit status {got.status}\n{got.out[-3000:]}{got.err[-3000:]}"):
            return
        e = self.whole("marks", path)
        if e is None or not self.engine("marks", e):
            return
        self.audits("marks", e, 5)
        for name, method in (("Hashed", "hash"), ("Locked", "lock")):
            s = e.sites.get((f"Marks${name}", f"Marks.{method}"), Site())
            self.check(f"marks: {made[1]} of {name}", s.objects == int(made[1]), vars(s))
            twice = [k for k in range(1, AGES - 1) if s.young[k] + s.promoted[k] > s.young[k - 1]]
            self.check(f"marks: no {name} survives more than there were, or is promoted twice",
                       not twice and s.young[0] + s.promoted[0] <= s.objects and sum(s.promoted) <= s.objects, vars(s))

    def clones(self):
        """The VM makes the marks of its clones anew after it has told of them: still they are known when they live on."""
        path, count = self.bench.path("clones.mfly"), 20_000
        got = self.bench.java(self.jdk, *self.flags(), "-Xint", *HEAP, "-Xmx64m", "-Xmn24m",
                              self.bench.agent_flag(f"file={path},exact,audit,{SAMPLES}"), "-cp", self.bench.classes, "Clones", str(count))
        if not self.check("clones: the program is unharmed", got.status == 0 and got.out == f"cloned {count}\n" and not got.err,
                          got.out[-2000:] + got.err[-2000:]):
            return
        e = self.whole("clones", path)
        if e is None or not self.engine("clones", e):
            return
        for name, class_ in (("sheep", "Clones$Sheep"), ("pairs of goats", "Clones$Goat[]")):
            s = e.of_class(class_)
            lived = s.young[0] + s.promoted[0]
            self.check(f"clones: of {s.objects} {name} {lived} are known to live on", s.objects == lived == count + 1, vars(s))

    def vast(self):
        """Arrays that get their memory in the old generation inside a pause."""
        path = self.bench.path("vast.mfly")
        rounds = 60
        got = self.bench.java(self.jdk, *self.flags(), *HEAP, "-Xms64m", "-Xmx512m", "-Xmn32m", "-XX:SurvivorRatio=2",
                              "-XX:-UseAdaptiveSizePolicy", self.bench.agent_flag(f"file={path},exact,audit,{SAMPLES}"),
                              "-cp", self.bench.classes, "Vast", str(rounds), str(20 << 20))
        said = re.fullmatch(r"arrays (\d+) smalls (\d+)\n", got.out)
        if not self.check("vast: the program is unharmed", got.status == 0 and said and not got.err,
                          f"exit status {got.status}\n{got.out[-3000:]}{got.err[-3000:]}"):
            return
        e = self.whole("vast", path)
        if e is None or not self.engine("vast", e):
            return
        self.audits("vast", e, 0)
        arrays = e.sites.get(("byte[]", "Vast.vast"), Site())
        small = e.sites.get(("Vast$Small", "Vast.small"), Site())
        self.check(f"vast: {said[1]} arrays and {said[2]} small ones",
                   (arrays.objects, small.objects) == (int(said[1]), int(said[2])), f"{vars(arrays)}\n{vars(small)}")
        self.check("vast: the arrays are outside of the young generation", arrays.outside == rounds, vars(arrays))
        told = {g["young"] for g in e.gcs}
        self.check("vast: each collection has its account", set(e.clock) <= told, sorted(set(e.clock) - told))

    def brim(self):
        """Where memory runs out nobody is counted twice: `mayfly check` finds no more that have survived than there were."""
        for what, size, young, kept, times in (("full", "24m", "8m", 450_000, 4_000_000), ("surge", "40m", "20m", 14, 4)):
            path = self.bench.path("brim.mfly")
            got = self.bench.java(self.jdk, *self.flags(), f"-Xms{size}", f"-Xmx{size}", f"-Xmn{young}", *self.brimful(),
                                  self.bench.agent_flag(f"file={path},exact,audit,{SAMPLES}"), "-cp", self.bench.classes, "Brim", what,
                                  str(kept), str(times))
            if not self.check(f"brim: {what}: the program is unharmed", got.status == 0 and not got.err, got.out[-2000:] + got.err[-2000:]):
                continue
            e = self.whole(f"brim: {what}", path, Surge)
            if e is None or not self.engine(f"brim: {what}", e):
                continue
            kinds = [g["kind"] for g in e.gcs]
            failed = [(g["young"], g["full"]) for g in e.gcs if g["kind"] == 0 and g["failed"]]
            if self.gc == "G1" and what == "surge":
                self.failed(e, kinds, failed)
                continue
            self.check(f"brim: {what}: full collections were followed", kinds.count(4) >= 2 and 2 not in kinds, kinds)
            # Up to 21 those that fail go on with a full one.
            self.check(f"brim: {what}: no young collection fails by itself", not failed or self.jdk.major > 21 or self.gc == "G1", failed)

    def over(self):
        """More is asked for than there is: what lives through all the collections of that one pause is as old as it is by one."""
        kept, times, path = 20_000, 5, self.bench.path("over.mfly")
        got = self.bench.java(self.jdk, *self.flags(), "-Xms64m", "-Xmx64m", "-Xmn24m", *self.brimful(),
                              self.bench.agent_flag(f"file={path},exact,audit,{SAMPLES}"), "-cp", self.bench.classes, "Brim", "over",
                              str(kept), str(times))
        if not self.check("brim: over: the program is unharmed", got.status == 0 and not got.err, got.out[-2000:] + got.err[-2000:]):
            return
        e = self.whole("brim: over", path)
        if e is None or not self.engine("brim: over", e):
            return
        self.check("brim: over: full collections were followed", {g["kind"] for g in e.gcs if g["full"]} >= {4} and
                   not any(g["kind"] == 2 for g in e.gcs), e.gcs)
        nodes = e.of_class("Brim$Node")
        ages = [young + promoted for young, promoted in itertools.zip_longest(nodes.young, nodes.promoted, fillvalue=0)]
        apart = self.gc == "G1" or self.jdk.major > 21 # each collection has its own pause
        self.check(f"brim: over: of {kept * times} nodes {ages[0]} are one collection old, none is older",
                   nodes.objects == kept * times == ages[0] and (apart or not any(ages[1:])), ages)

    def single(self):
        """Parallel of 11 may leave full collections to one thread, whose marking begins in another function: they are not followed, and no
        young one is told to have failed before them."""
        if self.gc != "Parallel" or self.jdk.major > 11:
            return
        path = self.bench.path("single.mfly")
        got = self.bench.java(self.jdk, *self.flags(), "-XX:-UseParallelOldGC", "-Xms64m", "-Xmx64m", "-Xmn24m",
                              self.bench.agent_flag(f"file={path},exact=trace,audit,{SAMPLES}"), "-cp", self.bench.classes, "Brim", "over",
                              "20000", "5")
        if not self.check("single: the program is unharmed", got.status == 0 and not got.err, got.out[-2000:] + got.err[-2000:]):
            return
        e = self.whole("single", path)
        if e is None:
            return
        full = [g for g in e.gcs if g["kind"] in (2, 4)]
        self.check(f"single: {len(full)} full collections are not followed, and of no young one it is said that it failed", full and
                   not any(g["kind"] == 4 or g["failed"] for g in full), full)
        self.check("single: each is in the clock of full collections", all(a["full"] < b["full"] for a, b in zip(full, full[1:])), full)

    def rim(self, what, *more):
        """Where a full collection leaves eden full, Serial gives who asked for it memory among the survivors: it is not written yet. G1
        evacuates young regions of which there are none. Without the VM's counters pauses in which nothing moves are in the clock too."""
        path = self.bench.path("rim.mfly")
        got = self.bench.java(self.jdk, *self.flags(), "-Xms40m", "-Xmx40m", *more, *self.brimful(),
                              self.bench.agent_flag(f"file={path},exact,{SAMPLES}"), "-cp", self.bench.classes, "Brim", "rim", "4000", "40")
        if not self.check(f"brim: {what}: the program is unharmed", got.status == 0 and not got.err, got.out[-2000:] + got.err[-2000:]):
            return
        e = self.whole(f"brim: {what}", path)
        if e is None or not self.engine(f"brim: {what}", e):
            return
        missing = sorted(set(e.clock) - {g["young"] for g in e.gcs})
        self.check(f"brim: {what}: each of {len(e.clock)} collections has its account", e.clock and not missing, f"{missing}\n{e.notes}")
        still = [g for g in e.gcs if g["kind"] == 3]
        self.check(f"brim: {what}: of {len(e.gcs)} accounts {len(still)} are of pauses in which nothing moved", (more or not still) and
                   not any(g["births"] + g["survivors"] + g["promoted"] for g in still), still)

    def grow(self):
        """What a full collection leaves in eden is known, too, where the young generation grows in that pause: all nodes live, and no audit
        takes them for newborns."""
        kept, path = 2_000_000, self.bench.path("grow.mfly")
        got = self.bench.java(self.jdk, *self.flags(), "-Xms8m", "-Xmx256m", self.bench.agent_flag(f"file={path},exact,audit,{SAMPLES}"),
                              "-cp", self.bench.classes, "Brim", "grow", str(kept), "4")
        if not self.check("brim: grow: the program is unharmed", got.status == 0 and not got.err, got.out[-2000:] + got.err[-2000:]):
            return
        e = self.whole("brim: grow", path)
        if e is None or not self.engine("brim: grow", e):
            return
        self.audits("brim: grow", e)
        nodes = e.of_class("Brim$Node")
        status, out, err = self.bench.tool("report", path, "--json", "--by", "class", "--min", "0")
        rows = [r for r in json.loads(out)["rows"] if r["class"] == "Brim$Node"] if status == 0 else []
        self.check(f"brim: grow: of {kept} nodes none died", nodes.objects == kept and [r["died"]["objects"] for r in rows] == [0],
                   f"{vars(nodes)}\n{rows}\n{err}")

    def spare(self, account):
        """Up to 21 the VM makes their marks anew, without a site. Where no object has a site, one whose place begins a gap that was
        filled since may have moved."""
        return account["unknown"] if self.jdk.major <= 21 else account["survivors"] + account["promoted"] if self.compact else 0

    def failed(self, e, kinds, failed):
        """G1 leaves what it can't move where it is, and needs no full collection for that."""
        self.check("brim: surge: evacuation failed, and any full collection was followed", failed and 2 not in kinds, e.gcs)
        wrong = e.wrong(self.spare)
        self.check("brim: surge: who lived through a failed evacuation was counted, once", not wrong, "\n".join(wrong))

    def crowd(self):
        """A young generation of 1 MB: thousands of collections in a second or two, more than there is room for between two ticks."""
        path = self.bench.path("crowd.mfly")
        got = self.bench.java(self.jdk, *self.flags(), "-Xms64m", "-Xmx64m", "-Xmn1m",
                              self.bench.agent_flag(f"file={path},exact,{SAMPLES}"), "-cp", self.bench.classes, "Brim", "full", "1000",
                              "100000000")
        if not self.check("crowd: the program is unharmed", got.status == 0 and not got.err, got.out[-2000:] + got.err[-2000:]):
            return
        e = self.whole("crowd", path)
        if e is None or not self.engine("crowd", e):
            return
        told = {g["young"] for g in e.gcs}
        missing = sorted(set(e.clock) - told)
        self.check(f"crowd: each of {len(e.clock)} collections has its account", len(e.clock) > 2 * ROOM and not missing,
                   f"{len(missing)} are missing: {missing[:20]}\n{e.notes}")

    def late(self):
        """The VM tells of compiled code so late, and collects so often, that sites are told of without their places. 26 tells of none any
        more, even when asked, once it tells of its own end."""
        if self.jdk.major >= 26:
            return
        path, slow = self.bench.path("late.mfly"), os.path.join(os.path.dirname(os.path.dirname(self.bench.agent)), "test/late_code.so")
        got = self.bench.java(self.jdk, *self.flags(), "-Xms64m", "-Xmx64m", "-Xmn1m", f"-agentpath:{slow}=1000",
                              self.bench.agent_flag(f"file={path},exact,{SAMPLES}"), "-cp", self.bench.classes, "Brim", "full", "1000",
                              "50000000")
        if not self.check("late: the program is unharmed", got.status == 0 and not got.err, got.out[-2000:] + got.err[-2000:]):
            return
        e = self.whole("late", path)
        if e is None or not self.engine("late", e):
            return
        born = sum(s.objects for s in e.sites.values())
        lost = sum(s.objects for (_, leaf), s in e.sites.items() if not leaf)
        self.check(f"late: {len(e.late)} sites had no place at first, {lost} of {born} births have none", e.late and lost < 0.001 * born)

    def early(self):
        """Collections are on while the recording begins (G1, from 12 on): which of them the first births came behind is known."""
        if self.gc != "G1" or self.jdk.major < 12:
            return
        ticks, told = [], 0
        for number in range(EARLY):
            path = self.bench.path(f"early{number}.mfly")
            got = self.bench.java(self.jdk, *self.flags(), "-XX:G1PeriodicGCInterval=1", self.bench.agent_flag(f"file={path},exact,{SAMPLES}"),
                                  "-cp", self.bench.classes, "Brim", "full", "1000", "5000000")
            if not self.check("early: the program is unharmed", got.status == 0, got.out[-2000:] + got.err[-2000:]):
                return
            gcs = Exact(path).gcs
            told += len(gcs)
            ticks += [g for g in gcs if g["kind"] == 3]
        self.check(f"early: of {told} collections of {EARLY} starts none is counted for one before it", told > EARLY and not ticks, ticks[:10])

    def ended(self):
        """Births end some time before pauses do. What is made in between never had a site, and has lost none."""
        gcs, strays, behind = 0, [], []
        for number in range(ENDED):
            path = self.bench.path(f"ended{number}.mfly")
            got = self.bench.java(self.jdk, *self.flags(), "-Xmx64m", "-Xmn2m", self.bench.agent_flag(f"file={path},exact,duration=200ms,{SAMPLES}"),
                                  "-cp", self.bench.classes, "Mill", "400")
            if not self.check("ended: the program is unharmed", got.status == 0, got.out[-2000:] + got.err[-2000:]):
                return
            e = Exact(path)
            told = e.gcs
            gcs += len(told)
            last = max((g["young"] for g in told), default=0)
            behind += [c for c in e.clock[-1:] if c > last] # 200 ms may have none
            strays += [g for g in told if g["unknown"] and g["young"] > OLDER]
        self.check(f"ended: of {gcs} collections of {ENDED} recordings none found a young object without its site", gcs > ENDED and not strays, strays[:10])
        self.check(f"ended: none of {ENDED} recordings counts a collection behind the last account", not behind, behind)

    def ours(self):
        """mayfly's own object stays young as long as one can, has no site, and is not counted as one that has lost it."""
        path = self.bench.path("ours.mfly")
        got = self.bench.java(self.jdk, *self.flags(), "-Xmx64m", "-Xmn16m", "-XX:SurvivorRatio=2", "-XX:InitialTenuringThreshold=15",
                              "-XX:-UseAdaptiveSizePolicy", "-XX:TargetSurvivorRatio=90", self.bench.agent_flag(f"file={path},exact,{SAMPLES}"),
                              "-cp", self.bench.classes, "Mill", "1000")
        if not self.check("ours: the program is unharmed", got.status == 0, got.out[-2000:] + got.err[-2000:]):
            return
        gcs = [g for g in Exact(path).gcs if g["young"] > 2 * OLDER]
        strays = [g for g in gcs if g["unknown"]]
        self.check(f"ours: of {len(gcs)} collections none found a young object without its site", len(gcs) > OLDER and not strays, strays[:10])

    # Recordings that begin and end while the program runs.

    def attach(self):
        """Where locks are biased (11) there is no room for sites: single objects are followed for the counts."""
        for name, locks in LOCKS.items() if self.jdk.major == 11 else (("attach", ()),):
            self.attach_with(name, locks)

    def attach_with(self, name, locks):
        bench = self.bench
        process = bench.start(self.jdk, *self.flags(), *locks, *HEAP, "-Xmx128m", "-Xmn8m", "-cp", bench.classes, "Marks", "0",
                              stdin=subprocess.PIPE)
        ready = process.stdout.readline()
        results = []
        for number, interval in ((1, ()), (2, ("--interval", "512k"))):
            path = bench.path(f"attach{number}.mfly")
            results.append((path, *bench.tool("attach", str(process.pid), "-d", "3s", "-o", path, *interval,
                                              "--exact", "--audit", "--no-compress")))
        alive = process.poll() is None
        if alive:
            process.stdin.write("\n")
        got = bench.finish(process)
        stray = LATE.sub("", got.err) if self.jdk.major >= 21 else got.err
        self.check(f"{name}: the program is unharmed", alive and got.status == 0 and ready == "ready\n" and
                   re.fullmatch(r"made \d+\n", got.out) and not stray,
                   f"exit status {got.status}\n{got.out[-3000:]}{got.err[-3000:]}")
        for number, (path, status, out, err) in enumerate(results, 1):
            what = f"{name} {number}"
            if not self.check(f"{what}: ends well", status == 0, out + err):
                continue
            e = self.whole(what, path)
            if e is not None and self.engine(what, e, "-XX:+UseBiasedLocking" in locks):
                self.check(f"{what}: samples are as far apart as asked for", e.intervals[:1] == [COUNTED if number == 1 else ALONE], e.intervals)
                self.audits(what, e)
                s = e.sites.get(("Marks$Hashed", "Marks.hash"), Site())
                self.check(f"{what}: births and survivors are told", s.objects and any(s.young), f"{vars(s)}\n{e.gcs[-5:]}")


def refused(bench, jdk, flags, why):
    """Without `require` the samples go on alone, and the trace says why."""
    name = f"{jdk.release} {' '.join(flags)}"
    path = bench.path("refused.mfly")
    for need in ("exact=require", "exact"):
        if os.path.exists(path):
            os.remove(path)
        got = bench.java(jdk, *flags, "-Xmx128m", bench.agent_flag(f"file={path},{need},compress=no"), "-cp", bench.classes, "Marks",
                         "3")
        said = [line for line in (got.out + got.err).splitlines() if line.startswith("mayfly:")]
        if need == "exact=require":
            # As with any option that can't be: the program runs on without a recording.
            bench.check(f"{name}: {need} fails with a sentence",
                        got.status == 0 and len(said) == 1 and why in said[0] and "nothing is recorded" in said[0] and "made " in got.out,
                        f"{got.status}\n{got.out}{got.err}")
            continue
        if not bench.check(f"{name}: {need} leaves the program unharmed", got.status == 0 and "made " in got.out,
                           f"{got.status}\n{got.out}{got.err}"):
            continue
        e = Exact(path)
        facts = {key: e.facts.get(key) for key in ("engine", "exact", "exact.why")}
        bench.check(f"{name}: {need} falls back, and the trace says why",
                    (facts["engine"], facts["exact"]) == ("sampled", "refused") and why in (facts["exact.why"] or ""), facts)
        bench.check(f"{name}: samples alone are as close as ever", e.intervals[:1] == [ALONE], e.intervals)
        bench.check(f"{name}: there is nothing of the engine in it", not e.gcs and not e.sites, e.gcs[:3])


def required(bench, jdk, flags):
    """Asked for by attach: whoever asks does not see the program's stderr, and must not be told that the VM can't be recorded."""
    process = bench.start(jdk, *flags, "-Xmx128m", "-cp", bench.classes, "Marks", "0", stdin=subprocess.PIPE)
    process.stdout.readline()
    status, out, err = bench.tool("attach", str(process.pid), "-d", "1s", "-o", bench.path("required.mfly"), "--exact=require")
    process.stdin.write("\n")
    got = bench.finish(process)
    bench.check(f"{jdk.release} {' '.join(flags)}: attach says that it is the exact engine which can't be had", status == 1 and
                "the exact engine can't be had there" in err and "can't sample" not in err and got.status == 0, f"{status} {out}{err}\n{got.err}")


def idle(bench, jdk):
    """Where no collection comes, the trace says what would bring one."""
    flags = ["-XX:-UseBiasedLocking"] if jdk.major == 11 else []
    process = bench.start(jdk, "-XX:+UseSerialGC", "-Xmx128m", *flags, "-cp", bench.classes, "Holdings", stdin=subprocess.PIPE)
    process.stdout.readline()
    path = bench.path("idle.mfly")
    status, out, err = bench.tool("attach", str(process.pid), "-d", "1s", "-o", path, "--exact", "--no-compress")
    process.stdin.write("end\n")
    process.stdin.flush()
    got = bench.finish(process)
    why = Exact(path).facts.get("exact.why", "") if status == 0 else ""
    bench.check(f"{jdk.release}: what an idle program's counts lack is told", got.status == 0 and "no collection came that could show" in why and
                "-Xmn" in why and "0 allocations" not in why, f"{out}{err}{why}\n{got.out}{got.err}")


def replaced(bench, jdk):
    """What an older agent has patched stays, and it is not told as somebody else's tool."""
    flags = ["-XX:-UseBiasedLocking"] if jdk.major == 11 else []
    process = bench.start(jdk, "-XX:+UseSerialGC", "-Xmx128m", *flags, "-cp", bench.classes, "Holdings", stdin=subprocess.PIPE)
    process.stdout.readline()
    older, path = bench.path("older.so"), bench.path("replaced.mfly")
    shutil.copy(bench.agent, older)
    for library in (older, bench.agent):
        got = subprocess.run([bench.mayfly, "attach", str(process.pid), "-d", "100ms", "-o", path, "--exact", "--no-compress", "--no-report"],
                             env={**os.environ, "MAYFLY_AGENT": library}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=jvm.LIMIT)
    process.stdin.write("end\n")
    process.stdin.flush()
    end = bench.finish(process)
    why = Exact(path).facts.get("exact.why", "")
    bench.check(f"{jdk.release}: the agent that was there before is named", end.status == 0 and got.returncode == 0 and
                why.startswith(f"{os.path.realpath(older)} leads the VM's allocation probe elsewhere"), f"{got.stdout}{why}\n{end.out}{end.err}")


def refusals(bench, jdk):
    idle(bench, jdk)
    replaced(bench, jdk)
    zgc = ["-XX:+UnlockExperimentalVMOptions", "-XX:+UseZGC"]
    refused(bench, jdk, zgc, "it needs Serial, Parallel or G1")
    # A VM that was built without DTrace does not start with the first.
    probes = ["-XX:+DTraceAllocProbes"] if bench.java(jdk, "-XX:+DTraceAllocProbes", "-version").status == 0 else []
    for flag in probes:
        refused(bench, jdk, [flag], "leave out " + flag)
    if probes:
        required(bench, jdk, probes) # and not that another agent has the sampler
    required(bench, jdk, zgc)
    # Ages end at 15, and objects that get older than that would be told to have survived 15 again and again.
    refused(bench, jdk, ["-XX:+UseSerialGC", "-XX:+NeverTenure"], "NeverTenure")
    required(bench, jdk, ["-XX:+UseG1GC", "-XX:MaxTenuringThreshold=16", *(["-XX:-UseBiasedLocking"] if jdk.major == 11 else [])])


CASES = ("truth", "roomless", "full", "marks", "clones", "vast", "brim", "single", "crowd", "late", "early", "ended", "ours", "attach", "refused")


def main():
    p = jvm.parser(__doc__)
    p.add_argument("--case", action="append", choices=CASES, help="may be repeated (default: all)")
    p.add_argument("--rounds", type=int, default=40)
    p.add_argument("--scale", type=int, default=60, help="objects in percent")
    p.add_argument("--compact", action="store_true", help="with compact object headers (25)")
    p.add_argument("--verify", action="store_true", help="let the VM verify its heap around each collection")
    args = p.parse_args()
    cases = args.case or CASES
    bench = jvm.Bench(args.keep)
    for jdk, gc in jvm.pairs(args):
        if gc not in COLLECTORS:
            continue
        if args.compact and jdk.major < 25:
            continue
        case = Case(bench, jdk, gc, args.verify, args.compact)
        if "truth" in cases:
            case.truth(args.rounds, args.scale)
        if "roomless" in cases:
            case.roomless(args.rounds, args.scale)
        if "full" in cases:
            case.full(args.rounds, args.scale)
        if "marks" in cases:
            case.marks(20)
        if "clones" in cases:
            case.clones()
        if "vast" in cases:
            case.vast()
        if "brim" in cases:
            case.brim()
            case.over()
            case.grow()
            case.rim("rim")
            case.rim("rim, no counters", "-XX:-UsePerfData")
        if "single" in cases:
            case.single()
        if "crowd" in cases:
            case.crowd()
        if "late" in cases:
            case.late()
        if "early" in cases:
            case.early()
        if "ended" in cases:
            case.ended()
        if "ours" in cases:
            case.ours()
        if "attach" in cases:
            case.attach()
    if "refused" in cases:
        for jdk in jvm.jdks(args.jdk):
            refusals(bench, jdk)
    return bench.done()


if __name__ == "__main__":
    sys.exit(main())
