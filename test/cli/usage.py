"""Help texts and the answers to mistakes that need no Java."""
import os
import re
import subprocess

import trace_file
from harness import HERE, Cli

cli = Cli()

cli.show()
cli.show("--version")
cli.show("help", "record")
cli.show("attach", "--help")
cli.golden("help")

for args in (["recrod"], ["frobnicate"], ["help", "atach"], ["--verison"], ["record"], ["record", "--"],
             ["record", "--intervall", "64k", "java"], ["record", "--interval", "512x", "java"],
             ["record", "--interval"], ["record", "--depth", "0", "java"], ["record", "--depth", "9999", "java"],
             ["record", "-d", "soon", "java"], ["record", "--thread", "worker-(", "java"],
             ["record", "--paused=yes", "java"], ["record", "-z", "java"], ["record", "--compress", "java"],
             ["record", "-o", "x-%q.mfly", "sh"],
             ["record", "--every", "4", "java"], ["record", "--audit", "java"], ["record", "--decisions", "some.json", "java"],
             ["record", "--tenure-round", "8", "java"], ["record", "--exact", "--thread", "main", "java"],
             ["record", "--exact", "--engine", "nop", "java"], ["record", "--exact", "trace", "java"],
             ["record", "--tenure", "learn", "java"],
             ["attach"], ["attach", "abc"], ["attach", "0"], ["attach", "-5"], ["attach", "1", "2"],
             ["attach", "99999999999999999999"], ["attach", "1", "--interval", "512x"],
             ["attach", "1", "--every", "4"], ["attach", "1", "--stop", "--status"], ["attach", "1", "--start", "-d", "30s"],
             ["attach", "1", "--status", "--control", "/tmp/x.sock", "-o", "x.mfly"], ["attach", "1", "--stop", "--report"], ["attach", "1", "--control", "none"],
             ["tenure"], ["tenure", "--"], ["tenure", "--learn-only", "--dry-run", "java"],
             ["tenure", "--apply-only", "--learn-only", "java"], ["tenure", "--apply-only", "java"],
             ["tenure", "--round", "3", "java"], ["tenure", "--round", "many", "java"], ["tenure", "--tenure", "java"],
             ["tenure", "--tenure-round", "8", "java"], ["tenure", "--decisions", "", "java"], ["tenure", "--attach"], ["tenure", "--attach", "abc"],
             ["tenure", "--attach", "1", "java"], ["tenure", "--attach", "1", "--control", "none"],
             ["tenure", "--exact", "--exclude", "java.*", "java"], ["tenure", "--engine", "nop", "java"],
             ["report", "--tenure"], ["report", "--tenure", "some.mfly", "--csv"],
             ["report", "some.mfly", "--metric", "live"], ["report", "some.mfly", "--csv", "--metric", "live"],
             *(["report", "some.mfly", "--tree", *words] for words in (
                 ["--by", "class"], ["--sort", "died"], ["--clock", "ms"], ["-n", "3"], ["--together"])),
             *(["report", "--tenure", "some.mfly", *words] for words in (
                 ["--by", "class"], ["--sort", "died"], ["--clock", "ms"], ["--together"], ["--metric", "live"], ["--min", "1"], ["--no-events"])),
             ["report"], ["report", "nowhere.mfly"], ["info", "nowhere.mfly"], ["check", "nowhere.mfly"], ["report", "1234"]):
    cli.show(*args)
cli.golden("mistakes")

help_text = cli.run("record", "--help")
cli.check("help fits a screen's width", all(len(line) <= 80 or "Starts" in line or "arguments" in line
                                            for line in help_text.stdout.splitlines()))
for command in ("record", "attach", "tenure"):
    options = set(re.findall(r"--[a-z-]+", cli.run(command, "--help").stdout)) - {"--help"}
    with open(os.path.join(HERE, f"../../doc/man/mayfly-{command}.1.md"), encoding="utf-8") as f:
        told = set(re.findall(r"--[a-z-]+", f.read().replace("\\-", "-")))
    if command == "attach":  # the rest is in the other page, and it says so
        options &= {"--duration", "--file", "--status", "--start", "--stop", "--report", "--no-report"}
    cli.equal(f"the man page of {command} has all options", set(), options - told)
cli.write("some.mfly", trace_file.trace([trace_file.config(), trace_file.alloc(), trace_file.end(0, 1)]))
for command in ("report", "info", "check"):
    with open(cli.path("errors"), "w+", encoding="utf-8") as errors:
        process = cli.start(command, "some.mfly", stderr=errors, env={"TERM": "xterm"})
        process.communicate()
        errors.seek(0)
        cli.equal(f"{command} draws no progress into a file", "", errors.read())
full = cli.start("--version", stdout=open("/dev/full", "w"))
cli.has("a full disk is told", "could not be written", full.communicate()[1])
cli.equal("and is a failure", 1, full.returncode)
subprocess.run([os.environ["MAKE_EVENTS"], "events", cli.path("events.mfly")], check=True)
full = cli.start("heap", "--objects", "events.mfly", stdout=open("/dev/full", "w"))
errors = full.communicate()[1]
cli.check("objects that can't be written are told of once", full.returncode == 1 and errors.count("\n") == 1 and "could not be written" in errors, errors)
cli.done()
