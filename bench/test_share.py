"""The classes of call chains, on text as perf writes it; what is counted of them; the intervals of shares."""
import random
import unittest

import chains
import paired
import runs
import share

JVM = "/usr/lib/jvm/jdk/lib/server/libjvm.so"
AGENT = "/opt/mayfly/libmayfly.so"
LIBC = "/usr/lib/x86_64-linux-gnu/libc.so.6"
JAVA = ("[unknown]", "/tmp/perf-77.map")
KERNEL = ("do_syscall_64", "[kernel.kallsyms]")


def chain(*frames, thread="load-0", time_ns=5):
    return chains.Chain(thread, time_ns, list(frames))


def of(*frames, thread="load-0"):
    return chains.classify(chain(*frames, thread=thread))


class Read(unittest.TestCase):
    TEXT = """\
C2 CompilerThre  6302 11444.646971001: 
\tffffffff816caece lookup_fast ([kernel.kallsyms])
\t           15106 void WeakProcessor::Task::work<A, B (*)(int)> (/usr/lib/jvm/a b/libjvm.so)
\t       23c000000 [unknown] ([unknown])

GC Thread#0  6303 11444.646971002: 
\t    7f0000000010 memset (/usr/lib/ld (deleted).so)

load-0  6304 11444.700000000: PERF_RECORD_LOST lost 12
load-0  6304 11445.000000009: 

"""

    def test_threads_times_and_frames(self):
        found = list(chains.read(self.TEXT.splitlines(keepends=True)))
        self.assertEqual(["C2 CompilerThre", "GC Thread#0", "load-0"], [c.thread for c in found])
        self.assertEqual([11444646971001, 11444646971002, 11445000000009], [c.time_ns for c in found])
        self.assertEqual([("lookup_fast", "[kernel.kallsyms]"),
                          ("void WeakProcessor::Task::work<A, B (*)(int)>", "/usr/lib/jvm/a b/libjvm.so"),
                          ("[unknown]", "[unknown]")], found[0].frames)
        self.assertEqual([], found[2].frames)

    def test_tells_what_perf_lost(self):
        lost = []
        list(chains.read(self.TEXT.splitlines(keepends=True), lost))
        self.assertEqual([12], lost)

    def test_the_last_chain_needs_no_empty_line(self):
        self.assertEqual(1, len(list(chains.read(["java  1 2.000000003: \n", "\t 10 main (/bin/java)\n"]))))


class Classify(unittest.TestCase):
    POST = ("JvmtiExport::post_sampled_object_alloc", JVM)
    SLOW = ("OptoRuntime::new_instance_C", JVM)

    def test_under_and_in_the_agents_code(self):
        self.assertEqual(chains.AGENT, of(("vframe::sender", JVM), ("jvmti_GetStackTrace", JVM), ("on_sample", AGENT),
                                          self.POST, self.SLOW, JAVA))
        self.assertEqual(chains.AGENT, of(KERNEL, ("write", LIBC), ("on_death", AGENT), thread="Service Thread"))
        self.assertEqual(chains.AGENT, of(("recordSample", "/tmp/libasyncProfiler.so"), self.POST, JAVA))
        self.assertEqual(chains.AGENT, of(("recordSample", "/x/async-profiler-4.5.so"), self.POST, JAVA))

    def test_the_agents_thread_whatever_it_does(self):
        self.assertEqual(chains.AGENT, of(("[unknown]", "/usr/lib/libzstd.so.1"), thread="mayfly"))
        self.assertEqual(chains.AGENT, of(thread="mayfly"))
        self.assertEqual(chains.AGENT, of(JAVA, thread="JFR Recorder Th"))

    def test_a_program_may_be_called_like_the_agent(self):
        self.assertEqual(chains.OTHER, of(JAVA, thread="mayfly-worker"))
        self.assertEqual(chains.OTHER, of(("f", "/opt/libmayfly.so.d/libother.so"), (JAVA[0], JVM)))

    def test_the_vm_for_jvmti(self):
        self.assertEqual(chains.VM, of(self.POST, self.SLOW, JAVA))
        self.assertEqual(chains.VM, of(("malloc", LIBC), ("ThreadHeapSampler::pick_next_sample", JVM), self.SLOW))
        self.assertEqual(chains.VM, of(("JvmtiTagMapTable::remove_dead_entries", JVM), thread="Service Thread"))
        self.assertEqual(chains.VM, of(("JvmtiTagMap::set_needs_cleaning", JVM), thread="VM Thread"))

    def test_flight_recorder(self):
        self.assertEqual(chains.AGENT, of(("ObjectSampler::add", JVM),
                                          ("JfrAllocationTracer::JfrAllocationTracer", JVM)))
        self.assertEqual(chains.AGENT, of(("frame::sender", JVM), ("JfrStackTrace::record", JVM), self.SLOW, JAVA))

    def test_what_every_vm_asks_is_not_the_agents(self):
        self.assertEqual(chains.SHARED, of(("JfrAllocationTracer::JfrAllocationTracer", JVM), self.SLOW, JAVA))
        self.assertEqual(chains.OTHER, of(("JfrResolution::on_c1_resolution", JVM), ("GraphBuilder::invoke", JVM)))
        self.assertEqual(chains.OTHER, of(("JvmtiVMObjectAllocEventCollector::JvmtiVMObjectAllocEventCollector", JVM),
                                          ("JVM_Clone", JVM), JAVA))

    def test_what_both_do(self):
        self.assertEqual(chains.SHARED, of(("memset", LIBC), ("MemAllocator::allocate", JVM), self.SLOW, JAVA))
        self.assertEqual(chains.SHARED, of(("void WeakProcessor::Task::work<A, B>", JVM), thread="GC Thread#0"))

    def test_a_chain_cut_in_libc_may_be_the_agents(self):
        self.assertEqual(chains.SHARED, of(("malloc", LIBC), ("[unknown]", "[unknown]")))
        self.assertEqual(chains.SHARED, of(KERNEL, ("futex_wait", LIBC)))
        self.assertEqual(chains.OTHER, of(("memcpy", LIBC), ("G1ParScanThreadState::copy", JVM)))

    def test_the_program(self):
        for frames in ((JAVA, JAVA), (("CompileBroker::loop", JVM),), (KERNEL,), ()):
            self.assertEqual(chains.OTHER, of(*frames))

    def test_parts_of_the_agents(self):
        walk = (("vframe::sender", JVM), ("jvmti_GetStackTrace", JVM), ("on_sample", AGENT))
        self.assertEqual("GetStackTrace", chains.part(chain(*walk, self.POST)))
        self.assertEqual("own code", chains.part(chain(("on_sample", AGENT), self.POST)))
        self.assertEqual("own thread", chains.part(chain(*walk, thread="mayfly")))


class Count(unittest.TestCase):
    WALK = (("jvmti_SetTag", JVM), ("on_sample", AGENT))

    def test_only_what_is_within_the_window(self):
        found = [chain(JAVA, time_ns=t) for t in range(10)] + [chain(*self.WALK, time_ns=t) for t in range(10)]
        got = share.count(found, (3, 6))
        self.assertEqual({chains.OTHER: 4, chains.AGENT: 4}, got["classes"])
        self.assertEqual((8, {"SetTag": 4}), (got["total"], got["parts"]))

    def test_what_can_not_count(self):
        self.assertRaises(runs.Failed, share.count, [chain(JAVA)], (6, 9))
        self.assertRaises(runs.Failed, share.count, [chain(("[unknown]", JVM))] * 2 + [chain(JAVA)] * 98, (0, 9))
        self.assertRaises(runs.Failed, share.count, [chain(JAVA)] * 100, (0, 9), [1, 1])
        self.assertEqual(1, share.count([chain(JAVA)] * 100, (0, 9), [1])["lost"])

    def test_runs_are_pooled(self):
        def run(agent, total):
            classes = {chains.AGENT: agent, chains.VM: 1, chains.SHARED: 2}
            return {"alloc_bytes": 1 << 20, "cpu_ns": total * 1000, "others": 0.1,
                    "profile": {"classes": classes, "parts": {}, "total": total, "lost": 0}}
        got = share.summarize([run(9, 100), run(29, 300)], [run(0, 100)])
        self.assertEqual((400, 0.1), (got["samples"], got["share"]))
        self.assertEqual((0.1, 0.1), (got["runs_from"], got["runs_to"]))
        self.assertAlmostEqual((100 + 300) * 0.1 / 4, got["us_per_interval"])
        self.assertAlmostEqual(4 / 400 - 2 / 100, got["shared_more"][0])


class Pauses(unittest.TestCase):
    LOG = ("[100ns] Using G1\n[200ns] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 12M->1M(256M) 2.500ms\n"
           "[300ns] GC(1) Concurrent Mark Cycle 9.000ms\n[310ns] GC(1) Pause Remark 3M->3M(9M) 0.250ms\n"
           "[400ns] GC(2) Pause Full (System.gc()) 12M->1M(256M) 7.000ms\n")

    def test_those_that_ended_while_it_counted(self):
        self.assertEqual({"pauses": 2, "pause_ns": 2_750_000}, runs.pauses(self.LOG, {"from_ns": 200, "to_ns": 399}))
        self.assertEqual({"pauses": 0, "pause_ns": 0}, runs.pauses(self.LOG, {"from_ns": 500, "to_ns": 600}))


class Intervals(unittest.TestCase):
    def test_of_a_share_against_the_published_figures(self):
        for hits, n, low, high in ((81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611),
                                   (1, 29, 0.0061, 0.1718)):  # Newcombe 1998, table I, method 3
            got = paired.proportion(hits, n)
            self.assertAlmostEqual(low, got[0], 4)
            self.assertAlmostEqual(high, got[1], 4)

    def test_of_a_difference_against_the_published_figures(self):
        d, low, high = paired.difference(48, 80, 56, 70)  # Newcombe 1998, table II, method 10
        self.assertAlmostEqual(0.2, d)
        self.assertAlmostEqual(0.0524, low, 4)
        self.assertAlmostEqual(0.3339, high, 4)

    def test_hold_their_level(self):
        r = random.Random(3)
        held = held_difference = 0
        for _ in range(1000):
            a, b = (sum(r.random() < p for _ in range(400)) for p in (0.02, 0.05))
            low, high = paired.proportion(a, 400)
            held += low <= 0.02 <= high
            _, low, high = paired.difference(a, 400, b, 400)
            held_difference += low <= 0.03 <= high
        self.assertGreater(held, 930)  # of 1000; the seed is fixed
        self.assertGreater(held_difference, 930)


if __name__ == "__main__":
    unittest.main()
