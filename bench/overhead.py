#!/usr/bin/env python3
"""What recording costs a program: pairs of runs, one with an agent and one without, side by side in time."""
import argparse
import json
import os
import random
import sys
import time

import jars
import jdks
import paired
import runs

HERE = os.path.dirname(os.path.abspath(__file__))
BUSY_WARN, BUSY_REFUSE = 0.1, 0.3  # of all CPUs, by the load average


def say(text):
    print(text, file=sys.stderr, flush=True)


def stop(text):
    say("overhead: " + text)
    sys.exit(1)


def names(text):
    return [n for n in text.split(",") if n]


def arguments():
    a = argparse.ArgumentParser(description=__doc__, epilog="bench/README.md says what is measured and how.")
    a.add_argument("--workloads", type=names, default=list(runs.WORKLOADS), metavar="LIST",
                   help="of " + ",".join(runs.WORKLOADS))
    a.add_argument("--jdk", type=names, default=["17", "25"], metavar="LIST", help="versions or homes (17,25)")
    a.add_argument("--gc", type=names, default=["G1", "Parallel"], metavar="LIST",
                   help="of " + ",".join(runs.COLLECTORS))
    a.add_argument("--variants", type=names, default=list(runs.VARIANTS), metavar="LIST",
                   help="of " + ",".join(runs.VARIANTS))
    a.add_argument("--pairs", type=int, default=9, metavar="N", help="pairs of runs for each variant and cell (9)")
    a.add_argument("--scale", type=float, default=1.0, metavar="X", help="times the work of each run (1)")
    a.add_argument("--quick", action="store_true", help="does it work at all: 1 pair of a tenth of the work")
    a.add_argument("--seed", type=int, default=1, metavar="N", help="of the order and of the workloads (1)")
    a.add_argument("--build", default=os.path.join(HERE, "..", "build", "release"), metavar="DIR",
                   help="with bin/libmayfly.so and bin/mayfly (build/release)")
    a.add_argument("--raw", metavar="FILE", help="append every pair here, as it is measured")
    a.add_argument("--from", dest="source", metavar="FILE", help="measure nothing: the table of such a file")
    a.add_argument("--json", action="store_true", help="JSON instead of the table")
    a.add_argument("--anyway", action="store_true", help="although the machine is busy")
    o = a.parse_args()
    for given, known in ((o.workloads, runs.WORKLOADS), (o.gc, runs.COLLECTORS), (o.variants, runs.VARIANTS)):
        unknown = [n for n in given if n not in known]
        if unknown:
            a.error(f"unknown: {', '.join(unknown)} (there is {', '.join(known)})")
    if o.quick:
        o.pairs, o.scale, o.anyway = 1, 0.1, True
    return o


def build_type(folder):
    try:
        with open(os.path.join(folder, "CMakeCache.txt"), encoding="utf-8") as f:
            cache = dict(line.rstrip("\n").split("=", 1) for line in f if "=" in line and line[0] not in "#/")
    except OSError:
        return "unknown build type"
    sanitizers = cache.get("MAYFLY_SANITIZE:STRING", "")
    return (cache.get("CMAKE_BUILD_TYPE:STRING") or "no build type") + (" with sanitizers" if sanitizers else "")


def find_tools(o):
    folder = os.path.abspath(o.build)
    agent, mayfly = (os.path.join(folder, "bin", n) for n in ("libmayfly.so", "mayfly"))
    if {"mayfly", "nop"} & set(o.variants) and not os.path.exists(agent):
        stop(f"no agent at {agent}: build it (cmake --preset release && cmake --build --preset release)"
             " or give --build")
    kind = build_type(folder)
    say(f"agent: {os.path.relpath(agent)} ({kind})")
    if not kind.startswith(("Rel", "MinSize")) or "sanitizers" in kind:
        say("warning: that is no release build; its figures are not the product's")
    return runs.Tools(agent, mayfly if os.path.exists(mayfly) else None)


def find_jdks(o):
    found = []
    for wanted in o.jdk:
        jdk = jdks.find(wanted)
        if jdk:
            found.append(jdk)
        else:
            say(f"skipped: no JDK {wanted} here (tools/jdks fetches some)")
    return found or stop("no JDK to measure with")


def check_load(o):
    load, cpus = os.getloadavg()[0], os.cpu_count()
    say(f"machine: {cpus} CPUs, load average {load:.2f}")
    if load > BUSY_REFUSE * cpus and not o.anyway:
        stop("the machine is busy, and the figures would be the others' noise (--anyway measures nevertheless)")
    if load > BUSY_WARN * cpus:
        say("warning: the machine is not idle; look at the row base2 and at the share that others took")
    return {"cpus": cpus, "load": load, "time": int(time.time())}


def plan(o, homes):
    """All pairs in their order: a round measures each cell and variant once, so that a slow hour hits all alike."""
    order = random.Random(o.seed)
    for number in range(o.pairs):
        pairs = [(w, home, version, gc, v) for w in o.workloads for home, version in homes for gc in o.gc
                 for v in o.variants]
        order.shuffle(pairs)
        for pair in pairs:
            yield (number, *pair)


def measure_pair(o, tools, pair):
    """The base first in every other round, which round to start with drawn for each variant and cell."""
    number, workload, home, version, gc, variant = pair
    java = os.path.join(home, "bin", "java")
    first = random.Random(f"{o.seed} {workload} {version} {gc} {variant}").randrange(2)
    result = {"workload": workload, "jdk": version, "gc": gc, "variant": variant, "round": number,
              "scale": o.scale, "base_first": (number + first) % 2 == 0}
    for side in ("base", "run") if result["base_first"] else ("run", "base"):
        result[side] = runs.run(java, workload, gc, variant if side == "run" else None, tools, o.seed, o.scale)
    return result


def describe(pair):
    number, workload, _, version, gc, variant = pair
    return f"round {number + 1}: {workload}, JDK {version}, {gc}, {variant}"


def measure(o):
    tools, homes = find_tools(o), find_jdks(o)
    jars.classpath()
    machine = check_load(o)
    todo, pairs, failures = list(plan(o, homes)), [], []
    start = time.monotonic()
    for done, pair in enumerate(todo):
        left = f", {(time.monotonic() - start) / done * (len(todo) - done) / 60:.0f} min left" if done else ""
        say(f"[{done + 1}/{len(todo)}{left}] {describe(pair)}")
        try:
            pairs.append(measure_pair(o, tools, pair))
        except runs.Failed as e:
            say(f"  failed: {e}")
            failures.append(f"{describe(pair)}: {e}")
            continue
        if o.raw:
            with open(o.raw, "a", encoding="utf-8") as f:
                f.write(json.dumps(pairs[-1]) + "\n")
    return machine, pairs, failures


def of(pairs, side, key):
    return [p[side].get(key) for p in pairs]


def middle(values):
    known = [v for v in values if v is not None and v >= 0]
    return paired.median(known) if known else None


def per_second(pairs):
    return middle([p["run"]["samples"] / p["run"]["seconds"] for p in pairs if p["run"].get("seconds")])


def summarize(pairs):
    """One variant in one cell."""
    lost = [v for v in of(pairs, "run", "lost") if v is not None]
    return {
        "wall": paired.cost(of(pairs, "base", "wall_ns"), of(pairs, "run", "wall_ns")),
        "cpu": paired.cost(of(pairs, "base", "cpu_ns"), of(pairs, "run", "cpu_ns")),
        "samples_per_second": per_second(pairs),
        "lost": max(lost) if lost else None,
        "agent_bytes": middle(of(pairs, "run", "agent_bytes")),
        "rss_more_bytes": paired.median([1024 * (p["run"]["rss_kb"] - p["base"]["rss_kb"]) for p in pairs]),
        "file_bytes": middle(of(pairs, "run", "file_bytes")),
        "gcs": middle(of(pairs, "run", "gcs")),
    }


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
        "workload": key[0], "jdk": key[1], "gc": key[2],
        "base": {"wall_s": seconds / 1e9, "cpu_s": cpu / 1e9 if cpu else None, "gcs": middle(of(pairs, "base", "gcs")),
                 "alloc_gb_s": allocated / seconds if allocated else None},
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
    ("GCs", ">6", lambda n, v: number(v["gcs"])),
    ("SAMPLES/s", ">10", lambda n, v: number(v["samples_per_second"])),
    ("LOST", ">5", lambda n, v: number(v["lost"])),
    ("AGENT MB", ">9", lambda n, v: number(v["agent_bytes"], 1e6, "{:.1f}")),
    ("RSS MB", ">7", lambda n, v: number(v["rss_more_bytes"], 1e6, "{:+.0f}")),
    ("FILE MB", ">8", lambda n, v: number(v["file_bytes"], 1e6, "{:.1f}")),
)


def row(cells):
    return "  " + "  ".join(format(text, form) for text, (_, form, _) in zip(cells, COLUMNS)).rstrip()


def table(cells):
    for c in cells:
        b = c["base"]
        rate = f", {b['alloc_gb_s']:.1f} GB/s allocated" if b["alloc_gb_s"] else ""
        print(f"{c['workload']} · JDK {c['jdk']} · {c['gc']}: {b['wall_s']:.2f} s, "
              f"{number(b['cpu_s'], 1, '{:.2f}')} s of CPU, {b['gcs']:.0f} GCs{rate}")
        print(row([title for title, _, _ in COLUMNS]))
        for name, v in c["variants"].items():
            print(row([show(name, v) for _, _, show in COLUMNS]))
        others = c["others"]
        print(f"  other work took {100 * others['median']:.0f} % of the machine"
              f" (at most {100 * others['max']:.0f} %)\n")


def read_raw(path):
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def main():
    o = arguments()
    try:
        machine, pairs, failures = (None, read_raw(o.source), []) if o.source else measure(o)
    except jars.Missing as e:
        stop(str(e))
    cells = [summarize_cell(k, p) for k, p in sorted(group(pairs, "workload", "jdk", "gc").items())]
    if o.json:
        json.dump({"machine": machine, "seed": o.seed, "cells": cells, "failures": failures}, sys.stdout, indent=1)
        print()
    else:
        table(cells)
    if failures:
        stop(f"{len(failures)} pairs failed:\n  " + "\n  ".join(failures))


if __name__ == "__main__":
    main()
