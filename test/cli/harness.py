"""Runs the command line as a person would, and compares what it says with golden text.

A test file is a program: it makes a Cli, calls its methods, and ends with cli.done(). Output is
TAP; exit status 77 means that all was skipped. UPDATE_GOLDENS=1 writes the golden files anew: read the
difference before it is committed.
"""
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = 120  # seconds: a hang is a failure with a name


class Cli:
    def __init__(self):
        self.mayfly = os.environ["MAYFLY"]
        self.agent = os.environ.get("MAYFLY_LIBRARY", "")
        self.work = os.path.realpath(tempfile.mkdtemp(prefix="mayfly-cli-"))
        self.env = {k: v for k, v in os.environ.items() if k not in (
            "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "MAYFLY_AGENT", "MAYFLY",
            "MAYFLY_LIBRARY", "NO_COLOR")}
        self.env.update(LC_ALL="C.UTF-8", TZ="UTC", TERM="dumb")
        self.number = self.failed = self.skipped = 0
        self.transcript = []

    def path(self, *names):
        return os.path.join(self.work, *names)

    def write(self, name, content, mode=0o644):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(content if isinstance(content, bytes) else content.encode())
        os.chmod(path, mode)
        return path

    def run(self, *args, env=None, **more):
        """The finished process, with stdout and stderr as text. Its folder is the temporary one."""
        return subprocess.run([self.mayfly, *args], cwd=self.work, env={**self.env, **(env or {})},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=LIMIT, encoding="utf-8", errors="replace", **more)

    def start(self, *args, env=None, **more):
        """A process that runs, for signals and conversations."""
        more.setdefault("stdout", subprocess.PIPE)
        more.setdefault("stderr", subprocess.PIPE)
        return subprocess.Popen([self.mayfly, *args], cwd=self.work, env={**self.env, **(env or {})},
                                stdin=subprocess.DEVNULL, encoding="utf-8", errors="replace", **more)

    def plain(self, text):
        """Takes out what differs from run to run and from machine to machine."""
        text = text.replace(os.path.dirname(self.mayfly), "BIN").replace(self.work, "WORK")
        text = re.sub(r"\b\d+\.\d+\.\d+\b", "VERSION", text) if text.startswith("mayfly ") else text
        return text

    def show(self, *args, env=None, label=None):
        """Runs it and adds what a person would see to the transcript that golden() compares."""
        got = self.run(*args, env=env)
        out = ["$ mayfly " + self.plain(label or " ".join(args))]
        out += self.plain(got.stdout).splitlines()
        out += ["! " + line for line in self.plain(got.stderr).splitlines()]
        out.append(f"= {got.returncode}")
        self.transcript += out + [""]
        return got

    def golden(self, name):
        path = os.path.join(HERE, "golden", name + ".txt")
        got = "\n".join(self.transcript)
        self.transcript = []
        if os.environ.get("UPDATE_GOLDENS"):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as f:
                f.write(got)
        with open(path, encoding="utf-8") as f:
            want = f.read()
        difference = difflib.unified_diff(want.splitlines(), got.splitlines(), "wanted", "got", lineterm="")
        self.check(f"golden {name}", want == got, "\n".join(difference))

    def check(self, what, ok, why=""):
        self.number += 1
        self.failed += not ok
        print(f"{'ok' if ok else 'not ok'} {self.number} - {what}")
        if not ok:
            print("".join(f"# {line}\n" for line in str(why).splitlines()), end="")

    def equal(self, what, want, got):
        self.check(what, want == got, f"wanted {want!r}\ngot    {got!r}")

    def has(self, what, part, text):
        self.check(what, part in text, f"no {part!r} in\n{text}")

    def skip(self, what, why):
        self.number += 1
        self.skipped += 1
        print(f"ok {self.number} - {what} # SKIP {why}")

    def done(self):
        shutil.rmtree(self.work, ignore_errors=True)
        print(f"1..{self.number}")
        if self.failed:
            sys.exit(1)
        sys.exit(77 if self.skipped == self.number else 0)
