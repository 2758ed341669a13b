"""`mayfly html`: the page holds what the report says, and no file is harmed."""
import base64
import json
import math
import os
import re
import re
import resource
import signal
import struct
import subprocess
import zlib

import trace_file as tf
from harness import HERE, Cli

VIEWER = "<!doctype html><title>viewer</title><!--mayfly-data--><p>end</p>\n"
SCENARIOS = ("attached", "mixed", "few", "zgc-young", "epsilon", "killed", "empty")
CODES = {"u8": "B", "u16": "H", "u32": "I", "f32": "f", "f64": "d"}

cli = Cli()


def decode(page):
    """The documents and columns of a page, by data-trace."""
    traces = {}
    for name, text in re.findall(r'<script type="application/x-mayfly" data-trace="(\w)">([^<]*)</script>', page):
        data = zlib.decompress(base64.b64decode(text, validate=True))
        magic, version, length = struct.unpack_from("<8sII", data)
        assert (magic, version) == (b"MFLYPAGE", 1)
        document = json.loads(data[16:16 + length])
        start = (16 + length + 7) // 8 * 8
        columns = {}
        for key, c in document["columns"].items():
            values = struct.unpack_from(f"<{c['count']}{CODES[c['type']]}", data, start + c["offset"])
            columns[key] = values
        traces[name] = document, columns
    return traces


def read(name):
    with open(cli.path(name), encoding="utf-8") as f:
        return f.read()


def files():
    return sorted(os.listdir(cli.work))


def page(*args):
    return cli.run("html", *args, "--viewer", "viewer.html")


def told(*args):
    """What a command says as JSON."""
    return json.loads(cli.run(*args, "--json").stdout)


def check_parts(scenario, document):
    """What other commands say of it, word for word."""
    trace = scenario + ".mfly"
    cli.equal(f"{scenario}: the churn of mayfly churn", told("churn", trace), document["churn"])
    cli.equal(f"{scenario}: the advice of mayfly advise", told("advise", trace), document["advice"])
    cli.check(f"{scenario}: and no diff", "diff" not in document)


def check_told(scenario, document, columns):
    """Each key and each column has its row in doc/page-data.md."""
    with open(os.path.join(HERE, "..", "..", "doc", "page-data.md"), encoding="utf-8") as f:
        parts = dict(part.split("\n", 1) for part in f.read().split("\n## "))
    for what, part, got in (("keys", "The document", document), ("columns", "The columns", columns)):
        rows = [line.split(" |")[0] for line in parts[part].splitlines() if line.startswith("| `")]
        told = set(re.findall(r"`([\w.]+)`", " ".join(rows))) | {"clock"}  # in the row of lives
        cli.equal(f"{scenario}: doc/page-data.md tells of all {what}", set(), set(got) - told)


def check_sums(scenario):
    done = page(scenario + ".mfly", "-o", "sums.html")
    cli.equal(f"{scenario}: a page", (0, ""), (done.returncode, done.stdout))
    document, columns = decode(read("sums.html"))["a"]
    check_parts(scenario, document)
    check_told(scenario, document, columns)
    report = json.loads(cli.run("report", scenario + ".mfly", "--json").stdout)
    trace = dict(document["trace"])
    trace.pop("wall_ms")
    cli.equal(f"{scenario}: the trace is the report's", report["trace"], trace)
    cli.equal(f"{scenario}: as many rows", len(report["rows"]), len(columns["row.site"]))
    sums = [0.0] * len(columns["row.site"])
    died = [0.0] * len(sums)
    for site, size, weight, fate, lives in zip(*(columns["sample." + c] for c in (
            "site", "size", "weight", "fate", "lives"))):
        row = columns["site.row"][site]
        sums[row] += size * weight
        died[row] += size * lives * (fate == 1)
    for what, got, want in (("alloc", sums, [r["alloc"]["bytes"] for r in report["rows"]]),
                            ("died", died, [r["died"]["bytes"] for r in report["rows"]])):
        cli.check(f"{scenario}: {what} of each row is the report's",
                  all(math.isclose(a, b, rel_tol=1e-6, abs_tol=1) for a, b in zip(sorted(got), sorted(want))),
                  f"{sorted(got)}\n{sorted(want)}")


def named(name):
    """A trace of one object, whose class and method have this name."""
    def record(kind, *fields):
        return tf.record(kind, b"".join(f if isinstance(f, bytes) else tf.varint(f) for f in fields))

    return tf.trace([tf.config(), record(0x01, 1, tf.text(name)), record(0x02, 1, 1, 0, 0), record(0x03, 1, 1, 1, 0, 0, 0),
                     record(0x04, 1, 0, 1, 7, tf.zigzag(-1)), record(0x05, 1, 1, 1, 0),
                     record(0x20, tf.zigzag(0), tf.zigzag(0), 1, 0, 24, 1), tf.end(0, 1)])


def limit():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))


for name in (*SCENARIOS, "hostile"):
    subprocess.run([os.environ["MAKE_TRACE"], name, cli.path(name + ".mfly")], check=True)
cli.write("viewer.html", VIEWER)

for name in SCENARIOS:
    check_sums(name)
os.rename(cli.path("attached.mfly"), cli.path("orders.mfly"))
os.unlink(cli.path("sums.html"))

done = page("orders.mfly")
cli.check("the page is named after the trace", re.fullmatch(
    r"mayfly: orders\.html, [\d.]+ kB\.\n", done.stderr) and done.returncode == 0, done.stderr)
before = read("orders.html")
cli.check("the data is in the viewer's place", before.startswith("<!doctype html><title>viewer</title><script ")
          and before.endswith("</script><p>end</p>\n"))
cli.equal("a page may be written over", 0, page("orders.mfly").returncode)
cli.equal("and is the same again", before, read("orders.html"))
cli.equal("nothing else is left", [], [f for f in files() if f.startswith("orders.html.")])

cli.equal("two traces", 0, page("orders.mfly", "few.mfly", "-o", "two.html").returncode)
traces = decode(read("two.html"))
cli.equal("are both in the page", [("a", "orders.mfly"), ("b", "few.mfly")],
          [(k, d["trace"]["file"]) for k, (d, _) in sorted(traces.items())])

cli.equal("the first has the diff of mayfly diff", told("diff", "orders.mfly", "few.mfly"), traces["a"][0]["diff"])
cli.check("and the second has none", "diff" not in traces["b"][0])
cli.equal("the second has its own advice", told("advise", "few.mfly"), traces["b"][0]["advice"])

# Names that are markup: nothing but base64 of them is in the page, and they are whole in the data.
cli.equal("hostile names", 0, page("hostile.mfly", "orders.mfly", "-o", "hostile.html").returncode)
text = read("hostile.html")
parts = re.split(r'<script type="application/x-mayfly" data-trace="[ab]">[A-Za-z0-9+/=]*</script>', text)
cli.equal("make no markup", ["<!doctype html><title>viewer</title>", "", "<p>end</p>"], [part.strip() for part in parts])
traces = decode(text)
document = traces["a"][0]
cli.equal("the advice", told("advise", "hostile.mfly"), document["advice"])
cli.equal("and the diff are what the commands say", told("diff", "hostile.mfly", "orders.mfly"), document["diff"])
cli.check("with the names as they are", all("<script>alert(1)</script>" in json.dumps(document[key]) for key in ("texts", "diff")))

LONG = "</script>" * 910
cli.write("long.mfly", named(LONG))
cli.write("longer.mfly", named(LONG * 8))
cli.equal("a name as long as a trace can hold", 0, page("long.mfly", "-o", "long.html").returncode)
document, columns = decode(read("long.html"))["a"]
cli.equal("is whole in the page", [LONG], [document["texts"][i] for i in columns["class.name"] if i])
cli.equal("one of 64 KB, which no trace may hold", 0, page("longer.mfly", "-o", "longer.html").returncode)
document, _ = decode(read("longer.html"))["a"]
cli.equal("is not in the page", [""], document["texts"])
cli.check("and the page says that the trace is damaged", "a length exceeds its maximum" in document["notes"][0])

os.rename(cli.path("few.mfly"), cli.path("few"))
cli.equal("a trace with another extension", 0, page("few").returncode)
cli.check("gets .html behind it", os.path.exists(cli.path("few.html")))

cli.write("letter.html", "<p>Dear Sir or Madam")
for args in (["orders.mfly", "-o", "letter.html"], ["orders.mfly", "-o", "orders.mfly", "--force"],
             ["orders.mfly", "-o", "/dev/full"], ["orders.mfly", "-o", "."], ["orders.mfly", "-o", "no/where.html"],
             ["no-such.mfly"], ["letter.html"], ["letter.html", "-o", "x.html"], ["orders.mfly", "-o", ""]):
    cli.show("html", *args, "--viewer", "viewer.html")
cli.show("html", "orders.mfly", "--viewer", "letter.html")
cli.show("html", "orders.mfly", "--viewer", "no-such.html")
cli.show("html")
cli.show("html", "orders.mfly", "few", "mixed.mfly")
cli.show("html", "--help")
cli.golden("html")
cli.equal("the letter is still there", "<p>Dear Sir or Madam", read("letter.html"))
cli.equal("what failed left no page", before, read("orders.html"))
cli.equal("--force writes over it", 0, page("few", "-o", "letter.html", "--force").returncode)
cli.equal("with a page", ["a"], list(decode(read("letter.html"))))

there = files()
done = page("orders.mfly", "-o", "-")
cli.equal("- is stdout", (0, "", read("orders.html")), (done.returncode, done.stderr, done.stdout))
with open("/dev/full", "wb") as full:
    done = subprocess.run([cli.mayfly, "html", "orders.mfly", "-o", "-", "--viewer", "viewer.html"], cwd=cli.work, stdout=full,
                          stderr=subprocess.PIPE, encoding="utf-8", check=False)
cli.equal("a full one is told", (1, "mayfly: the output could not be written: No space left on device.\n"), (done.returncode, done.stderr))
cli.equal("and there is no file of that name", there, files())

done = cli.run("html", "orders.mfly", "-o", "new.html", "--viewer", "viewer.html", preexec_fn=limit)
cli.equal("a full disk is told in a sentence", (1, "mayfly: new.html could not be written: File too large.\n"),
          (done.returncode, done.stderr))
cli.equal("and nothing is left", there, files())

done = cli.run("html", "orders.mfly", "-o", "own.html")
if done.returncode:
    cli.has("without its own viewer it says so", "this mayfly was built without the page", done.stderr)
else:
    cli.equal("its own viewer has the data", ["a"], list(decode(read("own.html"))))
    cli.check("and is small enough to pass on", os.path.getsize(cli.path("own.html")) < 6e6)

options = set(re.findall(r"--[a-z-]+", cli.run("html", "--help").stdout)) - {"--help"}
with open(os.path.join(HERE, "../../doc/man/mayfly-html.1.md"), encoding="utf-8") as f:
    told = set(re.findall(r"--[a-z-]+", f.read().replace("\\-", "-")))
cli.equal("the man page has all options", set(), options - told)
cli.done()
