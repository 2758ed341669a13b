#!/usr/bin/env python3
"""A JDK whose libjvm is stripped, in the ways that distributions do it: what `info --vm` finds is what it finds in the whole library,
and the exact engine counts to the object with it.

    test/jvm/stripped.py --jdk 21 --gc G1
"""
import os
import shutil
import subprocess
import sys

import exact
import jvm

LIBRARY = "lib/server/libjvm.so"
TOOLS = ("nm", "objcopy", "strip", "xz")
BIRTHS = "SharedRuntime::dtrace_object_alloc"
VARIABLES = ("JvmtiExport::_all_dependencies_are_recorded", "CodeCache's list of old code", "ObjectMarker::_saved_mark_stack",
             "PSParallelCompact::_space_info", "TemplateInterpreter::_normal_table")


def run(*args, **more):
    return subprocess.run(args, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def link(source, target):
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def names(table, kinds=None):
    """Of nm's posix format."""
    rows = (line.split() for line in table.splitlines())
    return {r[0] for r in rows if kinds is None or r[1] in kinds}


class Stripped:
    """A copy of a JDK. Each way makes its library anew from the whole one."""

    def __init__(self, bench, jdk):
        self.bench, self.whole = bench, os.path.join(jdk.home, LIBRARY)
        home = bench.path("jdk-" + jdk.release)
        shutil.copytree(os.path.realpath(jdk.home), home, copy_function=link)
        self.jdk = jvm.Jdk(jdk.name, home)
        self.library = os.path.join(home, LIBRARY)
        os.remove(self.library)

    def path(self, name):
        return self.bench.path(name)

    def strip(self, *options):
        run("strip", *options, "-o", self.library, self.whole)

    def nothing(self):
        self.strip("-R", ".note.stapsdt", "-R", ".gnu_debuglink")

    def notes(self):
        self.strip("-R", ".gnu_debuglink")

    def debug_link(self):
        debug = os.path.join(os.path.dirname(self.library), ".debug/libjvm.debug")
        os.makedirs(os.path.dirname(debug), exist_ok=True)
        run("objcopy", "--only-keep-debug", self.whole, debug)
        self.nothing()
        run("objcopy", f"--add-gnu-debuglink={debug}", self.library)

    def packed(self):
        """As Fedora's find-debuginfo does it: a library with nothing but the functions that .dynsym does not have."""
        keep = names(run("nm", "--format=posix", "--defined-only", self.whole), "TtD")
        keep -= names(run("nm", "-D", "--format=posix", "--defined-only", self.whole))
        with open(self.path("keep"), "w", encoding="utf-8") as f:
            f.write("\n".join(sorted(keep)) + "\n")
        run("objcopy", "--only-keep-debug", self.whole, self.path("debug"))
        run("objcopy", "-S", "--remove-section", ".gdb_index", "--remove-section", ".comment",
            f"--keep-symbols={self.path('keep')}", self.path("debug"), self.path("mini"))
        run("xz", "-f", self.path("mini"))
        self.nothing()
        run("objcopy", "--add-section", f".gnu_debugdata={self.path('mini.xz')}", self.library)


def facts(bench, home):
    info = bench.json("info", "--vm", home)
    return info["vm"], {m["name"]: m for m in info["landmarks"]}, {c["name"]: c for c in info["capabilities"]}


def places(landmarks, but=()):
    return {name: (m["state"], m["address"], m["bytes"]) for name, m in landmarks.items() if name not in but}


class Check:
    def __init__(self, bench, jdk):
        self.bench, self.jdk = bench, jdk
        self.copy = Stripped(bench, jdk)
        self.vm, self.landmarks, self.can = facts(bench, jdk.home)

    def look(self, way):
        getattr(self.copy, way)()
        return facts(self.bench, self.copy.jdk.home)

    def check(self, what, ok, why=""):
        return self.bench.check(f"{self.jdk.release}: {what}", ok, why)

    def whole(self, way, source, but=()):
        vm, landmarks, _ = self.look(way)
        self.check(f"{way}: the symbols are whole", vm["symbols"] == "whole" and vm["symbols_from"].endswith(source), vm)
        self.check(f"{way}: all is where it is in the whole library", places(landmarks, but) == places(self.landmarks, but), landmarks)
        for name in but:
            self.check(f"{way}: {name} is not found", landmarks[name]["state"] == "missing", landmarks[name])

    def noted(self):
        vm, landmarks, can = self.look("notes")
        births = {n: p for n, p in places(landmarks).items() if n.startswith(BIRTHS)}
        found = {n: p for n, p in births.items() if p[0] == "found"}
        told = {n: p for n, p in places(self.landmarks).items() if n in found}
        self.check("notes: they are told", (vm["symbols"], vm["symbols_from"]) == ("stripped", ".note.stapsdt"), vm)
        self.check(f"notes: {len(found)} functions are where they are in the whole library", found and found == told, births)
        fast = self.jdk.major >= 21
        self.check("notes: what can be done", (can["births"]["can"], can["fast path"]["can"]) == (True, fast), can)
        others = [n for n, m in landmarks.items() if not n.startswith(BIRTHS) and m["state"] != "missing"]
        self.check("notes: nothing else is found", not others, others)
        self.check("notes: full collections are refused", not any(can[f"full GC, {gc}"]["can"] for gc in exact.COLLECTORS), can)

    def refused(self):
        _, landmarks, can = self.look("nothing")
        self.check("nothing: nothing is found", {m["state"] for m in landmarks.values()} == {"missing"}, landmarks)
        self.check("nothing: and why", not any(c["can"] for c in can.values()) and
                   all("the library is stripped" in c["why"] and "it has no notes of it" in c["why"] for c in can.values()), can)

    def record(self, way, gc, full):
        getattr(self.copy, way)()
        case = exact.Case(self.bench, self.copy.jdk, gc, False)
        case.name = lambda what: f"{self.jdk.release} {gc}, {way}: {what}"
        case.truth(20, 60)
        if full:
            case.full(8, 20)

    def record_refused(self, flags):
        self.copy.notes()
        exact.refused(self.bench, self.copy.jdk, flags, "fast path: the library is stripped")


def main():
    p = jvm.parser(__doc__)
    p.add_argument("--case", action="append", choices=("info", "record"), help="may be repeated (default: both)")
    args = p.parse_args()
    cases = args.case or ("info", "record")
    bench = jvm.Bench(args.keep)
    missing = [t for t in TOOLS if not shutil.which(t)]
    if missing:
        bench.skip("stripped libraries", "no " + ", ".join(missing))
        return bench.done()
    for jdk in jvm.jdks(args.jdk):
        check = Check(bench, jdk)
        if check.vm["symbols_from"] != ".symtab":
            bench.skip(jdk.release, "its library has no .symtab itself")
            continue
        if "info" in cases:
            check.whole("packed", ".gnu_debugdata", VARIABLES)
            check.whole("debug_link", "/.debug/libjvm.debug")
            check.noted()
            check.refused()
        for gc in args.gc or exact.COLLECTORS if "record" in cases else ():
            check.record("packed", gc, full=True)
            if jdk.major >= 21:
                check.record("notes", gc, full=False)
            else:
                check.record_refused(jdk.flags(gc))
    return bench.done()


if __name__ == "__main__":
    sys.exit(main())
