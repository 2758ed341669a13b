#!/usr/bin/env python3
"""Holds src/analyze/flags.def to the VMs that are there: each option that advice may name exists for that JDK and collector, a VM
starts with it and says nothing against it, and it has the value then."""
import os
import re
import sys

import jvm

VALUES = {"THRESHOLD": 2, "YOUNG_SIZE": 40, "YOUNG_SHARE": 30, "REGION": 2}
ROW = re.compile(r'^FLAG\((\w+), "([^"]+)", ([\w |]+), (\d+), (\d+)\)$', re.M)


def table():
    with open(os.path.join(jvm.ROOT, "src/analyze/flags.def"), encoding="utf-8") as f:
        rows = ROW.findall(f.read())
    for name, text, collectors, least, most in rows:
        yield name, text.replace("%u", str(VALUES.get(name, 4))).split(), \
            {c.strip().upper() for c in collectors.split("|")}, int(least), int(most)


def bytes_of(text):
    number = re.fullmatch(r"(\d+)([km]?)", text)
    return int(number.group(1)) << {"": 0, "k": 10, "m": 20}[number.group(2)] if number else text


def settings(option):
    """What -XX:+PrintFlagsFinal must say with it."""
    if option.startswith("-Xmn"):
        return {"NewSize": bytes_of(option[4:]), "MaxNewSize": bytes_of(option[4:])}
    name = option[len("-XX:"):]
    if name[0] in "+-":
        return {name[1:]: "true" if name[0] == "+" else "false"}
    return dict([(name.split("=")[0], bytes_of(name.split("=")[1]))])


def trouble(bench, jdk, collector, options):
    got = bench.java(jdk, *jdk.flags(collector), "-Xmx256m", *options, "-XX:+PrintFlagsFinal", "-version")
    if got.status != 0 or "VM warning" in got.out + got.err:
        return f"status {got.status}: {got.err[:500]}"
    final = dict(re.findall(r"^ *\S+ +(\w+) += *(\S*)", got.out, re.M))
    for option in options:
        for name, value in settings(option).items():
            if str(final.get(name)) != str(value):
                return f"{name} is {final.get(name)}, not {value}"
    return None


def main():
    args = jvm.parser(__doc__).parse_args()
    bench = jvm.Bench(args.keep)
    rows = list(table())
    bench.check("there is a table", len(rows) >= 8, rows)
    for jdk in jvm.jdks(args.jdk):
        for name, options, collectors, least, most in rows:
            for collector in ("Serial", "Parallel", "G1"):
                if collector.upper() in collectors and least <= jdk.major <= most:
                    why = trouble(bench, jdk, collector, options)
                    bench.check(f"{jdk.release} {collector}: {' '.join(options)}", why is None, why or "")
    bench.done()


if __name__ == "__main__":
    sys.exit(main())
