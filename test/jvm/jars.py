"""Jars that tests run beside mayfly, from Maven: each by its coordinates, and by what it must be. They stay in the cache."""
import hashlib
import os
import shutil
import subprocess

LOCKED = {
    "org.jacoco:org.jacoco.agent:0.8.14:jar:runtime": "3fb76eea65f81bd9415202bab34b6571728841dff1ab8e6bbe81adc2e299face",
}


class Missing(Exception):
    """It can't be had; the text says why."""


def _digest(path):
    if not os.path.exists(path):
        return ""
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def fetch(artifact):
    """The jar's path, fetched where needed."""
    name, version, _, classifier = artifact.split(":")[1:]
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = os.path.join(cache, "mayfly", "test", "jars")
    path = os.path.join(folder, f"{name}-{version}-{classifier}.jar")
    if _digest(path) == LOCKED[artifact]:
        return path
    if not shutil.which("mvn"):
        raise Missing(f"{artifact} comes from Maven, which is not installed")
    got = subprocess.run(["mvn", "-q", "-B", "dependency:copy", f"-Dartifact={artifact}", f"-DoutputDirectory={folder}"],
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if got.returncode != 0:
        raise Missing(f"Maven can't get {artifact}")
    if _digest(path) != LOCKED[artifact]:
        raise Missing(f"{path} is not what it was when it was locked")
    return path
