"""What is measured: the agent's build and the JDKs, as the command line names them; and what is said on the way."""
import json
import os
import sys

import jdks as homes
import runs

BUILD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "build", "release")


def say(text):
    print(text, file=sys.stderr, flush=True)


def stop(text):
    say(os.path.splitext(os.path.basename(sys.argv[0]))[0] + ": " + text)
    sys.exit(1)


def read_raw(path):
    """What --raw has written."""
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def names(text):
    return [n for n in text.split(",") if n]


def workloads(text):
    """Names of workloads, and of groups of them, which stand for all of theirs."""
    return [w for n in names(text) for w in runs.GROUPS.get(n, (n,))]


def settings(texts):
    """{workload: its KEY=VALUEs} of WORKLOAD.KEY=VALUE. Raises ValueError."""
    found = {}
    for text in texts:
        workload, dot, setting = text.partition(".")
        if not dot or workload not in runs.WORKLOADS or "=" not in setting:
            raise ValueError(f"not WORKLOAD.KEY=VALUE: {text}")
        found.setdefault(workload, []).append(setting)
    return found


def check(parser, given, known):
    unknown = [n for n in given if n not in known]
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)} (there is {', '.join(known)})")


def build_type(folder):
    try:
        with open(os.path.join(folder, "CMakeCache.txt"), encoding="utf-8") as f:
            cache = dict(line.rstrip("\n").split("=", 1) for line in f if "=" in line and line[0] not in "#/")
    except OSError:
        return "unknown build type"
    sanitizers = cache.get("MAYFLY_SANITIZE:STRING", "")
    return (cache.get("CMAKE_BUILD_TYPE:STRING") or "no build type") + (" with sanitizers" if sanitizers else "")


def tools(build, variants):
    """runs.Tools of that build; ends where a variant needs an agent that is not there."""
    folder = os.path.abspath(build)
    agent, mayfly = (os.path.join(folder, "bin", n) for n in ("libmayfly.so", "mayfly"))
    if {"mayfly", "nop"} & set(variants) and not os.path.exists(agent):
        stop(f"no agent at {agent}: build it (cmake --preset release && cmake --build --preset release)"
             " or give --build")
    kind = build_type(folder)
    say(f"agent: {os.path.relpath(agent)} ({kind})")
    if not kind.startswith(("Rel", "MinSize")) or "sanitizers" in kind:
        say("warning: that is no release build; its figures are not the product's")
    return runs.Tools(agent, mayfly if os.path.exists(mayfly) else None)


def jdks(wanted):
    """(home, version) of each that is here; ends where none is."""
    found = []
    for one in wanted:
        jdk = homes.find(one)
        if jdk:
            found.append(jdk)
        else:
            say(f"skipped: no JDK {one} here (tools/jdks fetches some)")
    return found or stop("no JDK to measure with")
