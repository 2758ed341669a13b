"""`mayfly report --json` keeps its contract: keys, types, and sums that agree."""

import json
import math
import os
import subprocess
import sys
import tempfile

SCENARIOS = ("orders", "attached", "few", "mixed", "once", "nogc", "zgc", "zgc-young", "epsilon", "killed", "empty", "exact", "counted", "missed", "refused", "disowned", "shaken", "walked")
SHAPES = {"churn", "mid-life", "long-lived", "immortal", "bimodal", "unknown"}
number = 0
failed = 0


def check(is_so, what):
    global number, failed
    if not is_so:
        failed += 1
        print("not ok %d - %s" % (number + failed, what))


def is_count(value):
    return isinstance(value, int) and value >= 0


def check_trace(t):
    check(set(t) >= {"file", "engine", "jdk", "gc", "duration_ms", "interval", "gcs", "alloc_bytes", "samples",
                     "tracked", "lost", "complete"}, "keys of trace")
    check(set(t["gcs"]) == {"young", "mixed", "full", "concurrent"}, "keys of gcs")
    check(all(is_count(v) for v in (*t["gcs"].values(), t["alloc_bytes"], t["samples"], t["tracked"], t["lost"])),
          "counts of trace")


def check_curve(name, c):
    lengths = {len(c[k]) for k in ("t", "p", "lo", "hi")}
    check(len(lengths) == 1 and lengths.pop() > 0, name + ": arrays of one length")
    check(all(a < b for a, b in zip(c["t"], c["t"][1:])), name + ": t rises")
    check(all(a >= b for a, b in zip(c["p"], c["p"][1:])), name + ": p falls")
    check(all(0 <= lo <= p + 1e-6 and p <= hi + 1e-6 <= 1 + 2e-6 for p, lo, hi in zip(c["p"], c["lo"], c["hi"])),
          name + ": p is in its interval")
    if name.endswith("gcs"):
        check(c["t"] == list(range(1, len(c["t"]) + 1)) or len(c["t"]) > 15, name + ": every age has its point")


def check_bytes(r, doc):
    """By bytes the same is known; in a row of one size it is the same. All but one line have one."""
    for name, by_bytes in r["survival_bytes"].items():
        by_objects = r["survival"][name]
        check((by_bytes is None) == (by_objects is None), name + ": known by objects and by bytes")
        if by_bytes is None or doc["by"] != "site":
            continue
        same = by_objects["t"] == by_bytes["t"] and all(
            math.isclose(a, b, abs_tol=1e-4) for key in ("p", "lo", "hi")
            for a, b in zip(by_objects[key], by_bytes[key]))
        mixed = any("RecyclingAllocator" in f["class"] for f in r["frames"])
        check(same != mixed, name + ": by bytes as by objects where there is one size")
        if mixed and name == "young_gcs":
            check(by_bytes["p"][0] > 0.9 > by_objects["p"][0], name + ": most bytes live, few objects")
            check(r["shape"] != "unknown", "the shape goes by bytes")


def check_row(r, doc):
    check(set(r) >= {"class", "frames", "alloc", "died", "alive", "survival", "survival_bytes", "lifetime", "shape"},
          "keys of a row")
    check(all(set(f) == {"class", "method", "line"} for f in r["frames"]), "keys of frames")
    check(r["shape"] in SHAPES, "shape")
    lo, hi = r["alloc"]["ci95"]
    check(lo is None or lo <= 1 and (hi is None or hi >= 1), "ci95 is around 1")
    check(set(r["survival"]) == {"young_gcs", "full_gcs", "mb", "ms"}, "clocks")
    check(set(r["survival_bytes"]) == {"young_gcs", "full_gcs"}, "clocks by bytes")
    nulls = False
    for name, c in (*r["survival"].items(), *r["survival_bytes"].items()):
        nulls |= c is None
        if c is not None:
            check_curve(name, c)
    check_bytes(r, doc)
    for name, q in r["lifetime"].items():
        nulls |= q is None or None in q.values()
        known = [v for v in (q or {}).values() if v is not None]
        check(known == sorted(known), name + ": quantiles rise")
    check(not nulls or doc["notes"], "what is null has a note")


def check_exact(doc):
    """The totals of rows are exact; where rows are not parts of leaves, each is."""
    e = doc["exact"]
    check(set(e) >= {"births", "died_young", "young", "promoted", "outside", "lost_from_sight", "survivors", "unknown",
                     "collections", "unaccounted", "cost_ms", "audit"}, "keys of exact")
    for key in ("objects", "bytes"):
        check(e["births"][key] == sum(e[k][key] for k in ("died_young", "young", "promoted", "outside", "lost_from_sight")),
              key + ": all that was born is dead, young, promoted or lost from sight")
        check(math.isclose(sum(r["alloc"][key] for r in doc["rows"]), e["births"][key], abs_tol=len(doc["rows"])),
              key + " of rows sum up to the births")
    check(e["audit"]["attributed"] <= e["audit"]["seen"] <= e["audit"]["walked"], "the audit")
    if doc["by"] in ("class", "method", "package"):
        check(all(r["alloc"]["ci95"] == [1, 1] for r in doc["rows"]), "rows are exact")


def check_document(text):
    doc = json.loads(text, parse_constant=lambda c: check(False, "no " + c))
    check(list(doc)[:1] == ["mayfly"] and doc["mayfly"] == 1, "version")
    check(set(doc) >= {"mayfly", "trace", "by", "rows", "notes"}, "keys")
    check_trace(doc["trace"])
    total = sum(r["alloc"]["bytes"] for r in doc["rows"])
    check(math.isclose(total, doc["trace"]["alloc_bytes"], rel_tol=1e-6, abs_tol=len(doc["rows"])), "rows sum up")
    check(all(isinstance(n, str) and n.endswith((".", "!", "?")) for n in doc["notes"]), "notes are sentences")
    for r in doc["rows"]:
        check_row(r, doc)
    if doc["trace"]["engine"] == "exact":
        check_exact(doc)
    else:
        check("exact" not in doc, "nothing was counted")


FIGURES = {"copied_per_gb", "promoted_per_gb", "cpu_ms_per_gb", "pause_ms", "longest_ms", "most_ms", "pauses_per_minute", "time_share",
           "full_share"}
TENURED = {"tenured": (2, 7), "tenured-worse": (2, 4), "tenured-fresh": (2, 0), "tenured-few": (1, 0), "tenured-nothing": (6, 0), "tenured-learnt": (6, 0),
           "tenured-flag": (6, 0), "tenured-applied": (0, 6), "tenured-sized": (6, 0), "tenured-zgc": (0, 0), "tenured-off": (0, 0), "orders": (0, 0)}


def check_side(s, rounds):
    check(set(s) == FIGURES | {"rounds", "pauses", "cpu_rounds"}, "keys of a side")
    check(s["rounds"] == rounds, "rounds of a side")
    known = [k for k in FIGURES if s[k] is not None]
    check(bool(known) == bool(rounds), "figures where there are rounds")
    check((s["pause_ms"] is None) == (s["pauses"] == 0) and (s["cpu_ms_per_gb"] is None) == (s["cpu_rounds"] == 0), "what they are of")
    check(not rounds or s["pause_ms"] <= s["longest_ms"] <= s["most_ms"] and s["promoted_per_gb"] <= s["copied_per_gb"], "order")


def check_tenure(name, text):
    """`report --tenure --json` has its keys, and the numbers of its scenario."""
    doc = json.loads(text, parse_constant=lambda c: check(False, "no " + c))
    check(set(doc) == {"mayfly", "trace", "tenure", "before", "rest", "after", "places", "moves", "outcomes", "advice",
                       "larger_young", "notes"}, "keys")
    t = doc["tenure"]
    check(set(t) == {"asked", "acts", "rounds", "round_collections", "jumps", "threshold", "taken_back", "heap_full", "first_change_round",
                     "last_change_round", "nothing", "test", "test_why"}, "keys of tenure")
    check_side(doc["before"], TENURED[name][0])
    check_side(doc["rest"], 1 if name == "tenured" else 0)
    check_side(doc["after"], TENURED[name][1])
    check((t["nothing"] is None) == (name in ("tenured", "tenured-worse", "tenured-fresh", "tenured-learnt", "tenured-applied",
                                      "tenured-sized")), "why nothing")
    check((t["asked"] == "no") == (name == "orders"), "what was asked")
    check((doc["advice"] is None) == (name not in ("tenured-flag", "tenured-sized")), "advice")
    check((doc["larger_young"] is None) == (name != "tenured-sized"), "a larger young generation")
    forced = [p["in_force"] for p in doc["places"]]
    check(forced == sorted(forced, reverse=True), "those in force are first")
    check(all(set(p) == {"class", "frames", "in_force", "gain_per_s", "harm_per_s", "round", "ms", "reason"} for p in doc["places"]), "places")
    check(all(math.isclose(o["error"], o["observed_per_s"] / o["predicted_per_s"] - 1, rel_tol=1e-4) for o in doc["outcomes"]), "errors")
    if name == "tenured":
        check(t["threshold"] == 2 and t["jumps"] == sum(forced) == 2 and t["taken_back"] == 1, "what is in force")
        check(doc["places"][0]["frames"][0] == {"class": "org.apache.lucene.index.FreqProxTermsWriter", "method": "flush", "line": 88}, "frames")
        check([m["lever"] for m in doc["moves"]] == ["threshold", "sampling", "threshold"], "moves")


INFO = {"mayfly", "file", "format", "began_unix_ms", "duration_ms", "complete", "ending", "facts", "sampling", "gcs", "samples", "lost", "filling", "lives", "places",
        "alloc_clock_bytes", "heap_peak_bytes", "agent_peak_bytes", "blocks", "records", "notes"}
BEGAN = 1763712000000  # 2025-11-21 08:00:00 UTC, as make_trace has it


def check_info(text):
    """`info --json` has its keys, and times to the millisecond."""
    doc = json.loads(text, parse_constant=lambda c: check(False, "no " + c))
    check(INFO <= set(doc) <= INFO | {"exact", "events", "tenure", "forgotten"}, "keys of info")
    check(is_count(doc["began_unix_ms"]) and 0 <= doc["began_unix_ms"] - BEGAN < 1000, f"began: {doc['began_unix_ms']}")


def document(*words):
    return json.loads(subprocess.run([os.environ["MAYFLY"], *words, "--json"], stdout=subprocess.PIPE, check=True).stdout)


def check_allocated(path, text):
    """What was allocated is the same in all documents of a trace."""
    bytes = json.loads(text)["trace"]["alloc_bytes"]
    for words in (["heap"], ["churn"], ["advise"], ["report", "--tenure"]):
        check(document(*words, path)["trace"]["alloc_bytes"] == bytes, "allocated, by " + words[0])
    check(document("diff", path, path)["a"][0]["alloc_bytes"] == bytes, "allocated, by diff")
    meta = subprocess.run([os.environ["MAYFLY"], "export", path, "--to", "csv", "--table", "meta"], stdout=subprocess.PIPE, check=True).stdout
    check(b"\nalloc_bytes,%d" % bytes in meta.replace(b"\r", b""), "allocated, by export")


def check_churn(path):
    """Without a bound the rows of a window are all that its garbage is, however many."""
    w = document("churn", path, "--window", "0..10s", "--min", "0")["windows"][0]
    check(len(w["rows"]) > 8, "rows of churn: more than the screen has")
    check(math.isclose(sum(r["garbage"]["bytes"] for r in w["rows"]), w["garbage"]["bytes"], abs_tol=len(w["rows"])), "rows of churn: all the garbage")


def main():
    global number
    with tempfile.TemporaryDirectory() as folder:
        for name in SCENARIOS:
            path = os.path.join(folder, name + ".mfly")
            subprocess.run([os.environ["MAKE_TRACE"], name, path], check=True)
            for by in ("site", "class", "method", "package", "thread"):
                done = subprocess.run([os.environ["MAYFLY"], "report", path, "--json", "--by", by],
                                      stdout=subprocess.PIPE, check=True)
                before = failed
                check_document(done.stdout.decode("utf-8"))
                if by == "site":
                    check_allocated(path, done.stdout)
                    if name == "orders":
                        check_churn(path)
                    check_info(subprocess.run([os.environ["MAYFLY"], "info", path, "--json"], stdout=subprocess.PIPE, check=True).stdout.decode("utf-8"))
                if failed == before:
                    number += 1
                    print("ok %d - %s by %s" % (number, name, by))
        for name in TENURED:
            path = os.path.join(folder, name + ".mfly")
            subprocess.run([os.environ["MAKE_TRACE"], name, path], check=True)
            done = subprocess.run([os.environ["MAYFLY"], "report", "--tenure", path, "--json"], stdout=subprocess.PIPE, check=True)
            before = failed
            check_tenure(name, done.stdout.decode("utf-8"))
            if failed == before:
                number += 1
                print("ok %d - tenure of %s" % (number, name))
    print("1..%d" % (number + failed))
    return failed != 0


sys.exit(main())
