#!/usr/bin/env python3
"""What tenure gives a program's pauses, beside what flags alone do, and at what price: pauses and their CPU time, bytes
copied, throughput, memory; rounds of runs, side by side in time."""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time

import gclog
import jars
import overhead
import paired
import runs
import targets
from targets import names, say, stop

BASE = "default"
COLLECTORS = ("G1", "Parallel", "Serial")  # ZGC and Shenandoah have no ages, or no threshold
LOG = "tenure.log"
TRACE = "tenure.mfly"
PERCENTILES = (50, 90, 99, 99.9, 100)

# name: its JVM options, given the heap in MiB. The young sizes are parts of the heap.
VARIANTS = {
    BASE: lambda heap: [],
    "default2": lambda heap: [],  # the base again: the noise
    "mtt0": lambda heap: ["-XX:MaxTenuringThreshold=0"],
    "mtt1": lambda heap: ["-XX:MaxTenuringThreshold=1"],
    "mtt2": lambda heap: ["-XX:MaxTenuringThreshold=2"],
    "young16": lambda heap: [f"-Xmn{heap // 16}m"],
    "young8": lambda heap: [f"-Xmn{heap // 8}m"],
    "young3": lambda heap: [f"-Xmn{heap // 3}m"],
    "tenure": lambda heap: [],
    "tenured": lambda heap: [],
}
# Those with the agent: what it is told. Decisions are learnt once for each cell, in a run that does not count.
AGENTS = {"tenure": "tenure", "tenured": "tenure=apply,decisions={decisions}"}
LEARN = "tenure,decisions={decisions}"


def arguments():
    a = argparse.ArgumentParser(description=__doc__, epilog="bench/README.md says what is measured and how.")
    a.add_argument("--workloads", type=targets.workloads, default=["requests", "lucene", "h2", "graphchi"],
                   metavar="LIST",
                   help="of " + ",".join([*runs.WORKLOADS, *runs.GROUPS]) + " (requests,lucene,h2,graphchi)")
    a.add_argument("--set", action="append", default=[], metavar="WORKLOAD.KEY=VALUE",
                   help="what a workload can be told")
    a.add_argument("--jdk", type=names, default=["17", "25"], metavar="LIST", help="versions or homes (17,25)")
    a.add_argument("--gc", type=names, default=["G1"], metavar="LIST", help="of " + ",".join(COLLECTORS) + " (G1)")
    a.add_argument("--variants", type=names, default=[v for v in VARIANTS if v != BASE], metavar="LIST",
                   help=f"beside {BASE}: of " + ",".join(v for v in VARIANTS if v != BASE))
    a.add_argument("--build", default=targets.BUILD, metavar="DIR",
                   help=f"where the agent was built (a release build: {targets.BUILD})")
    a.add_argument("--heap", type=int, metavar="MB", help="of all programs, instead of their own")
    a.add_argument("--young", type=int, metavar="MB", help="of the variants that don't set it")
    a.add_argument("--pairs", type=int, default=7, metavar="N", help="rounds: pairs for each variant and cell (7)")
    a.add_argument("--scale", type=float, default=1.0, metavar="X", help="times the work of each run (1)")
    a.add_argument("--quick", action="store_true", help="does it work at all: 1 pair of a tenth of the work")
    a.add_argument("--seed", type=int, default=1, metavar="N", help="of the order and of the workloads (1)")
    a.add_argument("--raw", metavar="FILE", help="append every run here, as it is measured")
    a.add_argument("--from", dest="source", metavar="FILE", help="measure nothing: the table of such a file")
    a.add_argument("--json", action="store_true", help="JSON instead of the table")
    a.add_argument("--anyway", action="store_true", help="although the machine is busy")
    o = a.parse_args()
    for given, known in ((o.workloads, runs.WORKLOADS), (o.gc, COLLECTORS), (o.variants, VARIANTS)):
        targets.check(a, given, known)
    try:
        o.settings = targets.settings(o.set)
    except ValueError as e:
        a.error(str(e))
    if o.quick:
        o.pairs, o.scale, o.anyway = 1, 0.1, True
    return o


def heap_of(o, workload):
    """In MiB."""
    return o.heap or int(re.match(r"\d+", runs.WORKLOADS[workload][3]).group())


def agent(o, told, decisions):
    library = os.path.join(os.path.abspath(o.build), "bin", "libmayfly.so")
    return [f"-agentpath:{library}=file={TRACE}," + told.format(decisions=decisions)]


def flags(o, workload, variant, decisions="", told=None):
    """The JVM's options; those of the variant come last and win."""
    heap = heap_of(o, workload)
    young = [f"-Xmn{o.young}m"] if o.young else []
    told = told or AGENTS.get(variant)
    return [f"-Xms{heap}m", f"-Xmx{heap}m", gclog.OPTIONS.format(LOG), *young, *VARIANTS[variant](heap),
            *(agent(o, told, decisions) if told else [])]


def read_log(_tools, folder):
    with open(os.path.join(folder, LOG), encoding="utf-8") as f:
        return {"all_pauses": gclog.pauses(f.read())}


def decided(told):
    """Of what `mayfly report --tenure --json` tells: what is in force."""
    force = [p for p in told["places"] if p["in_force"]]
    return {"jumps": len(force), "by_callers": sum(len(p["frames"]) > 1 for p in force),
            "threshold": told["tenure"]["threshold"],
            "missed": [o["error"] for o in told["outcomes"] if o["error"] is not None]}


def read_trace(o, folder):
    """What was in force at the end, and by how much each forecast of copied bytes missed (as a part of it)."""
    mayfly = os.path.join(os.path.abspath(o.build), "bin", "mayfly")
    done = subprocess.run([mayfly, "report", "--tenure", "--json", os.path.join(folder, TRACE)], stdout=subprocess.PIPE,
                          check=True)
    return decided(json.loads(done.stdout))


def run(o, home, workload, gc, given):
    def read(tools, folder):
        trace = read_trace(o, folder) if os.path.exists(os.path.join(folder, TRACE)) else {}
        return {**read_log(tools, folder), **trace}
    return runs.run_with(os.path.join(home, "bin", "java"), workload, gc, (lambda _tools, _folder: given, read), None,
                         o.seed, o.scale, settings=o.settings.get(workload, ()))


def decisions_of(o, home, workload, gc):
    """The file of what a run of that cell has learnt."""
    cell = (home, workload, gc)
    if cell not in o.learnt:
        say("  learns")
        o.learnt[cell] = os.path.join(o.folder, f"{len(o.learnt)}.json")
        run(o, home, workload, gc, flags(o, workload, "tenured", o.learnt[cell], LEARN))
    return o.learnt[cell]


def measure_run(o, home, workload, gc, variant):
    decisions = decisions_of(o, home, workload, gc) if variant == "tenured" else ""
    done = run(o, home, workload, gc, flags(o, workload, variant, decisions))
    found = gclog.within(done.pop("all_pauses"), done["from_ns"], done["to_ns"])
    return {**done, "pauses_ms": [gclog.stood(p) for p in found], "full": sum(p["kind"] == "Full" for p in found),
            "survived": sum(p["survived"] for p in found), "old": sum(p["old"] for p in found)}


def measure_round(o, what, failures):
    number, workload, home, version, gc = what
    for variant in paired.order([BASE, *o.variants], number, f"{o.seed} {workload} {version} {gc}"):
        try:
            yield {"workload": workload, "jdk": version, "gc": gc, "variant": variant, "round": number,
                   "heap": heap_of(o, workload), "run": measure_run(o, home, workload, gc, variant)}
        except runs.Failed as e:
            say(f"  failed: {variant}: {e}")
            failures.append(f"{overhead.describe(what)}, {variant}: {e}")


def measure(o):
    homes = targets.jdks(o.jdk)
    if set(AGENTS) & set(o.variants):
        targets.tools(o.build, {"mayfly"})
    o.learnt = {}
    jars.classpath()
    machine = overhead.check_load(o)
    todo, done, failures = list(overhead.plan(o, homes)), [], []
    start = time.monotonic()
    for count, what in enumerate(todo):
        left = f", {(time.monotonic() - start) / count * (len(todo) - count) / 60:.0f} min left" if count else ""
        say(f"[{count + 1}/{len(todo)}{left}] {overhead.describe(what)}")
        for fresh in measure_round(o, what, failures):
            done.append(fresh)
            if o.raw:
                with open(o.raw, "a", encoding="utf-8") as f:
                    f.write(json.dumps(fresh) + "\n")
    return machine, done, failures


def per_pause(run):
    """CPU ms of the collector's threads for each pause."""
    count = len(run["pauses_ms"])
    return run["gc_cpu_ns"] / 1e6 / count if count else None


def per_allocated(run, key):
    return run[key] / run["alloc_bytes"] if run["alloc_bytes"] > 0 else None


# name: of one run. The table shows medians; CPU, wall time and copies also as paired ratios with the base.
FIGURES = {
    "wall_ns": lambda r: r["wall_ns"],
    "gc_cpu_ns": lambda r: r["gc_cpu_ns"],
    "gc_concurrent_cpu_ns": lambda r: r["gc_concurrent_cpu_ns"],
    "cpu_ms_a_pause": per_pause,
    "survived_part": lambda r: per_allocated(r, "survived"),
    "old_part": lambda r: per_allocated(r, "old"),
    "copied": lambda r: r["survived"] + r["old"],
    "longest_ms": lambda r: max(r["pauses_ms"], default=0),
    "pauses": lambda r: len(r["pauses_ms"]),
    "full": lambda r: r["full"],
    "rss_kb": lambda r: r["rss_kb"],
    **{name: lambda r, name=name: r.get(name) for name in ("jumps", "by_callers", "threshold")},
    **{f"p{p}": lambda r, p=p: gclog.percentile(r["pauses_ms"], p) for p in PERCENTILES},
}
RATIOS = ("wall_ns", "gc_cpu_ns", "copied", "longest_ms")
FORETOLD = 0.15  # a forecast that misses by no more has come true


def summarize(found, base):
    """One variant in one cell: {round: run} of it and of the base."""
    both = sorted(set(found) & set(base))
    return {
        **{name: overhead.middle([figure(r) for r in found.values()]) for name, figure in FIGURES.items()},
        "missed": [e for n in sorted(found) for e in found[n].get("missed", [])],
        "against": {name: paired.cost([FIGURES[name](base[n]) for n in both], [FIGURES[name](found[n]) for n in both])
                    for name in RATIOS},
    }


def summarize_cell(key, done):
    by_variant = {}
    for d in done:
        by_variant.setdefault(d["variant"], {})[d["round"]] = d["run"]
    base = by_variant.get(BASE, {})
    return {"workload": key[0], "jdk": key[1], "gc": key[2], "heap": key[3],
            "variants": {v: summarize(by_variant[v], base) for v in VARIANTS if v in by_variant}}


def part(value):
    return "-" if value is None else f"{100 * value:.2f}"


def came_true(missed):
    """How many of all forecasts of all runs."""
    return f"{sum(abs(e) <= FORETOLD for e in missed)}/{len(missed)}" if missed else "-"


COLUMNS = (
    ("VARIANT", "<9", lambda n, v: n),
    ("WALL", ">8", lambda n, v: overhead.percent(v["against"]["wall_ns"])),
    ("95 %", ">15", lambda n, v: overhead.between(v["against"]["wall_ns"])),
    ("GC CPU", ">8", lambda n, v: overhead.percent(v["against"]["gc_cpu_ns"])),
    ("95 %", ">15", lambda n, v: overhead.between(v["against"]["gc_cpu_ns"])),
    ("ms/PAUSE", ">8", lambda n, v: overhead.number(v["cpu_ms_a_pause"], 1, "{:.2f}")),
    ("BESIDE ms", ">9", lambda n, v: overhead.number(v["gc_concurrent_cpu_ns"], 1e6)),
    ("COPIED", ">9", lambda n, v: overhead.percent(v["against"]["copied"])),
    ("SURV %", ">6", lambda n, v: part(v["survived_part"])),
    ("OLD %", ">6", lambda n, v: part(v["old_part"])),
    ("PAUSES", ">6", lambda n, v: overhead.number(v["pauses"])),
    ("FULL", ">4", lambda n, v: overhead.number(v["full"])),
    *((f"p{p}", ">6", lambda n, v, p=p: overhead.number(v[f"p{p}"], 1, "{:.1f}")) for p in PERCENTILES),
    ("RSS MB", ">6", lambda n, v: overhead.number(v["rss_kb"], 1e3)),
    ("JUMPS", ">5", lambda n, v: overhead.number(v["jumps"])),
    ("MTT", ">3", lambda n, v: overhead.number(v["threshold"])),
    ("TRUE", ">5", lambda n, v: came_true(v["missed"])),
)


def row(cells):
    return "  " + "  ".join(format(text, form) for text, (_, form, _) in zip(cells, COLUMNS)).rstrip()


def table(cells):
    for c in cells:
        print(f"{c['workload']} · JDK {c['jdk']} · {c['gc']} · heap {c['heap']} MB")
        print(row([title for title, _, _ in COLUMNS]))
        for name, v in c["variants"].items():
            print(row([show(name, v) for _, _, show in COLUMNS]))
        print()


def main():
    o = arguments()
    try:
        with tempfile.TemporaryDirectory(prefix="mayfly-decisions-") as o.folder:
            machine, done, failures = (None, targets.read_raw(o.source), []) if o.source else measure(o)
    except jars.Missing as e:
        stop(str(e))
    cells = [summarize_cell(k, d) for k, d in sorted(overhead.group(done, "workload", "jdk", "gc", "heap").items())]
    if o.json:
        json.dump({"machine": machine, "seed": o.seed, "cells": cells, "failures": failures}, sys.stdout, indent=1)
        print()
    else:
        table(cells)
    if failures:
        stop(f"{len(failures)} runs failed:\n  " + "\n  ".join(failures))


if __name__ == "__main__":
    main()
