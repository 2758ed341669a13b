"""A trace that comes by standard input, as `-`: each command says of it what it says of the file."""
import os
import subprocess

from harness import Cli

COMMANDS = (("report",), ("report", "--json"), ("churn",), ("heap",), ("advise",), ("info",), ("check",), ("export", "--to", "collapsed"))

cli = Cli()
subprocess.run([os.environ["MAKE_TRACE"], "orders", cli.path("orders.mfly")], check=True)
with open(cli.path("orders.mfly"), "rb") as f:
    trace = f.read()


def run(*args, **ends):
    done = subprocess.run([cli.mayfly, *args], cwd=cli.work, env=cli.env, capture_output=True, timeout=120, check=False, **ends)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


for command in COMMANDS:
    status, out, err = run(*command, "orders.mfly")
    cli.check(f"{command[0]} says something", out and not err, err)
    want = (status, out.replace("orders.mfly", "-"), err)
    cli.equal(f"{' '.join(command)}: a pipe is read as the file", want, run(*command, "-", input=trace))
    with open(cli.path("orders.mfly"), "rb") as f:
        cli.equal(f"{' '.join(command)}: so is what is redirected", want, run(*command, "-", stdin=f))

cli.equal("diff", (0, ""), run("diff", "-", "orders.mfly", input=trace)[::2])
status, out, _ = run("check", "-", input=trace[:500000])
cli.check("a cut one is told as cut", status == 0 and out.startswith("-: sound, but cut"), out)
cli.equal("nothing at all", (1, "", "mayfly: -: the file is empty.\n"), run("report", "-", input=b""))
cli.equal("of a page's name nothing is known", (2, ""), run("html", "-", input=trace)[:2])
cli.equal("with its name", (0, ""), run("html", "-", "-o", "page.html", input=trace)[:2])
cli.check("it is written", os.path.getsize(cli.path("page.html")) > 100000)
cli.done()
