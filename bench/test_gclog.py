"""The reading of the VM's log, on what each JDK wrote with each collector (gclogs), against the age table and by
hand."""
import os
import re
import unittest

import gclog

HERE = os.path.dirname(os.path.abspath(__file__))
JDKS, COLLECTORS = ("11", "17", "21", "25"), ("G1", "Parallel", "Serial")
# (survived, old) in K of the first two young collections, from the lines of the spaces.
PARALLEL = {"11": [(1020, 328), (1006, 342)], "17": [(1006, 344), (1006, 336)],
            "21": [(1022, 310), (1022, 336)], "25": [(1006, 328), (1022, 312)]}


def log(jdk, collector):
    with open(os.path.join(HERE, "gclogs", f"{jdk}-{collector}.log"), encoding="ascii") as f:
        return f.read()


def logs(*collectors):
    return [(f"{jdk}-{collector}", log(jdk, collector)) for jdk in JDKS for collector in collectors]


def aged(text):
    """{collection: bytes of all ages}, which are what survived in the young generation."""
    totals = {}
    for collection, total in re.findall(r"GC\((\d+)\) - age +\d+: +\d+ bytes, +(\d+) total", text):
        totals[int(collection)] = int(total)
    return totals


def young(text):
    return [p for p in gclog.pauses(text) if p["kind"] == "Young"]


def fourth(text):
    """The collection after that of which the age table is asked what it will promote: GC(4)."""
    return next(p for p in young(text) if p["gc"] == 4)


class Logs(unittest.TestCase):
    def test_g1_survivors_are_the_age_table_to_the_byte(self):
        for name, text in logs("G1"):
            totals, found = aged(text), young(text)
            self.assertGreaterEqual(len(found), 3, name)
            self.assertEqual([totals[p["gc"]] for p in found], [p["survived"] for p in found], name)

    def test_serial_survivors_are_the_age_table_to_the_kilobyte(self):
        for name, text in logs("Serial"):
            totals, found = aged(text), young(text)[:2]
            self.assertEqual([totals[p["gc"]] // 1024 for p in found], [p["survived"] // 1024 for p in found], name)

    def test_serial_promotes_what_was_of_the_threshold(self):
        """What was at the last age before the collection, if it lives, is in the old generation after it."""
        for name, text in logs("Serial"):
            of_age_2 = int(re.search(r"GC\(3\) - age +2: +(\d+) bytes", text).group(1))
            self.assertAlmostEqual(of_age_2, fourth(text)["old"], delta=2048, msg=name)

    def test_g1_promotes_what_was_of_the_threshold(self):
        for name, text in logs("G1"):
            of_age_2 = int(re.search(r"GC\(3\) - age +2: +(\d+) bytes", text).group(1))
            self.assertEqual(of_age_2, fourth(text)["old"], name)

    def test_parallel_by_hand(self):
        for name, text in logs("Parallel"):
            found = [(p["survived"] // 1024, p["old"] // 1024) for p in young(text)[:2]]
            self.assertEqual(PARALLEL[name[:2]], found, name)

    def test_each_pause_once_with_its_time_and_kind(self):
        for name, text in logs(*COLLECTORS):
            ends = re.findall(r"\[(\d+)ns\].*GC\(\d+\) Pause (\w+).* ([\d.]+)ms$", text, re.M)
            nested = len(re.findall(r"GC\(50\) Pause Full .*\n.*GC\(49\) ", text))
            found = gclog.pauses(text)
            self.assertEqual(len(ends) - nested, len(found), name)
            self.assertIn("Full", [p["kind"] for p in found], name)
            known = {(int(at), float(ms)) for at, _, ms in ends}
            self.assertLessEqual({(p["at_ns"], p["ms"]) for p in found}, known, name)

    def test_a_full_collection_copies_nothing_young(self):
        for name, text in logs(*COLLECTORS):
            for p in gclog.pauses(text):
                if p["kind"] != "Young":
                    self.assertEqual((0, 0), (p["survived"], p["old"]), name)

    def test_processor_time_is_its_own_collections(self):
        for name, text in logs(*COLLECTORS):
            told = {int(gc): round(1000 * (float(user) + float(system)))
                    for gc, user, system in re.findall(r"GC\((\d+)\) User=([\d.]+)s Sys=([\d.]+)s", text)}
            for p in gclog.pauses(text):
                if p["kind"] in ("Young", "Full") and p["gc"] in told:
                    self.assertEqual(told[p["gc"]], round(p["cpu_ms"]), name)


class Nested(unittest.TestCase):
    def test_jdk_11_serial_collects_all_within_a_young_pause(self):
        last = gclog.pauses(log("11", "Serial"))[-1]
        self.assertEqual(("Full", 70.831, 36872129225638), (last["kind"], last["ms"], last["at_ns"]))
        self.assertEqual(20, round(last["cpu_ms"]))


# What 11, 17 and 25 have written, and a line of each kind that is no collection's.
STOPS = {"11": """\
[100ns][gc       ] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 6M->1M(64M) 2.465ms
[101ns][safepoint] Leaving safepoint region
[102ns][safepoint] Total time for which application threads were stopped: 0.0031879 seconds, Stopping threads took: 0.0000989 seconds
[103ns][safepoint] Application time: 0.0058265 seconds
[104ns][safepoint] Total time for which application threads were stopped: 1.0000645 seconds, Stopping threads took: 0.0000057 seconds
""", "17": """\
[100ns][gc       ] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 6M->1M(64M) 2.465ms
[102ns][safepoint] Safepoint "G1CollectForAllocation", Time since last: 158953339 ns, Reaching safepoint: 171555 ns, Cleanup: 15824 ns, At safepoint: 3000521 ns, Total: 3187900 ns
[104ns][safepoint] Safepoint "ICBufferFull", Time since last: 1 ns, Reaching safepoint: 2 ns, Cleanup: 3 ns, At safepoint: 4 ns, Total: 1000064500 ns
""", "25": """\
[100ns] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 15M->1M(64M) 2.465ms
[102ns] Safepoint "G1CollectForAllocation", Time since last: 150866406 ns, Reaching safepoint: 99849 ns, At safepoint: 2523498 ns, Leaving safepoint: 11478 ns, Total: 3187900 ns, Threads: 2 runnable, 12 total
[104ns] Safepoint "Cleanup", Time since last: 1 ns, Reaching safepoint: 2 ns, At safepoint: 3 ns, Leaving safepoint: 4 ns, Total: 1000064500 ns, Threads: 1 runnable, 12 total
"""}


class Stops(unittest.TestCase):
    def test_a_pause_has_the_time_that_all_threads_stood_still(self):
        for jdk, text in STOPS.items():
            found = gclog.pauses(text)
            self.assertEqual([(2.465, 3.1879)], [(p["ms"], p["stopped_ms"]) for p in found], jdk)
            self.assertEqual(3.1879, gclog.stood(found[0]))

    def test_two_pauses_of_one_stop_have_it_once(self):
        first, rest = STOPS["17"].split("\n", 1)
        second = first.replace("GC(0)", "GC(1)").replace("Young (Normal)", "Full")
        found = gclog.pauses("\n".join((first, second, rest)))
        self.assertEqual([0.0, 3.1879], [gclog.stood(p) for p in found])

    def test_without_such_lines_it_is_the_collectors_own(self):
        found = gclog.pauses(STOPS["17"].splitlines()[0])
        self.assertEqual([2.465], [gclog.stood(p) for p in found])


class Figures(unittest.TestCase):
    def test_percentiles_are_values_that_were_there(self):
        values = list(range(1, 11))
        for p, want in ((0, 1), (10, 1), (50, 5), (51, 6), (90, 9), (99, 10), (100, 10)):
            self.assertEqual(want, gclog.percentile(values[::-1], p))
        self.assertIsNone(gclog.percentile([], 50))

    def test_only_pauses_that_end_within(self):
        found = [{"at_ns": n} for n in (1, 2, 3, 4)]
        self.assertEqual(found[1:3], gclog.within(found, 2, 3))


if __name__ == "__main__":
    unittest.main()
