#!/usr/bin/env python3
"""The table of bench_hot_path, with instructions counted by callgrind where the processor's counter can't be had.

usage: hot_path.py [--json] BENCH_HOT_PATH
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

BATCH, FEW, MORE = 4096, 2, 6  # calls a batch (hot_path.c); batches of the two runs whose difference counts


def rows(program, *arguments):
    out = subprocess.run([program, *arguments], stdout=subprocess.PIPE, check=True, text=True).stdout
    for line in out.splitlines()[1:]:
        piece, depth, ns, least, instructions = line.split()
        yield {"piece": piece, "depth": int(depth), "ns": float(ns), "least_ns": float(least),
               "instructions": None if instructions == "-" else float(instructions)}


def collected(program, row, batches):
    """Instructions that callgrind counts inside the timed batches."""
    with tempfile.TemporaryDirectory(prefix="mayfly-bench-") as folder:
        command = ["valgrind", "--tool=callgrind", "--toggle-collect=timed_batch*",
                   "--callgrind-out-file=" + os.path.join(folder, "out"),
                   program, row["piece"], str(row["depth"]), str(batches)]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True, text=True)
    return int(re.search(r"Collected : (\d+)", done.stderr).group(1))


def count(program, row):
    """A call's instructions: those of the batches that one run has more than the other."""
    if row["instructions"] is None:
        more = collected(program, row, MORE) - collected(program, row, FEW)
        row["instructions"] = more / ((MORE - FEW) * BATCH)
    return row


def main():
    arguments = [a for a in sys.argv[1:] if a != "--json"]
    if len(arguments) != 1 or arguments[0].startswith("-"):
        sys.exit(__doc__)
    found = list(rows(arguments[0]))
    if shutil.which("valgrind"):
        found = [count(arguments[0], row) for row in found]
    if "--json" in sys.argv:
        print(json.dumps(found, indent=1))
        return
    print(f"{'PIECE':<18} {'DEPTH':>5} {'NS':>9} {'LEAST':>9} {'INSTRUCTIONS':>12}")
    for r in found:
        instructions = "-" if r["instructions"] is None else f"{r['instructions']:.1f}"
        print(f"{r['piece']:<18} {r['depth']:>5} {r['ns']:>9.1f} {r['least_ns']:>9.1f} {instructions:>12}")


if __name__ == "__main__":
    main()
