#!/usr/bin/env python3
"""Which share of a program's CPU time is spent because of an agent, by sampled call chains of the whole process."""
import argparse
import collections
import json
import os
import random
import shutil
import subprocess
import sys
import time

import chains
import jars
import paired
import runs
import targets
from targets import names, say, stop

BASE = "base"
VARIANTS = (BASE, *(v for v in runs.VARIANTS if v != "base2"))
NAMELESS = 0.01  # of all samples: more than that in an unnamed place of the VM can't be told apart
LOST = 0.01  # of all samples
INTERVAL = 524288  # bytes: the default of all variants


def arguments():
    a = argparse.ArgumentParser(description=__doc__, epilog="bench/README.md says what is measured and how.")
    a.add_argument("--workloads", type=targets.workloads, default=list(runs.GROUPS["usual"]), metavar="LIST",
                   help="of " + ",".join([*runs.WORKLOADS, *runs.GROUPS]) + " (usual)")
    a.add_argument("--jdk", type=names, default=["17", "25"], metavar="LIST", help="versions or homes (17,25)")
    a.add_argument("--gc", type=names, default=["G1", "Parallel"], metavar="LIST",
                   help="of " + ",".join(runs.COLLECTORS))
    a.add_argument("--variants", type=names, default=list(VARIANTS), metavar="LIST",
                   help="of " + ",".join(VARIANTS))
    a.add_argument("--runs", type=int, default=2, metavar="N", help="runs for each variant and cell (2)")
    a.add_argument("--scale", type=float, default=1.0, metavar="X", help="times the work of each run (1)")
    a.add_argument("--hertz", type=int, default=4999, metavar="F", help="samples for each second of CPU time (4999)")
    a.add_argument("--seed", type=int, default=1, metavar="N", help="of the order and of the workloads (1)")
    a.add_argument("--build", default=targets.BUILD, metavar="DIR",
                   help="with bin/libmayfly.so and bin/mayfly (build/release)")
    a.add_argument("--raw", metavar="FILE", help="append every run here, as it is measured")
    a.add_argument("--from", dest="source", metavar="FILE", help="measure nothing: the table of such a file")
    a.add_argument("--json", action="store_true", help="JSON instead of the table")
    o = a.parse_args()
    for given, known in ((o.workloads, runs.WORKLOADS), (o.gc, runs.COLLECTORS), (o.variants, VARIANTS)):
        targets.check(a, given, known)
    return o


def count(found, window, lost=()):
    """The classes of the chains within the window of time, and the parts of the agent's."""
    classes, parts, nameless = collections.Counter(), collections.Counter(), 0
    for chain in found:
        if not window[0] <= chain.time_ns <= window[1]:
            continue
        kind = chains.classify(chain)
        classes[kind] += 1
        nameless += chains.nameless(chain)
        if kind == chains.AGENT:
            parts[chains.part(chain)] += 1
    total = sum(classes.values())
    if not total:
        raise runs.Failed("perf took no sample while the driver counted")
    if nameless > NAMELESS * total:
        raise runs.Failed("the VM's library has no symbols, so what it does can't be told apart")
    if sum(lost) > LOST * total:
        raise runs.Failed(f"perf lost {sum(lost)} samples")
    return {"total": total, "classes": dict(classes), "parts": dict(parts), "lost": sum(lost)}


def seconds(ns):
    """As perf writes and reads a time: a float would lose its end."""
    return f"{ns // 10**9}.{ns % 10**9:09d}"


class Perf:
    """Puts a run under perf. The chains follow frame pointers, which the VM and the agent keep; they end at the first
    compiled Java frame, below which nothing is looked for."""

    def __init__(self, hertz):
        self.hertz = hertz

    def prefix(self, folder):
        return ["perf", "record", "--quiet", "--output", os.path.join(folder, "perf.data"), "--event", "cpu-clock",
                "--freq", str(self.hertz), "--call-graph", "fp", "--clockid", "mono", "--"]

    def read(self, folder, line):
        command = ["perf", "script", "--input", os.path.join(folder, "perf.data"), "--no-inline", "--ns",
                   "--show-lost-events", "--fields", chains.FIELDS,
                   "--time", f"{seconds(line['from_ns'])},{seconds(line['to_ns'])}"]
        lost = []
        with open(os.path.join(folder, "perf.err"), "wb") as errors, \
                subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, errors="replace") as script:
            found = count(chains.read(script.stdout, lost), (line["from_ns"], line["to_ns"]), lost)
        if script.returncode:
            raise runs.Failed(f"perf script ended with status {script.returncode}")
        return found


def check_perf():
    if not shutil.which("perf"):
        stop("there is no perf (Debian: linux-perf)")
    done = subprocess.run(["perf", "record", "--quiet", "--output", "/dev/null", "--event", "cpu-clock", "--", "true"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        stop("perf may not sample here (/proc/sys/kernel/perf_event_paranoid): "
             + done.stderr.decode(errors="replace").strip())


def plan(o, homes):
    order = random.Random(o.seed)
    for number in range(o.runs):
        todo = [(number, w, home, version, gc, v) for w in o.workloads for home, version in homes for gc in o.gc
                for v in o.variants]
        order.shuffle(todo)
        yield from todo


def describe(what):
    number, workload, _, version, gc, variant = what
    return f"run {number + 1}: {workload}, JDK {version}, {gc}, {variant}"


def measure(o):
    check_perf()
    tools, homes = targets.tools(o.build, o.variants), targets.jdks(o.jdk)
    jars.classpath()
    todo, done, failures = list(plan(o, homes)), [], []
    start = time.monotonic()
    for i, what in enumerate(todo):
        left = f", {(time.monotonic() - start) / i * (len(todo) - i) / 60:.0f} min left" if i else ""
        say(f"[{i + 1}/{len(todo)}{left}] {describe(what)}")
        number, workload, home, version, gc, variant = what
        try:
            result = runs.run(os.path.join(home, "bin", "java"), workload, gc, None if variant == BASE else variant,
                              tools, o.seed, o.scale, Perf(o.hertz))
        except runs.Failed as e:
            say(f"  failed: {e}")
            failures.append(f"{describe(what)}: {e}")
            continue
        done.append({"workload": workload, "jdk": version, "gc": gc, "variant": variant, "number": number, **result})
        if o.raw:
            with open(o.raw, "a", encoding="utf-8") as f:
                f.write(json.dumps(done[-1]) + "\n")
    return done, failures


def add(found, key):
    return sum((collections.Counter(run["profile"][key]) for run in found), collections.Counter())


def per_interval(found):
    """The agent's CPU time in µs for each interval of allocation, of which the default sampler takes one sample on
    average; None where the driver could not tell what it allocated."""
    known = [r for r in found if r["alloc_bytes"] > 0 and r["cpu_ns"] > 0]
    spent = sum(r["cpu_ns"] / 1e3 * own(r) / r["profile"]["total"] for r in known)
    return spent / sum(r["alloc_bytes"] / INTERVAL for r in known) if known else None


def own(run):
    """Samples that were taken because of the agent."""
    return sum(run["profile"]["classes"].get(c, 0) for c in (chains.AGENT, chains.VM))


def summarize(found, base):
    """One variant in one cell, of all its runs together; base is the runs without an agent, or nothing."""
    classes, parts, total = add(found, "classes"), add(found, "parts"), sum(r["profile"]["total"] for r in found)
    hits, each = sum(map(own, found)), [own(r) / r["profile"]["total"] for r in found]
    more = paired.difference(add(base, "classes")[chains.SHARED], sum(r["profile"]["total"] for r in base),
                             classes[chains.SHARED], total) if base else None
    return {
        "runs": len(found), "samples": total, "lost": sum(r["profile"]["lost"] for r in found),
        "others": paired.median([r["others"] for r in found]), "us_per_interval": per_interval(found),
        "share": hits / total, "ci95": paired.proportion(hits, total), "runs_from": min(each), "runs_to": max(each),
        "agent": classes[chains.AGENT] / total, "vm": classes[chains.VM] / total,
        "shared": classes[chains.SHARED] / total, "shared_more": more,
        "parts": {name: n / total for name, n in parts.most_common()},
    }


def summarize_cell(key, found):
    by_variant = {v: [r for r in found if r["variant"] == v] for v in VARIANTS}
    base = by_variant[BASE]
    return {"workload": key[0], "jdk": key[1], "gc": key[2],
            "variants": {v: summarize(f, base if v != BASE else []) for v, f in by_variant.items() if f}}


def percent(value):
    return f"{100 * value:.2f}"


def between(ends):
    return "{:.2f} … {:.2f}".format(*(100 * e for e in ends))


def more(difference):
    return "{:+.2f} ({:+.2f} … {:+.2f})".format(*(100 * d for d in difference)) if difference else "-"


COLUMNS = (
    ("VARIANT", "<14", lambda n, v: n),
    ("SAMPLES", ">7", lambda n, v: str(v["samples"])),
    ("SHARE %", ">7", lambda n, v: percent(v["share"])),
    ("95 %", ">13", lambda n, v: between(v["ci95"])),
    ("EACH RUN", ">13", lambda n, v: between((v["runs_from"], v["runs_to"]))),
    ("AGENT %", ">7", lambda n, v: percent(v["agent"])),
    ("VM %", ">6", lambda n, v: percent(v["vm"])),
    ("SHARED, MORE THAN BASE", ">24", lambda n, v: more(v["shared_more"])),
    ("OTHERS %", ">8", lambda n, v: f"{100 * v['others']:.0f}"),
)


def row(cells):
    return "  " + "  ".join(format(text, form) for text, (_, form, _) in zip(cells, COLUMNS)).rstrip()


def table(cells):
    for c in cells:
        print(f"{c['workload']} · JDK {c['jdk']} · {c['gc']}")
        print(row([title for title, _, _ in COLUMNS]))
        for name, v in c["variants"].items():
            print(row([show(name, v) for _, _, show in COLUMNS]))
        print(mayfly(c["variants"]["mayfly"]) if "mayfly" in c["variants"] else "")


def mayfly(v):
    """What is told of the agent alone."""
    parts = ", ".join(f"{name} {percent(p)}" for name, p in v["parts"].items() if p >= 0.00005)
    us = v["us_per_interval"]
    return f"  of mayfly's AGENT %: {parts}" + (f"; {us:.1f} µs a sample\n" if us else "\n")


def main():
    o = arguments()
    try:
        done, failures = (targets.read_raw(o.source), []) if o.source else measure(o)
    except jars.Missing as e:
        stop(str(e))
    keys = sorted({(r["workload"], r["jdk"], r["gc"]) for r in done})
    cells = [summarize_cell(k, [r for r in done if (r["workload"], r["jdk"], r["gc"]) == k]) for k in keys]
    if o.json:
        json.dump({"seed": o.seed, "hertz": o.hertz, "cells": cells, "failures": failures}, sys.stdout, indent=1)
        print()
    else:
        table(cells)
    if failures:
        stop(f"{len(failures)} runs failed:\n  " + "\n  ".join(failures))


if __name__ == "__main__":
    main()
