"""One run of a workload in a JVM of its own, with or without an agent, and what it took."""
import json
import os
import shutil
import subprocess
import tempfile
import threading
import time

import gclog
import jars

LIMIT = 900  # seconds: a hang is a failure with a name
HERE = os.path.dirname(os.path.abspath(__file__))

# name: class, operations, warm-up operations, heap. 10 to 15 s of CPU time each, on two threads.
WORKLOADS = {
    "alloc": ("AllocLoad", 500_000, 150_000, "256m"),
    "lucene": ("LuceneLoad", 18_000, 14_000, "384m"),
    "h2": ("H2Load", 30_000, 12_000, "256m"),
    "graphchi": ("GraphChiLoad", 8, 4, "512m"),
    "javac": ("JavacLoad", 10, 8, "512m"),
    "jackson": ("JacksonLoad", 400_000, 100_000, "256m"),
    "saxon": ("SaxonLoad", 10_000, 3_000, "256m"),
    "rhino": ("RhinoLoad", 28_000, 8_000, "256m"),
    "requests": ("RequestsLoad", 600_000, 100_000, "384m"),
    "phases": ("PhasesLoad", 4_000_000, 1_000_000, "128m"),
    "conflict": ("ConflictLoad", 6_000_000, 1_500_000, "128m"),
    "contexts1000": ("ContextsLoad", 700_000, 150_000, "96m"),
    "nothing": ("NothingLoad", 1_300_000, 250_000, "128m"),
    "virtual": ("VirtualLoad", 120_000, 20_000, "128m"),
    "grow": ("GrowLoad", 1_200_000, 300_000, "512m"),
}
# What a list of workloads may name at once: real programs, and those whose objects' lifetimes are known.
GROUPS = {
    "usual": ("alloc", "lucene", "h2"),
    "real": ("lucene", "h2", "graphchi", "javac", "jackson", "saxon", "rhino"),
    "known": ("requests", "phases", "conflict", "contexts1000", "nothing"),
    "growth": ("grow",),
    "threads": ("virtual",),
}
THREADS = 2
ENVIRONMENT = {k: v for k, v in os.environ.items()
               if k not in ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")}
COLLECTORS = ("G1", "Parallel", "Serial", "Z", "Shenandoah")


class Failed(Exception):
    """The run can't count; its text says why."""


class Tools:
    """What the variants load."""

    def __init__(self, agent, mayfly):
        self.agent, self.mayfly = agent, mayfly


def _mayfly(tools, folder, more=""):
    return [f"-agentpath:{tools.agent}=file={os.path.join(folder, 't.mfly')}{more}"]


def _profiler(_tools, folder):
    output = os.path.join(folder, "t.jfr")
    return [f"-agentpath:{jars.profiler()}=start,event=alloc,alloc=524288,live,file={output}"]


def _jfr(_tools, folder):
    settings, output = os.path.join(HERE, "jfr-old.jfc"), os.path.join(folder, "t.jfr")
    return [f"-XX:StartFlightRecording=settings={settings},filename={output},dumponexit=true"]


def _trace(tools, folder):
    """What `mayfly info` tells of the trace."""
    path = os.path.join(folder, "t.mfly")
    if not tools.mayfly:
        return {"file_bytes": os.path.getsize(path)}
    done = subprocess.run([tools.mayfly, "info", "--json", path], stdout=subprocess.PIPE, check=True)
    info = json.loads(done.stdout)
    if not info["complete"]:
        raise Failed("the trace has no end")
    return {"file_bytes": os.path.getsize(path), "samples": info["samples"], "lost": info["lost"],
            "seconds": info["duration_ms"] / 1e3, "agent_bytes": info["agent_peak_bytes"], **_counted(info)}


def _counted(info):
    """What the exact engine adds, of the whole run; nothing where it did not count."""
    exact, events = info.get("exact"), info.get("events")
    if not exact:
        return {}
    births = {"births": exact["births"]["objects"], "exact_gcs": exact["collections"], "exact_gc_ms": exact["cost_ms"]}
    return {**births, "event_bytes": events["file_bytes"] + events.get("checkpoint_bytes", 0)} if events else births


def _sampled(tools, folder):
    trace = _trace(tools, folder)
    if trace.get("samples") == 0:
        raise Failed("the trace has no samples: nothing was measured")
    return trace


def _recording(_tools, folder):
    size = os.path.getsize(os.path.join(folder, "t.jfr"))
    if not size:
        raise Failed("the recording is empty: nothing was measured")
    return {"file_bytes": size}


def _nothing(_tools, _folder):
    return {}


# name: its JVM options, what is read from its output. base2 is the base again: the noise.
VARIANTS = {
    "base2": (lambda tools, folder: [], _nothing),
    "mayfly": (_mayfly, _sampled),
    "exact": (lambda tools, folder: _mayfly(tools, folder, ",exact"), _sampled),
    "events": (lambda tools, folder: _mayfly(tools, folder, ",exact=trace"), _sampled),
    "survivors": (lambda tools, folder: _mayfly(tools, folder, ",exact=survivors"), _sampled),
    # FiLiP's rates: call paths of all allocations, of half, of 1 and of 0.1 %.
    **{f"every{n}": (lambda tools, folder, n=n: _mayfly(tools, folder, f",exact,every={n}"), _sampled) for n in (1, 2, 100, 1000)},
    # Parts of its price: the VM's probes alone, which lead nowhere (21 and later), and records of where all code comes from.
    "probes": (lambda tools, folder: ["-XX:+DTraceAllocProbes"], _nothing),
    "records": (lambda tools, folder: ["-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints"], _nothing),
    "nop": (lambda tools, folder: _mayfly(tools, folder, ",engine=nop"), _trace),
    "exact-nop": (lambda tools, folder: _mayfly(tools, folder, ",engine=nop,exact"), _trace),
    "async-profiler": (_profiler, _recording),
    "jfr-old": (_jfr, _recording),
}


def _busy():
    """CPU seconds that all processes have used, and those that other machines took from this one."""
    with open("/proc/stat", encoding="ascii") as f:
        ticks = [int(n) for n in f.readline().split()[1:9]]
    user, nice, system, _idle, _wait, irq, soft, steal = ticks
    hertz = os.sysconf("SC_CLK_TCK")
    return (user + nice + system + irq + soft) / hertz, steal / hertz


def _execute(command, folder):
    """Runs it to its end: its output, wall seconds, resource usage."""
    with open(os.path.join(folder, "out"), "w+b") as out, open(os.path.join(folder, "err"), "w+b") as err:
        start = time.monotonic()
        child = subprocess.Popen(command, cwd=folder, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=out,
                                 stderr=err)
        timer = threading.Timer(LIMIT, child.kill)
        timer.start()
        _, status, usage = os.wait4(child.pid, 0)
        timer.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - start
        out.seek(0)
        err.seek(0)
        output, errors = (f.read().decode(errors="replace") for f in (out, err))
    if child.returncode:
        raise Failed(f"exit status {child.returncode}: {(output + errors)[-500:].strip()}")
    return output, wall, usage


def _line(output):
    """The driver's line as {name: number}. Other lines are the VM's."""
    for line in output.splitlines():
        words = line.split()
        if len(words) > 1 and words[0] == "ops":
            return {k: int(v) for k, v in zip(words[::2], words[1::2])}
    raise Failed("the driver printed no line")


def _truth(output):
    """What the driver knows of its objects' lifetimes: a dictionary for each of its lines."""
    lines = [line.split()[1:] for line in output.splitlines() if line.startswith("truth ")]
    known = [dict(zip(words[::2], words[1::2])) for words in lines]
    return [{**k, "born": int(k["born"]), "lives": int(k["lives"])} for k in known]


def pauses(log, line):
    """How many pauses for collections ended while the driver counted, and for how long all threads stood still because of them,
    from the VM's log. ZGC does not log its pauses at this level: there are none."""
    times = [gclog.stood(p) for p in gclog.within(gclog.pauses(log), line["from_ns"], line["to_ns"])]
    return {"pauses": len(times), "pause_ns": round(1e6 * sum(times))}


def _pauses(folder, line):
    with open(os.path.join(folder, "gc.log"), encoding="utf-8") as f:
        return pauses(f.read(), line)


def run(java, workload, collector, variant, tools, seed, scale=1.0, profile=None, settings=(), heap=None, threads=THREADS):
    """One run; variant None is the base. A profile gives what the command is put behind, and reads what came of
    it. Settings are the driver's own, KEY=VALUE. heap: in MiB, instead of the workload's own. Raises Failed."""
    return run_with(java, workload, collector, VARIANTS[variant or "base2"], tools, seed, scale, profile, settings, heap, threads)


def run_with(java, workload, collector, options, tools, seed, scale=1.0, profile=None, settings=(), heap=None, threads=THREADS):
    """The same with options like those of VARIANTS: the JVM's own, which come after those given here and win, and what
    is read of their output."""
    name, operations, warm_up, own = WORKLOADS[workload]
    heap = f"{heap}m" if heap else own
    flags, outcome = options
    folder = tempfile.mkdtemp(prefix="mayfly-bench-")
    try:
        command = [*(profile.prefix(folder) if profile else []), java,
                   "-Xms" + heap, "-Xmx" + heap, "-XX:+AlwaysPreTouch", f"-XX:+Use{collector}GC",
                   "-Xlog:gc,safepoint:file=gc.log:timenanos", *flags(tools, folder), "-cp", jars.classpath(), name,
                   str(max(1, int(operations * scale))), str(threads), str(int(warm_up * scale)), str(seed), *settings]
        busy, steal = _busy()
        output, wall, usage = _execute(command, folder)
        busy_now, steal_now = _busy()
        all_time = wall * os.cpu_count()
        others = busy_now - busy - usage.ru_utime - usage.ru_stime + steal_now - steal
        line = _line(output)
        found = {"profile": profile.read(folder, line)} if profile else {}
        known = {"truth": _truth(output)} if _truth(output) else {}
        return {**line, **known, **outcome(tools, folder), **_pauses(folder, line), **found, "rss_kb": usage.ru_maxrss,
                "others": max(0.0, others / all_time)}
    except (OSError, subprocess.CalledProcessError) as e:
        raise Failed(f"what it should have written can't be read: {e}") from e
    finally:
        shutil.rmtree(folder, ignore_errors=True)
