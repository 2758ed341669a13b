#!/usr/bin/env python3
"""Any of these tests with the agent, the tools and the tests' own agents of a build with AddressSanitizer and UBSan: what is rewritten,
patched into the VM and called by it is held to every byte. The VM is not instrumented, but its malloc is the sanitizer's, so that
memory that it has freed and we read is found too. A report of any process fails, whatever the test itself says. ZGC finds no room for its
heap beside the sanitizer's shadow, and all is some times slower: a test that lets a program outrun its disk may lose nothing.

    cmake --preset asan && cmake --build --preset asan
    test/jvm/sanitized.py build/asan tenure --jdk 17 --gc G1 --case file --case attach
    test/jvm/sanitized.py build/asan faults --jdk 25 --gc Serial --mode walked --scale 1
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile

import sanitize

# A script's name for what the build has made: as ctest gives them.
MADE = {"MAYFLY": "bin/mayfly", "MAYFLY_LIBRARY": "bin/libmayfly.so", "MAYFLY_HOLDER": "test/hold_agent.so",
        "MAYFLY_PROBE": "test/attach_probe", "MAYFLY_REATTACH": "test/reattach_agent.so", "MAYFLY_HOOKS": "test/hooks_agent.so",
        "MAYFLY_HEAP": "test/heap_agent.so", "MAYFLY_FAULTS": "test/faults_agent.so", "MAYFLY_UNABLE": "test/unable_agent.so", "MAYFLY_WALK": "test/walk_agent.so",
        "MAYFLY_CLASS_REWRITE": "test/class_rewrite"}


def environment(build, log):
    library, options = sanitize.OPTIONS["address"]
    env = {**os.environ, **{name: os.path.join(build, path) for name, path in MADE.items()}}
    env.update({name: f"{value}:log_path={log}" for name, value in options.items()})
    return {**env, "MAYFLY_PRELOAD": sanitize.runtime(library), "MAYFLY_CLASSES": os.path.join(build, "test/jvm/classes")}


def main():
    if len(sys.argv) < 3 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    build, script = os.path.abspath(sys.argv[1]), os.path.join(os.path.dirname(os.path.abspath(__file__)), sys.argv[2] + ".py")
    work = tempfile.mkdtemp(prefix="mayfly-sanitized-")
    status = subprocess.run([sys.executable, script, *sys.argv[3:]], env=environment(build, os.path.join(work, "report")), check=False).returncode
    reports = sorted(glob.glob(os.path.join(work, "report.*")))
    for path in reports:
        with open(path, encoding="utf-8", errors="replace") as f:
            print("".join(f"# {line}" for line in f), end="")
    if not reports:
        shutil.rmtree(work)
    else:
        print(f"# {len(reports)} reports are in {work}")
    return status or len(reports) > 0


if __name__ == "__main__":
    sys.exit(main())
