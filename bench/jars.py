"""What the benchmarks run, in the cache: the locked jars (pom.xml, jars.sha256), async-profiler's
library, the drivers' classes."""
import glob
import hashlib
import os
import platform
import shutil
import subprocess
import tempfile
import zipfile

import jdks

HERE = os.path.dirname(os.path.abspath(__file__))
PROFILER = {"x86_64": "linux-x64", "aarch64": "linux-arm64"}


class Missing(Exception):
    """Something can't be had; its text says what to do."""


def _locked():
    with open(os.path.join(HERE, "jars.sha256"), encoding="ascii") as f:
        return {name: digest for digest, name in (line.split() for line in f)}


def _digest(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def _wrong(folder):
    paths = {name: os.path.join(folder, name) for name in _locked()}
    return [n for n, digest in _locked().items() if not os.path.exists(paths[n]) or _digest(paths[n]) != digest]


def fetch():
    """The folder with the locked jars and nothing else, fetched where needed."""
    folder = jdks.cache("bench", "jars")
    if not _wrong(folder):
        return folder
    if not shutil.which("mvn"):
        raise Missing("the workloads come from Maven: install it (Debian: maven)")
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(["mvn", "-q", "-B", "-f", os.path.join(HERE, "pom.xml"), "dependency:copy-dependencies",
                    "-DoutputDirectory=" + folder], check=True)
    wrong = _wrong(folder)
    if wrong:
        raise Missing("not what jars.sha256 says: " + ", ".join(wrong))
    return folder


def profiler():
    """async-profiler's library for this machine, out of its jar."""
    machine = PROFILER.get(platform.machine())
    if not machine:
        raise Missing("async-profiler has no library for " + platform.machine())
    jar = glob.glob(os.path.join(fetch(), "async-profiler-*.jar"))[0]
    library = jdks.cache("bench", os.path.basename(jar)[:-len(".jar")] + ".so")
    with zipfile.ZipFile(jar) as z:
        content = z.read(machine + "/libasyncProfiler.so")
    if not os.path.exists(library) or os.path.getsize(library) != len(content):
        with open(library + ".new", "wb") as f:
            f.write(content)
        os.replace(library + ".new", library)
    return library


def _publish(fresh, classes):
    """Another process may have been faster; its classes are the same."""
    try:
        os.rename(fresh, classes)
    except OSError:
        if not os.path.isdir(classes):
            raise
        shutil.rmtree(fresh)


def classpath():
    """The drivers, compiled for JDK 11, and the jars."""
    sources = sorted(glob.glob(os.path.join(HERE, "java", "*.java")))
    state = hashlib.sha256("".join(_digest(s) for s in sources).encode()).hexdigest()[:16]
    classes = jdks.cache("bench", "classes-" + state)
    jars = os.path.join(fetch(), "*")
    if not os.path.isdir(classes):
        javac = jdks.compiler()
        if not javac:
            raise Missing("no javac: install a JDK (Debian: default-jdk-headless) or set JAVA_HOME")
        fresh = tempfile.mkdtemp(dir=jdks.cache("bench"))
        subprocess.run([javac, "--release", "11", "-Xlint:all", "-cp", jars, "-d", fresh, *sources], check=True)
        _publish(fresh, classes)
    return classes + os.pathsep + jars
