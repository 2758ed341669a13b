#!/usr/bin/env python3
"""A class is exchanged for one whose lines are others, as by a debugger: what is counted after that stands at the new ones.

    test/jvm/relined.py --jdk 17 --gc Serial
"""
import os
import sys
import zipfile

import jvm

OBJECTS, BY = 1_200_000, 1000  # before and after, over more than a second each; lines that are put between


def relined(code, line):
    """The class file with that line, of its only method of one line, BY further on: LineNumberTable of 6 bytes, 1 entry, at 0."""
    table = bytes([0, 0, 0, 6, 0, 1, 0, 0])
    assert code.count(table + line.to_bytes(2, "big")) == 1
    return code.replace(table + line.to_bytes(2, "big"), table + (line + BY).to_bytes(2, "big"))


def line_of_make():
    with open(os.path.join(os.path.dirname(__file__), "java/Relined.java"), encoding="utf-8") as f:
        return 1 + next(i for i, text in enumerate(f) if "Object make()" in text)


def prepare(bench, line):
    jar, other = bench.path("relined.jar"), bench.path("Maker.class")
    with zipfile.ZipFile(jar, "w") as z:
        z.writestr("META-INF/MANIFEST.MF", "Premain-Class: Relined\nCan-Redefine-Classes: true\n")
    with open(os.path.join(bench.classes, "Relined$Maker.class"), "rb") as f, open(other, "wb") as to:
        to.write(relined(f.read(), line))
    return jar, other


def check(bench, jdk, gc):
    line = line_of_make()
    jar, other = prepare(bench, line)
    trace = bench.path("relined.mfly")
    got = bench.java(jdk, *jdk.flags(gc), f"-javaagent:{jar}", bench.agent_flag(f"exact,file={trace}"), "-cp", bench.classes, "Relined",
                     str(OBJECTS), other)
    name = f"{jdk.release} {gc}"
    bench.check(f"{name}: the program is unharmed", got.status == 0 and not got.err, got.out + got.err)
    rows = bench.json("report", "--min", "0", trace)["rows"]
    made = {r["frames"][0]["line"]: r["alloc"]["objects"] for r in rows
            if r["frames"] and r["frames"][0]["method"] == "make"}
    bench.check(f"{name}: each version's objects are at its own lines", made == {line: OBJECTS, line + BY: OBJECTS}, f"{made}")


def main():
    args = jvm.parser(__doc__).parse_args()
    bench = jvm.Bench(args.keep)
    for jdk, gc in jvm.pairs(args):
        check(bench, jdk, gc)
    return bench.done()


if __name__ == "__main__":
    sys.exit(main())
