"""Runs the cases of cases.txt and compares what they print with golden/NAME.txt.

UPDATE_GOLDENS=1 in the environment writes the files anew: read the difference before it is kept.
"""

import difflib
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SCENARIOS = ("orders", "attached", "waited", "few", "filtered", "mixed", "once", "nogc", "pauses", "zgc", "zgc-young", "epsilon", "killed", "burst", "after", "again", "copies", "tight", "mill", "calm", "empty",
             "exact", "sampled", "counted", "missed", "refused", "disowned", "shaken", "walked",
             "tenured", "tenured-worse", "tenured-fresh", "tenured-few", "tenured-failed", "tenured-nothing", "tenured-learnt", "tenured-flag", "tenured-applied", "tenured-undone", "tenured-sized", "tenured-zgc", "tenured-off")

EVENTS = ("events", "events-lost", "survivors")

def make_traces(folder):
    for name in SCENARIOS:
        subprocess.run([os.environ["MAKE_TRACE"], name, os.path.join(folder, name + ".mfly")], check=True)
    for name in EVENTS:
        subprocess.run([os.environ["MAKE_EVENTS"], name, os.path.join(folder, name + ".mfly")], check=True)
    with open(os.path.join(folder, "events.mfly"), "rb") as f:
        events = f.read()
    with open(os.path.join(folder, "orders.mfly"), "rb") as f:
        orders = f.read()
    damaged = bytearray(orders)
    damaged[600000] ^= 0x10
    for name, content in (("cut", orders[:500000]), ("events-cut", events[:len(events) * 3 // 5]), ("events-early", events[:13000]), ("damaged", damaged), ("text", b"Dear Sir or Madam,\n" * 9)):
        with open(os.path.join(folder, name + ".mfly"), "wb") as f:
            f.write(content)


def cases():
    with open(os.path.join(HERE, "cases.txt"), encoding="utf-8") as f:
        for line in f:
            if line.strip() and not line.startswith("#"):
                head, command = line.split(":", 1)
                name, *settings = head.split()
                yield name, dict(s.split("=", 1) for s in settings), command.split()


def run(folder, settings, args):
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": "UTC", **settings}
    for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
        if name in os.environ:
            env[name] = os.environ[name]
    done = subprocess.run([os.environ["MAYFLY"], *args], cwd=folder, env=env,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text = done.stdout.decode("utf-8", "replace")
    return "$ mayfly %s\n%s[exit %d]\n" % (" ".join(args), text, done.returncode)


def compare(name, got):
    path = os.path.join(HERE, "golden", name + ".txt")
    if os.environ.get("UPDATE_GOLDENS"):
        with open(path, "w", encoding="utf-8") as f:
            f.write(got)
    want = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            want = f.read()
    for line in difflib.unified_diff(want.splitlines(), got.splitlines(), "golden/%s.txt" % name, "got", lineterm=""):
        print("# " + line)
    return want == got


def main():
    bad = count = 0
    with tempfile.TemporaryDirectory() as folder:
        make_traces(folder)
        for count, (name, settings, args) in enumerate(cases(), 1):
            fine = compare(name, run(folder, settings, args))
            print("%sok %d - %s" % ("" if fine else "not ", count, name))
            bad += not fine
    print("1..%d" % count)
    return bad != 0


sys.exit(main())
