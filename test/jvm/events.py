#!/usr/bin/env python3
"""Event mode (`exact=trace`): the trace tells of every single object; `exact=survivors`: of every one that outlives a collection, and how
many others there were. Replayed by a reader that knows nothing but doc/trace-format.md,
it must agree with the counts in the same trace (which come from the objects' headers), with the true lives of java/Truth.java, and,
for the objects that stand at the end, with the VM's own class histogram. What `mayfly report` counts from it must be these lives too.

    test/jvm/events.py --jdk 21 --gc G1 --how survivors --case truth
"""
import collections
import os
import re
import subprocess
import sys

import exact
import jvm
import trace
from truth import HEAP, YOUNG, merge, survival


FULL = (2, 4)  # kinds of exact_gc: alone, or behind a young one in the same pause


class Events(exact.Exact):
    """The records, and the objects' replay: `steps` are the intervals, each with the accounts that end it."""

    def __init__(self, path):
        self.heap, self.steps, self.done, self.intervals_lost = trace.Heap(), [], [], 0
        self.lost_by = []  # intervals that were announced as lost before each account
        self.ages = collections.Counter()
        self.stood = {}  # after the last full collection; the heap's own is after the last of any kind
        self.unborn = collections.Counter()  # births by site that no account has told of yet
        self.excess = []  # sites of which more were told than were born
        super().__init__(path)
        self.done.append(self.heap.close())
        self.steps.append((None, self.done, self.ages))
        self.odd = self.heap.odd

    def items(self, path, wanted):
        return trace.items(path, wanted)

    def chunk(self, c):
        if c.interval != self.heap.interval:
            self.close()
        self.heap.chunk(c)

    def close(self):
        if self.heap.chunks:
            self.done.append(self.heap.close())

    def lost(self, r):
        self.intervals_lost += r["count"] if r["what"] == 6 else 0

    def site_births(self, r):
        super().site_births(r)
        self.unborn[r["site"]] += r["objects"]

    def infants(self, young):
        """Those that were born, and are not told of singly, did not outlive the collection."""
        born = total(self.done, "born")
        told = collections.Counter()
        for (site, _), n in born.items():
            told[site] += n
        rest = self.unborn - told
        self.excess += [(young, site) for site in told - self.unborn]
        rows = [(site, young - 1) for site in rest.elements()]
        lost = self.intervals_lost > (self.lost_by[-1] if self.lost_by else 0)
        self.done.append({"born": rows, "died": [] if lost else rows, "moved": [], "forgotten": []})

    def site_ages(self, r):
        super().site_ages(r)
        for i, n in enumerate(r["objects"]):
            self.ages[r["site"], i + 1] += n
        for i, n in enumerate(r["promoted_objects"]):
            self.ages[r["site"], i + 1] += n

    def exact_gc(self, r):
        super().exact_gc(r)
        self.close()
        if self.facts["exact"] == "survivors":
            self.infants(r["young"])
        self.unborn = collections.Counter()
        if r["kind"] in FULL:
            self.stood = self.heap.stood
        self.lost_by.append(self.intervals_lost)
        self.steps.append((r, self.done, self.ages))
        self.done, self.ages = [], collections.Counter()


def total(done, what, clock=0):
    """By site, and how many ticks of the young clock there were from birth to `clock`."""
    out = collections.Counter()
    for d in done:
        for (site, born), n in collections.Counter(d[what]).items():
            out[site, clock - born] += n
    return out


def known(counts):
    """Ages beyond the last column are one."""
    out = collections.Counter()
    for (site, age), n in counts.items():
        out[site, min(age, exact.AGES)] += n
    return +out


class Case(exact.Case):
    def __init__(self, how, *rest):
        super().__init__(*rest)
        self.how = how
        self.KINDS = ("survivors" if how == "survivors" else "events", "events")

    def read(self, what, path):
        status, out, err = self.bench.tool("check", path)
        if not self.check(f"{what}: mayfly check", status == 0 and ": whole" in out, out + err):
            return None
        e = Events(path)
        if not self.engine(what, e):
            return None
        self.check(f"{what}: no more are told than were born", not e.excess or self.how == "trace", e.excess[:10])
        self.check(f"{what}: every event makes sense", not e.odd, f"{len(e.odd)}\n" + "\n".join(e.odd[:20]))
        self.accounts(what, e)
        h = e.heap
        self.check(f"{what}: born = died + forgotten + standing", h.born == h.died + h.forgotten + len(h.here),
                   f"{h.born} {h.died} {h.forgotten} {len(h.here)}")
        self.bench.say(f"{self.name(what)}: {h.born} born, {h.died} died, {h.forgotten} forgotten, {len(h.here)} stand")
        return e

    def accounts(self, what, e):
        """Counts by the headers against single objects."""
        births, ages, compared, forgotten = [], [], 0, 0
        for gc, done, told in e.steps[:-1]:
            have = sum(total(done, "born").values())
            if have != gc["births"]:
                births.append((gc["young"], gc["births"], have))
            forgotten += sum(total(done, "forgotten").values())
            if gc["kind"] not in (0, 4):
                continue
            if gc["kind"] == 0 and sum(bool(d["moved"]) for d in done) > 1:
                continue  # with one that nobody told of before it, which no account has
            compared += 1
            moved, want = known(total(done, "moved", gc["young"])), known(told)
            # Where a mark is made anew (clones) or held by a lock, the header has no site: there the event tells more.
            # Where old regions are taken along and all of them fail, the pause is told to be a young one, and the header's counts
            # have nothing of what left them (doc/jvm.md, Pauses): those that failed before (21 and 25), or in a mixed collection.
            more = sum(n for (_, age), n in (moved - want).items() if age < 2 or not gc["failed"])
            if gc["kind"] == 0 and (sum((want - moved).values()) > forgotten or more > gc["unknown"]):
                ages.append((gc["young"], dict(want - moved), dict(moved - want), gc["unknown"]))
        self.check(f"{what}: births of {len(e.steps) - 1} collections as counted", not births, births[:10])
        self.check(f"{what}: survivors of {compared} collections as counted", compared and not ages,
                   f"{len(ages)} differ: clock, only counted, only told, counted without a site\n" + "\n".join(map(str, ages[:10])))

    def java(self, path, *args, flags=()):
        return self.bench.java(self.jdk, *self.flags(), *flags, self.bench.agent_flag(f"file={path},exact={self.how},audit,{exact.SAMPLES}"),
                               "-cp", self.bench.classes, *args)

    def truth(self, mode, rounds, scale):
        path = self.bench.path(f"{mode}.mfly")
        flags = HEAP + YOUNG + ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:G1HeapRegionSize=1m"]
        got = self.java(path, "Truth", "1", str(rounds), mode, str(scale), "hurry", flags=flags)
        if not self.check(f"{mode}: the program is unharmed", got.status == 0 and not got.err, got.out[-2000:] + got.err[-2000:]):
            return
        truth = jvm.json.loads(got.out)
        e = self.read(mode, path)
        if e is None or truth["surprises"] or truth["witness_errors"]:
            self.bench.skip(self.name(mode), "the program's own record says that it is no truth")
            return
        died = collections.Counter()
        for gc, done, _ in e.steps[:-1]:
            for (site, age), n in total(done, "died", gc["young"] - 1).items():
                died[e.names[site], age] += n
        stand = collections.Counter(e.names[site] for site, _ in e.heap.here.values())
        for site, n in e.unborn.items() if self.how == "survivors" and not self.compact else ():
            stand[e.names[site]] += n  # since the last collection
        for method in dict.fromkeys(s["method"] for s in truth["sites"]):
            self.lives(mode, method, [s for s in truth["sites"] if s["method"] == method], died, stand)
        self.report(mode, path, truth, died, stand)

    def lives(self, mode, method, sites, died, stand):
        """Each object's death, by the collections that it survived. Large ones are not moved by any."""
        name = (sites[0]["class"], f"Truth.{method}")
        large = self.gc == "G1" and sites[0]["size"] > exact.HUMONGOUS
        want = collections.Counter()
        for s in sites:
            for age, n in enumerate(s["died"]):
                want[0 if large else age] += n
        have = collections.Counter({age: n for (site, age), n in died.items() if site == name})
        alive, objects = sum(sum(s["alive"]) for s in sites), sum(s["objects"] for s in sites)
        told = sum(have.values()) + stand[name]
        self.check(f"{mode}: {method}: all {objects} are told of", told == objects, f"{told}")
        # What is dropped at the very end is not found dead any more.
        self.check(f"{mode}: {method}: when each died", +have == +want or (large and sum(have.values()) <= sum(want.values())),
                   f"true: {sorted((+want).items())}\ntold: {sorted((+have).items())}, {stand[name]} stand, {alive} live")

    def report(self, mode, path, truth, died, stand):
        """Of each line died and alive, as counted, and the ages: nothing is estimated."""
        rows = {(r["class"], f"{r['frames'][0]['class']}.{r['frames'][0]['method']}"): r
                for r in self.bench.json("report", "--together", path)["rows"] if r["frames"]}
        for method in dict.fromkeys(s["method"] for s in truth["sites"]):
            sites = [s for s in truth["sites"] if s["method"] == method]
            name, size = (sites[0]["class"], f"Truth.{method}"), sites[0]["size"]
            row, dead = rows[name], sum(n for (site, _), n in died.items() if site == name)
            have = [row[k][unit] for k in ("died", "alive", "untracked") for unit in ("objects", "bytes")]
            want = [dead, dead * size, stand[name], stand[name] * size, 0, 0]
            self.check(f"{mode}: {method}: the report counts who died", row["deaths"] == "counted" and have == want, f"{want}\n{have}")
            if self.gc == "G1" and size > exact.HUMONGOUS:
                continue
            curve = row["survival"]["young_gcs"]
            true = survival(merge([s["died"] for s in sites]), merge([s["alive"] for s in sites]))
            far = [(t, p, true[t]) for t, p in zip(curve["t"], curve["p"]) if t < len(true) and abs(p - true[t]) > 1e-5]
            self.check(f"{mode}: {method}: and at which age", not far, f"t, p, truth: {far}")

    def brim(self):
        """Promotion fails while many live (java/Brim.java): none of them is told dead before its time."""
        path = self.bench.path("brim.mfly")
        kept, young = ("12", "26m") if self.gc == "Parallel" else ("14", "20m")  # where it does fail
        got = self.java(path, "Brim", "surge", kept, "4", flags=["-Xms40m", "-Xmx40m", f"-Xmn{young}", "-Xlog:gc+promotion", *self.brimful()])
        if not self.check("brim: the program is unharmed", got.status == 0 and not got.err, got.out[-2000:] + got.err[-2000:]):
            return
        failed = got.out.count("Promotion failed")
        e = self.read("brim", path)
        if e is None:
            return
        born, died, early = 0, 0, []
        for gc, done, _ in e.steps[:-1]:
            born += sum(n for (site, _), n in total(done, "born").items() if e.names[site][0] == "Brim$Node")
            died += sum(n for (site, _), n in total(done, "died").items() if e.names[site][0] == "Brim$Node")
            if died > born // SURGE * SURGE: # those of a surge die when it is over
                early.append((gc["young"], gc["kind"], born, died))
        self.check(f"brim: of {died} none was told dead before its time, with {failed} failed promotions", died and not early, early)

    def storm(self, seconds, flags, kept, gcs, *more):
        """What stands after the last full collection is what the VM's histogram counts: of the program's own classes all."""
        what = " ".join(["storm", *flags, str(kept), str(gcs), *more])
        path = self.bench.path("storm.mfly")
        got = self.java(path, "Storm", str(seconds), str(kept), str(gcs), *more, flags=["-XX:+IgnoreUnrecognizedVMOptions", "-XX:G1HeapRegionSize=1m", *flags, *self.brimful()])
        if not self.check(f"{what}: the program is unharmed", got.status == 0 and not got.err and got.out.endswith("good\n"),
                          f"exit status {got.status}\n{got.out[-2000:]}{got.err[-2000:]}"):
            return None
        e = self.read(what, path)
        if e is None:
            return None
        self.bench.say(f"{self.name(what)}: {len(e.gcs)} collections, kinds {sorted(collections.Counter(g['kind'] for g in e.gcs).items())}, "
                       f"{sum(g['failed'] for g in e.gcs)} regions failed; {e.notes}")
        if more != ("asked",):
            self.stands(what, e, got.out, "Storm$")
        else:
            self.asked_stand(path, e, got.out)
        return e

    def pinned(self, seconds):
        """Native code holds on to arrays: G1 leaves their regions where they are (from 22 on), all else waits with its collections."""
        e = self.storm(seconds, ["-Xmx96m", "-Xmn24m"], 20000, 0, "pinned")
        if e and self.gc == "G1" and self.jdk.major >= 22:
            stayed = sum(g["failed"] for g in e.gcs if g["kind"] < 2)
            self.check(f"pinned: {stayed} regions stayed, and no interval was lost by it",
                       stayed and not e.facts.get("intervals"), e.facts)

    def marked(self, seconds):
        """G1 marks all the time (from 12 on): what it then writes over in the old generation is dead, not lost. Only what has a monitor, some
        dozens here, can't be told apart in full collections."""
        e = self.storm(seconds, ["-XX:G1PeriodicGCInterval=50", "-Xmx256m"], 30000, 0)
        told = e and re.search(r"(\d+) with a lock, held or not", " ".join(e.notes))
        if e:
            self.check(f"marked: of {e.heap.forgotten} forgotten few were locked then", not told or int(told[1]) < 100, e.notes)

    def asked(self, seconds):
        """Histograms in a row, with no collection behind them that an event tells of: what stands is known all the same, up to the end."""
        e = self.storm(seconds, ["-Xmx96m"], 60000, 0, "asked")
        if e is not None:
            silent = any("the VM tells of no collection" in note for note in e.notes)
            self.check("asked: of the collections no event told", silent == (self.gc != "G1" and self.jdk.major < 22), e.notes)

    def asked_stand(self, path, e, out):
        """By the program's own classes, of which nothing was made since the last one. Of survivors alone those are missing that only such
        collections have found alive."""
        vm, have = histograms(out)[0], collections.Counter()
        for row in self.bench.json("heap", path, "--at", "end", "--by", "class")["rows"]:
            have[row["class"]] += row["alive"]["objects"]
        off = {c: (n, have[c]) for c, n in vm.items() if c.startswith("Storm$") and "Lambda" not in c and n != have[c]}
        missing = sum(n - told for n, told in off.values())
        untold = [note for note in e.notes if "in collections that could not be told" in note]
        self.check(f"asked: {have['Storm$Late']} objects stand that were made between them, and of all but {missing} are missing, of {e.heap.forgotten} forgotten",
                   not untold and vm["Storm$Late"] == 2000 and all(n > told for n, told in off.values()) and
                   (missing <= e.heap.forgotten or self.how == "survivors"), f"class: (the VM's count, told)\n{off}\n{e.notes}")

    def archive(self, seconds):
        """Objects that came with the VM's archive of classes have hashes, and are not taken for what died: no array changes its size."""
        path = self.bench.path("archive.mfly")
        got = self.java(path, "Queued", str(seconds), flags=["-Xmx128m", "-Xmn32m"])
        if self.check("archive: the program is unharmed", (got.status, got.out, got.err) == (0, "good\n", ""), got.out + got.err):
            full = sum(g["kind"] in FULL for g in exact.Exact(path).gcs)
            status, out, err = self.bench.tool("check", path)
            self.check(f"archive: mayfly check, behind {full} full collections", status == 0 and full > 4, out + err)

    def shrinks(self):
        """Parallel gives the end of its young generation back in the pause, and what stood there has moved away: all of it is told."""
        path, log = self.bench.path("shrinks.mfly"), self.bench.path("shrinks.log")
        got = self.java(path, "Shrinks", "6000000", flags=["-Xmx64m", f"-Xlog:gc+heap=debug:file={log}"])
        if not self.check("shrinks: the program is unharmed", (got.status, got.out, got.err) == (0, "", ""), got.out + got.err):
            return
        ends = [int(m[1], 16) for m in re.finditer(r"PSYoungGen .*\[0x\w+, 0x(\w+), 0x\w+\)", open(log).read())]
        smaller = sum(after < before for before, after in zip(ends, ends[1:]))
        e = self.read("shrinks", path)
        self.check(f"shrinks: {smaller} times it became smaller, and none was forgotten", e and smaller and not e.heap.forgotten, e and e.notes)

    def blind(self, seconds):
        """Whoever starts the VM has SIGTRAP blocked: where a full collection begins can't be caught. Of one that a tool asked for no event
        tells (but G1's), so that it is not known who was born before it and who since: two of them may have stood at one place."""
        blocked = "import os, signal, sys; signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTRAP]); os.execv(sys.argv[1], sys.argv[1:])"
        path = self.bench.path("blind.mfly")
        got = self.bench.java(self.jdk, *self.flags(), "-Xmx64m", self.bench.agent_flag(f"file={path},exact={self.how},audit,{exact.SAMPLES}"),
                              "-cp", self.bench.classes, "Storm", str(seconds), "60000", "4", before=[sys.executable, "-c", blocked])
        if not self.check("blind: the program is unharmed", got.status == 0 and not got.err and got.out.endswith("good\n"),
                          f"exit status {got.status}\n{got.out[-2000:]}{got.err[-2000:]}"):
            return
        e = self.whole("blind", path, Events)
        if e is None or not self.engine("blind", e):
            return
        self.check("blind: every event makes sense", not e.odd, "\n".join(e.odd[:20]))
        kinds = collections.Counter(g["kind"] for g in e.gcs)
        self.check(f"blind: no full collection could be followed: {dict(kinds)}", kinds[2] and not kinds[4], e.gcs)
        lost = [after - before for before, after in zip([0, *e.lost_by], e.lost_by)]
        untold = [gc for (gc, done, _), n in zip(e.steps, lost) if not n and sum(total(done, "born").values()) != gc["births"]]
        # Survivors alone: who was born before a full collection and lives behind it is met by none.
        why = "the VM tells of no collection" if self.how == "trace" else "in collections that could not be told"
        self.check(f"blind: {sum(lost)} intervals are lost, of all others each birth is told", not untold and
                   (sum(lost) > 0) == any(why in note for note in e.notes), f"{untold[:10]}\n{e.notes}")

    def heavy(self):
        """Where the engine itself takes most of the time it does less."""
        self.lightened("heavy", "slow_pauses", 4, r"took \d\d % of the program's time")

    def short(self):
        """And where a full collection would need more memory for it than is left."""
        self.lightened("short", "little_memory", 3, r"and 1\.02 MB of memory was left: (single objects|only the samples)")

    def lightened(self, what, preload, seconds, why):
        """Nothing is told of single objects any more, and counts go on; where they come from single objects alone it goes away."""
        path, preload = self.bench.path(f"{what}.mfly"), os.path.join(os.path.dirname(os.path.dirname(self.bench.agent)), f"test/{preload}.so")
        flag = self.bench.agent_flag(f"file={path},exact={self.how},{exact.SAMPLES}")
        got = self.bench.java(self.jdk, *self.flags(), "-Xmx96m", flag, "-cp", self.bench.classes, "Storm", str(seconds), "10000", "20",
                              env={"LD_PRELOAD": preload})
        if not self.check(f"{what}: the program is unharmed", got.status == 0 and not got.err and got.out.endswith("good\n"),
                          f"exit status {got.status}\n{got.out[-2000:]}{got.err[-2000:]}"):
            return
        e = self.whole(what, path, Events)
        if e is None:
            return
        if self.compact:
            facts = (e.facts.get("engine"), e.facts.get("exact"))
            self.check(f"{what}: the engine went away, and says why",
                       facts == ("sampled", "refused") and re.search(why, e.facts.get("exact.why", "")), f"{e.facts}\n{e.notes}")
            return
        if not self.engine(what, e):
            return
        self.check(f"{what}: every event makes sense", not e.odd, "\n".join(e.odd[:20]))
        self.check(f"{what}: single objects were followed no more, and a note says why", any(re.search(why, n) for n in e.notes), e.notes)
        self.check(f"{what}: {e.intervals_lost} intervals are announced as lost, and nothing is said to stand",
                   e.intervals_lost > 5 and not e.heap.here, f"{len(e.heap.here)} stand\n{e.notes}")
        out = self.bench.tool("check", path)[1]
        self.check(f"{what}: mayfly check tells why they are", "(single objects were told of no more: a note says why)" in out, out)
        told = [sum(total(done, "born").values()) for _, done, _ in e.steps[:-1]]
        last = max((i for i, n in enumerate(told) if n), default=-1)
        rest = [gc["births"] for gc, _, _ in e.steps[last + 1:-1]]
        if self.how == "trace":
            self.check(f"{what}: {last + 1} collections with events, then {len(rest)} with counts alone",
                       last >= 0 and len(rest) > 5 and sum(rest) > 1000, f"{told}\n{rest}")

    def attach(self):
        """Into a running program, whose single objects are told of only once the counts have proven right: the clocks go on before."""
        for name, locks in exact.LOCKS.items() if self.jdk.major == 11 else (("attach", ()),):
            self.attach_with(name, locks, "Marks", "0")

    def rebias(self):
        """Where locks are biased (11) the VM makes marks anew, without their age, as another thread takes the lock (java/Rebias.java)."""
        again = ("-XX:BiasedLockingDecayTime=500", "-XX:BiasedLockingBulkRevokeThreshold=50") # and not once for good
        self.attach_with("rebias", (*exact.LOCKS["attach, biased"], *again), "Rebias")

    def attach_with(self, name, locks, *program):
        process = self.bench.start(self.jdk, *self.flags(), *locks, *HEAP, "-Xmx128m", "-Xmn8m", "-cp", self.bench.classes, *program,
                                   stdin=subprocess.PIPE)
        process.stdout.readline()
        path = self.bench.path("attach.mfly")
        status, out, err = self.bench.tool("attach", str(process.pid), "-d", "2s", "-o", path, f"--exact={self.how}", "--audit", "--no-compress")
        process.stdin.write("\n")
        got = self.bench.finish(process)
        if not self.check(f"{name}: ends well", status == 0 and got.status == 0, out + err + got.err[-2000:]):
            return
        e = Events(path)
        # Where there is no room for places survivors cost what all objects do.
        biased = "-XX:+UseBiasedLocking" in locks
        dearer = any(text.startswith("biased locking is on") for text in e.notes)
        self.check(f"{name}: what could be cheaper is told", dearer == (biased and self.how == "survivors"), e.notes)
        old, born = [], 0
        for gc, done, told in e.steps[:-1]:
            born += sum(total(done, "born").values())
            if gc["kind"] == 0 and born:
                older = known(total(done, "moved", gc["young"])) - known(told)
                if sum(older.values()) > gc["unknown"]:
                    old.append((gc["young"], dict(older), gc["unknown"]))
        self.check(f"{name}: none of {born} objects is older by its clock than by its header", born and not old,
                   f"{len(old)} collections: clock, only told, counted without a site\n" + "\n".join(map(str, old[:10])))
        # Both begin where the first audit held.
        counts = self.bench.json("info", path)["exact"]
        self.check(f"{name}: all collections since the begin are accounted for and looked through", not counts["unaccounted"] and not e.intervals_lost,
                   f"{counts} {e.intervals_lost}")
        if biased or self.how != "survivors":
            born = sum(sum(total(done, "born").values()) for _, done, _ in e.steps)
            self.check(f"{name}: each of {born} births has an event", born == counts["births"]["objects"], counts)

    def stands(self, what, e, out, prefix, alone=True):
        """The program's own classes begin with the prefix; its output has the VM's histograms. alone: nobody but the VM allocates
        between these and the last collection."""
        vm, later = histograms(out)
        have = collections.Counter()
        for site, _ in e.stood.values():
            have[e.names[site][0]] += 1
        own = {c for c in set(vm) | set(have) if prefix in c and "Lambda" not in c} # hidden classes have other names in the trace
        off = {c: (vm.get(c, 0), have[c]) for c in own if vm.get(c, 0) != have[c]}
        missing = sum(n - told for n, told in off.values())
        if e.heap.forgotten > sum(vm.values()):
            self.bench.skip(self.name(f"{what}: as the VM counts"), f"{e.heap.forgotten} were forgotten, more than stand")
        # Of survivors alone the newborns of a collection that no event told of (a histogram's, but for G1) are lost.
        lost = e.intervals_lost if self.how == "survivors" else 0
        self.check(f"{what}: {sum(have[c] for c in own)} objects of {len(own)} classes of its own stand, as the VM counts, but for {missing} "
                   f"of {e.heap.forgotten} forgotten and {lost} intervals", (lost or missing <= e.heap.forgotten) and all(n > told for n, told in off.values()),
                   f"class: (the VM's count, told)\n{off}")
        more = {c: (vm[c], later.get(c, 0), n) for c, n in have.items() if c in vm and n > vm[c]}
        self.bench.say(f"{self.name(what)}: made since the histogram: {more}" if more else "")
        self.check(f"{what}: of no class stand more than the VM counts", all(n <= max(both) for *both, n in more.values()) or not alone,
                   f"class: (the VM's counts before and after, told)\n{more}")
        self.bench.say(f"{self.name(what)}: {sum(have.values())} of the VM's {sum(vm.values())} objects are told of")


PRIMITIVES = {"B": "byte", "C": "char", "D": "double", "F": "float", "I": "int", "J": "long", "S": "short", "Z": "boolean"}


def java_name(name):
    """[[Ljava.lang.String; as the trace has it: java.lang.String[][]."""
    depth = len(name) - len(name.lstrip("["))
    if not depth:
        return name
    element = name[depth:]
    element = element[1:-1] if element.startswith("L") else PRIMITIVES[element]
    return element + "[]" * depth


def histogram(text):
    return {java_name(m[2]): int(m[1]) for m in re.finditer(r"^ *\d+: +(\d+) +\d+ +(\S+)", text, re.M)}


def histograms(out):
    """Storm.tellHeap: by class, what stood at the histogram's collection, and all that is there after the next."""
    at, _, after = out.partition("\nall\n")
    return histogram(at), histogram(after)


CASES = ("truth", "full", "brim", "storm", "pinned", "marked", "asked", "archive", "shrinks", "blind", "heavy", "short", "attach", "rebias")
SURGE = 550_000 # nodes: LONG in java/Brim.java


def main():
    p = jvm.parser(__doc__)
    p.add_argument("--case", action="append", choices=CASES, help="may be repeated (default: all)")
    p.add_argument("--how", choices=("trace", "survivors"), default="trace")
    p.add_argument("--rounds", type=int, default=40)
    p.add_argument("--scale", type=int, default=60, help="objects in percent")
    p.add_argument("--seconds", type=float, default=2, help="of each storm")
    p.add_argument("--compact", action="store_true", help="with compact object headers (25)")
    p.add_argument("--verify", action="store_true", help="let the VM verify its heap around each collection")
    args = p.parse_args()
    cases = args.case or CASES
    bench = jvm.Bench(args.keep)
    for jdk, gc in jvm.pairs(args):
        if gc not in exact.COLLECTORS:
            continue
        if args.compact and jdk.major < 25:
            continue
        case = Case(args.how, bench, jdk, gc, args.verify, args.compact)
        if "truth" in cases:
            case.truth("young", args.rounds, args.scale)
        if "full" in cases:
            case.truth("full", args.rounds, args.scale)
        if "brim" in cases:
            case.brim()
        if "storm" in cases:
            case.storm(args.seconds, ["-Xmx96m"], 60000, 0)
            case.storm(args.seconds, ["-Xmx64m"], 60000, 4)
            case.storm(args.seconds, ["-Xmx256m", "-Xmn32m"], 20000, 0)
            case.storm(args.seconds, ["-Xmx128m"], 30000, 3, "histograms")
        if "pinned" in cases:
            case.pinned(args.seconds)
        if "marked" in cases and gc == "G1":
            case.marked(args.seconds)
        if "asked" in cases:
            case.asked(args.seconds)
        if "archive" in cases:
            case.archive(args.seconds)
        if "shrinks" in cases and gc == "Parallel":
            case.shrinks()
        if "blind" in cases:
            case.blind(args.seconds)
        if "heavy" in cases:
            case.heavy()
        if "short" in cases:
            case.short()
        if "attach" in cases:
            case.attach()
        if "rebias" in cases and jdk.major == 11:
            case.rebias()
    return bench.done()


if __name__ == "__main__":
    sys.exit(main())
