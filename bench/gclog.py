"""The pauses of a VM's log, with what the collector copied in them. The log is written by OPTIONS; all that is read is
there on JDK 11 to 25 with G1, Parallel and Serial."""
import math
import re

OPTIONS = "-Xlog:gc,safepoint,gc+heap=info,gc+cpu=info,gc+plab=debug:file={}:timenanos,tags"

_LINE = re.compile(r"^\[(\d+)ns\](?:\[[^]]*\])* *GC\((\d+)\) +(.*)$")
# How long all threads stood still: JDK 17 and later; 11.
_STOPS = (re.compile(r"Safepoint \".*\bTotal: +(\d+) ns"),
          re.compile(r"Total time for which application threads were stopped: (\d+)\.(\d{7}) seconds"))
_END = re.compile(r"Pause (\w+)\b.* ([\d.]+)ms$")
_CPU = re.compile(r"User=([\d.]+)s Sys=([\d.]+)s")
_SPACE = re.compile(r"(\w+): (\d+)K(?:\(\d+K\))?->(\d+)K")
_BUFFERS = re.compile(r"(Young|Old) PLAB allocation: .*\bused: (\d+)B")
_DIRECT = re.compile(r"(Young|Old) other allocation: .*\bdirect allocated: (\d+)B")
# What the collectors call their generations. After a young collection the young one is its survivors.
_YOUNG, _OLD = {"PSYoungGen", "DefNew"}, {"ParOldGen", "Tenured"}


class _Copied:
    """What is told of a collection before its pause's last line: bytes that went to survivor spaces and to old."""

    def __init__(self):
        self.survived = self.old = 0

    def read(self, text):
        """G1 counts what its buffers took and what went past them; the others tell the sizes before and after."""
        for pattern in (_BUFFERS, _DIRECT):
            found = pattern.match(text)
            if found:
                self.add(found.group(1), int(found.group(2)))
        found = _SPACE.match(text)
        if found:
            name, before, after = found.group(1), int(found.group(2)), int(found.group(3))
            if name in _YOUNG:
                self.add("Young", after * 1024)
            elif name in _OLD:
                self.add("Old", max(0, after - before) * 1024)

    def add(self, to, size):
        if to == "Young":
            self.survived += size
        else:
            self.old += size


def _stopped(line):
    """Ms that all threads stood still, by a line that tells it; else None."""
    now, then = (pattern.search(line) for pattern in _STOPS)
    if now:
        return int(now.group(1)) / 1e6
    return int(then.group(1)) * 1000 + int(then.group(2)) / 1e4 if then else None


def _tell(found, first, ms):
    """The pauses of one stop: its time is the last one's."""
    for p in found[first:]:
        p["stopped_ms"] = 0.0
    if found[first:]:
        found[-1]["stopped_ms"] = ms


def pauses(text):
    """A dictionary for each pause, in order: when it ended (ns), its collection's number, its kind (Young, Full,
    Remark, Cleanup), its ms by the collector, the ms for which all threads stood still because of it (the log's safepoint lines; None
    without), the CPU ms of user and system that the VM counts for it (in steps of 10; None where it does not), and
    for young ones the bytes that survived in the young generation and that went to the old one."""
    found, copied, last, first = [], {}, {}, 0
    for line in text.splitlines():
        stopped, m = _stopped(line), _LINE.match(line)
        if stopped is not None:
            _tell(found, first, stopped)
            first = len(found)
        if not m:
            continue
        at, collection, rest = int(m.group(1)), m.group(2), m.group(3)
        end, cpu = _END.match(rest), _CPU.match(rest)
        if end:
            pause = _pause(at, int(collection), end, copied.pop(collection, _Copied()))
            if _became_full(found, pause):
                pause = {**found.pop(), "ms": pause["ms"], "at_ns": at}
            last[collection] = pause
            found.append(pause)
        elif cpu and collection in last:
            last[collection]["cpu_ms"] = 1000 * (float(cpu.group(1)) + float(cpu.group(2)))
        else:
            copied.setdefault(collection, _Copied()).read(rest)
    return found


def _became_full(found, pause):
    """JDK 11's Serial collects all within a young pause where that can't go on: the pause within is over first, has the
    later number, and its time is in both."""
    return pause["kind"] == "Young" and found and found[-1]["kind"] == "Full" and found[-1]["gc"] > pause["gc"]


def _pause(at, collection, end, copied):
    young = end.group(1) == "Young"
    return {"at_ns": at, "gc": collection, "kind": end.group(1), "ms": float(end.group(2)), "stopped_ms": None, "cpu_ms": None,
            "survived": copied.survived if young else 0, "old": copied.old if young else 0}


def stood(pause):
    """Ms for which the program stood still because of it: what agents do when it begins and ends is not in the collector's own figure."""
    return pause["ms"] if pause["stopped_ms"] is None else pause["stopped_ms"]


def within(found, from_ns, to_ns):
    return [p for p in found if from_ns <= p["at_ns"] <= to_ns]


def percentile(values, p):
    """The least of them that p per cent do not exceed; None of nothing."""
    s = sorted(values)
    return s[max(0, math.ceil(p / 100 * len(s)) - 1)] if s else None
