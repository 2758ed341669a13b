"""What comes out on a terminal keeps within it, whatever trace it is about."""
import fcntl
import os
import re
import struct
import subprocess
import sys
import termios
import threading
import unicodedata

from harness import Cli

SCENARIOS = ("orders", "hostile", "single", "empty", "nogc", "burst", "exact", "walked", "tenured", "zgc")
EVENTS = "events.mfly"
LOOKS = {
    "report": (), "report by class": ("--by", "class"), "report by package": ("--by", "package"),
    "report by thread": ("--by", "thread"), "churn": (), "heap": (), "advise": (), "info": (), "check": (), "diff": (),
}
WIDTHS = (80, 100)
ESCAPE = re.compile("\x1b\\[[0-9;?]*[A-Za-z]")

cli = Cli()


def terminal(columns, *args):
    """What a command writes to a terminal of so many columns."""
    try:
        ours, theirs = os.openpty()
    except OSError:
        print("1..0 # SKIP no pseudo-terminals here")
        sys.exit(77)
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    found = []

    def read():
        try:
            while got := os.read(ours, 65536):
                found.append(got)
        except OSError:  # the other end is closed
            pass

    reader = threading.Thread(target=read)
    reader.start()
    done = subprocess.run([cli.mayfly, *args], cwd=cli.work, env=cli.env, stdin=subprocess.DEVNULL, stdout=theirs,
                          stderr=subprocess.PIPE, timeout=120, check=False)
    os.close(theirs)
    reader.join()
    os.close(ours)
    return done.returncode, ESCAPE.sub("", b"".join(found).decode()).replace("\r", "")


def columns_of(line):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


for name in (*SCENARIOS, "shaken"):
    subprocess.run([os.environ["MAKE_TRACE"], name, cli.path(name + ".mfly")], check=True)
subprocess.run([os.environ["MAKE_EVENTS"], "events", cli.path(EVENTS)], check=True)

for trace in [*(name + ".mfly" for name in SCENARIOS), EVENTS]:
    for look, args in LOOKS.items():
        command = look.split()[0]
        for width in WIDTHS:
            status, text = terminal(width, command, trace, *([trace] if command == "diff" else []), *args)
            wide = [line for line in text.splitlines() if columns_of(line) > width]
            cli.check(f"{look} of {trace} keeps within {width} columns", status == 0 and text and not wide,
                      f"exit status {status}\n" + "\n".join(wide))
# Rows that changed, with amounts of both and lives; accounts.
for args in (("diff", "exact.mfly", "orders.mfly"), ("heap", "shaken.mfly", "--at", "GC:31")):
    for width in WIDTHS:
        status, text = terminal(width, *args)
        wide = [line for line in text.splitlines() if columns_of(line) > width]
        cli.check(f"{' '.join(args)} keeps within {width} columns", status == 0 and "MADE AT" in text and not wide,
                  f"exit status {status}\n" + "\n".join(wide))
cli.done()
