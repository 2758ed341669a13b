#!/usr/bin/env python3
"""A cyclic recording (`cyclic=4mb`, `cyclic=2s`): while the program runs the file takes no more of the disk than was asked for and can be
read; afterwards it tells of its last stretch, in which what stands at the end is what the VM's own class histogram counts, and what a
reader that knows nothing but doc/trace-format.md finds; what is forgotten is said to be so; a program that is killed leaves a sound file.

    test/jvm/cyclic.py --jdk 21 --gc G1 --case bytes
"""
import collections
import json
import os
import random
import re
import sys
import threading
import time

import events
import exact
import jvm
import trace

PAGES = 64 << 10  # what a file system may take for its own tables
HEAP = ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:G1HeapRegionSize=1m", "-Xmx128m", "-Xmn24m"]
LATE = "mayfly: 5 seconds after the program's end its trace {} was not written yet: it is cut there\n"
OVERTAKEN = "has forgotten this while it was read"


class Stretch(exact.Exact):
    """The records of the stretch, and its objects from its first whole checkpoint on."""

    def __init__(self, path):
        self.heap, self.before = None, {}
        super().__init__(path)
        if self.heap:
            self.heap.close()

    def items(self, path, wanted):
        return trace.items(path, wanted)

    def stands(self, c):
        if self.heap:
            return
        if self.before and self.interval != c.interval:
            self.before = {}
        self.interval = c.interval
        self.before.update((address, (site, c.young)) for site, address, _ in c.rows)
        if len(self.before) == c.thread:
            self.heap = trace.Heap()
            self.heap.here, self.heap.interval = self.before, c.interval

    def chunk(self, c):
        if self.heap:
            self.heap.chunk(c)
        self.before = {}

    def by_class(self):
        return collections.Counter(self.names[site][0] for site, _ in self.heap.here.values())


class Watch(threading.Thread):
    """The most that a file takes of the disk while a program runs, and how long it seems."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.path, self.over, self.most, self.apparent = path, False, 0, 0
        self.start()

    def look(self):
        try:
            st = os.stat(self.path)
        except FileNotFoundError:
            return
        self.most, self.apparent = max(self.most, st.st_blocks * 512), st.st_size

    def run(self):
        while not self.over:
            self.look()
            time.sleep(0.01)

    def end(self):
        self.over = True
        self.join()
        self.look()
        return self


class Case(exact.Case):
    def flag(self, path, options):
        return self.bench.agent_flag(f"file={path},interval=64k,{options}")

    def storm(self, what, options, seconds, kept=15000, env=None):
        """Runs it, watches the file; (the path, the VM's histogram, Watch), or None. self.late: the disk took so long that the trace is
        cut, and the program's stderr says so."""
        path = self.bench.path("cyclic.mfly")
        watch = Watch(path)
        got = self.bench.java(self.jdk, *self.flags(), *HEAP, self.flag(path, options), "-cp", self.bench.classes, "Storm", str(seconds),
                              str(kept), "0", env=env)
        watch.end()
        late = LATE.format(path)
        self.late = late in got.err
        got.err = got.err.replace(late, "", 1)
        if not self.check(f"{what}: the program is unharmed", got.status == 0 and not got.err and got.out.endswith("good\n"),
                          f"exit status {got.status}\n{got.out[-2000:]}{got.err[-2000:]}"):
            return None
        vm, _ = events.histograms(got.out)
        return path, vm, watch

    def sound(self, what, path, verdict=None):
        """Whole; cut only where that was said (the last block may still come between the sentence and the process's end)."""
        verdict = verdict or (": (whole|sound, but cut)" if self.late else ": whole")
        status, out, err = self.bench.tool("check", path)
        self.check(f"{what}: mayfly check", status == 0 and re.search(verdict, out), out + err)
        return self.bench.json("info", path)

    def histogram(self, what, path, vm, info):
        """What stands at the end: by the VM, by mayfly, by the other reader, which knows nothing of a step that is told in part."""
        if self.late:
            self.bench.say(f"SKIP {self.name(what)}: the trace ends before the program, and that was said: nothing is compared")
            return
        heap = self.bench.json("heap", path, "--at", "end", "--by", "class", "--min", "0")
        told = {r["class"]: r["alive"]["objects"] for r in heap["rows"]}
        other = Stretch(path)
        if not self.check(f"{what}: there is a checkpoint", other.heap is not None):
            return
        self.check(f"{what}: every event makes sense", not other.heap.odd, f"{len(other.heap.odd)}\n" + "\n".join(other.heap.odd[:20]))
        have = {c: n for c, n in other.by_class().items() if n}
        self.check(f"{what}: {sum(have.values())} objects of {len(have)} classes, by both readers", told == have,
                   {c: (told.get(c), have.get(c)) for c in set(told) | set(have) if told.get(c) != have.get(c)})
        lost = sum(int(m[1].replace(" ", "")) for n in info["notes"] for m in re.finditer(r"single objects (\d+) were not followed", n))
        own = {c for c in set(vm) | set(told) if "Storm$" in c and "Lambda" not in c}
        off = {c: (vm.get(c, 0), told.get(c, 0)) for c in own if vm.get(c, 0) != told.get(c, 0)}
        missing = sum(n - t for n, t in off.values())
        if any("was born between two collections was lost" in n for n in info["notes"]):
            self.bench.say(f"SKIP {self.name(what)}: the program outran the disk, and the trace says so: nothing is compared")
            return
        self.check(f"{what}: {sum(told.get(c, 0) for c in own)} objects of {len(own)} classes of its own stand, as the VM counts, but for "
                   f"{missing} of {lost} that were let go", missing <= lost and all(n > t for n, t in off.values()), f"class: (VM, told)\n{off}")

    def forgotten(self, what, path, info):
        gone = info.get("forgotten", {"blocks": 0, "gcs": 0})
        if not self.check(f"{what}: something was forgotten", gone["blocks"] > 0 and gone["gcs"] > 1, info):
            return
        status, out, err = self.bench.tool("heap", path, "--at", "GC:1")
        self.check(f"{what}: GC:1 of {gone['gcs']} that are forgotten is said to be so", status == 2 and "GC:1 is forgotten" in err, out + err)
        said = re.search(r"begins after GC:(\d+)", err)
        self.check(f"{what}: and where the stretch begins", said and int(said[1]) == gone["gcs"], err)

    def bytes(self, seconds):
        bound = 12 << 20  # some collections of it: of less there may be no checkpoint in it
        got = self.storm("bytes", "exact=trace,cyclic=12mb,compress=no", seconds)
        if not got:
            return
        path, vm, watch = got
        self.check(f"bytes: the file took {watch.most} of {bound} at most", 0 < watch.most <= bound + PAGES)
        self.check(f"bytes: and seems to have {watch.apparent}", watch.apparent > 1.5 * bound)
        info = self.sound("bytes", path)
        self.histogram("bytes", path, vm, info)
        self.forgotten("bytes", path, info)

    def time(self, seconds):
        got = self.storm("time", "exact=trace,cyclic=1s,compress=no", seconds)
        if not got:
            return
        path, vm, _ = got
        info = self.sound("time", path)
        self.histogram("time", path, vm, info)
        self.forgotten("time", path, info)
        self.check(f"time: {info['duration_ms']:.0f} ms are kept of 1 s", 1000 <= info["duration_ms"], info["duration_ms"])
        status, out, err = self.bench.tool("report", path)
        self.check("time: mayfly report", status == 0 and "forgotten, as was asked for" in out, out + err)

    def slow(self, seconds):
        """A disk of 4 MB a second: what it does not take in the seconds that the program's end waits is missing, and said to be."""
        got = self.storm("slow", "exact=trace,cyclic=1s,compress=no", seconds,
                         env={"LD_PRELOAD": os.path.join(os.path.dirname(os.path.dirname(self.bench.agent)), "test/slow_disk.so")})
        if got:
            self.histogram("slow", got[0], got[1], self.sound("slow", got[0]))

    def modes(self, seconds):
        """Without events, and without the exact engine."""
        for options in ("exact,cyclic=1s", "cyclic=1s"):
            got = self.storm(options, options, seconds)
            if got:
                self.forgotten(options, got[0], self.sound(options, got[0]))

    def has_forgotten(self, path):
        status, out, _ = self.bench.tool("info", path, "--json")
        return status == 0 and json.loads(out).get("forgotten", {}).get("blocks", 0) > 0

    def kill(self, seconds):
        """Read while it is written, then killed at any moment, once something was forgotten, however long that takes here."""
        rng = random.Random(seconds)
        for n in range(3):
            path, what = self.bench.path(f"killed{n}.mfly"), f"kill {n}"
            process = self.bench.start(self.jdk, *self.flags(), *HEAP, self.flag(path, "exact=trace,cyclic=3mb,compress=no"), "-cp",
                                       self.bench.classes, "Storm", "250", "10000", "0")
            watch, until, read = Watch(path), time.monotonic() + seconds + rng.random(), collections.Counter()
            while not os.path.exists(path) or os.path.getsize(path) < 64:
                time.sleep(0.01)
            while process.poll() is None and (time.monotonic() < until or not read["sound"] or not self.has_forgotten(path)):
                status, out, err = self.bench.tool("check", path)
                verdict = "sound" if status == 0 else "overtaken" if OVERTAKEN in out + err else "wrong"
                if verdict == "wrong":
                    self.check(f"{what}: read while it is written", False, out + err)
                read[verdict] += 1
            process.kill()
            self.bench.finish(process)
            watch.end()
            self.check(f"{what}: read while it was written: {dict(read)}", read["sound"] > 0 and not read["wrong"])
            info = self.sound(what, path, "sound, but cut")
            self.check(f"{what}: {info.get('forgotten')}", info.get("forgotten", {}).get("blocks", 0) > 0)
            self.check(f"{what}: the file took {watch.most} at most", 0 < watch.most <= (3 << 20) + PAGES)
            status, out, err = self.bench.tool("report", path)
            self.check(f"{what}: mayfly report", status == 0, out + err)


CASES = ("bytes", "time", "slow", "modes", "kill")


def main():
    p = jvm.parser(__doc__)
    p.add_argument("--case", action="append", choices=CASES, help="may be repeated (default: all)")
    p.add_argument("--seconds", type=float, default=5, help="of each run")
    p.add_argument("--verify", action="store_true", help="let the VM verify its heap around each collection")
    args = p.parse_args()
    bench = jvm.Bench(args.keep)
    for jdk, gc in jvm.pairs(args):
        if gc not in exact.COLLECTORS:
            continue
        case = Case(bench, jdk, gc, args.verify)
        for name in args.case or CASES:
            getattr(case, name)(args.seconds)
    return bench.done()


if __name__ == "__main__":
    sys.exit(main())
