#!/usr/bin/env python3
"""What src/hotspot reads of the heap, of methods and of code in real JVMs (heap_agent.c), against the VM's own words: the
walks come out even, each object that was moved is found where it was moved to, all that a program made has been seen,
pauses are of the kinds that the log says, hashes in marks are those that Java was told, and names, lines and code are
those of JVMTI.

    test/jvm/heap.py --jdk 25 --gc G1
"""
import os
import re
import sys

import jvm

UNLOCK = ["-XX:+UnlockExperimentalVMOptions", "-XX:+UnlockDiagnosticVMOptions"]
NODES = 600_000
# name: flags, JDKs (least, most), collectors, how much of what is made is kept, roomy: nothing fails and nothing is full
CASES = {
    "plain": (["-Xmx192m", "-Xmn32m"], 11, 99, ("Serial", "Parallel", "G1"), 20_000, True),
    "tight": (["-Xmx36m", "-Xmn24m"], 11, 99, ("Serial", "Parallel", "G1"), 300_000, False),
    "mixed": (["-Xmx128m", "-Xmn8m", "-XX:InitiatingHeapOccupancyPercent=5", "-XX:G1HeapWastePercent=0",
               "-XX:G1MixedGCLiveThresholdPercent=99"], 11, 99, ("G1",), 200_000, False),
    "compact": (["-Xmx192m", "-Xmn32m", "-XX:+UseCompactObjectHeaders"], 25, 99, ("Serial", "Parallel", "G1"), 20_000, True),
    "compact, without C2": (["-Xmx192m", "-Xmn32m", "-XX:+UseCompactObjectHeaders", "-XX:TieredStopAtLevel=1"], 25, 99,
                            ("Serial", "Parallel", "G1"), 20_000, True),
    "wide": (["-Xmx192m", "-Xmn32m", "-XX:-UseCompressedOops", "-Xshare:off"], 17, 99, ("G1",), 20_000, True),
    "wide classes": (["-Xmx192m", "-Xmn32m", "-XX:-UseCompressedOops", "-XX:-UseCompressedClassPointers", "-Xshare:off"], 11, 25,
                     ("Serial", "Parallel", "G1"), 20_000, True),
    "legacy locks": (["-Xmx192m", "-Xmn32m", "-XX:LockingMode=1"], 21, 25, ("G1",), 20_000, True),
    "light locks": (["-Xmx192m", "-Xmn32m", "-XX:LockingMode=2"], 21, 25, ("G1",), 20_000, True),
    "monitor table": (["-Xmx192m", "-Xmn32m", "-XX:+UseObjectMonitorTable"], 25, 25, ("G1",), 20_000, True),
}
NONE = ["walk_errors", "other_class", "not_found", "wrong_hash", "left_forwarded", "wrong_names", "wrong_descriptors",
        "wrong_classes", "wrong_files", "wrong_lines", "wrong_bci", "wrong_peeks", "compiled_wrong", "stubs_wrong"]
SOME = ["objects", "forwarded", "after_full", "mirrors", "hashed", "hashed_locked", "ages", "methods_read", "lines",
        "compiled", "stubs", "with_frames"]
LOG = {"Young": ("evacuation",), "Full": ("full",), "Remark": ("other",), "Cleanup": ("other",),
       "Empty": ("other", "evacuation")}  # of G1, with no young region: only the VM's clocks tell it from a Remark


def read(path):
    """The agent's report: pauses in order, and counts."""
    pauses, counts, trouble = [], {}, ""
    with open(path, encoding="utf-8") as f:
        for line in f:
            name, value = line.rstrip("\n").split(" ", 1)
            if name == "pause":
                pauses.append(value)
            elif name == "trouble":
                trouble = value
            else:
                counts[name] = int(value)
    return pauses, counts, trouble


def logged(path):
    """The log's pauses, in order. What stood in the heap is told before the line that ends the pause."""
    names, young = [], {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            regions = re.search(r"GC\((\d+)\) (?:Eden|Survivor) regions: (\d+)->", line)
            pause = re.search(r"GC\((\d+)\) Pause (Young|Full|Remark|Cleanup)\b", line)
            if regions:
                young[regions[1]] = young.get(regions[1], 0) + int(regions[2])
            elif pause:
                names.append((pause[1], pause[2]))
    return ["Empty" if name == "Young" and young.get(number) == 0 else name for number, name in names]


def same_pauses(seen, log):
    """A full collection may come with a young one before it, or more than one full, in one pair of events."""
    log = [LOG[name] for name in log]
    at = 0
    for pause in seen:
        kind = "evacuation" if pause in ("young", "mixed") else pause
        if kind == "full" and log[at:at + 2] == [LOG["Young"], LOG["Full"]]:
            at += 1
        if at == len(log) or kind not in log[at]:
            return f"{kind} is {log[at:at + 1]} in the log, at {at}"
        at += 1
        while kind == "full" and len(log) - at > len(seen) and log[at] == LOG["Full"]:
            at += 1
    return "" if at == len(log) else f"{len(log) - at} more in the log"


def run(bench, jdk, gc, case):
    flags, _, _, _, keep, roomy = CASES[case]
    what = f"{jdk.release} {gc}, {case}"
    report, log = bench.path("heap.txt"), bench.path("gc.log")
    for path in (report, log):
        if os.path.exists(path):
            os.remove(path)
    got = bench.java(jdk, *jdk.flags(gc), *UNLOCK, *flags, f"-Xlog:gc,gc+heap:file={log}",
                     f"-agentpath:{os.environ['MAYFLY_HEAP']}={report}", "-cp", bench.classes, "HeapChurn", str(NODES),
                     str(keep))
    if not bench.check(f"{what}: the program is unharmed", got.status == 0 and f"nodes {NODES}" in got.out,
                       got.out[-2000:] + got.err[-2000:]):
        return
    pauses, n, trouble = read(report)
    # Parallel of 26 leaves what it did move out of a space before it failed as it is.
    none = [name for name in NONE if name != "left_forwarded" or (gc, jdk.major) != ("Parallel", 26)]
    bench.check(f"{what}: nothing is wrong", not any(n[name] for name in none), f"{trouble}\n{n}")
    bench.check(f"{what}: there was something to look at", all(n[name] for name in SOME), n)
    why = same_pauses(pauses, logged(log))
    bench.check(f"{what}: {len(pauses)} pauses are those of the log", not why, f"{why}\n{pauses}\n{logged(log)}")
    bench.check(f"{what}: stacks of virtual threads", jdk.major < 21 or (n["chunk_size_known"] and n["chunks"]), n)
    if roomy:
        bench.check(f"{what}: all that was made was seen", n["nodes"] == NODES and n["ints"] >= NODES // 50, n)
        # What can't be read any more can't be followed, and before 21 what fills the collector's buffers looks like int[].
        even = (n["forwarded"], n["forwarded_bytes"]) == (n["copies"], n["copy_bytes"])
        even = even or (jdk.major < 21 and 0 < n["copies"] - n["forwarded"] <= 200 * len(pauses))
        bench.check(f"{what}: {n['copies']} copies of {n['forwarded']} objects",
                    even or (n["unreadable"] and 0 <= n["copy_bytes"] - n["forwarded_bytes"] <= n["unreadable"]), n)
        # Before 21 what fills the rest of a thread's buffer looks like int[].
        more = n["eden_at_finish"] - n["eden_at_start"]
        bench.check(f"{what}: eden has the same objects at Start, around the gaps",
                    more == 0 or (jdk.major < 21 and 0 < more <= 300 * len(pauses)), n)
    # Serial from 22 on does not tell; nor would Parallel but for its symbols.
    known = gc != "Serial" or jdk.major < 22
    bench.check(f"{what}: how far full collections have written is known", not n["unsure_full"] or not known, n)
    if case == "mixed":
        bench.check(f"{what}: mixed ones", "mixed" in pauses, pauses)


def main():
    p = jvm.parser(__doc__)
    p.add_argument("--case", action="append", choices=CASES, help="may be repeated (default: all)")
    args = p.parse_args()
    if not os.environ.get("MAYFLY_HEAP"):
        print("1..0 # SKIP MAYFLY_HEAP does not name heap_agent.so")
        return 77
    bench = jvm.Bench(args.keep)
    for jdk, gc in jvm.pairs(args):
        for case in args.case or CASES:
            _, least, most, collectors, _, _ = CASES[case]
            if gc in collectors and least <= jdk.major <= most:
                run(bench, jdk, gc, case)
    return bench.done()


if __name__ == "__main__":
    sys.exit(main())
