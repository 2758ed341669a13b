"""A terminal to run programs in and look at: a tmux server of its own with one window. Waits for what should appear, up to a
deadline, and never for a time to pass.

A screen is looked at only when all of it is drawn: mayfly has its cursor in the top left corner then, and nowhere near while it draws."""
import atexit
import itertools
import os
import re
import shlex
import shutil
import subprocess
import time

LIMIT = 60  # seconds: what has not appeared by then will not
numbers = itertools.count()


def available():
    """tmux, and pseudo-terminals for it: a bare chroot has none."""
    try:
        for end in os.openpty():
            os.close(end)
    except OSError:
        return False
    return shutil.which("tmux") is not None


class Pane:
    def __init__(self, folder, command, columns=80, rows=24, **env):
        """Runs a shell command; when it ends, its exit status stands in the pane as `exit=N`."""
        self.folder = folder
        self.last = self.stood = ""  # the screen that was last waited for; the same, where keys were pressed since
        self.socket = os.path.join(folder, f"tmux-{next(numbers)}.sock")  # a server that is just ending keeps its own
        script = f"trap : INT QUIT; stty -g >before; {command}; status=$?; stty -g >after; echo exit=$status; exec cat"
        settings = [f"{k}={v}" for k, v in {"LC_ALL": "C.UTF-8", "TZ": "UTC", **env}.items()]
        clean = {k: v for k, v in os.environ.items() if k not in ("TMUX", "TMUX_PANE", "NO_COLOR")}
        self.env = {**clean, "LC_ALL": "C.UTF-8"}
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows), "-c", folder,
                  shlex.join(["env", *settings, "sh", "-c", script]))
        atexit.register(self.close)

    def tmux(self, *args, check=True):
        return subprocess.run(["tmux", "-u", "-S", self.socket, *args], env=self.env, check=check, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", timeout=LIMIT).stdout

    def ask(self, what):
        return self.tmux("display-message", "-p", what).strip()

    def text(self, escapes=False):
        return self.tmux("capture-pane", "-p", *(["-e"] if escapes else []))

    def whole(self):
        """The screen; None while it is being drawn. Both are asked in one, so that nothing comes between."""
        where, text = self.tmux("display-message", "-p", "#{alternate_on} #{cursor_x} #{cursor_y}", ";", "capture-pane", "-p").split("\n", 1)
        return text if where[0] == "0" or where == "1 0 0" else None

    def keys(self, *keys):
        self.stood = self.last
        self.tmux("send-keys", *keys)

    def type(self, text):
        self.stood = self.last
        self.tmux("send-keys", "-l", text)

    def resize(self, columns, rows):
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def until(self, pattern):
        """The screen, as soon as the pattern is found in it. Where it never is, the test ends with the screen; where it was before
        the last keys were pressed, it says nothing of them, and the test is wrong."""
        if re.search(pattern, self.stood, re.MULTILINE):
            raise ValueError(f"{pattern!r} stood there before the keys:\n{self.stood}")
        deadline = time.monotonic() + LIMIT
        while True:
            text = self.whole()
            if text is not None and re.search(pattern, text, re.MULTILINE):
                self.stood, self.last = "", text
                return text
            if time.monotonic() > deadline:
                raise TimeoutError(f"no {pattern!r} on the screen:\n{self.text()}")
            time.sleep(0.01)

    def child(self):
        """The process id of the program that the shell runs."""
        shell = self.ask("#{pane_pid}")
        with open(f"/proc/{shell}/task/{shell}/children", encoding="utf-8") as f:
            return int(f.read().split()[0])

    def restored(self):
        """Whether the terminal is as it was before the program."""
        with open(os.path.join(self.folder, "before"), encoding="utf-8") as f:
            before = f.read()
        with open(os.path.join(self.folder, "after"), encoding="utf-8") as f:
            after = f.read()
        return before == after and self.ask("#{alternate_on} #{cursor_flag}") == "0 1"

    def close(self):
        """Ends the terminal, as if its window was closed. Nothing is left of it, however the test ends."""
        if os.path.isdir(self.folder):
            self.tmux("kill-server", check=False)
        atexit.unregister(self.close)


def gone(pid):
    """Whether the process has ended; waits for it."""
    deadline = time.monotonic() + LIMIT
    while time.monotonic() < deadline:
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as f:
                if f.read().rsplit(")", 1)[1].split()[0] == "Z":
                    return True
        except FileNotFoundError:
            return True
        time.sleep(0.01)
    return False
