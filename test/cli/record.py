"""`mayfly record` around a fake java: what would be started, what is refused, and what is said afterwards."""
import fcntl
import glob
import os
import signal
import subprocess
import sys

import trace_file as tf
from harness import Cli

cli = Cli()
agent = cli.write("agent/libmayfly.so", "not a library, and never loaded here\n")
env = {"MAYFLY_AGENT": agent, "PATH": cli.path("jdk/bin") + ":/usr/bin:/bin"}

# A java that tells how it was called, writes the trace it is given in TRACE, and ends as it is told.
FAKE_JAVA = """#!/bin/sh
for a in "$@"; do echo "[$a]"; done
echo "tool options: $JAVA_TOOL_OPTIONS"
file=$(printf '%s\\n' "$1" "$JAVA_TOOL_OPTIONS" | sed -n 's/.*file=\\([^, ]*\\).*/\\1/p' | sed "s/%p/$$/")
[ -z "$TRACE" ] || cp "$TRACE" "$file"
[ -z "$KILL" ] || kill -$KILL $$
exit ${STATUS:-0}
"""
java = cli.write("jdk/bin/java", FAKE_JAVA, 0o755)
cli.write("jdk/release", 'JAVA_VERSION="17.0.15"\n')
script = cli.write("app.sh", '#!/bin/sh\njava -jar app.jar "$@"\n', 0o755)

good = cli.write("traces/good", tf.trace([tf.config()] + [tf.alloc()] * 5 + [tf.end(0, 5)]))
cut = cli.write("traces/cut", tf.trace([tf.config()] + [tf.alloc()] * 5))
failed = cli.write("traces/failed", tf.trace([
    tf.config(), tf.note(2, "the VM refused to sample: another agent holds it"), tf.end(3, 0)]))
lossy = cli.write("traces/lossy", tf.trace([tf.config()] + [tf.alloc()] * 5 + [tf.lost(12), tf.end(0, 17)]))
damaged = cli.write("traces/damaged", b"not a trace at all, but long enough to look at" * 3)
bare = cli.write("traces/bare", tf.trace([])[:32])


def show(*args, **more):
    return cli.show("record", *args, env={**env, **more})


# What is started.
show("-o", "t.mfly", "--interval", "64k", "--", "java", "-Xmx1g", "-jar", "my app.jar", TRACE=good)
show("-o", "a,b.mfly", "java", "-version", TRACE="")
show("-o", "t.mfly", "./app.sh", "x", TRACE="", JAVA_TOOL_OPTIONS="-Xss1m")
show("-v", "-o", "t.mfly", "--no-report", "java", "Main", TRACE=good)
os.makedirs(cli.path("100 odd"), exist_ok=True)
show("-o", "100 odd/t.mfly", "./app.sh", TRACE="")
cli.golden("record-started")

# The same with tenure: what the agent is told, and the story at the end.
cli.write("decisions.json", '{ "mayfly": 1, "threshold": 2, "decisions": [] }\n')
cli.write("typo.json", '{ "mayfly": 1,\n  "threshold": two }\n')
cli.write("large.json", b" " * ((8 << 20) + 1))
os.makedirs(cli.path("folder"), exist_ok=True)


tenured = cli.write("traces/tenured", tf.trace(
    [tf.fact("tenure", "yes"), tf.config()] + [tf.alloc()] * 5 +
    [tf.tenure_round(1, 200_000_000, 0), tf.tenure_round(2, 220_000_000, 0), tf.tenure_jump(2, 120_000_000),
     tf.tenure_round(3, 90_000_000, 1), tf.tenure_round(4, 84_000_000, 1), tf.end(0, 5)], 4_000_000_000))


def tenure(*args, **more):
    return cli.show("tenure", *args, env={**env, **more})


tenure("-o", "t.mfly", "--", "java", "-jar", "app.jar", TRACE=tenured)
tenure("-o", "t.mfly", "--decisions", "decisions.json", "--round", "8", "-i", "64k", "--report", "java", TRACE=tenured)
tenure("-o", "t.mfly", "--learn-only", "--decisions", "new.json", "java", TRACE=good)
tenure("-o", "t.mfly", "--apply-only", "--decisions", "decisions.json", "./app.sh", TRACE="")
tenure("-o", "t.mfly", "--dry-run", "--exact", "java", TRACE=good, STATUS="3")
applied = cli.write("traces/applied", tf.trace(
    [tf.fact("tenure", "apply"), tf.config()] + [tf.alloc()] * 5 + [tf.tenure_nowhere(0), tf.tenure_nowhere(0), tf.tenure_jump(0, 0), tf.end(0, 5)],
    4_000_000_000))
nowhere = cli.write("traces/nowhere", tf.trace([tf.fact("tenure", "apply"), tf.config(), tf.alloc(), tf.tenure_nowhere(0), tf.end(0, 1)],
                                               4_000_000_000))
tenure("-o", "t.mfly", "--apply-only", "--decisions", "decisions.json", "--report", "java", TRACE=applied)
tenure("-o", "t.mfly", "--apply-only", "--decisions", "decisions.json", "java", TRACE=nowhere)
# The option that does as well is named, be it advised, taken, or a file's.
flag = "-XX:MaxTenuringThreshold=1 gives you this without mayfly"
for name, asked, decided in (("advised", "learn", tf.tenure_threshold(2, 5, 1, flag)),
                             ("taken", "yes", tf.tenure_threshold(2, 0, 1) + tf.tenure_threshold(2, 5, 1, flag)),
                             ("said", "apply", tf.tenure_threshold(0, 0, 1))):
    rounds = [tf.tenure_round(n, 100_000_000, 0) for n in (1, 2)]
    trace = cli.write("traces/" + name, tf.trace([tf.fact("tenure", asked), tf.config(), tf.alloc(), *rounds, *decided, tf.end(0, 1)], 4_000_000_000))
    tenure("-o", "t.mfly", "java", TRACE=trace)
cli.has("the trace of this test is sound", "whole", cli.run("check", "traces/tenured").stdout)
os.unlink(cli.path("t.mfly"))
cli.golden("tenure-started")

# Refused before anything starts.
for args in (["--apply-only", "--decisions", "none.json"], ["--decisions", "nowhere/new.json"], ["--decisions", "folder"],
             ["--decisions", "typo.json"], ["--apply-only", "--decisions", "typo.json"], ["--decisions", "large.json"], ["--decisions", "decisions.json/x"]):
    tenure("-o", "t.mfly", *args, "java", TRACE=good)
if os.geteuid() != 0:
    os.chmod(cli.path("decisions.json"), 0)
    cli.has("a file that can't be read", "Permission denied",
            cli.run("tenure", "--decisions", "decisions.json", "java", env={**env, "TRACE": good}).stderr)
    os.chmod(cli.path("folder"), 0o555)
    cli.has("a folder that takes no file", "nothing can be saved in",
            cli.run("tenure", "--decisions", "folder/new.json", "java", env={**env, "TRACE": good}).stderr)
cli.equal("nothing was started", False, os.path.exists(cli.path("t.mfly")))
cli.golden("tenure-refused")
os.unlink(cli.path("large.json"))

# A name that would be an option is told with its folder, and shown.
dashed = cli.run("record", "--report", "-o", cli.path("-t.mfly"), "java", env={**env, "TRACE": good})
cli.has("it can be typed so", "mayfly report " + cli.path("-t.mfly"), dashed.stderr)
cli.equal("its report is shown", (0, True), (dashed.returncode, "ALLOC" in dashed.stdout))
os.unlink(cli.path("-t.mfly"))

# Exit status: the program's own, a signal's as the shell has it, 1 where only the recording failed.
for name, args, more in (
        ("success", [], {"TRACE": good}), ("the program's failure", [], {"TRACE": good, "STATUS": "42"}),
        ("a failure and no trace", [], {"STATUS": "3"}), ("success and no trace", [], {}),
        ("killed", [], {"TRACE": good, "KILL": "KILL"}), ("cut", [], {"TRACE": cut}),
        ("cut, and the program's failure", [], {"TRACE": cut, "STATUS": "7"}),
        ("the agent gave up", [], {"TRACE": failed}), ("lost samples", [], {"TRACE": lossy}),
        ("not a trace", [], {"TRACE": damaged}), ("the VM did not start", [], {"TRACE": bare, "STATUS": "1"})):
    cli.transcript.append("# " + name)
    show("-o", "t.mfly", *args, "java", **more)
    if os.path.exists(cli.path("t.mfly")):
        os.unlink(cli.path("t.mfly"))
cli.golden("record-ended")

# Where the line at the end promises reasons of what was lost, there are some.
cli.equal("reasons of what was lost", ["  lost: 12 samples (the agent's buffers were full: its writer, or the disk, did not keep up)"],
          [line for line in cli.run("check", lossy).stdout.splitlines() if line.startswith("  lost:")])

# A daemon that can't be asked still writes it: it has no end yet, and is no failure.
with open(cli.write("t.mfly", ""), "r+b") as held:
    fcntl.lockf(held, fcntl.LOCK_EX)
    daemon = cli.run("record", "-o", "t.mfly", "java", env={**env, "TRACE": cut})
cli.equal("a trace that is still being written", 0, daemon.returncode)
os.unlink(cli.path("t.mfly"))

# What JVMs wrote that the program started with its own options is not left unsaid.
cli.write("forking/bin/java", '#!/bin/sh\nPATH=%s:$PATH\n[ -z "$TWICE" ] || java "$@" >&2\njava "$@" >&2\n%s' % (
    cli.path("jdk/bin"), FAKE_JAVA.split("\n", 1)[1]), 0o755)
cli.write("forking/release", 'JAVA_VERSION="17.0.15"\n')
for twice, words in (("", "1 more trace was written under this name meanwhile"), ("1", "2 more traces were written under this name meanwhile")):
    forked = cli.run("record", "-o", "f.%p.mfly", cli.path("forking/bin/java"), env={**env, "TRACE": good, "TWICE": twice})
    cli.has("traces of forks are told of", words, forked.stderr)
    cli.equal("and the program's own first", (0, 1), (forked.returncode, forked.stderr.count("mayfly: wrote")))
    for name in glob.glob(cli.path("f.*.mfly")):
        os.unlink(name)

# What an earlier run left there is not this one's, be it a moment old.
cli.run("record", "-o", "t.mfly", "java", env={**env, "TRACE": good})
again = cli.run("record", "-o", "t.mfly", "java", env={**env, "TRACE": ""})
cli.has("an earlier trace is no trace of this run", "no trace was written", again.stderr)
cli.equal("and its exit status", 1, again.returncode)
os.unlink(cli.path("t.mfly"))
cli.run("record", "-o", "r.%p.mfly", "java", env={**env, "TRACE": good})
again = cli.run("record", "-o", "r.%p.mfly", "java", env={**env, "TRACE": ""})
cli.has("nor is one of another process", "no trace was written", again.stderr)
cli.equal("and its exit status, too", 1, again.returncode)

# Refused before anything starts.
cli.write("jdk8/jre/bin/java", FAKE_JAVA, 0o755)
cli.write("jdk8/release", 'JAVA_VERSION="1.8.0_402"\nIMPLEMENTOR="Debian"\n')
cli.write("j9/bin/java", FAKE_JAVA, 0o755)
cli.write("j9/release", 'IMPLEMENTOR="IBM Corporation"\nJAVA_VERSION="17.0.9"\nJVM_VARIANT="Openj9"\n')
cli.write("notes.txt", "no program\n")
show("jdk8/jre/bin/java", "Main")
show("j9/bin/java", "Main")
show("there-is-no-such-command")
show("./there-is-no-such-file")
show("./notes.txt")
show("-o", "no/such/folder/t.mfly", "java")
show("-o", ".", "java")
show("-o", "/dev/null", "java")
show("-o", "/proc/t.mfly", "java")
show("java", MAYFLY_AGENT="/nowhere/libmayfly.so")
show("java", MAYFLY_AGENT=cli.write("a=b/libmayfly.so", ""))
cli.golden("record-refused")

# The version of the JDK is worth a word only to those who ask.
cli.write("old/bin/java", FAKE_JAVA, 0o755)
cli.write("old/release", 'JAVA_VERSION="17.0.9"\n')
quiet = cli.run("record", "-o", "t.mfly", "old/bin/java", env={**env, "TRACE": good})
loud = cli.run("record", "-v", "-o", "t.mfly", "old/bin/java", env={**env, "TRACE": good})
cli.check("no word about 17.0.9", "JDK-8313816" not in quiet.stderr, quiet.stderr)
cli.has("with -v there is", "JDK-8313816", loud.stderr)

# What mayfly does with signals is no matter of the program's.
ignored = subprocess.run(["grep", "SigIgn", "/proc/self/status"], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
cli.equal("the program ignores what it would without", ignored, cli.run("record", "-o", "t.mfly", "grep", "SigIgn", "/proc/self/status").stdout)

# The program's stdout stays its own, byte for byte.
cli.write("jdk/bin/java", "#!/bin/sh\nprintf 'a\\nb'\n", 0o755)
cli.equal("stdout is the program's", "a\nb", cli.run("record", "java", env=env).stdout)

# Several JVMs below a script.
cli.write("jdk/bin/java", FAKE_JAVA, 0o755)
cli.write("two.sh", "#!/bin/sh\njava one\njava two\n", 0o755)
two = cli.run("record", "-o", "two.mfly", "./two.sh", env={**env, "TRACE": good})
cli.equal("two traces", 2, two.stderr.count("mayfly: wrote two."))
cli.equal("and none without a number", False, os.path.exists(cli.path("two.mfly")))
cli.equal("status", 0, two.returncode)

# Signals. The program says when it is ready, so nothing here waits for the clock.
cli.write("jdk/bin/java", "#!/bin/sh\ntrap 'echo got TERM; exit 41' TERM\ntrap 'echo got HUP; exit 42' HUP\n"
          "trap 'echo got INT; exit 130' INT\necho ready\nwhile :; do :; done\n", 0o755)


def signalled(number, to_group):
    p = cli.start("record", "java", env=env, start_new_session=True)
    p.stdout.readline()
    if to_group:
        os.killpg(p.pid, number)
    else:
        os.kill(p.pid, number)
    out = p.communicate(timeout=60)[0]
    return p.returncode, out.strip()


cli.equal("SIGTERM is passed on", (41, "got TERM"), signalled(signal.SIGTERM, False))
cli.equal("SIGHUP is passed on", (42, "got HUP"), signalled(signal.SIGHUP, False))
cli.equal("Ctrl-C reaches the program, and mayfly stays to the end", (130, "got INT"),
          signalled(signal.SIGINT, True))
cli.done()
