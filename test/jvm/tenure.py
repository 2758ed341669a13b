#!/usr/bin/env python3
"""Tenure in real VMs: what it learns and what comes of it, decisions that are kept in a file, recordings that begin and end in a
running program, objects under stress whose ages are set (java/Sound.java, with the VM's own verification of its heap), and all that
can be wrong with decisions, classes and VMs. java/Kept.java asks java.lang.MayflyAge for the ages of what it has just made.

    test/jvm/tenure.py --jdk 21 --gc G1 --case learn --case sound
    test/jvm/tenure.py --jdk 21 --gc G1 --case stress --gcs 3000
"""
import fcntl
import json
import math
import os
import re
import shutil
import statistics
import struct
import subprocess
import sys
import threading
import time
import zipfile

import exact
import jars
import jvm
import truth

COLLECTORS = ("G1", "Parallel", "Serial")
F_SETPIPE_SZ = 1031  # of fcntl, which names it from Python 3.10 on
VERIFY = ["-XX:+UnlockDiagnosticVMOptions", "-XX:+VerifyBeforeGC", "-XX:+VerifyAfterGC", "-XX:VerifySubSet=heap,threads"]
# Survivor spaces in which what is kept comes to many ages, whatever the collector would like.
HEAP = ["-Xms64m", "-Xmx64m", "-Xmn12m", "-XX:SurvivorRatio=1"]
# With these Serial's eden is a third of the young generation, 4 MB; G1's is most of it. What is in flight in Kept is to survive one or
# two collections: after three copies it is as well promoted at the first (doc/tenure.md, "Cost").
FLIGHT = {"G1": 3000, "Serial": 1400, "Parallel": 3000}
PARALLEL_OWN = b"\0_ZN10PSScavenge19_tenuring_thresholdE\0"  # the variable, in the library's symbols
PARALLEL = ["-XX:-UseAdaptiveSizePolicy", "-XX:InitialTenuringThreshold=15"]
ADAPTIVE = ["-XX:+UseAdaptiveSizePolicy", "-XX:InitialTenuringThreshold=7"]  # as Parallel is: with the above it copies a start 15 times
OPEN = ["--add-opens", "java.base/java.lang=ALL-UNNAMED"]
JUMP, THRESHOLD = 0, 1
OLD_CONCURRENT = 3  # the role of a collector that marks
TAKE, TAKE_BACK, REST, RESUME, ADVISE = 0, 2, 3, 4, 5
# What the file says, whatever comes of it: the controller takes back what does not pay, at a time of its own.
UNJUDGED = ("tenure=apply", "tenure-round=1000")
NONE_SET = 15
SAYS_SO = "the decisions file says so"
HEADER = 32  # bytes of a trace without a block
RUNS = "a method of its class has been running for long"
KEPT = ("Kept", "Kept$Late")
SOON = 60  # young collections, in which the self-test comes to its end
PICKY = 3 * sum(i % 9 for i in range(100_000))  # what Picky's guests make
CALLS_TEXT = 14  # in Kept.node, the index at which text is called
CALLS_CLONE = 1  # in Clones$Sheep.copy, that at which clone is
ALL_OLD = 90  # of 100 objects; a collection may come before the age is set
# What the stress makes its objects with, as far as a JDK has it.
LIBRARY = """java.util.HashMap java.util.HashMap$EntrySet java.util.HashMap$EntryIterator java.util.ArrayList java.util.ArrayList$Itr
    java.util.Arrays java.util.ArrayDeque java.util.IdentityHashMap java.lang.String java.lang.StringBuilder
    java.lang.AbstractStringBuilder java.lang.StringLatin1 java.lang.StringUTF16 java.lang.Long java.lang.Integer java.lang.Thread
    java.lang.StringConcatHelper java.lang.ref.Finalizer java.util.SplittableRandom java.util.concurrent.ConcurrentHashMap
    java.util.concurrent.ConcurrentLinkedQueue java.util.concurrent.atomic.AtomicLong""".split()
STORM = ["Storm", "Storm$Node", "Storm$Leaf", "Storm$Copied", "Storm$Reflected"]
STRESS_LIMIT = 900  # seconds
VERIFIED_LIMIT = STRESS_LIMIT + 100
# None of them lives so long that it would be promoted without.
TRUTHS = ("ring", "geo", "bimodal", "bytes1k")
# Places of Shown$Makers whose constructors show their object to nobody, of all.
QUIET = ("plain", "fields", "fieldsAnew", "deep", "twoQuiet", "either", "either", "object")
SOUND = ["Sound", "Sound$Item", "Sound$Held", "Sound$Mortal"]


class Trace(exact.Exact):
    """What a trace says of tenure. decisions have the place as (class, Class.method) and the reason as text."""

    def __init__(self, path):
        self.rounds, self.decisions, self.outcomes, self.leaves, self.seen = [], [], [], {}, {}
        self.lines, self.markings, self.concurrent, self.costs, self.thresholds = {}, [], set(), [], []
        self.young = 0
        super().__init__(path)

    def collector(self, r):
        if r["role"] == OLD_CONCURRENT:
            self.concurrent.add(r["id"])

    def gc(self, r):
        super().gc(r)
        self.thresholds.append(r["tenuring"])
        self.young = max(self.young, r["young"])
        if r["collector"] in self.concurrent and r["young"] not in self.markings:
            self.markings.append(r["young"])

    def frame(self, r):
        super().frame(r)
        self.lines[r["id"]] = (self.methods[r["method"]], r["line"], r["bci"])

    def site(self, r):
        super().site(r)
        self.leaves[r["id"]] = (self.classes.get(r["class"], ""), *self.lines.get(r["frame"], ("", 0, -1)))

    def alloc(self, r):
        """Samples by (class, Class.method, line, bci)."""
        leaf = self.leaves.get(r["site"])
        self.seen[leaf] = self.seen.get(leaf, 0) + 1

    def birth(self, r):
        self.alloc(r)

    def round(self, r):
        self.rounds.append(r)

    def decision(self, r):
        self.decisions.append({**r, "reason": self.strings[r["reason"]], "place": self.names.get(r["site"])})

    def outcome(self, r):
        self.outcomes.append(r)

    def note(self, r):
        """What the jumps cost is no complaint."""
        (self.costs if "an age is a plain store" in r["text"] else self.notes).append(r["text"])

    def told(self, action, lever=None, reason=""):
        return [d for d in self.decisions if d["action"] == action and lever in (None, d["lever"]) and reason in d["reason"]]

    def bound(self, rounds=math.inf):
        """That of the threshold at the end, or behind so many rounds."""
        bound = NONE_SET
        for d in self.decisions:
            if d["round"] > rounds:
                break
            if d["lever"] == THRESHOLD and d["action"] in (TAKE, RESUME):
                bound = d["value"]
            elif d["lever"] == THRESHOLD and d["action"] in (TAKE_BACK, REST):
                bound = NONE_SET
        return bound

    def bounds(self):
        """Those that a program may see at its end. A round is decided beside it: where one of the last two collections ended it, the
        program may have asked before that."""
        last = self.rounds[-1]
        late = last["young"] + 2 > self.young
        return {self.bound(), self.bound(last["round"] - late)}

    def story(self):
        rows = [f"round {r['round']}: {r['copied']} copied of {r['allocated']}, state {r['state']} threshold {r['threshold']} "
                f"jumps {r['jumps']}" for r in self.rounds]
        return "\n".join(rows + [str(d) for d in self.decisions] + self.notes + self.costs)


def copied(rounds):
    """Bytes copied for each byte allocated."""
    return sum(r["copied"] for r in rounds) / max(1, sum(r["allocated"] for r in rounds))


class Covered:
    """What JaCoCo has written: the probes of each class, by its name and the checksum of its class file."""

    def __init__(self, path):
        with open(path, "rb") as f:
            self.bytes = f.read()
        self.at, self.probes = 0, {}
        while self.at < len(self.bytes):
            self.block(self.take(">B"))

    def take(self, form):
        value, = struct.unpack_from(form, self.bytes, self.at)
        self.at += struct.calcsize(form)
        return value

    def text(self):
        length = self.take(">H")
        self.at += length
        return self.bytes[self.at - length:self.at].decode()

    def count(self):
        value = shift = 0
        while True:
            byte = self.take(">B")
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def block(self, kind):
        if kind == 0x01:
            self.take(">I")
        elif kind == 0x10:
            self.text()
            self.take(">Q")
            self.take(">Q")
        else:
            assert kind == 0x11, kind
            checksum, name, length = self.take(">Q"), self.text(), self.count()
            bits = [self.take(">B") for _ in range((length + 7) // 8)]
            self.probes[name, checksum] = [bits[i // 8] >> i % 8 & 1 for i in range(length)]


class Case:
    def __init__(self, bench, jdk, gc, compact, gcs):
        self.bench, self.jdk, self.gc, self.compact, self.gcs = bench, jdk, gc, compact, gcs

    def check(self, what, ok, why=""):
        return self.bench.check(f"{self.jdk.release} {self.gc}{' compact' * self.compact}: {what}", ok, why)

    def flags(self):
        biased = ["-XX:-UseBiasedLocking"] if self.jdk.major == 11 else []
        return (self.jdk.flags(self.gc) + biased + (PARALLEL if self.gc == "Parallel" else []) +
                ["-XX:+UseCompactObjectHeaders"] * self.compact)

    def bounded(self):
        """Whether the bound can be moved: Parallel's own by a variable whose name not every builder keeps."""
        if self.gc != "Parallel":
            return True
        with open(os.path.join(self.jdk.home, "lib/server/libjvm.so"), "rb") as f:
            return PARALLEL_OWN in f.read()

    def agent(self, path, *options):
        return self.bench.agent_flag(",".join([f"file={path}", "compress=no", *options]))

    def places(self, name, classes, keep=lambda d: True, more=(), folder=None):
        """A decisions file with every place of the classes where something is allocated, as this JDK has them."""
        path = self.bench.path(name)
        folders = [p for p in (folder, self.bench.classes) if p]
        got = self.bench.java(self.jdk, "-cp", os.pathsep.join(folders), "Places", path, *classes)
        assert got.status == 0, got.err
        with open(path, encoding="utf-8") as f:
            all_ = json.load(f)
        all_["decisions"] = [d for d in all_["decisions"] if keep(d)]
        self.write(path, {**all_, **dict(more)})
        return path, len(all_["decisions"])

    @staticmethod
    def write(path, decisions):
        with open(path, "w", encoding="utf-8") as f:
            json.dump(decisions, f, indent=1)

    def trace(self, what, path, verdicts=("passed", "open")):
        """verdicts: of the self-test, that may be."""
        status, out, err = self.bench.tool("check", path)
        if not self.check(f"{what}: mayfly check", status == 0 and ": whole" in out, out + err):
            return None
        t = Trace(path)
        verdict = t.facts.get("tenure.test", "open")
        if verdict not in verdicts:
            self.check(f"{what}: the self-test is {' or '.join(verdicts)}", False, f"{verdict}: {t.facts.get('tenure.test.why')}")
        return t

    def unharmed(self, what, got, said=("ready", "done"), quiet=True):
        lines = got.out.splitlines()
        return self.check(f"{what}: the program is unharmed",
                          got.status == 0 and not (quiet and got.err) and lines[:1] + lines[-1:] == list(said),
                          f"exit status {got.status}\n{got.out[-3000:]}{got.err[-3000:]}")

    def run(self, what, options, mode, *steps, flags=(), quiet=True, verdicts=("passed", "open"), classes=None):
        """Kept's lines but the first and the last, and the trace; None where something is wrong with them."""
        return self.launch(what, options, "Kept", mode, *map(str, steps), flags=flags, quiet=quiet, verdicts=verdicts, classes=classes)

    def launch(self, what, options, *program, flags=(), quiet=True, verdicts=("passed", "open"), classes=None):
        path = self.bench.path("tenure.mfly")
        if os.path.exists(path):
            os.remove(path)
        got = self.bench.java(self.jdk, *self.flags(), *HEAP, *flags, self.agent(path, *options), "-cp", classes or self.bench.classes,
                              *program)
        if not self.unharmed(what, got, quiet=quiet):
            return None, None, got
        return got.out.splitlines()[1:-1], self.trace(what, path, verdicts), got

    # What is learnt.

    def learn(self):
        for mode in ("long", "mixed"):
            self.learn_kept(mode)

    def adaptive(self):
        return ADAPTIVE if self.gc == "Parallel" else []

    def nothing(self):
        self.unmoved_kept()
        self.started()

    def started(self):
        """What a start has kept is no reason; whatever is decided, no more is copied after it."""
        what = "nothing to gain but at the start"
        said, t, _ = self.run(what, ["tenure"], "started", "gcs", self.gcs, "bound", flags=self.adaptive())
        if not t:
            return
        takes = [d for d in t.told(TAKE) if d["lever"] in (JUMP, THRESHOLD)]
        if takes:
            before = [r for r in t.rounds if r["round"] <= takes[0]["round"]]
            after = [r for r in t.rounds if r["round"] > takes[0]["round"]]
            self.check(f"{what}: {copied(before):.4f} are copied for each byte before, {copied(after):.4f} after",
                       copied(after) <= copied(before), t.story())
        zero = [d for d in takes if d["lever"] == THRESHOLD and d["value"] == 0]
        self.check(f"{what}: in {len(t.rounds)} rounds no threshold of 0", len(t.rounds) > 4 and not zero, t.story())

    def turn(self):
        """What was kept dies soon, from one moment on: it is noticed within three rounds of the first marking after it."""
        what = "a new phase"
        # Without mixed collections, which hide what is promoted (doc/tenure.md): the copies stay as foretold.
        _, t, _ = self.run(what, ["tenure", "tenure-round=8"], "long", "gcs", 120, "turn", "gcs", 120,
                           flags=["-XX:G1HeapWastePercent=90"])
        if not t:
            return
        early = t.told(TAKE_BACK, THRESHOLD, "dies early")
        taken = [d for d in t.told(TAKE, THRESHOLD) if early and d["round"] < early[0]["round"]]
        self.check(f"{what}: a threshold is taken and then taken back", taken and len(early) == 1, t.story())
        if not early:
            return
        young = {r["round"]: r["young"] for r in t.rounds}
        self.check(f"{what}: not before", young[early[0]["round"]] > 120, t.story())
        # Of what is new, some has come to the ages that tell. Where less was enough there may be no marking after that one.
        told = [clock for clock in t.markings if clock > 120 + 6] or [clock for clock in t.markings if clock > 120]
        first = min((r["round"] for r in t.rounds if told and r["young"] >= told[0]), default=0)
        self.check(f"{what}: markings at {t.markings}, the first one after it in round {first}, taken back in {early[0]['round']}",
                   told and early[0]["round"] < first + 3, t.story())

    def unmoved_kept(self):
        what = "nothing to gain"
        said, t, _ = self.run(what, ["tenure"], "short", "gcs", self.gcs, "bound", flags=self.adaptive())
        if t:
            moved = [d for d in t.told(TAKE) if d["lever"] in (JUMP, THRESHOLD)]
            self.check(f"{what}: nothing is moved in {len(t.rounds)} rounds", len(t.rounds) > 4 and not moved and
                       said[-1] == "bound 15", t.story())

    def learn_kept(self, mode):
        decisions = self.bench.path("learnt.json")
        if os.path.exists(decisions):
            os.remove(decisions)
        said, t, _ = self.run(mode, ["tenure", "tenure-round=8", f"decisions={decisions}"], mode, "gcs", self.gcs, "bound", flags=self.flight())
        if not t:
            return
        takes = [d for d in t.told(TAKE) if d["lever"] in (JUMP, THRESHOLD)]
        if not self.check(f"{mode}: something is done within {len(t.rounds)} rounds", takes, t.story()):
            return
        # Those in which it was in force and what had been young before was through.
        before = [r for r in t.rounds if r["round"] <= takes[0]["round"]]
        after = [r for r in t.rounds if r["state"] == 2 and (r["jumps"] or r["threshold"] != NONE_SET)]
        was, now = copied(before), copied(after)
        self.check(f"{mode}: {was:.3f} bytes are copied for one allocated before, {now:.3f} after", after and now <= was / 2, t.story())
        places = {d["place"] for d in takes if d["lever"] == JUMP}
        right = {("Kept$Node", "Kept.node"), ("long[]", "Kept.text")}
        if not self.bounded():  # nothing else can be done for what is in flight
            right.add(("int[]", "Kept.flight"))
        self.check(f"{mode}: what is taken is right", places <= right and
                   (places or self.bounded()), t.story())
        bounds = [d["value"] for d in takes if d["lever"] == THRESHOLD]
        self.check(f"{mode}: the bound is what was said", said[-1] in {f"bound {b}" for b in t.bounds()} and
                   (self.bounded() or not bounds), f"{said}\n{t.story()}")
        with open(decisions, encoding="utf-8") as f:
            saved = json.load(f)
        have = {(d["class"], d["method"], d["allocates"]) for d in saved["decisions"]}
        left = t.rounds[-1]["jumps"] or t.rounds[-1]["threshold"] != NONE_SET  # not taken back
        self.check(f"{mode}: it is saved", (have or "threshold" in saved or not left) and have <= {(m.split(".")[0], m.split(".")[1], c) for
                   c, m in right}, saved)
        held = [r for r in after if r["round"] > takes[-1]["round"]]
        if self.check(f"{mode}: what was held for {len(held)} rounds is trusted by the next run", not left or len(held) < 3 or
                      saved.get("trusted", 0) >= 16, f"{saved}\n{t.story()}") and saved.get("trusted"):
            self.learnt_is_trusted(mode, decisions, saved)

    def flight(self):
        return [f"-Dkept.flight={FLIGHT[self.gc]}"]

    def learnt_is_trusted(self, mode, path, saved):
        """It stays; its first probe comes after 4 rounds where the file does not say otherwise, and not that soon where it does. What the
        program does may bring one at any time, and then the trace says so."""
        for what, rounds in (("trusted", saved.pop("trusted")), ("not trusted", 4)):
            said, t, _ = self.run(f"{mode}, {what}", ["tenure=apply", "tenure-round=8", f"decisions={path}"], mode, "gcs", 8 * 12, "bound",
                                  flags=self.flight())
            if t:
                probes = t.told(REST)
                first = min([d["round"] for d in probes], default=len(t.rounds) + 1)
                asked = probes and not probes[0]["reason"].startswith("to see again")
                self.check(f"{mode}, {what}: of {len(t.rounds)} rounds the first probe is after {first}" + (", asked for" if asked else ""),
                           len(t.rounds) > 8 and (asked or 4 < first <= 8 or (rounds > 4 and first > 8)), t.story())
                self.check(f"{mode}, {what}: nothing is taken back", not t.told(TAKE_BACK), t.story())
            self.write(path, saved)

    # Whether it does what it is for.

    def test(self):
        """The self-test: with flags that leave what is of the greatest age young, or promote all at once."""
        path, count = self.places("test.json", KEPT, lambda d: d["method"] in ("node", "text"))
        assert count == 2
        # So few collections a second that there is time for a look between two of them; else it would stay open.
        seldom = ["-Xms160m", "-Xmx160m", "-Xmn96m"]
        _, t, _ = self.run("test", [*UNJUDGED, f"decisions={path}"], "short", "gcs", SOON, flags=seldom, verdicts=["passed"])
        if t:
            self.check("test: nothing is said of it", not t.notes, t.notes)
        for mode in ("apply", "yes", "learn"):
            self.fails(mode, path)
        at_once = ["-XX:+AlwaysTenure", "-XX:InitialTenuringThreshold=0"]
        _, t, _ = self.run("all at once", [*UNJUDGED, f"decisions={path}"], "short", "gcs", 3 * SOON, flags=at_once, verdicts=["open"])
        if t:
            said = [n for n in t.notes if "nothing to jump over" in n]
            self.check("all at once: it is said once", len(said) == len(t.notes) == 1, t.notes)
            self.check("all at once: what the file says is done", len(t.told(TAKE, JUMP, SAYS_SO)) == 2 and not t.told(TAKE_BACK), t.story())
            self.told_in_report("all at once", "nothing to jump over")

    def fails(self, mode, decisions):
        what = f"{mode}, and ages are without effect"
        with open(decisions, encoding="utf-8") as f:
            before = f.read()
        said, t, _ = self.run(what, [f"tenure={mode}", "tenure-round=1000", f"decisions={decisions}"], "short", "gcs", SOON, "ages",
                             "arm", "ages", flags=["-XX:+NeverTenure", *OPEN], verdicts=["failed"])
        if not t:
            return
        notes = [n for n in t.notes if n.startswith("the self-test failed, and no object jumps any more: ")]
        self.check(f"{what}: it is said once", len(notes) == len(t.notes) == 1, t.notes)
        taken, back = t.told(TAKE, JUMP), t.told(TAKE_BACK, JUMP, "the self-test failed")
        self.check(f"{what}: all that was taken is taken back", sorted(str(d["place"]) for d in taken) == sorted(str(d["place"]) for d in back) and
                   len(taken) == (2 if mode != "learn" else 0), t.story())
        self.old(what, said, False)
        self.old(f"{what}: the classes are as they were", said[2:], False)
        with open(decisions, encoding="utf-8") as f:
            self.check(f"{what}: the file is left as it was", f.read() == before)
        self.told_in_report(what, "The self-test failed")

    def exact_refused(self):
        """Where objects get older than their ages can tell the exact engine is not to be had, and the self-test fails by itself."""
        path, count = self.places("exact-test.json", KEPT, lambda d: d["method"] in ("node", "text"))
        assert count == 2
        what = "exact: ages are without effect"
        _, t, _ = self.run(what, [*UNJUDGED, "exact", f"decisions={path}"], "short", "gcs", SOON, flags=["-XX:+NeverTenure", *OPEN],
                           verdicts=["failed"])
        if not t:
            return
        self.check(f"{what}: the engine is refused", t.facts.get("exact") == "refused" and "NeverTenure" in t.facts["exact.why"], t.facts)
        taken, back = t.told(TAKE, JUMP), t.told(TAKE_BACK, JUMP, "the self-test failed")
        self.check(f"{what}: what was taken is taken back", len(taken) == len(back) == 2, t.story())

    def cached(self):
        """A cache of classes (AOT, JDK 25) has none that was rewritten, nor any below it: where one is made nothing is. And it is made."""
        what = "cached"
        path, count = self.places("cached.json", ("java.util.ArrayList", *KEPT))
        jar, noted, cache = (self.bench.path(f"kept.{end}") for end in ("jar", "aotconf", "aot"))
        with zipfile.ZipFile(jar, "w") as z:
            for name in sorted(os.listdir(self.bench.classes)):
                if name.startswith("Kept"):
                    z.write(os.path.join(self.bench.classes, name), name)
        aot = [f"-XX:AOTConfiguration={noted}"]
        trace = self.bench.path("tenure.mfly")
        got = self.bench.java(self.jdk, *self.flags(), *HEAP, *aot, "-XX:AOTMode=record",
                              self.agent(trace, "tenure=apply", f"decisions={path}"), "-cp", jar, "Kept", "short", "gcs", str(SOON))
        # The VM tells on the same stdout what it notes.
        if not self.check(f"{what}: the program is unharmed", got.status == 0 and not got.err and "\ndone\n" in got.out, got.out[-1500:] + got.err):
            return
        t = self.trace(what, trace)
        if not t:
            return
        notes = [n for n in t.notes if "no class is rewritten" in n]
        self.check(f"{what}: of {count} places none is done, for one reason", len(notes) == len(t.notes) == 1 and "AOTMode" in notes[0] and
                   not t.told(TAKE, JUMP), f"{t.notes}\n{t.story()}")
        made = self.bench.java(self.jdk, *self.flags(), *HEAP, *aot, "-XX:AOTMode=create", f"-XX:AOTCache={cache}", "-cp", jar)
        self.check(f"{what}: the cache is made", made.status == 0 and os.path.exists(cache), made.out[-1500:] + made.err)

    def told_in_report(self, what, sentence):
        status, out, err = self.bench.tool("report", "--tenure", "--width", "200", self.bench.path("tenure.mfly"))
        self.check(f"{what}: it is in the report", status == 0 and sentence in out, out + err)

    def refer(self):
        """Children that are too few to be chosen for themselves are, since their parents are; what is in flight is not. Without C2, that
        jumps are worth what they have compiled again although all has just begun."""
        what = "refer"
        _, t, _ = self.run(what, ["tenure", "tenure-round=64", "interval=1k", "max-walks=1000000"], "family", "gcs", self.gcs,
                           flags=["-XX:TieredStopAtLevel=1"])
        if not t:
            return
        takes = {d["place"]: d["reason"] for d in t.told(TAKE, JUMP)}
        closed = "what was chosen refers to it"
        parent, child, flight = ("Kept$Parent", "Kept.parent"), ("Kept$Child", "Kept.child"), ("int[]", "Kept.flight")
        self.check(f"{what}: parents are chosen for themselves", parent in takes and takes[parent] != closed, t.story())
        self.check(f"{what}: children are chosen since they are referred to", takes.get(child) == closed, t.story())
        self.check(f"{what}: what dies young is not", flight not in takes, t.story())
        seen = dict(p.split("=") for p in t.facts.get("tenure.references", "").split())
        seen = {k: int(v) for k, v in seen.items()}
        self.check(f"{what}: {seen}", seen.get("objects", 0) >= 64 and seen["places"] >= 2 and seen["edges"] >= 2 and
                   seen["objects"] <= 512 * seen["rounds"] and not seen["left"], t.facts)

    # What is kept in a file.

    def kept_places(self, name, threshold=None, more=()):
        """Of each kind one, and those of a class that is loaded late; not what dies at once."""
        wanted = ("node", "text", "<init>", *more)
        extra = {} if threshold is None else {"threshold": threshold}
        path, count = self.places(name, KEPT, lambda d: d["method"] in wanted, extra.items())
        assert count == 4 + len(more), count
        return path

    def old(self, what, said, all_=True, word="ages"):
        ages = re.search(rf"^{word} (\d+) (\d+) (\d+) (\d+)$", "\n".join(said), re.MULTILINE)
        good = ages and (min(map(int, ages.groups())) >= ALL_OLD if all_ else max(map(int, ages.groups())) == 0)
        return self.check(f"{what}: {'all new objects are' if all_ else 'no new object is'} as old as can be", good, said)

    def file(self):
        path = self.kept_places("file.json", 3)
        bounded = self.bounded()
        said, t, _ = self.run("apply", [*UNJUDGED, f"decisions={path}"], "long", "bound", "gcs", 30, "ages", "gcs", 60, "hot")
        if t:
            self.old("apply", said)
            self.old("apply, once it is compiled", said, word="hot")
            self.check("apply: the bound is the file's", said[0] == f"bound {3 if bounded else 15}", said)
            # The VM's own goes with it, from the second collection on.
            self.check("apply: no collection has a greater threshold", not bounded or max(t.thresholds[2:]) <= 3 < len(t.thresholds), t.thresholds)
            told = t.told(TAKE, reason=SAYS_SO)
            places = sorted(d["place"] for d in told if d["lever"] == JUMP)
            self.check("apply: what the file says is told", places == [
                ("Kept$Node", "Kept.node"), ("byte[]", "Kept$Late.<init>"), ("long[]", "Kept.text"), ("short[]", "Kept$Late.<init>")] and
                sum(d["lever"] == THRESHOLD for d in told) == bounded, t.story())
            self.check("apply: the first ones within a second", min(d["time"] for d in told) < 1e9, t.story())
        self.batches()
        self.too_short()
        if self.gc == "G1" or self.jdk.major >= 18:
            self.shared()
        for wish in ("learn", "dry-run"):
            saved = self.bench.path("saved.json")
            self.unmoved(wish, [f"tenure={wish}", f"decisions={path}"])
            with open(path, encoding="utf-8") as f:
                self.check(f"{wish}: the file's bound stays, or a better one", "threshold" in json.load(f))
            if os.path.exists(saved):
                os.remove(saved)
            self.unmoved(wish, [f"tenure={wish}", f"decisions={saved}", "tenure-round=8"])
            self.check(f"{wish}: a file is {'saved' if wish == 'learn' else 'not saved'}", os.path.exists(saved) == (wish == "learn"))

    def too_short(self):
        """What is not even met is no reason to forget it, nor for how long it is trusted."""
        what = "too short"
        path, _ = self.places("short.json", KEPT, lambda d: d["method"] == "text", {"gc": "Serial", "jdk": "17", "threshold": 3, "trusted": 64}.items())
        with open(path, encoding="utf-8") as f:
            all_ = json.load(f)
        text = all_["decisions"][0]
        self.write(path, {**all_, "decisions": [{**text, "class": "com.acme.Gone"}, {**text, "opcode": "new"}, text]})
        with open(path, encoding="utf-8") as f:
            before = f.read()
        _, t, _ = self.run(what, ["tenure", f"decisions={path}"], "long", "gcs", 3)
        with open(path, encoding="utf-8") as f:
            self.check(f"{what}: the file is left as it was", f.read() == before)
        self.check(f"{what}: it is said", t and [n for n in t.notes if n.startswith("nothing was learnt in so few collections")], t and t.story())

    def batches(self):
        """What a file has brought stays while the run learns."""
        path, _ = self.places("late.json", KEPT, lambda d: d["class"] == "Kept$Late")
        said, t, _ = self.run("batches", ["tenure", f"decisions={path}", "tenure-round=8"], "mixed", "ages", "gcs", self.gcs, "ages")
        if t:
            self.check("batches: nothing fails", not t.told(TAKE_BACK, JUMP, "it can't be done"), t.story())
            back = t.told(TAKE_BACK, JUMP)
            moves = [d["action"] for d in t.decisions if d["action"] in (REST, RESUME)]
            probed = moves and moves[-1] == REST  # as the program ended: then nothing jumps
            ages = said[-1].split()[3:]
            self.check("batches: the file's places jump on", back or probed or min(map(int, ages)) >= ALL_OLD, f"{said}\n{t.story()}")

    def unmoved(self, what, options):
        said, t, _ = self.run(what, options, "long", "gcs", 60, "ages", "bound")
        if t:
            self.old(what, said, False)
            self.check(f"{what}: the bound is the VM's own", said[-1] == "bound 15", said)

    # In a running program.

    def attach(self, times):
        decisions = self.kept_places("attach.json", 3, more=("two", "two"))
        loading = ["-XX:+EnableDynamicAgentLoading"] if self.jdk.major >= 21 else []
        process = self.bench.start(self.jdk, *self.flags(), *HEAP, *OPEN, *loading, "-cp", self.bench.classes, "Kept", "long", "-",
                                   stdin=subprocess.PIPE)
        process.stdout.readline()
        self.ask(process, "late")
        lines = {}
        for number in range(times):
            self.attach_once(process, f"attach {number + 1}", decisions, lines)
        self.plain_lines(process, lines)
        process.stdin.close()
        process.stdin = None
        got = self.bench.finish(process)
        self.check("attach: the program is unharmed", got.status == 0 and not got.err and got.out == "done\n",
                   f"exit status {got.status}\n{got.out}{got.err}")

    def starved(self):
        """The program has no thread for the agent: it says so, and nothing that it had begun is left behind."""
        decisions, denied = self.kept_places("starved.json", 3), self.bench.path("no-threads")
        library = os.path.join(os.path.dirname(os.path.dirname(self.bench.agent)), "test/no_threads.so")
        loading = ["-XX:+EnableDynamicAgentLoading"] if self.jdk.major >= 21 else []
        process = self.bench.start(self.jdk, *self.flags(), *HEAP, *loading, "-cp", self.bench.classes, "Kept", "long", "-",
                                   stdin=subprocess.PIPE, env={"LD_PRELOAD": library, "NO_THREADS": denied})
        process.stdout.readline()
        with open(denied, "w", encoding="ascii"):
            pass
        for what, options in {"no thread, exact": ["--exact"], "no thread": ["--tenure=apply", "--decisions", decisions]}.items():
            self.starve(what, process, options)
        os.remove(denied)
        self.ask(process, "late")
        self.old("no thread", [self.ask(process, "ages")], all_=False)
        bound = self.ask(process, "bound")
        self.check("no thread: the bound is the program's", bound == "bound 15", bound)
        status, out, err = self.bench.tool("attach", str(process.pid), "--exact", "-d", "100ms", "--no-report",
                                           "-o", self.bench.path("starved.mfly"))
        self.check("no thread: once there is one, it records", status == 0 and "another tool" not in err, out + err)
        process.stdin.close()
        process.stdin = None
        got = self.bench.finish(process)
        self.check("no thread: the program is unharmed", got.status == 0 and got.out == "done\n" and
                   all(line.startswith("mayfly: ") for line in got.err.splitlines()), f"exit status {got.status}\n{got.out}{got.err}")

    def starve(self, what, process, options):
        path = self.bench.path("starved.mfly")
        status, out, err = self.bench.tool("attach", str(process.pid), "-d", "1s", "--no-report", "-o", path, *options)
        self.check(f"{what}: it is said", status == 1 and not out and "no memory left for the agent" in err, out + err)
        status, out, err = self.bench.tool("check", path)
        self.check(f"{what}: the trace has its end", status == 0, out + err)

    @staticmethod
    def ask(process, step):
        process.stdin.write(step + "\n")
        process.stdin.flush()
        return process.stdout.readline().strip()

    def thresholds_after(self, process):
        """Parallel's own, which a recording that learns reads where the VM has it: its counter stands still without its policy."""
        path = self.bench.path("after.mfly")
        recording = self.start(process, path, "--tenure=learn", "-d", "1s")
        while recording.poll() is None:
            self.ask(process, "gcs 2")
        recording.communicate()
        return [n for n in Trace(path).thresholds if n]  # one that the recording ends with may not tell

    def start(self, process, path, *options):
        return subprocess.Popen([self.bench.mayfly, "attach", str(process.pid), "-o", path, "--no-compress", "--no-report", "-i", "16k",
                                 *(["--tenure-round", "1000"] if options else []), *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env=self.bench.env, cwd=self.bench.work)

    def stop(self, what, process, recording):
        status, out, err = self.bench.tool("attach", str(process.pid), "--stop")
        said, errors = recording.communicate(timeout=jvm.LIMIT)
        return self.check(f"{what}: it stops", status == 0 and recording.returncode == 0, out + err + said + errors)

    def attach_once(self, process, what, decisions, lines):
        path = self.bench.path("attach.mfly")
        recording = self.start(process, path, "--tenure=apply", "--tenure-round=1000", "--decisions", decisions)
        deadline, ages = time.monotonic() + 60, ""
        while recording.poll() is None and time.monotonic() < deadline:
            ages = self.ask(process, "ages")
            if re.fullmatch(r"ages( \d{2,3}){4}", ages) and min(map(int, ages.split()[1:])) >= ALL_OLD:
                break
            time.sleep(0.1)
        self.old(what, [ages])
        bound = self.ask(process, "bound")
        self.check(f"{what}: the bound is the file's", bound == f"bound {3 if self.bounded() else 15}", bound)
        self.ask(process, "gcs 10")
        if not self.stop(what, process, recording):
            return
        bound = self.ask(process, "bound")
        self.check(f"{what}: the bound is the VM's own again", bound == "bound 15", bound)
        if self.gc == "Parallel" and self.bounded():
            thresholds = self.thresholds_after(process)
            self.check(f"{what}: and so is Parallel's own threshold", set(thresholds) == {15}, thresholds)
        self.old(f"{what}, after it", [self.ask(process, "ages")], False)
        # Would the classes still call it, they would tell now.
        self.ask(process, "arm")
        self.old(f"{what}: the classes are as they were", [self.ask(process, "ages")], False)
        t = self.trace(what, path)
        if t:
            self.check(f"{what}: every decision is told", len(t.told(TAKE, reason=SAYS_SO)) == 6 + self.bounded() and
                       not t.told(TAKE_BACK), t.story())
            self.same_lines(what, t, lines)

    # What runs while its class is to be rewritten.

    def ticks(self, process, count):
        """What an operation of Loop takes, in each of so many whiles."""
        lines = [process.stdout.readline() for _ in range(count)]
        return [int(line.split()[1]) for line in lines if line.startswith("tick ")]

    def as_fast(self, what, before, after):
        """Interpreted it would be 8 times slower and more; other work on the machine does not count."""
        slower = statistics.median(after[len(after) // 2:]) / statistics.median(before[len(before) // 2:])
        self.check(f"{what}: the loop is as fast as before ({slower:.2f})", slower < 3, (before, after))

    def loop(self, *flags):
        process = self.bench.start(self.jdk, *self.flags(), *HEAP, *flags, "-cp", self.bench.classes, "Loop", stdin=subprocess.PIPE)
        self.check("running: the loop begins", process.stdout.readline() == "ready\n")
        return process

    def end_loop(self, what, process):
        process.stdin.close()
        process.stdin = None
        got = self.bench.finish(process)
        self.check(f"{what}: the program is unharmed", got.status == 0 and not got.err and got.out.endswith("done\n"),
                   f"exit status {got.status}\n{got.out[-3000:]}{got.err[-3000:]}")

    def running(self):
        """A class with a method that has been running for long is neither rewritten nor turned back: HotSpot would leave it to the
        interpreter for as long as it runs."""
        decisions, count = self.places("loop.json", ["Loop"])
        self.not_begun(decisions, count)
        self.not_ended(decisions, count)

    @staticmethod
    def refused(path):
        """What a recording that goes on has told so far: it comes to look at the class at a time of its own."""
        return os.path.getsize(path) > HEADER and Trace(path).told(TAKE_BACK, JUMP, RUNS)

    def not_begun(self, decisions, count):
        path = self.bench.path("running.mfly")
        process = self.loop(*(["-XX:+EnableDynamicAgentLoading"] if self.jdk.major >= 21 else []))
        before = self.ticks(process, 8)
        recording = self.start(process, path, "--tenure=apply", "--decisions", decisions)
        self.bench.recorded(process.pid, recording)
        after, deadline = [], time.monotonic() + 60
        while process.poll() is None and time.monotonic() < deadline and (len(after) < 12 or not self.refused(path)):
            after += self.ticks(process, 1)
        self.stop("running", process, recording)
        self.as_fast("running", before, after)
        self.end_loop("running", process)
        t = self.trace("running", path)
        if t:
            told = t.told(TAKE_BACK, JUMP, RUNS)
            self.check("running: its places are refused, and why is said", len(told) == count and not t.told(TAKE, JUMP), t.story())

    def not_ended(self, decisions, count):
        path = self.bench.path("ended.mfly")
        process = self.loop(self.agent(path, *UNJUDGED, f"decisions={decisions}", "duration=4s"))
        before = self.ticks(process, 8)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not self.whole(path):
            before += self.ticks(process, 1)
        after = self.ticks(process, 12)
        self.as_fast("ended", before, after)
        self.end_loop("ended", process)
        t = self.trace("ended", path)
        if t:
            self.check("ended: its places jumped", len(t.told(TAKE, JUMP, SAYS_SO)) == count and not t.told(TAKE_BACK, JUMP), t.story())
            self.check("ended: that it is left is said", any(n.startswith("1 of the rewritten classes could not be turned back")
                                                             for n in t.notes), t.story())

    def linked(self):
        """A class that is loaded long before it is linked: its place waits for it, and stays in the file."""
        decisions, count = self.places("linked.json", ["Linked$Maker"])
        path = self.bench.path("linked.mfly")
        got = self.bench.java(self.jdk, *self.jdk.flags(self.gc), "-Xmx64m", "-Xmn8m", self.agent(path, *UNJUDGED, f"decisions={decisions}"),
                              "-cp", self.bench.classes, "Linked", "5")
        self.unharmed("linked", got)
        t = self.trace("linked", path)
        if t:
            self.check("linked: its place jumped in the end", count == 1 == len(t.told(TAKE, JUMP, SAYS_SO)) and not t.told(TAKE_BACK, JUMP),
                       t.story())
        with open(decisions, encoding="utf-8") as f:
            self.check("linked: it stays in the file", len(json.load(f)["decisions"]) == count)

    def whole(self, path):
        return os.path.exists(path) and ": whole" in self.bench.tool("check", path)[1]

    def same_lines(self, what, t, lines):
        """Where the samples of a class stand in a method must be the same in every recording."""
        for (class_, method, line, bci), count in sorted(t.seen.items(), key=str):
            if method in ("Kept.two", "Kept.node", "Kept.text", "Kept$Late.<init>"):
                lines.setdefault((class_, method), {}).setdefault((line, bci), []).append((what, count))

    def plain_lines(self, process, lines):
        path = self.bench.path("plain.mfly")
        recording = self.start(process, path)
        self.bench.recorded(process.pid, recording)
        self.ask(process, "gcs 10")
        if not self.stop("plain", process, recording):
            return
        t = self.trace("plain", path)
        if t:
            self.same_lines("plain", t, lines)
        two = [n for (c, m), at in lines.items() if m == "Kept.two" for places in at.values() for _, n in places]
        self.check(f"moves: {sum(two)} samples of {len(lines)} places", len(two) >= 4 and sum(two) > 20, lines)
        wrong = {place: at for place, at in lines.items() if len(at) != 1}
        self.check("moves: each place is at the line and the index of its class file", not wrong, wrong)

    # Where the samples of rewritten methods stand.

    def moves(self):
        self.twins()
        self.versions()

    def stand(self, what, options, wanted, *program):
        """What a run says, its trace, and where its samples stand in those methods."""
        said, t, _ = self.launch(what, [*options, "interval=16k"], *program)
        return said, t, t and {place for place, count in t.seen.items() if place[1] in wanted and place[0] != "Kept$Node[]"}

    def same_places(self, what, plain, moved):
        self.check(f"{what}: samples stand where they stand without it, at {len(plain or ())} places", plain and plain == moved,
                   f"only without: {sorted((plain or set()) - (moved or set()))}\nonly with: {sorted((moved or set()) - (plain or set()))}")

    def twins(self):
        """Classes of one name by two loaders: what one's file says of indices is not said of the other."""
        what = "twins"
        path, _ = self.places("twins.json", ["TwinOne", "TwinTwo"])
        with open(path, encoding="utf-8") as f:
            all_ = json.load(f)
        for d in all_["decisions"]:
            d["class"] = "TwinOne"
        self.write(path, all_)
        _, _, plain = self.stand(what, [], {"TwinOne.apply"}, "Twins", "400")
        said, t, moved = self.stand(what, [*UNJUDGED, f"decisions={path}"], {"TwinOne.apply"}, "Twins", "400")
        if not t:
            return
        self.old(what, said)
        self.check(f"{what}: every place is done", len(t.told(TAKE, JUMP, SAYS_SO)) == len(all_["decisions"]) and
                   not t.told(TAKE_BACK), t.story())
        self.check(f"{what}: each has its own indices", plain and len(plain) == 7, plain)
        self.same_places(what, plain, moved)

    def versions(self):
        """A class that is rewritten for a file, and again for what is learnt, while a method runs that was rewritten for the file."""
        what = "versions"
        path, count = self.places("versions.json", KEPT, lambda d: d["method"] in ("two", "loop"))
        methods = {"Kept.two", "Kept.loop", "Kept.node", "Kept.text"}
        steps = ("Kept", "mixed", "gcs", "20", "loop", "gcs")
        _, _, plain = self.stand(what, [], methods, *steps, "100")
        said, t, moved = self.stand(what, ["tenure", "tenure-round=4", f"decisions={path}"], methods, *steps, "3000", "hot")
        if not t:
            return
        self.same_places(what, plain, moved)
        from_file = t.told(TAKE, JUMP, SAYS_SO)
        later = [d for d in t.told(TAKE, JUMP) + t.told(TAKE_BACK, JUMP) if d not in from_file]
        self.check(f"{what}: {len(from_file)} of {count} places by the file, {len(later)} taken or taken back after it",
                   len(from_file) == count and later, t.story())

    # What can be wrong.

    def bad(self):
        self.bad_files()
        self.bad_places()
        self.called()
        self.picky()
        self.early()
        self.bad_vms()
        self.checked()
        self.meddled()
        self.brief()
        if self.gc == "G1":
            self.hidden()

    def bad_files(self):
        for what, text in (("nothing", ""), ("no JSON", "{\"mayfly\": 1, "), ("a list", "[1]"), ("bytes", "\0\xff\n" * 50),
                           ("another version", '{"mayfly": 99, "decisions": []}'),
                           ("a place without a method", '{"mayfly": 1, "decisions": [{"class": "Kept", "bci": 0}]}')):
            path = self.bench.path("bad.json")
            with open(path, "w", encoding="latin-1") as f:
                f.write(text)
            said, t, got = self.run(what, ["tenure", "tenure-round=4", f"decisions={path}"], "short", "gcs", 16, "ages", quiet=False)
            if t:
                self.old(what, said, False)
                told = [n for n in t.notes if "bad.json" in n]
                lines = [line for line in got.err.splitlines() if line.startswith("mayfly: ") and "bad.json" in line]
                self.check(f"{what}: it is said in one line", len(told) == 1 and len(lines) == 1 == len(got.err.splitlines()),
                           f"{t.notes}\n{got.err}")
                with open(path, encoding="latin-1") as f:
                    self.check(f"{what}: in {len(t.rounds)} rounds it is left as it was", f.read() == text and len(t.rounds) > 2)

    def bad_places(self):
        good = self.kept_places("good.json")
        with open(good, encoding="utf-8") as f:
            all_ = json.load(f)
        text = next(d for d in all_["decisions"] if d["method"] == "text")
        wrong = [("the class has no such method", {"method": "gone"}), ("no instruction begins there", {"bci": 4000}),
                 ("another instruction stands there", {"opcode": "anewarray"}),
                 ("the method's code is another than the one that was decided on", {"hash": "0123456789abcdef"}),
                 ("the instruction there makes objects of another class", {"allocates": "byte[]"}),
                 ("the method has no code", {"class": "java.lang.Object", "method": "hashCode", "descriptor": "()I", "bci": 0,
                                             "opcode": "new", "allocates": "byte[]"}),
                 ("its class was not loaded", {"class": "com.acme.Gone"}),
                 # There are many of that name, and none that can be named.
                 ("its class was not loaded", {"class": "java.lang.invoke.LambdaForm$MH", "method": "invokeStatic"})]
        for reason, change in wrong:
            rest = [d for d in all_["decisions"] if d is not text]
            path = self.bench.path("wrong.json")
            self.write(path, {**all_, "decisions": rest + [{**text, **change}]})
            said, t, _ = self.run(reason, [*UNJUDGED, f"decisions={path}"], "long", "gcs", 20, "ages", "gcs", 60)
            if t:
                told = [d for d in t.told(TAKE_BACK) if reason in d["reason"]] + [n for n in t.notes if reason in n]
                self.check(f"{reason}: said, and the others are done", len(told) == 1 and len(t.told(TAKE, JUMP, SAYS_SO)) == 3 and
                           re.fullmatch(r"ages \d+ 0 \d+ \d+", said[1]), f"{said}\n{t.story()}")

    def called(self):
        """A place that is told apart by its caller: what that call gives back jumps, and nothing else of the place."""
        what, path = "a place with a caller", self.kept_places("called.json")
        with open(path, encoding="utf-8") as f:
            all_ = json.load(f)
        text = next(d for d in all_["decisions"] if d["method"] == "text")
        node = next(d for d in all_["decisions"] if d["method"] == "node")
        text["callers"] = [{k: node[k] for k in ("class", "method", "descriptor")} | {"bci": CALLS_TEXT}]
        self.write(path, {**all_, "decisions": [text]})
        said, t, _ = self.run(what, [*UNJUDGED, f"decisions={path}"], "long", "ages", "gcs", 30)
        if t:
            self.check(f"{what}: it is done there", [d["place"] for d in t.told(TAKE, JUMP, SAYS_SO)] == [("long[]", "Kept.node")] and
                       not t.told(TAKE_BACK), t.story())
            self.old(what, said, False)

    def picky(self):
        """Classes of a loader that does not give them MayflyAge: they stay as they are, on their way in and later."""
        path, file = self.bench.path("picky.mfly"), self.places("picky.json", ["Picky$Guest"])[0]
        got = self.bench.java(self.jdk, *self.flags(), *HEAP, self.agent(path, *UNJUDGED, f"decisions={file}"), "-cp",
                              self.bench.classes, "Picky")
        if not self.check("picky: the program is unharmed", got.status == 0 and got.out == f"made {PICKY}\n" and not got.err,
                          got.out[-2000:] + got.err[-2000:]):
            return
        t = self.trace("picky", path)
        if t:
            told = [d for d in t.told(TAKE_BACK) if "its class loader does not give it" in d["reason"]]
            self.check("picky: it is said", len(told) == 1 and not t.told(TAKE, JUMP), t.story())

    def shared(self):
        """Strings whose texts the collector makes one: those of a place that is to jump, too, which is said."""
        what, decisions = "shared texts", self.places("dedup.json", ["Dedup"], lambda d: d["method"] == "text")[0]
        said, t, _ = self.launch(what, [*UNJUDGED, f"decisions={decisions}"], "Dedup", "300", flags=["-XX:+UseStringDeduplication", *OPEN])
        if t:
            texts = int(said[0].split()[1])
            self.check(f"{what}: {texts} of 4000", texts <= 400, said)
            self.check(f"{what}: that strings don't jump is said", len(t.told(TAKE_BACK, JUMP, "-XX:+UseStringDeduplication")) == 1 and
                       not t.told(TAKE, JUMP), t.story())

    def early(self):
        """A program that ends at once: what its classes were rewritten for jumps from its first object on, and is told."""
        decisions = self.kept_places("early.json")
        for _ in range(3):
            self.jumps("early", decisions, first=())

    def bad_vms(self):
        path = self.kept_places("vm.json")
        kinds = {"-Xverify:all": ["-Xverify:all"], "-Xshare:off": ["-Xshare:off"], "-Xshare:auto": ["-Xshare:auto"], "-Xint": ["-Xint"],
                 "-Xcomp of Kept": ["-Xcomp", "-XX:CompileCommand=quiet", "-XX:CompileCommand=compileonly,Kept*::*"]}
        if self.jdk.major <= 17:
            kinds["a security manager"] = self.guarded()
        for what, flags in kinds.items():
            self.jumps(what, path, flags)
        jar = self.kept_jar()
        self.archived(path, jar)
        self.signed(path, jar)
        self.unable()

    def jumps(self, what, decisions, flags=(), classes=None, first=("gcs", 10)):
        """All is done, and told though the program ends at once, and nothing is said that the VM does not say of its flags."""
        said, t, got = self.run(what, [*UNJUDGED, f"decisions={decisions}"], "long", *first, "ages", flags=flags, quiet=False,
                                classes=classes)
        if t:
            stray = [line for line in got.err.splitlines() if "deprecated" not in line and "Security Manager" not in line]
            self.check(f"{what}: nothing else is said", not stray and not t.notes, f"{stray}\n{t.notes}")
            self.old(what, said)
            self.check(f"{what}: all that is done is told", len(t.told(TAKE, JUMP, SAYS_SO)) == 4 and not t.told(TAKE_BACK), t.story())

    def checked(self):
        """The VM looks at every reference that it is given, and what it runs by itself while the library's classes are exchanged too."""
        path, trace = self.places("checked.json", LIBRARY)[0], self.bench.path("checked.mfly")
        got = self.bench.java(self.jdk, *self.flags(), *HEAP, "-Xcheck:jni", self.agent(trace, *UNJUDGED, f"decisions={path}"), "-cp",
                              self.bench.classes, "Kept", "long", "gcs", "10")
        said = [line for line in got.out.splitlines() if not line.startswith("WARNING: JNI local refs")]  # 11 and 17 count them
        if self.check("-Xcheck:jni: the program is unharmed", got.status == 0 and not got.err and said == ["ready", "gcs", "done"],
                      f"exit status {got.status}\n{got.out[-3000:]}{got.err[-3000:]}"):
            t = self.trace("-Xcheck:jni", trace)
            taken = t.told(TAKE, JUMP, SAYS_SO) if t else []
            self.check(f"-Xcheck:jni: {len(taken)} places of the library are taken", len(taken) > 100, t and t.story())

    def guarded(self):
        """A security manager that lets nobody do anything but Kept."""
        policy = self.bench.path("kept.policy")
        with open(policy, "w", encoding="ascii") as f:
            f.write(f'grant codeBase "file:{self.bench.classes}/" {{ permission java.security.AllPermission; }};\n')
        return ["-Djava.security.manager", f"-Djava.security.policy=={policy}"]

    def kept_jar(self):
        jar = self.bench.path("kept.jar")
        with zipfile.ZipFile(jar, "w") as z:
            for name in sorted(os.listdir(self.bench.classes)):
                if re.match(r"Kept\W", name):
                    z.write(os.path.join(self.bench.classes, name), name)
        return jar

    def archived(self, decisions, jar):
        """Classes that the VM maps from an archive, the library's and Kept's."""
        names, archive, log = (self.bench.path(f"kept.{end}") for end in ("classes", "jsa", "log"))
        flags = [*self.flags(), *HEAP]
        self.bench.java(self.jdk, *flags, "-Xshare:off", f"-XX:DumpLoadedClassList={names}", "-cp", jar, "Kept", "long", "late", "ages")
        made = self.bench.java(self.jdk, *flags, "-Xshare:dump", f"-XX:SharedClassListFile={names}", f"-XX:SharedArchiveFile={archive}", "-cp",
                               jar)
        if not self.check("an archive of Kept is made", os.path.exists(archive), made.out + made.err):
            return
        self.jumps("an archive of Kept", decisions, ["-Xshare:on", f"-XX:SharedArchiveFile={archive}", f"-Xlog:class+load:file={log}"], jar)
        with open(log, encoding="utf-8") as f:
            loaded = f.read()
        self.check("an archive of Kept: classes come from it", "java.util.HashMap$Node source: shared objects file" in loaded and
                   "Kept$Node source: shared objects file" in loaded, re.findall("^.*Kept.*$", loaded, re.MULTILINE))
        if self.jdk.major < 25:
            return
        cache = self.bench.path("kept.aot")
        made = self.bench.java(self.jdk, *flags, f"-XX:AOTCacheOutput={cache}", "-cp", jar, "Kept", "long", "late", "gcs", "3")
        if self.check("a cache of Kept is made", os.path.exists(cache), made.out + made.err):
            # Its classes are there before an agent can listen, and are rewritten beside the program.
            self.jumps("a cache of Kept", decisions, [f"-XX:AOTCache={cache}", "-XX:AOTMode=on"], jar, first=("acted",))

    def signed(self, decisions, jar):
        what, store, signed = "a signed jar", self.bench.path("keys"), self.bench.path("signed.jar")
        tools = os.path.join(jvm.own_jdk().home, "bin")
        if not shutil.which("jarsigner", path=tools):
            self.bench.skip(f"{self.jdk.release} {self.gc}: {what}", "there is no jarsigner")
            return
        secret = ["-keystore", store, "-storepass", "secret"]
        if not os.path.exists(store):
            subprocess.run([f"{tools}/keytool", "-genkeypair", *secret, "-alias", "kept", "-keyalg", "RSA", "-dname", "CN=Kept"], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        subprocess.run([f"{tools}/jarsigner", *secret, "-signedjar", signed, jar, "kept"], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        self.jumps(what, decisions, classes=signed)

    def unable(self):
        """A VM that lets no class be rewritten: the threshold is left, where it can be moved."""
        what, unable = "a VM without the capability", os.environ.get("MAYFLY_UNABLE")
        if not unable:
            self.bench.skip(f"{self.jdk.release} {self.gc}: {what}", "it is made by an agent, MAYFLY_UNABLE")
            return
        path = self.kept_places("unable.json", 3)
        said, t, _ = self.run(what, [*UNJUDGED, f"decisions={path}"], "long", "gcs", 10, "bound", "ages", flags=[f"-agentpath:{unable}"])
        if t:
            bounded = self.bounded()
            why = "this VM does not let classes be rewritten"
            self.check(f"{what}: it is said once", t.notes == [why] and t.facts.get("tenure.why") == (None if bounded else why) and
                       "tenure.test" not in t.facts, f"{t.notes}\n{t.facts}")
            self.check(f"{what}: the bound is the file's, nothing jumps", said[1:] == [f"bound {3 if bounded else 15}", "ages nobody tells"],
                       said)

    def java_agent(self, name):
        """Its jar."""
        jar = self.bench.path(name + ".jar")
        with zipfile.ZipFile(jar, "w") as z:
            z.writestr("META-INF/MANIFEST.MF", f"Manifest-Version: 1.0\nPremain-Class: {name}\nCan-Retransform-Classes: true\n\n")
            z.write(os.path.join(self.bench.classes, name + ".class"), name + ".class")
        return jar

    def meddled(self):
        """Another agent that has the same class transformed anew and anew, from before or from after."""
        path = self.kept_places("meddled.json")
        jar = self.java_agent("Meddler")
        trace = self.bench.path("meddled.mfly")
        own = self.agent(trace, *UNJUDGED, f"decisions={path}")
        for what, agents in (("an agent before", [f"-javaagent:{jar}", own]), ("an agent after", [own, f"-javaagent:{jar}"])):
            got = self.bench.java(self.jdk, *self.flags(), *HEAP, *agents, "-cp", self.bench.classes, "Kept", "long", "gcs", "40", "ages",
                                  "word", "gcs", "5", "ages")
            said = got.out.splitlines()[1:-1]
            if self.unharmed(what, got, quiet=self.jdk.major != 11):
                self.old(what, said[:2])
                self.old(what, said[3:])
                self.check(f"{what}: its change is there", "word different" in said, said)
                self.trace(what, trace)

    def covered(self):
        """JaCoCo's agent, that changes the same classes as they are loaded, before and after mayfly."""
        try:
            jar = jars.fetch("org.jacoco:org.jacoco.agent:0.8.14:jar:runtime")
        except jars.Missing as e:
            self.bench.skip(f"{self.jdk.release} {self.gc}: JaCoCo beside mayfly", e)
            return
        written, plain = self.bench.path("plain.exec"), self.kept_places("plain.json")
        jacoco = f"-javaagent:{jar}=destfile={{}},includes=Kept*"
        alone = self.bench.java(self.jdk, *self.flags(), *HEAP, jacoco.format(written), self.see("seen"), "-cp", self.bench.classes, "Kept",
                                "long", "late", "gcs", "20", "word")
        self.unharmed("JaCoCo alone", alone)
        places, count = self.places("covered.json", KEPT, lambda d: d["method"] in ("node", "text", "<init>"), folder=self.bench.path("seen"))
        self.check("JaCoCo has changed the places", count == 4 and self.places_of(places) != self.places_of(plain))
        for first in (True, False):
            what = f"JaCoCo {'before' if first else 'after'} mayfly"
            said, t = self.cover(what, jacoco, first, places, written)
            if t:
                self.old(what, said)
                self.check(f"{what}: what the file says is told", len(t.told(TAKE, JUMP, SAYS_SO)) == 4 and not t.told(TAKE_BACK), t.story())
            what += ", decisions of other code"
            said, t = self.cover(what, jacoco, first, plain, written)
            if t:
                self.old(what, said, False)
                self.check(f"{what}: it is told", len(t.told(TAKE_BACK, JUMP, "it can't be done")) == 4, t.story())

    def see(self, folder):
        jar = self.java_agent("Seen")
        os.mkdir(self.bench.path(folder))
        return f"-javaagent:{jar}={self.bench.path(folder)}"

    @staticmethod
    def places_of(path):
        with open(path, encoding="utf-8") as f:
            return [(d["class"], d["method"], d["bci"]) for d in json.load(f)["decisions"]]

    def cover(self, what, jacoco, first, decisions, alone):
        """Kept's lines and the trace; that JaCoCo has seen the classes that it sees without mayfly."""
        written, trace = self.bench.path("covered.exec"), self.bench.path("covered.mfly")
        if os.path.exists(written):
            os.remove(written)
        agents = [jacoco.format(written), self.agent(trace, *UNJUDGED, f"decisions={decisions}")]
        got = self.bench.java(self.jdk, *self.flags(), *HEAP, *(agents if first else reversed(agents)), "-cp", self.bench.classes, "Kept",
                              "long", "late", "gcs", "40", "ages", "gcs", "5", "word")
        said = got.out.splitlines()[1:-1]
        if not self.unharmed(what, got):
            return said, None
        was, now = Covered(alone).probes, Covered(written).probes
        same = {k: len(v) for k, v in was.items()} == {k: len(v) for k, v in now.items()}
        met = all(b >= a for k in was for a, b in zip(was[k], now.get(k, [])))
        self.check(f"{what}: JaCoCo sees what it sees alone, in {len(now)} classes", same and met and len(now) > 2, f"{was}\n{now}")
        return said, self.trace(what, trace)

    def brief(self):
        """Programs that end while classes are rewritten: each place is told of, as a decision or as one of which nothing is known."""
        decisions, count = self.places("brief.json", SOUND + LIBRARY)
        for _ in range(5):
            _, t, _ = self.run("brief", [*UNJUDGED, f"decisions={decisions}"], "short", "bound")
            if t:
                told = len(t.told(TAKE, JUMP, SAYS_SO)) + len(t.told(TAKE_BACK, JUMP))
                silent = sum(map(int, re.findall(r"^(\d+) of the places in the decisions file", "\n".join(t.notes), re.MULTILINE)))
                self.check(f"brief: {told} of {count} places are told of, and {silent} are said not to be", told + silent == count, t.notes)

    def hidden(self):
        """What is made in a hidden class: it can't be rewritten, and that is said."""
        what = "hidden"
        _, t, _ = self.run(what, ["tenure", "tenure-round=8"], "hidden", "gcs", self.gcs)
        if t:
            taken = [d["place"] for d in t.told(TAKE, JUMP)]
            back = [d for d in t.told(TAKE_BACK, JUMP, "its class can't be rewritten") if "$$Lambda" in d["place"][1]]
            self.check(f"{what}: it is told, once", len(back) == 1 and back[0]["place"] in taken, t.story())

    # Under stress.

    def verified(self, what, heap, classes, *program, more=(), least=600):
        """A program, every place of whose classes jumps, with a heap that the VM itself verifies at each collection; and its trace.
        more: options; least: places that are taken. The probe takes those where something is made."""
        path = self.bench.path("verified.mfly")
        decisions, count = self.places("all.json", classes)
        got = self.bench.finish(self.bench.start(self.jdk, *self.flags(), *VERIFY, *heap, self.agent(path, *UNJUDGED, f"decisions={decisions}", *more),
                                                 "-cp", self.bench.classes, *program, stdin=subprocess.DEVNULL), VERIFIED_LIMIT)
        t = self.trace(what, path)
        if t:
            told, failed = t.told(TAKE, JUMP, SAYS_SO), t.told(TAKE_BACK, JUMP, "it can't be done")
            notes = "\n".join(t.notes)
            unloaded = sum(map(int, re.findall(r"^(\d+) of the places in the decisions file (?:did nothing|were put in)", notes, re.MULTILINE)))
            self.check(f"{what}: of {count} places {len(told)} are taken, {len(failed)} not, {unloaded} are of classes that were not loaded",
                       len(told) + unloaded == count and len(told) > least and not failed, t.story())
        return got, t

    def unhurt(self, what, got, good):
        self.check(what, got.status == 0 and good and not got.err, f"exit status {got.status}\n{got.out[-3000:]}{got.err[-3000:]}")

    def sound(self, collections, seconds, heap=("-Xms32m", "-Xmx32m", "-Xmn2m"), **more):
        got, _ = self.verified("sound", heap, SOUND + LIBRARY, "Sound", str(collections), str(seconds), **more)
        said = re.fullmatch(r"bad 0 of (\d+), (\d+) collections, .*\n", got.out)
        self.unhurt(f"sound: {got.out.strip()}", got, said)
        return int(said[2]) if said else 0

    def storm(self, seconds):
        got, t = self.verified("storm", ("-Xms32m", "-Xmx32m", "-Xmn1m"), STORM + LIBRARY, "Storm", str(seconds), "10000", "0")
        self.unhurt(f"storm: {t and t.clock[-1]} young collections", got, got.out.endswith("\ngood\n"))

    def stress(self, collections, seconds):
        """Thousands of collections: an age jump must never spoil an object's first word."""
        done = self.sound(collections, STRESS_LIMIT, ("-Xms24m", "-Xmx24m", "-Xmn1m"))
        self.check(f"stress: {done} collections of {collections} within {STRESS_LIMIT} s", done >= collections)
        self.storm(seconds)

    # Beside the exact engine.

    def exact(self, rounds=96, scale=20):
        """What jumps is counted as what it has survived: places that jump, and others that don't, in objects with known lives."""
        path = self.bench.path("exact.mfly")
        mine, _ = self.places("truth.json", ("Truth",), lambda d: d["method"] in TRUTHS)
        flags = self.jdk.flags(self.gc) + ["-XX:+UseCompactObjectHeaders"] * self.compact + VERIFY + truth.HEAP + truth.YOUNG
        got = self.bench.java(self.jdk, *flags, *["-XX:G1HeapRegionSize=1m"] * (self.gc == "G1"),
                              self.agent(path, *UNJUDGED, f"decisions={mine}", "exact", "audit", exact.SAMPLES),
                              "-cp", self.bench.classes, "Truth", "1", str(rounds), "young", str(scale), "hurry")
        if not self.check("exact: the program is unharmed", got.status == 0 and not got.err, got.out[-2000:] + got.err[-2000:]):
            return
        said = json.loads(got.out)
        t = self.trace("exact", path)
        kind = "followed" if self.compact else "header"
        if t is None or not self.check("exact: the engine did it", t.facts.get("exact") == kind, f"{t.facts}{t.notes}"):
            return
        self.check("exact: the self-test passed, by where objects landed", t.facts.get("tenure.test") == "passed", t.facts)
        how = t.facts.get("tenure.by")
        self.check(f"exact: {how} act", how == ("classes" if self.compact else "births"), t.facts)
        bad = [a for a in t.audits if a["walked"] != a["seen"]]
        self.check(f"exact: {len(t.audits)} audits", len(t.audits) >= rounds and not bad and not said["surprises"], bad[:5])
        for method in dict.fromkeys(s["method"] for s in said["sites"]):
            self.lives(t, method, [s for s in said["sites"] if s["method"] == method])

    def clones(self, count=20_000):
        """What the VM makes by itself it makes the mark of anew behind the probe: what its caller has jump by then has its place, too."""
        path, file = self.bench.path("clones.mfly"), self.bench.path("clones.json")
        self.write(file, {"mayfly": 1, "decisions": [{"class": "Clones$Sheep", "method": "copy", "descriptor": "()LClones$Sheep;",
                                                      "bci": CALLS_CLONE, "allocates": "Clones$Sheep", "action": "jump"}]})
        got = self.bench.java(self.jdk, *self.flags(), *HEAP, "-Xint", self.agent(path, *UNJUDGED, f"decisions={file}", "exact", "audit",
                              exact.SAMPLES), "-cp", self.bench.classes, "Clones", str(count))
        if not self.check("clones: the program is unharmed", got.status == 0 and got.out == f"cloned {count}\n" and not got.err,
                          got.out[-2000:] + got.err[-2000:]):
            return
        t = self.trace("clones", path)
        if t:
            sheep = t.of_class("Clones$Sheep")
            lived = sheep.young[0] + sheep.promoted[0]
            self.check(f"clones: of {sheep.objects} sheep {lived} are known to live on", sheep.objects == lived == count + 1, vars(sheep))

    def disarmed(self):
        """What the probe does needs no class of ours: the brake that rewritten code heeds stops nothing."""
        file = self.kept_places("probe.json")
        said, t, _ = self.run("probe", [*UNJUDGED, f"decisions={file}", "exact", "audit"], "long", "late", "gcs", 30, "disarm", "steady",
                              flags=OPEN)
        if t:
            self.old("probe, no class acts", said, not self.compact, word="steady")
            self.check("probe: what the file says is told", len(t.told(TAKE, JUMP, SAYS_SO)) == 4 and
                       not t.told(TAKE_BACK, JUMP), t.story())
            bad = [a for a in t.audits if a["walked"] != a["seen"]]
            self.check(f"probe: {len(t.audits)} audits", t.audits and not bad, bad[:5])

    def outlived(self):
        """The program ends while the writer waits for its reader: tenure looks no more at what the probe makes then, which has gone."""
        what = "probe, a slow end"
        file, slow, path = self.kept_places("slow.json"), self.bench.path("slow.fifo"), self.bench.path("slow.mfly")
        os.mkfifo(slow)
        process = self.bench.start(self.jdk, *self.flags(), *HEAP, self.agent(slow, *UNJUDGED, f"decisions={file}", "exact"), "-cp",
                                   self.bench.classes, "Kept", "long", "-", stdin=subprocess.PIPE)
        pipe, read = open(slow, "rb", buffering=0), []
        fcntl.fcntl(pipe, F_SETPIPE_SZ, 4096)
        stalls = threading.Event()

        def drain():
            while not stalls.is_set() and (some := pipe.read(4096)):
                read.append(some)
        reader = threading.Thread(target=drain)
        reader.start()
        said = [process.stdout.readline().strip(), self.ask(process, "late"), self.ask(process, "gcs 10")]
        stalls.set()
        reader.join()
        said.append(self.ask(process, "gcs 20"))  # more than the pipe takes
        process.stdin.close()
        process.stdin = None
        time.sleep(2)  # in which tenure would look four times
        stalls.clear()
        drain()
        pipe.close()
        got = self.bench.finish(process)
        os.remove(slow)
        with open(path, "wb") as f:
            f.write(b"".join(read))
        self.check(f"{what}: the program is unharmed", got.status == 0 and not got.err and [*said, got.out] ==
                   ["ready", "late", "gcs", "gcs", "done\n"], f"{got.status}\n{said}{got.out}{got.err}")
        t = self.trace(what, path)
        if t:
            taken = t.told(TAKE, JUMP, SAYS_SO)
            self.check(f"{what}: {len(taken)} places are taken by the probe, to the end", len(taken) == 4 and not t.told(TAKE_BACK) and
                       t.facts.get("tenure.by") == "births" and not t.notes and not t.costs, t.story())

    def lives(self, t, method, sites):
        class_, size = sites[0]["class"], sites[0]["size"]
        if size > exact.HUMONGOUS:
            return
        objects = sum(s["objects"] for s in sites)
        site = t.sites.get((class_, f"Truth.{method}"), exact.Site())
        self.check(f"exact: {method}: {objects} were born", (site.objects, site.bytes) == (objects, objects * size), vars(site))
        want = exact.survived(sites)
        have = [y + p for y, p in zip(site.young, site.promoted)]
        if method not in TRUTHS:
            self.check(f"exact: {method}: who survived how much", have == want[1:] and not any(site.promoted[:-1]),
                       f"true: {want[1:]}\ntold: {have}\n{vars(site)}")
            return
        # Those that jump have survived one collection when they are last seen; the others are none the younger for it.
        jumped = site.promoted[0]
        self.check(f"exact: {method}: {jumped} of {want[1]} survivors jumped, and are counted as that", have[0] == want[1] and
                   jumped and not any(site.promoted[1:]), f"true: {want[1:]}\ntold: {vars(site)}")
        late = [have[k] <= want[k + 1] - (jumped if want[k + 1] == want[1] else 0) or want[k + 1] < want[1] for k in range(1, 15)]
        self.check(f"exact: {method}: the others grow old as ever", all(late), f"true: {want[1:]}\ntold: {vars(site)}")

    def shown(self, collections, seconds):
        """Constructors that show their object, and those that don't: these alone get a plain store, until another agent comes."""
        path = self.bench.path("shown.mfly")
        decisions, count = self.places("shown.json", ["Shown$Makers"])
        for what, meddle in (("shown", lambda process: None), ("shown, and meddled with", self.meddle)):
            loading = ["-XX:+EnableDynamicAgentLoading"] if self.jdk.major >= 21 else []
            process = self.bench.start(self.jdk, *self.flags(), *VERIFY, "-Xms32m", "-Xmx32m", "-Xmn4m", *OPEN, *loading,
                                       self.agent(path, *UNJUDGED, f"decisions={decisions}"), "-cp", self.bench.classes, "Shown",
                                       str(collections), str(seconds))
            sure = process.stdout.readline()
            meddle(process)
            got = self.bench.finish(process)
            doubt = "doubt\n" if meddle == self.meddle else ""
            said = re.fullmatch(doubt + r"ages ([\d ]+)\nbad 0 of (\d+), (\d+) collections\n", got.out)
            self.check(f"{what}: {got.out.strip()}", got.status == 0 and sure == "sure\n" and said and not got.err,
                       f"exit status {got.status}\n{sure}{got.out[-3000:]}{got.err[-3000:]}")
            t = self.trace(what, path)
            if t and said:
                self.check(f"{what}: all of them jump", min(map(int, said.group(1).split())) >= ALL_OLD, got.out)
                plain = f"at {len(QUIET)} of {count} places with a constructor an age is a plain store"
                self.check(f"{what}: those whose constructors show nothing by a plain store", [n for n in t.costs if n.startswith(plain)] or
                           doubt, t.story())

    def tagged(self):
        """What is sampled is found by its hash from 21 on: it keeps it, whatever C2 knows of new objects."""
        path = self.bench.path("tagged.mfly")
        decisions, _ = self.places("tagged.json", ["Tagged"], lambda d: d["method"] in ("array", "pair"))
        quiet = ["--sun-misc-unsafe-memory-access=allow"] if self.jdk.major >= 23 else []
        got = self.bench.java(self.jdk, *self.flags(), *quiet, "-Xmx256m",
                              self.agent(path, *UNJUDGED, "interval=16k", f"decisions={decisions}"), "-cp", self.bench.classes, "Tagged")
        said = re.fullmatch(r"arrays (\d+) (\d+) objects (\d+) (\d+) of (\d+)\n", got.out)
        arrays, old_arrays, objects, old_objects, made = map(int, said.groups()) if said else (0,) * 5
        self.check(f"tagged: {got.out.strip()}", got.status == 0 and said and not got.err, got.out + got.err)
        self.check("tagged: what is sampled keeps its hash", self.jdk.major < 21 or arrays and objects, got.out)
        self.check("tagged: it jumps all the same", min(old_arrays, old_objects) > made * 0.99, got.out)

    def meddle(self, process):
        """An agent that comes late gives a class that the others extend a constructor that shows its object."""
        jar = self.bench.path("shown.jar")
        with zipfile.ZipFile(jar, "w") as z:
            z.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nAgent-Class: Shown\nCan-Redefine-Classes: true\n\n")
        library = os.path.join(self.jdk.home, "lib", "libinstrument.so")
        got = subprocess.run([os.environ["MAYFLY_PROBE"], str(process.pid), "60000", "load", library, jar], stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, env=self.bench.env, check=False)
        self.check("shown: another agent changes a constructor", got.stdout == "ok 0\n", got.stdout)


def off(bench, jdk, gc, *flags):
    """Collectors without ages, or without the VM's counters: it is said, and there is nothing of tenure."""
    path = bench.path("off.mfly")
    got = bench.java(jdk, *jdk.flags(gc), *flags, "-Xmx128m", bench.agent_flag(f"file={path},compress=no,tenure"), "-cp", bench.classes, "Kept",
                     "long", "gcs", "2", "bound", "ages")
    name = " ".join([str(jdk.release), gc, *flags])
    if not bench.check(f"{name}: the program is unharmed", got.status == 0 and not got.err and got.out.endswith("done\n"),
                       f"exit status {got.status}\n{got.out}{got.err}"):
        return
    t = Trace(path)
    told = [n for n in t.notes if n.startswith("tenure is off: ")]
    bench.check(f"{name}: tenure is off, and says so", len(told) == 1 and t.facts.get("tenure") == "yes" and
                t.facts.get("tenure.why", "?") in told[0] and not t.rounds and "nobody tells" in got.out, f"{t.notes}\n{t.facts}")
    bench.check(f"{name}: the trace has its collector's name", t.facts.get("gc", "").split(" ")[0] == {"Z": "ZGC"}.get(gc, gc), t.facts)
    bench.check(f"{name}: flags are named that are to blame", all(f in told[0] for f in flags), told)
    unseen = [n for n in t.notes if "most objects are not seen" in n]
    bench.check(f"{name}: it is said what samples don't see", len(unseen) == ("-XX:-UseTLAB" in flags), t.notes)


def biased(bench, jdk):
    """At a launch biased locking is turned off, and there is nothing to be said."""
    path = bench.path("biased.mfly")
    got = bench.java(jdk, "-XX:+UseG1GC", *HEAP, bench.agent_flag(f"file={path},compress=no,tenure"), "-cp", bench.classes, "Kept", "long", "gcs",
               "2")
    t = Trace(path)
    bench.check(f"{jdk.release}: biased locking is off at a launch", got.status == 0 and not got.err and not t.notes,
                f"{t.notes}\n{got.out}{got.err}")


CASES = ("learn", "refer", "nothing", "turn", "test", "file", "attach", "running", "linked", "moves", "bad", "starved", "covered", "off", "sound", "shown", "tagged", "exact", "cached")
LONG = ("stress",)  # by hand: --case stress


def main():
    p = jvm.parser(__doc__)
    p.add_argument("--case", action="append", choices=CASES + LONG, help="may be repeated (default: all but stress)")
    p.add_argument("--compact", action="store_true", help="with compact object headers (25)")
    p.add_argument("--gcs", type=int, default=200, help="young collections, to learn in, or of the stress")
    p.add_argument("--times", type=int, default=5, help="recordings one after the other")
    p.add_argument("--seconds", type=int, default=20, help="of sound, at most, or of the stress's storm")
    args = p.parse_args()
    cases = args.case or CASES
    bench = jvm.Bench(args.keep)
    for jdk, gc in jvm.pairs(args):
        if gc not in COLLECTORS and gc != "Epsilon" and "off" in cases:
            off(bench, jdk, gc)
        if gc == "G1" and jdk.major == 11 and "off" in cases:
            biased(bench, jdk)
        if gc not in COLLECTORS or (args.compact and jdk.major < 25):
            continue
        if "off" in cases:
            off(bench, jdk, gc, "-XX:-UsePerfData")
            if gc in ("Serial", "Parallel") and jdk.major < 20:
                off(bench, jdk, gc, "-XX:-UseTLAB")
        case = Case(bench, jdk, gc, args.compact, args.gcs)
        if "learn" in cases:
            case.learn()
        if "refer" in cases and gc == "G1":  # what is done with the others may be another thing
            case.refer()
        if "nothing" in cases:
            case.nothing()
        if "test" in cases:
            case.test()
        if "cached" in cases and jdk.major >= 25:
            case.cached()
        if "turn" in cases and gc == "G1":
            case.turn()
        if "file" in cases:
            case.file()
        if "attach" in cases:
            case.attach(args.times)
        if "running" in cases:
            case.running()
        if "linked" in cases:
            case.linked()
        if "moves" in cases:
            case.moves()
        if "starved" in cases:
            case.starved()
        if "bad" in cases:
            case.bad()
        if "covered" in cases:
            case.covered()
        if "sound" in cases:
            case.sound(1000, args.seconds)
        if "exact" in cases:
            case.exact()
            case.exact_refused()
            case.disarmed()
            case.clones()
            if not args.compact:
                case.outlived()
            if gc != "Parallel":  # its full collections tell an object too many now and then, with exact alone too (doc/jvm.md)
                case.sound(1000, args.seconds, more=("exact", "audit"), least=50)
        if "stress" in cases:
            case.stress(args.gcs, args.seconds)
        if "shown" in cases:
            case.shown(1000, args.seconds)
        if "tagged" in cases:
            case.tagged()
    return bench.done()


if __name__ == "__main__":
    sys.exit(main())
