#!/usr/bin/env python3
"""What tenure's jumps cost: CPU time for each new object by what is called behind it, and the pause in which classes are
rewritten, by their number."""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

import jars
import overhead
import paired
import runs
import targets
from targets import names, say, stop

HELPERS = ("nothing", "store", "fresh", "swap", "cast", "result")
SHAPES = ("seen-object", "unseen-object", "seen-array", "unseen-array")
CLASSES = (1, 10, 50)
OPEN = ["--add-opens", "java.base/java.lang=ALL-UNNAMED"]
SAFEPOINT = re.compile(r'Safepoint "(\w+)".*?Reaching safepoint: +(\d+) ns.*?At safepoint: +(\d+) ns')
EXCHANGE = "RedefineClasses"
LIMIT = 300  # seconds


def arguments():
    a = argparse.ArgumentParser(description=__doc__, epilog="bench/README.md says what is measured and how.")
    a.add_argument("--jdk", type=names, default=["17", "25"], metavar="LIST", help="versions or homes, 17 and later (17,25)")
    a.add_argument("--gc", default="G1", metavar="NAME", help="the collector (G1)")
    a.add_argument("--compact", action="store_true", help="with compact object headers (25)")
    a.add_argument("--build", default=targets.BUILD, metavar="DIR",
                   help=f"where the agent was built (a release build: {targets.BUILD})")
    a.add_argument("--rounds", type=int, default=7, metavar="N", help="JVMs for each figure (7)")
    a.add_argument("--batches", type=int, default=500, metavar="N", help="of 100000 objects, in each JVM (500)")
    a.add_argument("--seed", type=int, default=1, metavar="N", help="of the order (1)")
    a.add_argument("--quick", action="store_true", help="does it work at all: 1 round of few batches")
    a.add_argument("--json", action="store_true", help="JSON instead of the tables")
    a.add_argument("--anyway", action="store_true", help="although the machine is busy")
    o = a.parse_args()
    if o.quick:
        o.rounds, o.batches, o.anyway = 1, 50, True
    return o


def java(o, home, *more):
    compact = ["-XX:+UseCompactObjectHeaders"] if o.compact else []
    return [os.path.join(home, "bin", "java"), f"-XX:+Use{o.gc}GC", "-Xms256m", "-Xmx256m", *compact, *more, "-cp", o.classpath]


def shapes(text):
    """{shape: median ns} of what TenureCost prints."""
    found = {shape: float(ns) for shape, ns, _ in (line.split() for line in text.splitlines())}
    if set(found) != set(SHAPES):
        raise runs.Failed("TenureCost said: " + text)
    return found


def cost_of(o, home, helper):
    """The agent is there, and brings the class, but nothing is rewritten and next to nothing sampled."""
    agent = f"-agentpath:{o.tools.agent}=file={os.path.join(o.folder, 't.mfly')},tenure=apply,interval=1g,tenure-round=1000"
    got = subprocess.run([*java(o, home, agent, f"-Dhelper={helper}", *OPEN), "TenureCost", str(o.batches)],
                         capture_output=True, text=True, timeout=LIMIT, env=runs.ENVIRONMENT, check=False)
    if got.returncode:
        raise runs.Failed(f"exit status {got.returncode}: {got.stderr}")
    return shapes(got.stdout)


def exchanges(log):
    """[(ms until all stand, ms that they stand)] of the log's exchanges of classes, in its order."""
    return [(int(reaching) / 1e6, int(standing) / 1e6) for kind, reaching, standing in SAFEPOINT.findall(log) if kind == EXCHANGE]


def decisions(path, count):
    """Both places of each class; as javac makes them."""
    def place(i, method, descriptor, bci, opcode, allocates):
        return {"class": f"TenureClass{i:02}", "method": method, "descriptor": descriptor, "bci": bci, "opcode": opcode,
                "allocates": allocates, "action": "jump"}
    all_ = []
    for i in range(count):
        all_.append(place(i, "object", "()Ljava/lang/Object;", 0, "new", f"TenureClass{i:02}"))
        all_.append(place(i, "array", "()[B", 2, "newarray", "byte[]"))
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"mayfly": 1, "decisions": all_}, f)


def attach(o, pid, file):
    return subprocess.Popen([o.tools.mayfly, "attach", str(pid), "-o", os.path.join(o.folder, "a.mfly"), "--no-report",
                             "--tenure=apply", "--tenure-round", "1000", "--decisions", file],
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def pause_of(o, home, version, count):
    """(ms there, ms back): the program stands still for so long where that many classes are rewritten, and where they are undone."""
    file, log = os.path.join(o.folder, "decisions.json"), os.path.join(o.folder, "safepoint.log")
    decisions(file, count)
    loading = ["-XX:+EnableDynamicAgentLoading"] if int(version.split(".")[0]) >= 21 else []
    with subprocess.Popen([*java(o, home, f"-Xlog:safepoint:file={log}:none", *loading), "TenureClasses", str(count)],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=runs.ENVIRONMENT) as program:
        assert program.stdout.readline() == "ready\n"
        recording = attach(o, program.pid, file)
        said = program.stdout.readline()
        subprocess.run([o.tools.mayfly, "attach", str(program.pid), "--stop"], capture_output=True, check=False, timeout=LIMIT)
        errors = recording.communicate(timeout=LIMIT)[1]
        program.stdin.close()
        program.wait(LIMIT)
    if said != "jumps\n" or recording.returncode:
        raise runs.Failed("the classes were not rewritten: " + errors)
    with open(log, encoding="utf-8") as f:
        found = exchanges(f.read())
    if len(found) != 2:
        raise runs.Failed(f"{len(found)} exchanges of classes, not 2")
    return found[0][1], found[1][1]


def measure_jdk(o, home, version, failures):
    costs, pauses = {h: [] for h in HELPERS}, {n: [] for n in CLASSES}
    for number in range(o.rounds):
        for helper in paired.order(HELPERS, number, f"{o.seed} {version}"):
            try:
                costs[helper].append(cost_of(o, home, helper))
            except runs.Failed as e:
                failures.append(f"{version}, {helper}: {e}")
        for count in paired.order(CLASSES, number, f"{o.seed} {version}"):
            try:
                pauses[count].append(pause_of(o, home, version, count))
            except runs.Failed as e:
                failures.append(f"{version}, {count} classes: {e}")
        say(f"{version}: round {number + 1} of {o.rounds}")
    return summarize(version, costs, pauses)


def spread(values):
    return {"median": paired.median(values), "least": min(values), "most": max(values)} if values else None


def summarize(version, costs, pauses):
    return {"jdk": version,
            "ns": {h: {s: spread([c[s] for c in costs[h]]) for s in SHAPES} for h in costs},
            "pause_ms": {n: {"there": spread([p[0] for p in pauses[n]]), "back": spread([p[1] for p in pauses[n]])} for n in pauses}}


def show(s, form):
    return "-" if s is None else f"{s['median']:{form}} ({s['least']:{form}} … {s['most']:{form}})"


def tables(found):
    for one in found:
        print(f"JDK {one['jdk']}: CPU ns for each object, median of the JVMs' (least … most)")
        print(f"  {'':8}" + "".join(f"  {s:>22}" for s in SHAPES))
        for helper, row in one["ns"].items():
            print(f"  {helper:8}" + "".join(f"  {show(row[s], '.2f'):>22}" for s in SHAPES))
        print("  ms that the program stands still while classes are rewritten")
        for count, row in one["pause_ms"].items():
            print(f"  {count:3} classes  there {show(row['there'], '.1f'):>22}  back {show(row['back'], '.1f'):>22}")
        print()


def main():
    o = arguments()
    homes = [(home, version) for home, version in targets.jdks(o.jdk) if int(version.split(".")[0]) >= 17]
    o.tools = targets.tools(o.build, {"mayfly"})
    machine, failures = overhead.check_load(o), []
    try:
        o.classpath = jars.classpath()
    except jars.Missing as e:
        stop(str(e))
    with tempfile.TemporaryDirectory(prefix="mayfly-cost-") as o.folder:
        found = [measure_jdk(o, home, version, failures) for home, version in homes]
    if o.json:
        json.dump({"machine": machine, "seed": o.seed, "found": found, "failures": failures}, sys.stdout, indent=1)
        print()
    else:
        tables(found)
    if failures:
        stop(f"{len(failures)} runs failed:\n  " + "\n  ".join(failures))


if __name__ == "__main__":
    main()
