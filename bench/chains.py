"""Call chains of a sampling profile (perf script's text), and because of what each was spent."""
import re

FIELDS = "comm,tid,time,ip,sym,dso"

_HEAD = re.compile(r"\s*(.+?)\s+(\d+)\s+(\d+)\.(\d{9}):\s*(.*)")
_LOST = re.compile(r"PERF_RECORD_LOST\S*\s+lost\s+(\d+)")

# Threads, libraries and functions that are there for a profiler only.
_THREAD = re.compile(r"mayfly$|Async-prof|JFR ")
_LIBRARY = re.compile(r"/(libmayfly|libasyncProfiler|async-profiler-[^/]*)\.so$")
_RECORDER = re.compile(r"Jfr|ObjectSampl|LeakProfiler|EdgeStore")
# The VM's work for JVMTI where no callback is on the stack: deciding to sample, posting, the tags' table.
_JVMTI = re.compile(r"Jvmti|ThreadHeapSampler")
# By their names they would be of those, but every VM calls them, to see whether there is something to do.
_ASKING = re.compile(r"Jfr(Ticks|AllocationTracer|ObjectAllocationSample|Resolution|FilterManager|::on_)"
                     r"|ObjectSampler::is_created|LeakProfiler::is_running|JvmtiVMObjectAlloc|JvmtiAgentList")
# What the VM does without an agent too, and a little more of with one: an allocation that reaches the sample's end
# leaves the compiled code; tags are weak handles, which collections visit.
_SLOW = re.compile(r"MemAllocator|ThreadLocalAllocBuffer|OptoRuntime::(new|multianew)|Runtime1::new_"
                   r"|(Opto|JVMCI)Runtime::\w*alloc|InterpreterRuntime::(a?new|multianew)")
_WEAK = re.compile(r"WeakProcessor|OopStorage")
_VM_LIBRARY = re.compile(r"/libjvm\.so$")
_COMPILED = re.compile(r"\[unknown\]$|/perf-\d+\.map$|//anon|\[heap\]|\[anon")

AGENT, VM, SHARED, OTHER = "agent", "vm", "shared", "other"


class Chain:
    """One sample: its thread's name, its time in ns of CLOCK_MONOTONIC, its frames (function, library) from the
    innermost on."""

    def __init__(self, thread, time_ns, frames):
        self.thread, self.time_ns, self.frames = thread, time_ns, frames


def _frame(line):
    """`  7f00 name of a function (library)`: perf writes what it does not know as [unknown]."""
    text, _, library = line.rstrip().rpartition(" (")
    return text.split(None, 1)[-1].strip(), library[:-1]


def read(lines, lost=None):
    """The chains in the text of `perf script --ns -F FIELDS`. How many samples perf lost is appended to lost, each
    time that it did."""
    chain = None
    for line in lines:
        if not line.strip():
            if chain:
                yield chain
            chain = None
        elif chain and line[0] in " \t" and line.rstrip().endswith(")"):
            chain.frames.append(_frame(line))
        else:
            head = _HEAD.match(line)
            dropped = head and _LOST.search(head[5])
            if dropped and lost is not None:
                lost.append(int(dropped[1]))
            elif head and not head[5]:
                chain = Chain(head[1], int(head[3]) * 10**9 + int(head[4]), [])
    if chain:
        yield chain


def _cut(frames):
    """Whether the chain may have lost its callers: it starts in a library that keeps no frame pointers (libc), and
    neither the VM nor compiled code is in it."""
    user = [library for _, library in frames if not library.startswith("[kernel") and "[guest" not in library]
    return bool(user) and not _COMPILED.search(user[0]) and not any(_VM_LIBRARY.search(u) for u in user)


def classify(chain):
    """AGENT: in a profiler's thread, or under or in its code. VM: for JVMTI, outside of callbacks. SHARED: what a VM
    without an agent does too. OTHER: the program."""
    functions = [f for f, _ in chain.frames if not _ASKING.match(f)]
    if (_THREAD.match(chain.thread) or any(_LIBRARY.search(library) for _, library in chain.frames)
            or any(_RECORDER.match(f) for f in functions)):
        return AGENT
    if any(_JVMTI.search(f) for f in functions):
        return VM
    if any(_SLOW.search(f) or _WEAK.search(f) for f in functions) or _cut(chain.frames):
        return SHARED
    return OTHER


def part(chain):
    """Of an AGENT's chain: its thread, the JVMTI function that its code called, or its own code."""
    if _THREAD.match(chain.thread):
        return "own thread"
    for function, _ in chain.frames:
        if function.startswith("jvmti_"):
            return function[len("jvmti_"):]
    return "own code"


def nameless(chain):
    """Whether it starts in the VM at a place without a name: its library has no symbols."""
    return bool(chain.frames) and chain.frames[0][0] == "[unknown]" and bool(_VM_LIBRARY.search(chain.frames[0][1]))
