#!/usr/bin/env python3
"""What recording costs a program: pairs of runs, with an agent and without, side by side in time."""
import argparse
import json
import os
import random
import sys
import time

import jars
import paired
import runs
import targets
from targets import names, say, stop

BUSY_WARN, BUSY_REFUSE = 0.1, 0.3  # of all CPUs, by the load average


def arguments():
    a = argparse.ArgumentParser(description=__doc__, epilog="bench/README.md says what is measured and how.")
    a.add_argument("--workloads", type=targets.workloads, default=list(runs.GROUPS["usual"]), metavar="LIST",
                   help="of " + ",".join([*runs.WORKLOADS, *runs.GROUPS]) + " (usual)")
    a.add_argument("--jdk", type=names, default=["17", "25"], metavar="LIST", help="versions or homes (17,25)")
    a.add_argument("--gc", type=names, default=["G1", "Parallel"], metavar="LIST",
                   help="of " + ",".join(runs.COLLECTORS))
    a.add_argument("--variants", type=names, default=list(runs.VARIANTS), metavar="LIST",
                   help="of " + ",".join(runs.VARIANTS))
    a.add_argument("--pairs", type=int, default=9, metavar="N", help="rounds: pairs for each variant and cell (9)")
    a.add_argument("--scale", type=float, default=1.0, metavar="X", help="times the work of each run (1)")
    a.add_argument("--heap", type=int, metavar="MB", help="of all programs, instead of their own")
    a.add_argument("--threads", type=int, default=runs.THREADS, metavar="N", help="of each program (%(default)s)")
    a.add_argument("--set", action="append", default=[], metavar="WORKLOAD.KEY=VALUE",
                   help="what a workload can be told")
    a.add_argument("--quick", action="store_true", help="does it work at all: 1 pair of a tenth of the work")
    a.add_argument("--seed", type=int, default=1, metavar="N", help="of the order and of the workloads (1)")
    a.add_argument("--build", default=targets.BUILD, metavar="DIR",
                   help="with bin/libmayfly.so and bin/mayfly (build/release)")
    a.add_argument("--raw", metavar="FILE", help="append every pair here, as it is measured")
    a.add_argument("--from", dest="source", metavar="FILE", help="measure nothing: the table of such a file")
    a.add_argument("--json", action="store_true", help="JSON instead of the table")
    a.add_argument("--anyway", action="store_true", help="although the machine is busy")
    o = a.parse_args()
    for given, known in ((o.workloads, runs.WORKLOADS), (o.gc, runs.COLLECTORS), (o.variants, runs.VARIANTS)):
        targets.check(a, given, known)
    try:
        o.settings = targets.settings(o.set)
    except ValueError as e:
        a.error(str(e))
    if o.quick:
        o.pairs, o.scale, o.anyway = 1, 0.1, True
    return o


def check_load(o):
    load, cpus = os.getloadavg()[0], os.cpu_count()
    say(f"machine: {cpus} CPUs, load average {load:.2f}")
    if load > BUSY_REFUSE * cpus and not o.anyway:
        stop("the machine is busy, and the figures would be the others' noise (--anyway measures nevertheless)")
    if load > BUSY_WARN * cpus:
        say("warning: the machine is not idle; look at the row base2 and at the share that others took")
    return {"cpus": cpus, "load": load, "time": int(time.time())}


def plan(o, homes):
    """All rounds in their order, each cell once in a turn, so that a slow hour hits all alike."""
    order = random.Random(o.seed)
    for number in range(o.pairs):
        cells = [(w, home, version, gc) for w in o.workloads for home, version in homes for gc in o.gc]
        order.shuffle(cells)
        for cell in cells:
            yield (number, *cell)


def measure_round(o, tools, what, failures):
    """The base and all variants once; each variant's pair is with this round's base."""
    number, workload, home, version, gc = what
    sides = paired.order(["base", *o.variants], number, f"{o.seed} {workload} {version} {gc}")
    done = {}
    for side in sides:
        try:
            done[side] = runs.run(os.path.join(home, "bin", "java"), workload, gc, None if side == "base" else side,
                                  tools, o.seed, o.scale, settings=o.settings.get(workload, ()), heap=o.heap,
                                  threads=o.threads)
        except runs.Failed as e:
            say(f"  failed: {side}: {e}")
            failures.append(f"{describe(what)}, {side}: {e}")
    if "base" not in done:
        return []
    return [{"workload": workload, "jdk": version, "gc": gc, "variant": v, "round": number, "scale": o.scale,
             "told": told(o, workload),
             "base_first": sides.index("base") < sides.index(v), "base": done["base"], "run": done[v]}
            for v in o.variants if v in done]


def told(o, workload):
    """What its runs differ by from those with nothing but the defaults, in words."""
    heap = [f"heap {o.heap} MB"] if o.heap else []
    threads = [f"{o.threads} threads"] if o.threads != runs.THREADS else []
    return ", ".join([*heap, *threads, *o.settings.get(workload, ())])


def describe(what):
    number, workload, _, version, gc = what
    return f"round {number + 1}: {workload}, JDK {version}, {gc}"


def measure(o):
    tools, homes = targets.tools(o.build, o.variants), targets.jdks(o.jdk)
    jars.classpath()
    machine = check_load(o)
    todo, pairs, failures = list(plan(o, homes)), [], []
    start = time.monotonic()
    for done, what in enumerate(todo):
        left = f", {(time.monotonic() - start) / done * (len(todo) - done) / 60:.0f} min left" if done else ""
        say(f"[{done + 1}/{len(todo)}{left}] {describe(what)}")
        fresh = measure_round(o, tools, what, failures)
        pairs += fresh
        if o.raw:
            with open(o.raw, "a", encoding="utf-8") as f:
                f.writelines(json.dumps(pair) + "\n" for pair in fresh)
    return machine, pairs, failures


def of(pairs, side, key):
    return [p[side].get(key) for p in pairs]


def middle(values):
    known = [v for v in values if v is not None and v >= 0]
    return paired.median(known) if known else None


def ratios(pairs, above, below):
    """Of two figures of the runs that have both."""
    known = [p["run"] for p in pairs if p["run"].get(above) is not None and p["run"].get(below)]
    return [r[above] / r[below] for r in known]


def per_second(pairs):
    return middle([p["run"]["samples"] / p["run"]["seconds"] for p in pairs if p["run"].get("seconds")])


def summarize(pairs):
    """One variant in one cell."""
    lost = [v for v in of(pairs, "run", "lost") if v is not None]
    return {
        "wall": paired.cost(of(pairs, "base", "wall_ns"), of(pairs, "run", "wall_ns")),
        "cpu": paired.cost(of(pairs, "base", "cpu_ns"), of(pairs, "run", "cpu_ns")),
        "pause": paired.cost(of(pairs, "base", "pause_ns"), of(pairs, "run", "pause_ns")),
        "samples_per_second": per_second(pairs),
        "lost": max(lost) if lost else None,
        "agent_bytes": middle(of(pairs, "run", "agent_bytes")),
        "rss_more_bytes": paired.median([1024 * (p["run"]["rss_kb"] - p["base"]["rss_kb"]) for p in pairs]),
        "file_bytes": middle(of(pairs, "run", "file_bytes")),
        "gcs": middle(of(pairs, "run", "gcs")),
        "exact_ms_per_gc": middle(ratios(pairs, "exact_gc_ms", "exact_gcs")),
        "event_bytes_per_birth": middle(ratios(pairs, "event_bytes", "births")),
    }


def mean_pause(pairs):
    """Of the bases, in ms."""
    return middle([p["base"]["pause_ns"] / p["base"]["pauses"] / 1e6 for p in pairs if p["base"].get("pauses")])


def group(pairs, *keys):
    groups = {}
    for p in pairs:
        groups.setdefault(tuple(p[k] for k in keys), []).append(p)
    return groups


def summarize_cell(key, pairs):
    seconds = middle(of(pairs, "base", "wall_ns"))
    allocated = middle(of(pairs, "base", "alloc_bytes"))
    cpu = middle(of(pairs, "base", "cpu_ns"))
    by_variant = group(pairs, "variant")
    return {
        "workload": key[0], "jdk": key[1], "gc": key[2], "told": key[3],
        "base": {"wall_s": seconds / 1e9, "cpu_s": cpu / 1e9 if cpu else None, "gcs": middle(of(pairs, "base", "gcs")),
                 "pause_ms": mean_pause(pairs), "alloc_gb_s": allocated / seconds if allocated else None},
        "others": {"median": middle(of(pairs, "base", "others") + of(pairs, "run", "others")),
                   "max": max(of(pairs, "base", "others") + of(pairs, "run", "others"))},
        "variants": {v: summarize(by_variant[v,]) for v in runs.VARIANTS if (v,) in by_variant},
    }


def percent(cost):
    return f"{100 * cost['median']:+.1f} %" if cost else "-"


def between(cost):
    return "{:+.1f} … {:+.1f}".format(*(100 * c for c in cost["ci95"])) if cost and cost["ci95"] else "-"


def number(value, unit=1.0, form="{:.0f}"):
    return "-" if value is None else form.format(value / unit)


COLUMNS = (
    ("VARIANT", "<14", lambda n, v: n),
    ("PAIRS", ">5", lambda n, v: number(v["wall"] and v["wall"]["pairs"])),
    ("WALL", ">8", lambda n, v: percent(v["wall"])),
    ("95 %", ">15", lambda n, v: between(v["wall"])),
    ("CPU", ">8", lambda n, v: percent(v["cpu"])),
    ("95 %", ">15", lambda n, v: between(v["cpu"])),
    ("PAUSES", ">8", lambda n, v: percent(v["pause"])),
    ("95 %", ">15", lambda n, v: between(v["pause"])),
    ("GCs", ">6", lambda n, v: number(v["gcs"])),
    ("SAMPLES/s", ">10", lambda n, v: number(v["samples_per_second"])),
    ("LOST", ">5", lambda n, v: number(v["lost"])),
    ("AGENT MB", ">9", lambda n, v: number(v["agent_bytes"], 1e6, "{:.1f}")),
    ("RSS MB", ">7", lambda n, v: number(v["rss_more_bytes"], 1e6, "{:+.0f}")),
    ("FILE MB", ">8", lambda n, v: number(v["file_bytes"], 1e6, "{:.1f}")),
    ("B/BIRTH", ">7", lambda n, v: number(v["event_bytes_per_birth"], 1, "{:.2f}")),
    ("ms/GC", ">6", lambda n, v: number(v["exact_ms_per_gc"], 1, "{:.2f}")),
)


def row(cells):
    return "  " + "  ".join(format(text, form) for text, (_, form, _) in zip(cells, COLUMNS)).rstrip()


def table(cells):
    for c in cells:
        b = c["base"]
        rate = f", {b['alloc_gb_s']:.1f} GB/s allocated" if b["alloc_gb_s"] else ""
        pause = f", pauses of {b['pause_ms']:.2f} ms" if b["pause_ms"] else ""
        what = f", {c['told']}" if c["told"] else ""
        print(f"{c['workload']} · JDK {c['jdk']} · {c['gc']}{what}: {b['wall_s']:.2f} s, "
              f"{number(b['cpu_s'], 1, '{:.2f}')} s of CPU, {b['gcs']:.0f} GCs{pause}{rate}")
        print(row([title for title, _, _ in COLUMNS]))
        for name, v in c["variants"].items():
            print(row([show(name, v) for _, _, show in COLUMNS]))
        others = c["others"]
        print(f"  other work took {100 * others['median']:.0f} % of the machine"
              f" (at most {100 * others['max']:.0f} %)\n")


def main():
    o = arguments()
    try:
        machine, pairs, failures = (None, targets.read_raw(o.source), []) if o.source else measure(o)
    except jars.Missing as e:
        stop(str(e))
    for p in pairs:
        p.setdefault("told", "")  # of a file from before there was anything to be told
    cells = [summarize_cell(k, p) for k, p in sorted(group(pairs, "workload", "jdk", "gc", "told").items())]
    if o.json:
        json.dump({"machine": machine, "seed": o.seed, "cells": cells, "failures": failures}, sys.stdout, indent=1)
        print()
    else:
        table(cells)
    if failures:
        stop(f"{len(failures)} runs failed:\n  " + "\n  ".join(failures))


if __name__ == "__main__":
    main()
