"""`mayfly export`: other tools' readers get out what the report says, and a failure leaves nothing behind."""
import csv
import gzip
import io
import json
import math
import os
import re
import resource
import signal
import socket
import sqlite3
import subprocess
import threading
import urllib.parse

from harness import HERE, Cli

SCENARIOS = ("orders", "attached", "few", "zgc", "epsilon", "killed", "empty")
TABLES = ("meta", "classes", "methods", "frames", "sites", "ages", "survival", "gcs", "objects")
FORMATS = ("collapsed", "csv", "firefox", "json", "jsonl", "pprof", "speedscope", "sqlite")

cli = Cli()


def files():
    return sorted(os.listdir(cli.work))


def close(a, b):
    return math.isclose(a, b, rel_tol=1e-6, abs_tol=2)


def read_csv(text):
    return list(csv.DictReader(io.StringIO(text)))


def table(scenario, name, *args):
    """The rows as CSV and as JSON lines, which must agree."""
    rows = read_csv(cli.run("export", scenario + ".mfly", "--to", "csv", "--table", name, *args).stdout)
    lines = [json.loads(line) for line in
             cli.run("export", scenario + ".mfly", "--to", "jsonl", "--table", name, *args).stdout.splitlines()]
    same = len(rows) == len(lines) and all(
        list(a) == list(b) and all(
            x == "" if y is None else x == y if isinstance(y, str) else float(x) == y for x, y in zip(a.values(), b.values()))
        for a, b in zip(rows, lines))
    cli.check(f"{scenario}: {name} is the same in CSV and JSON lines", same, f"{rows[:2]}\n{lines[:2]}")
    return lines


def check_database(scenario, report, tables):
    done = cli.run("export", scenario + ".mfly", "--to", "sqlite", "-o", "out.db")
    cli.equal(f"{scenario}: a database", (0, "", ""), (done.returncode, done.stdout, done.stderr))
    db = sqlite3.connect(cli.path("out.db"))
    db.row_factory = sqlite3.Row
    cli.equal(f"{scenario}: it is sound", "ok", db.execute("PRAGMA integrity_check").fetchone()[0])
    for name, lines in tables.items():
        rows = [dict(r) for r in db.execute(f"SELECT * FROM {name} ORDER BY rowid")]
        want = [{k: v for k, v in line.items() if not rows or k in rows[0]} for line in lines]
        cli.check(f"{scenario}: {name} is the table of the CSV", len(rows) == len(want) and all(
            a.keys() == b.keys() and all(
                close(a[k], b[k]) if isinstance(a[k], float) and b[k] is not None else a[k] == b[k] for k in a)
            for a, b in zip(rows, want)), f"{rows[:2]}\n{want[:2]}")
    views = db.execute("SELECT count(*), total(alloc_bytes), total(alive_bytes) FROM v_sites").fetchone()
    cli.check(f"{scenario}: v_sites sums up to the report",
              close(views[1], sum(r["alloc"]["bytes"] for r in report["rows"])) and
              close(views[2], sum(r["alive"]["bytes"] for r in report["rows"])), str(tuple(views)))
    for view in ("v_leaf", "v_objects", "v_frames"):
        db.execute(f"SELECT * FROM {view}").fetchall()
    db.close()


def check_speedscope(scenario, report):
    doc = json.loads(cli.run("export", scenario + ".mfly", "--to", "speedscope").stdout)
    sums = [sum(p["weights"]) for p in doc["profiles"]]
    rows = report["rows"]
    cli.check(f"{scenario}: speedscope's profiles are the report's sums",
              close(sums[0], sum(r["alloc"]["bytes"] for r in rows)) and
              close(sums[4], sum(r["alive"]["bytes"] for r in rows)), str(sums))
    frames = len(doc["shared"]["frames"])
    cli.check(f"{scenario}: frames are there", all(
        0 <= f < frames for p in doc["profiles"] for s in p["samples"] for f in s))


def check_firefox(scenario, tables):
    doc = json.loads(cli.run("export", scenario + ".mfly", "--to", "firefox").stdout)
    events = doc["threads"][0]["nativeAllocations"]
    held, balanced = {}, True
    for weight, address in zip(events["weight"], events["memoryAddress"]):
        if weight > 0:
            held[address] = weight
        else:
            balanced &= held.pop(address, None) == -weight
    left = {o["object"]: o["weight"] * o["size"] for o in tables["objects"] if o["fate"] != "died"}
    cli.check(f"{scenario}: what the Firefox Profiler finds retained is what was not seen to die",
              balanced and held.keys() == left.keys() and all(abs(held[k] - left[k]) <= 1 for k in held))


def check_documented():
    """Each field of each table has a row in doc/export-tables.md."""
    with open(os.path.join(HERE, "..", "..", "doc", "export-tables.md"), encoding="utf-8") as f:
        parts = f.read().split("\n## ")
    for name in TABLES:
        header = cli.run("export", "few.mfly", "--to", "csv", "--table", name).stdout.splitlines()[0].split(",")
        part = next((p for p in parts if p.startswith(name + "\n")), "")
        told = [line.split("`")[1] for line in part.splitlines() if line.startswith("| `")]
        cli.equal(f"doc/export-tables.md tells of {name}", header, told)


def check_views(scenario):
    """Each column of each view is told of, and the man page's statements find something."""
    cli.run("export", scenario + ".mfly", "--to", "sqlite", "-o", "out.db")
    db = sqlite3.connect(cli.path("out.db"))
    columns = {name: [c[1] for c in db.execute(f"PRAGMA table_info({name})")]
               for name, in db.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")}
    with open(os.path.join(HERE, "..", "..", "doc", "export-tables.md"), encoding="utf-8") as f:
        lines = f.read().split("\n## SQLite\n")[1].splitlines()
    told = {words[0]: words[1:] for line in lines if line.startswith("| `v_") for words in [re.findall(r"`(\w+)`", line)]}
    for name in ("objects", "counts"):
        told["v_" + name][:1] = columns[name]  # "the columns of `objects`"
    cli.equal(f"{scenario}: doc/export-tables.md tells of the views", {v: c for v, c in columns.items() if v.startswith("v_")}, told)
    with open(os.path.join(HERE, "..", "..", "doc", "man", "mayfly-export.1.md"), encoding="utf-8") as f:
        part = f.read().split("\n# SQLITE\n")[1].split("\n# ")[0]
    found = [len(db.execute(statement).fetchall()) > 0 for statement in re.findall(r"(?:^    .*\n)+", part, re.M)]
    cli.check(f"{scenario}: the man page's statements find something", len(found) == 4 and (all(found) or scenario != "orders"), str(found))
    db.close()


def check_counts(scenario):
    """Each count has its class and line in the database too, also where samples have the site's bytes."""
    cli.run("export", scenario + ".mfly", "--to", "sqlite", "-o", "out.db")
    db = sqlite3.connect(cli.path("out.db"))
    named = db.execute("SELECT site, class, line, age, born_objects, died_bytes FROM v_counts ORDER BY rowid").fetchall()
    unsited, = db.execute("SELECT count(*) FROM counts WHERE site NOT IN (SELECT site FROM sites)").fetchone()
    db.close()
    counts = table(scenario, "counts")
    cli.equal(f"{scenario}: v_counts names what counts does", [tuple(c[k] for k in ("site", "class", "line", "age", "born_objects", "died_bytes"))
                                                              for c in counts], named)
    cli.check(f"{scenario}: of some sites there are only counts", unsited, str(len(counts)))


for name in SCENARIOS:
    subprocess.run([os.environ["MAKE_TRACE"], name, cli.path(name + ".mfly")], check=True)

for name in SCENARIOS:
    report = json.loads(cli.run("report", name + ".mfly", "--json", "--min", "0").stdout)
    tables = {t: table(name, t) for t in TABLES}
    check_database(name, report, tables)
    check_speedscope(name, report)
    check_firefox(name, tables)
check_documented()
subprocess.run([os.environ["MAKE_TRACE"], "exact", cli.path("exact.mfly")], check=True)
for name in ("orders", "exact"):
    check_views(name)
check_counts("exact")
os.unlink(cli.path("exact.mfly"))

strings = table("orders", "objects", "-w", "class=java.lang.String")
cli.check("a filter holds for objects", strings and {o["class"] for o in strings} == {"java.lang.String"})

# Nothing half-written, whatever goes wrong.
os.unlink(cli.path("out.db"))
cli.write("kept", "Dear Sir or Madam")
before = files()


def limit():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


def limit_alone():
    """As ulimit -f does."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


for name in FORMATS:
    for out in ("no/where", "/dev/full", "."):
        done = cli.run("export", "few.mfly", "--to", name, "-o", out)
        cli.check(f"{name} to {out} is refused in one sentence", done.returncode == 1 and
                  done.stderr.count("\n") == 1 and out in done.stderr, done.stderr)
    done = cli.run("export", "few.mfly", "--to", name, "-o", "kept", preexec_fn=limit)
    cli.check(f"{name} on a full disk is refused", done.returncode == 1 and done.stderr.count("\n") == 1, done.stderr)
    done = cli.run("export", "few.mfly", "--to", name, "-o", "kept", preexec_fn=limit_alone)
    cli.check(f"{name} over a limit of the file's size is refused", done.returncode == 1 and done.stderr.count("\n") == 1,
              f"{done.returncode} {done.stderr}")
    with open("/dev/full", "wb") as full:
        done = subprocess.run([cli.mayfly, "export", "few.mfly", "--to", name], cwd=cli.work, stdout=full,
                              stderr=subprocess.PIPE, encoding="utf-8", check=False)
    cli.check(f"{name} to a full stdout is refused", done.returncode == 1 and "No space left" in done.stderr, done.stderr)
    done = cli.run("export", "few.mfly", "--to", name, preexec_fn=lambda: os.close(1))
    cli.check(f"{name} to a closed stdout is refused", done.returncode == 1 and "Bad file descriptor" in done.stderr,
              f"{done.returncode} {done.stderr}")
    done = cli.run("export", "kept", "--to", name, "-o", "other")
    cli.check(f"{name} of no trace is refused", done.returncode == 1 and done.stderr.count("\n") == 1, done.stderr)
cli.equal("nothing is left behind", before, files())
with open(cli.path("kept"), encoding="utf-8") as f:
    cli.equal("what was there is still there", "Dear Sir or Madam", f.read())
cli.equal("an export may be written over", [0, 0],
          [cli.run("export", "few.mfly", "--to", "sqlite", "-o", "twice.db").returncode for _ in range(2)])
os.unlink(cli.path("twice.db"))

cli.equal("- is stdout", *(cli.run("export", "few.mfly", "--to", "csv", *more).stdout for more in ([], ["-o", "-"])))
cli.check("and no file of that name", not os.path.exists(cli.path("-")))

# What a format has no use for is told, and what it has a use for is taken.
TAKEN = {"--table": {"csv", "jsonl"}, "--profile": {"pprof"}, "--metric": {"collapsed"}, "--clock": {"csv", "jsonl"},
         "--by": {"csv", "json", "jsonl"}, "--sort": {"csv", "json", "jsonl"}, "--min": {"csv", "json", "jsonl"},
         "--limit": {"csv", "json", "jsonl"}, "--together": {"csv", "json", "jsonl"}}
VALUES = {"--table": ["ages"], "--profile": ["heap"], "--metric": ["live"], "--clock": ["ms"], "--by": ["class"], "--sort": ["died"],
          "--min": ["1"], "--limit": ["2"], "--together": []}
for option, formats in TAKEN.items():
    for name in FORMATS:
        done = cli.run("export", "few.mfly", "--to", name, "-o", "/dev/null", option, *VALUES[option])
        cli.check(f"{option} with {name}", done.returncode == 0 if name in formats else done.returncode == 2 and
                  done.stderr.startswith(f"mayfly export: {option} is for "), f"{done.returncode} {done.stderr}")
    if option != "--table":
        done = cli.run("export", "few.mfly", "--to", "csv", "--table", "ages", option, *VALUES[option])
        cli.check(f"{option} with --table", done.returncode == 2 and done.stderr.startswith(f"mayfly export: {option} is for "), done.stderr)
for name in FORMATS:
    done = cli.run("export", "few.mfly", "--to", name, "-o", "/dev/null", "--by", "thread")
    cli.equal(f"--by thread with {name}", 2 * (name in ("collapsed", "speedscope", "firefox")), done.returncode)
cli.show("export", "few.mfly", "--to", "csv", "--profile", "heap")
cli.show("export", "few.mfly", "--to", "collapsed", "-n", "3")
cli.show("export", "few.mfly", "--to", "json", "--clock", "ms")
cli.show("export", "few.mfly", "--to", "pprof", "--label", "a=b")

for args in (["few.mfly", "--to", "csv", "-o", "few.mfly"], ["few.mfly", "--to", "csv", "-o", ""], ["few.mfly", "--to", "pprof", "--table", "gcs"],
             ["few.mfly", "--to", "csv", "--table", "paper"], ["few.mfly", "--to", "speedscope", "-w", "shape=churn"],
             ["few.mfly", "--to", "csv", "--push", "http://localhost:1"],
             ["few.mfly", "--to", "pprof", "--push", "http://localhost:1", "-o", "-"],
             ["few.mfly", "--to", "pprof", "--push", "ftp://localhost"],
             ["few.mfly", "--to", "pprof", "--push", "http://localhost:1", "--label", "a=b,c"],
             ["few.mfly", "--to", "pprof", "--push", "http://localhost:1", "--name", "a b"]):
    cli.show("export", *args)
cli.golden("export")


class Server(threading.Thread):
    """Records what a Pyroscope server would get. (http.server would import html.py of this folder.)"""

    def __init__(self):
        super().__init__()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.got = []
        self.answer = (200, b"")
        self.start()

    def serve(self, connection):
        with connection, connection.makefile("rb") as stream:
            line = stream.readline().decode().split()
            headers = {}
            while (header := stream.readline().decode().strip()):
                key, value = header.split(":", 1)
                headers[key] = value.strip()
            self.got.append((line, headers, stream.read(int(headers.get("Content-Length", 0)))))
            status, text = self.answer
            connection.sendall(b"HTTP/1.1 %d Answer\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
                               % (status, len(text), text))

    def run(self):
        while True:
            try:
                connection = self.listener.accept()[0]
            except OSError:
                return
            self.serve(connection)

    def stop(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.join()


server = Server()
url = server.url
plain = {"NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}
try:
    done = cli.run("export", "orders.mfly", "--to", "pprof", "--push", url + "/", "--label", "env=test",
                   "--label", "zone=eu west", env=plain)
    cli.equal("pushed", (0, "", f"mayfly: sent to {url[7:]}/ as orders.\n"), (done.returncode, done.stdout, done.stderr))
    ((method, path, _), headers, body), = server.got
    parts = urllib.parse.urlsplit(path)
    query = dict(urllib.parse.parse_qsl(parts.query, strict_parsing=True))
    cli.equal("to the server's ingest", ("POST", "/ingest"), (method, parts.path))
    cli.equal("with its name and labels", ("orders{env=test,zone=eu west}", "pprof", "mayfly"),
              (query["name"], query["format"], query["spyName"]))
    cli.equal("from when to when, in seconds", ["1763712000", "1763712021"], [query["from"], query["until"]])
    cli.equal("as bytes", "application/octet-stream", headers["Content-Type"])
    cli.run("export", "orders.mfly", "--to", "pprof", "-o", "orders.pb.gz")
    with open(cli.path("orders.pb.gz"), "rb") as f:
        cli.check("the profile is the file's", gzip.decompress(body) == gzip.decompress(f.read()))
    server.answer = (422, b"no \x1b[31msuch\n profile\n")
    done = cli.run("export", "few.mfly", "--to", "pprof", "--push", url, "--name", "shop", env=plain)
    cli.equal("what the server says is told, cleaned",
              (1, f"mayfly: {url[7:]} did not take the profile: it answered 422, no ?[31msuch? profile.\n"),
              (done.returncode, done.stderr))
finally:
    server.stop()
done = cli.run("export", "few.mfly", "--to", "pprof", "--push", url, env=plain)
cli.check("nobody there is told in one sentence", done.returncode == 1 and done.stderr.count("\n") == 1 and
          f"could not be sent to {url[7:]}" in done.stderr, done.stderr)
cli.done()
