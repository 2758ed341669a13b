"""`mayfly top` in a terminal, driven by keys."""
import os
import re
import signal
import subprocess
import sys

import pane
from harness import Cli

cli = Cli()
if not pane.available():
    print("1..0 # SKIP there is no tmux")
    sys.exit(77)


def make(scenario):
    path = cli.path(scenario + ".mfly")
    subprocess.run([os.environ["MAKE_TRACE"], scenario, path], check=True)
    return path


def start(*args, columns=80, rows=24, **env):
    return pane.Pane(cli.work, f"{cli.mayfly} top {' '.join(args)}", columns, rows, **env)


def shows(what, screen, *patterns):
    for pattern in patterns:
        cli.check(f"{what}: {pattern}", re.search(pattern, screen, re.MULTILINE), screen)


def first_row(screen):
    return next((line for line in screen.splitlines() if line.startswith(">")), screen)


def leave(what, p, how=("q",)):
    """Quits, by keys or a signal; looks at what is left."""
    if isinstance(how, int):
        os.kill(p.child(), how)
    else:
        p.keys(*how)
    screen = p.until(r"^exit=\d+$")
    shows(what, screen, "^exit=0$")
    cli.check(f"{what}: the terminal is as it was", p.restored(), screen)
    cli.check(f"{what}: nothing of the view is left", "advice" not in screen, screen)
    p.close()


make("orders")
make("copies")

# Where it can't be.
got = cli.run("top", "orders.mfly")
cli.equal("without a terminal: exit status", 2, got.returncode)
cli.has("without a terminal: the sentence", "needs a terminal", got.stderr)
for name, part in (("dumb", "can't be drawn on"), ("no-such-terminal", "nothing is known of the terminal")):
    p = start("orders.mfly", TERM=name)
    screen = p.until(r"^exit=\d+$").replace("\n", "")
    cli.has(f"TERM={name}: exit status", "exit=2", screen)
    cli.has(f"TERM={name}: the sentence", part, screen)
    p.close()
for args, status, part in ((("nowhere.mfly",), 1, "nowhere.mfly"), (("0",), 2, "not a process id"),
                           (("orders.mfly", "-o", "x.mfly"), 2, "is a file"),
                           (("orders.mfly", "-r", "10ms"), 2, "a second or more")):
    p = start(*args)
    screen = p.until(r"^exit=\d+$").replace("\n", "")
    cli.has(f"top {' '.join(args)}: exit status", f"exit={status}", screen)
    cli.has(f"top {' '.join(args)}: the sentence", part, screen)
    p.close()
plain = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
p = start(str(plain.pid))
screen = p.until(r"^exit=\d+$")
shows("no JVM", screen, "not a Java", "^exit=1$")
p.close()
plain.stdin.close()
plain.wait()

# A trace that has ended: all keys.
p = start("copies.mfly")
screen = p.until("nextBuffer")
shows("the table", screen, r"copies\.mfly +31\.0 s", "the program has ended$", r"30 000 samples", r"^pauses +[▁▂▃▄▅▆▇█]",
      r"^GCs +y+", r"^advice +Objects are copied more often", r"1 of 7$", r"ALLOC +RATE +DIES IN +SHAPE +SITE",
      r"^> 3[0-9]\.. %.*byte\[\] +ByteBlockPool\.n",
      r"^  byte\[\] of o\.a\.l\.util\.ByteBlockPool\.nextBuffer:204$", "sort alloc", "h help|q quit")
p.type("\x1b[D\x1b[<0;10;10p\x1b[?62;c")  # keys of a terminal in another mode, and its replies: no A, D, p or ?
p.keys("s")
screen = p.until("sort survived")
cli.check("sequences that are no key do nothing", "PAUSED" not in screen, screen)
shows("sorted by what survived", first_row(screen), "Order")
p.keys("D")
shows("sorted by what died", first_row(p.until("sort died")), "ByteBlockPool")
p.keys("v")
shows("bytes", p.until(r"DIED +LIVE"), r"bytes +bytes +bytes")
p.keys("v")
p.until("SHAPE")
p.keys("c", "c")
shows("in megabytes", p.until("lives in MB"), "DEAD BY")
p.keys("c", "c")
p.until("lives in young GCs")
p.keys("b")
shows("by class", p.until(r"of \d+ classes"), r"o\.a\.l\.index\.Term\[\]")
p.keys("b", "b", "b")
shows("by thread, read anew", p.until(r"of \d+ threads?\b"), r"^> 100 %|^> \d\d")
p.keys("b")
p.until(r"of \d+ sites")
p.keys("/")
p.type("copyof")
shows("a filter is typed", p.until("filter: copyof"), "Enter take")
p.keys("Enter")
screen = p.until("1-2 of 2 sites")
shows("filtered", screen, r"^>.*Object\[\] +Arrays\.copyOf", "filter copyof")
p.keys("Down", "Enter")
screen = p.until("OUTLIVES")
shows("into a row", screen, r"^Object\[\] of j\.u\.Arrays\.copyOf:3541", r"OUTLIVES", r"young GCs survived",
      r"^ +1  [█▏▎▍▌▋▊▉ ]", r"allocated meanwhile +time", "Esc back")
p.keys("G")
shows("its callers", p.until(r"Main\.main:31"), r"100\.0 %.*c\.a\.orders\.Request\.handle:19", "died at the first collection")
p.keys("Escape")
shows("back, and still filtered", p.until("1-2 of 2 sites"), "filter copyof")
p.keys("Escape")
shows("without the filter", p.until(r"1-9 of 9 sites"), "ByteBlockPool")
p.keys("/")
p.type("colour=red")
p.keys("Enter")
p.until("'colour=red' is no filter")
p.keys("a")
shows("advice", p.until("7 findings, the costliest first"), r"^    do +Promote sooner")
p.keys("n")
shows("notes", p.until("SHAPE: at which age"), "DIES IN GC 0")
p.keys("?")
shows("help", p.until("a row up"), "a screen down")
p.keys("Escape", "p")
p.until("PAUSED$")
p.keys("p", "+")
p.until("every 2 s")
p.resize(140, 40)
shows("a larger screen", p.until(r"bimodal$"), r"n notes", r"c\.a\.orders\.", r"SURVIVES")
p.resize(30, 8)
p.until("too small a screen")
p.resize(80, 24)
p.until("^> .*Arrays.copyOf")
leave("q", p)

# Ways to end.
for what, how in (("Ctrl-C", ("C-c",)), ("Ctrl-\\", ("C-\\",)), ("SIGTERM", signal.SIGTERM), ("SIGHUP", signal.SIGHUP)):
    p = start("orders.mfly")
    p.until("nextBuffer")
    leave(what, p, how)
# A vanishing terminal's SIGCONT takes back the SIGSTOP with which LeakSanitizer holds a process that ends, and both wait for ever.
p = start("orders.mfly", ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0")
p.until("nextBuffer")
child = p.child()
p.close()
cli.check("the terminal vanishes, and so does it", pane.gone(child))

# A trace that grows.
with open(cli.path("orders.mfly"), "rb") as f:
    whole = f.read()
with open(cli.path("growing.mfly"), "wb") as f:
    f.write(whole[:len(whole) // 2])
p = start("growing.mfly", "--by", "class", "--sort", "alive")
screen = p.until(r"of \d+ classes")
shows("half of a trace", screen, "sort alive")
cli.check("half of a trace: not all", "30 000 samples" not in screen, screen)
shows("half of a trace, and no more comes", p.until("nothing new for"), r"nothing new for \d+ s$")
p.keys("p")
p.until("PAUSED")
with open(cli.path("growing.mfly"), "ab") as f:
    f.write(whole[len(whole) // 2:])
p.keys("p")
shows("the rest of it", p.until("30 000 samples"), "the program has ended$")
leave("a grown trace", p)

# Colours, and none.
p = start("orders.mfly")
p.until("nextBuffer")
cli.check("colours", "\x1b[32m" in p.text(escapes=True) or "\x1b[0;32m" in p.text(escapes=True), repr(p.text(escapes=True)))
leave("with colours", p)
p = start("orders.mfly", NO_COLOR="1")
p.until("nextBuffer")
cli.check("NO_COLOR", not re.search(r"\x1b\[(\d+;)*3[0-7]", p.text(escapes=True)), repr(p.text(escapes=True)))
leave("without colours", p)
p = start("orders.mfly", LC_ALL="C")
shows("ASCII", p.until("nextBuffer"), r"^pauses  ", r"#\.\.")
leave("in ASCII", p)

p = start("orders.mfly", TERM="vt100")  # has no other screen to go back to
p.until("nextBuffer")
p.keys("q")
shows("what follows has a line of its own", p.until("exit="), "^exit=0$")
p.close()

# Every kind of trace, on every page.
for scenario in ("hostile", "single", "undying", "mixed", "zgc", "zgc-young", "epsilon", "empty", "nogc", "few", "killed"):
    make(scenario)
    p = start(scenario + ".mfly")
    screen = p.until("sort alloc")
    p.keys("Enter")
    if first_row(screen).startswith(">"):
        p.until("^Esc back")
    for key in "anhbv":
        p.keys(key)
    p.until("a screen down")
    p.keys("Escape")
    screen = p.until("^Enter row")  # the table again
    cli.check(f"{scenario}: every line stays on its own", re.search(r"sort alloc", screen.splitlines()[-2]), screen)
    leave(scenario, p)

help_text = cli.run("top", "--help").stdout
cli.check("help fits a screen", len(help_text.splitlines()) <= 24 and all(len(line) <= 88 for line in help_text.splitlines()),
          help_text)
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../doc/man/mayfly-top.1.md"), encoding="utf-8") as f:
    told = set(re.findall(r"--[a-z-]+", f.read().replace("\\-", "-")))
cli.equal("the man page has all options", set(), set(re.findall(r"--[a-z-]+", help_text)) - {"--help"} - told)
cli.done()
