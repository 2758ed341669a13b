"""Names that mean something to a terminal, a browser, a spreadsheet or a database come out as text, everywhere. And traces
with next to nothing in them get an answer from each command."""
import csv
import io
import json
import os
import re
import sqlite3
import subprocess

from harness import Cli

SCENARIOS = ("hostile", "single", "undying", "empty", "nogc")
LOOKS = {
    "report": (), "report tree": ("--tree",), "report inverted": ("--inverted",), "report by class": ("--by", "class"),
    "report by package": ("--by", "package"), "report by thread": ("--by", "thread"), "churn": (), "heap": (),
    "heap every": ("--every", "1s"), "advise": (), "advise all": ("--min", "0"), "info": (), "check": (),
}
TEXTS = {"collapsed": (), "csv": (), "jsonl": (), "csv objects": ("--table", "objects"), "csv sites": ("--table", "sites"),
         "csv meta": ("--table", "meta"), "jsonl classes": ("--table", "classes")}
DOCUMENTS = {"json": (), "speedscope": (), "firefox": ()}
# Of the C0 and C1 controls only the end of a line; and what turns text round, or ends a line to some.
WILD = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffd]")

cli = Cli()


def run(*args):
    """What comes out, as bytes: harness.py would mend broken UTF-8."""
    return subprocess.run([cli.mayfly, *args], cwd=cli.work, env=cli.env, stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=120, check=False)


def tame(what, done, status=(0,)):
    """Whole UTF-8 with nothing wild in it."""
    try:
        text = (done.stdout + done.stderr).decode()
        wild = sorted(set(WILD.findall(text)))
    except UnicodeDecodeError as broken:
        text, wild = "", [str(broken)]
    cli.check(what, done.returncode in status and not wild, f"exit status {done.returncode}, {wild}\n{text[:2000]}")
    return text


def strings(value):
    if isinstance(value, dict):
        return [s for k, v in value.items() for s in [k, *strings(v)]]
    if isinstance(value, list):
        return [s for v in value for s in strings(v)]
    return [value] if isinstance(value, str) else []


for name in SCENARIOS:
    subprocess.run([os.environ["MAKE_TRACE"], name, cli.path(name + ".mfly")], check=True)

for name in SCENARIOS:
    trace = name + ".mfly"
    for look, args in LOOKS.items():
        command = look.split()[0]
        tame(f"{name}: {look}", run(command, trace, *args))
        if command in ("report", "churn", "heap", "advise", "info") and "--tree" not in args and "--inverted" not in args:
            done = run(command, trace, *args, "--json")
            tame(f"{name}: {look} --json", done)
            found = strings(json.loads(done.stdout))
            cli.check(f"{name}: the strings in it are tame", not any(WILD.search(s.replace("\n", "\1")) for s in found))
    tame(f"{name}: diff", run("diff", trace, trace))
    json.loads(run("diff", trace, trace, "--json").stdout)
    for form, args in TEXTS.items():
        text = tame(f"{name}: {form}", run("export", trace, "--to", form.split()[0], *args))
        if form.startswith("csv"):
            rows = list(csv.reader(io.StringIO(text)))
            cli.check(f"{name}: {form} has rows of one length", len({len(r) for r in rows}) <= 1)
        if form.startswith("jsonl"):
            cli.check(f"{name}: {form} is JSON", all(isinstance(json.loads(line), dict) for line in text.splitlines()))
    for form in DOCUMENTS:
        done = run("export", trace, "--to", form)
        tame(f"{name}: {form}", done)
        cli.check(f"{name}: the strings of {form} are tame",
                  not any(WILD.search(s.replace("\n", "\1")) for s in strings(json.loads(done.stdout))))
    tame(f"{name}: sqlite", run("export", trace, "--to", "sqlite", "-o", name + ".db"))
    db = sqlite3.connect(cli.path(name + ".db"))
    tables = [r[0] for r in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    wild = [v for t in tables for row in db.execute(f"SELECT * FROM {t}") for v in row if isinstance(v, str) and WILD.search(v)]
    cli.equal(f"{name}: the database is whole and tame", (True, []), ({"sites", "meta"} <= set(tables), wild))
    db.close()
    tame(f"{name}: pprof", run("export", trace, "--to", "pprof", "-o", name + ".pb.gz"))
    tame(f"{name}: pprof lifetime", run("export", trace, "--to", "pprof", "--profile", "lifetime", "-o", name + ".life.pb.gz"))

# No line of a screen is made by a name alone: each name is on the line of its own row.
rows = json.loads(run("report", "hostile.mfly", "--json").stdout)["rows"]
cli.check("ten sites, ten rows", len(rows) == 10, str(len(rows)))
lines = run("export", "hostile.mfly", "--to", "collapsed").stdout.decode().splitlines()
cli.check("a line of collapsed stacks ends in its number", lines and all(re.fullmatch(r".+ \d+", line) for line in lines))

# A name of a file may be another's, too.
steered = "\x1b[31m\n\u202e\udcff.mfly"
for command in ("info", "check", "report", "export"):
    tame(f"a wild name that is not there: {command}", run(command, steered), (1, 2))
tame("a wild name of a VM", run("info", "--vm", steered), (1,))
os.rename(cli.path("single.mfly"), cli.path(steered))
tame("a wild name that is there", run("check", steered))
os.truncate(cli.path(steered), os.path.getsize(cli.path(steered)) - 3)
tame("a wild name of what is cut", run("check", steered))
cli.done()
