#!/usr/bin/env python3
"""Code of a size that people don't write and generators do: a method of some thousand lines, one of a name and one of a descriptor of
some thousand bytes. Each object is told of its own line, each method once.

    test/jvm/large.py --jdk 11 --jdk 17 --jdk 21 --jdk 25 --gc G1
"""
import os
import subprocess
import sys

import jvm

FIRST, LINES, ROUNDS = 3, 6000, 400
NAME, PARAMETERS = "m" + "x" * 2000, 200


def write_large(bench):
    with open(bench.path("Generated.java"), "w", encoding="utf-8") as f:
        f.write("public class Generated { static Object o;\nstatic void lines() {\n")
        f.writelines(f"o = new long[{i % 5}];\n" for i in range(LINES))
        f.write(f"""}}
static void wide({", ".join(f"String s{i}" for i in range(PARAMETERS))}) {{ o = new int[50]; }}
static void {NAME}() {{ o = new short[50]; }}
public static void main(String[] args) {{
    lines();
    for (int i = 0; i < {ROUNDS}; i++) {{
        if (args.length > 0)
            lines();
        wide({", ".join(["null"] * PARAMETERS)});
        {NAME}();
    }}
}}
}}
""")
    return bench.path("Generated.java")


def compile_large(bench):
    javac = os.path.join(jvm.own_jdk().home, "bin/javac")
    subprocess.run([javac, "-g", "--release", "11", "-nowarn", "-d", bench.path("large"), write_large(bench)], check=True)
    return bench.path("large")


class Case:
    def __init__(self, bench, jdk, gc, classes):
        self.bench, self.jdk, self.flags, self.classes = bench, jdk, [*jdk.flags(gc), "-Xmx64m"], classes
        self.name = f"{jdk.release} {gc}"

    def rows(self, options, *args):
        """By class: line, objects of each row."""
        trace = self.bench.path("large.mfly")
        got = self.bench.java(self.jdk, *self.flags, self.bench.agent_flag(f"file={trace},{options}"), "-cp", self.classes, "Generated", *args)
        self.bench.check(f"{self.name}: {options}: it runs", got.status == 0 and not got.err, got.err)
        found = {}
        for row in self.bench.json("report", trace, "--min", "0")["rows"]:
            if row["frames"] and row["frames"][0]["class"] == "Generated":
                found.setdefault(row["class"], []).append((row["frames"][0].get("line"), row["alloc"]["objects"]))
        os.remove(trace)
        return found

    def exact(self, options):
        rows = self.rows(options)
        lines = sorted(rows.get("long[]", []))
        self.bench.check(f"{self.name}: {options}: an object for each line", lines == [(FIRST + i, 1) for i in range(LINES)],
                         f"{len(lines)} rows, {lines[:2]} to {lines[-2:]}")
        for what in ("int[]", "short[]"):
            self.bench.check(f"{self.name}: {options}: {what} of one method", [n for _, n in rows.get(what, [])] == [ROUNDS], rows.get(what))

    def sampled(self):
        lines = self.rows("interval=16k", "more").get("long[]", [])
        last = [line for line, _ in lines if line and line >= FIRST + LINES * 5 // 6]
        most = max((n for _, n in lines), default=0)
        self.bench.check(f"{self.name}: samples: the last lines have theirs as all have", len(lines) / 12 < len(last) < len(lines) / 3 and
                         most < sum(n for _, n in lines) / 20, f"{len(last)} of {len(lines)} lines, {most} objects of one")


def main():
    args = jvm.parser(__doc__).parse_args()
    bench = jvm.Bench(args.keep)
    classes = compile_large(bench)
    for jdk, gc in jvm.pairs(args):
        case = Case(bench, jdk, gc, classes)
        for options in ("exact,interval=4k", "exact=trace,interval=4k", "exact,every=1"): # each with samples, of which the VM tells
            case.exact(options)
        case.sampled()
    bench.done()


if __name__ == "__main__":
    sys.exit(main())
