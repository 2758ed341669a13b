"""`mayfly attach` to what it can't attach to, and talking to an agent that is played by this test."""
import os
import re
import socket
import subprocess
import sys
import threading

from harness import Cli

cli = Cli()
agent = cli.write("agent/libmayfly.so", "not a library, and never loaded here\n")
env = {"MAYFLY_AGENT": agent}


def attach(what, status, part, *args, **more):
    got = cli.run("attach", *args, env=env, **more)
    cli.equal(f"{what}: exit status", status, got.returncode)
    cli.has(f"{what}: the sentence", part, got.stderr)
    cli.equal(f"{what}: nothing on stdout", "", got.stdout)
    return got


asleep = threading.Event()
sleeper = threading.Thread(target=asleep.wait)
sleeper.start()
thread = str(sleeper.native_id)
for request in ([], ["--status"], ["--stop"]):
    attach(f"a thread {request}", 1, f"{thread} is a thread of process {os.getpid()}", thread, *request)
asleep.set()

ended = subprocess.Popen(["true"])
ended.wait()
attach("a process that has ended", 1, f"no process {ended.pid}", str(ended.pid))
attach("status of one that has ended", 1, f"there is no process {ended.pid}", str(ended.pid), "--status")

plain = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
attach("a control socket somewhere below", 2, "--control c.sock: the program is in a folder of its own", str(plain.pid), "--control", "c.sock")
for request in ([], ["--status"]):
    attach(f"a control socket that can't be reached from here {request}", 1, "the path of the control socket is too long", str(plain.pid),
           "--control", "/tmp/" + 95 * "x", *request)
attach("no JVM", 1, "not a Java", str(plain.pid))
attach("status without an agent", 1, f"process {plain.pid}: no agent is recording there", str(plain.pid), "--status")
attach("stop without an agent", 1, "no agent is recording there", str(plain.pid), "--stop")
cli.check("it is still alive", plain.poll() is None)

if os.geteuid() == 0:
    # The binary may stand where another user can't come: it is given as a descriptor.
    os.chmod(cli.work, 0o755)
    binary = os.open(cli.mayfly, os.O_RDONLY)
    got = subprocess.run([f"/proc/self/fd/{binary}", "attach", str(plain.pid)], cwd="/", user=65534, group=65534,
                         extra_groups=[], pass_fds=[binary], env={**cli.env, **env}, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, encoding="utf-8", timeout=60)
    cli.equal("another user's process: exit status", 1, got.returncode)
    cli.has("another user's process: the sentence", str(plain.pid), got.stderr)
    print("# " + got.stderr.strip())
else:
    attach("another user's process", 1, "process 1", "1")
got = cli.run("tenure", "--attach", str(plain.pid), "--decisions", "none/at/all.json", env=env)
cli.equal("tenure of no JVM, with bad decisions: exit status", 1, got.returncode)
cli.has("tenure of no JVM, with bad decisions: the sentence", "there is no folder", got.stderr)
got = cli.run("tenure", "--attach", str(plain.pid), env=env)
cli.equal("tenure of no JVM: exit status", 1, got.returncode)
cli.has("tenure of no JVM: the sentence", "not a Java", got.stderr)
for forced in ([], ["--gc"]):
    got = cli.run("heap", str(plain.pid), *forced, env=env)
    cli.equal(f"heap of no JVM {forced}: exit status", 1, got.returncode)
    cli.has(f"heap of no JVM {forced}: the sentence", "not a Java", got.stderr)
plain.stdin.close()
plain.wait()

# An agent for this very process.
path = f"/tmp/.mayfly-{os.getpid()}.sock"
replies, requests = [], []
server = socket.socket(socket.AF_UNIX)
if os.path.exists(path):
    os.unlink(path)
server.bind(path)
server.listen(4)


def serve():
    while replies:
        connection, _ = server.accept()
        with connection:
            requests.append(connection.recv(8192).decode())
            connection.sendall(replies.pop(0).encode())


def with_agent(answers, *args):
    replies[:] = answers
    requests.clear()
    thread = threading.Thread(target=serve)
    thread.start()
    got = cli.run("attach", str(os.getpid()), *args, env=env)
    thread.join(timeout=60)
    return got


STATUS = "ok\nstate recording\nfile /tmp/my trace.mfly\nseconds 12\nsamples 3456\nlost 0\n"
got = with_agent([STATUS], "--status")
cli.equal("status", "state     recording\nfile      /tmp/my trace.mfly\nseconds   12\nsamples   3456\nlost      0\n",
          got.stdout)
cli.equal("status: exit status", 0, got.returncode)
cli.equal("what was asked", ["status\n"], requests)
got = with_agent([STATUS, "ok\n"], "--stop")
cli.equal("stop", f"stopped the recording of process {os.getpid()}: /tmp/my trace.mfly\n", got.stdout)
cli.equal("what was asked", ["status\n", "stop\n"], requests)
got = with_agent([STATUS, "error 8 nothing waits to be started\n"], "--start")
cli.equal("start where nothing waits", f"mayfly: process {os.getpid()}: nothing waits to be started.\n", got.stderr)
cli.equal("start: exit status", 1, got.returncode)
got = with_agent(["ok\nstate \x1b[2J\n"], "--status")
cli.check("no escape codes from another process", "\x1b" not in got.stdout, repr(got.stdout))
if os.geteuid() == 0:
    os.chown(path, 65534, 65534)
    got = with_agent([], "--status")
    cli.has("somebody else's socket", "belongs to another user than the program", got.stderr)
    cli.equal("somebody else's socket: exit status", 1, got.returncode)
server.close()
os.unlink(path)
cli.done()
