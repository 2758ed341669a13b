"""What is read from the programs and the VM's log, and how it is summed up."""
import unittest

import runs
import tenure_cost

# As 17 and 25 write it.
LOG = """\
[0.782s][info][safepoint] Safepoint "G1CollectForAllocation", Time since last: 701426191 ns, Reaching safepoint: 10580559 ns, \
Cleanup: 56885 ns, At safepoint: 6400571 ns, Total: 17038015 ns
[3.1s][info][safepoint] Safepoint "RedefineClasses", Time since last: 9080493 ns, Reaching safepoint: 250000 ns, \
Cleanup: 885 ns, At safepoint: 1500000 ns, Total: 1750885 ns
[3.9s][info][safepoint] Safepoint "RedefineClasses", Time since last: 439080493 ns, Reaching safepoint: 7000 ns, \
At safepoint: 2000000 ns, Leaving safepoint: 19850 ns, Total: 2026850 ns, Threads: 2 runnable, 13 total
"""
SAID = "seen-object 1.5 1.4\nunseen-object 0.5 0.4\nseen-array 2.5 2.4\nunseen-array 0.25 0.2\n"


class Reading(unittest.TestCase):
    def test_exchanges_of_classes_are_found_and_no_other_pauses(self):
        self.assertEqual([(0.25, 1.5), (0.007, 2.0)], tenure_cost.exchanges(LOG))

    def test_all_shapes_must_be_there(self):
        self.assertEqual({"seen-object": 1.5, "unseen-object": 0.5, "seen-array": 2.5, "unseen-array": 0.25},
                         tenure_cost.shapes(SAID))
        with self.assertRaises(runs.Failed):
            tenure_cost.shapes("seen-object 1.5 1.4\n")


class Summary(unittest.TestCase):
    def test_the_median_of_the_vms(self):
        costs = {"store": [{s: ns for s in tenure_cost.SHAPES} for ns in (3.0, 1.0, 2.0)], "swap": []}
        found = tenure_cost.summarize("17", costs, {10: [(1.0, 5.0), (3.0, 7.0), (2.0, 9.0)]})
        self.assertEqual({"median": 2.0, "least": 1.0, "most": 3.0}, found["ns"]["store"]["seen-array"])
        self.assertIsNone(found["ns"]["swap"]["seen-array"])
        self.assertEqual({"median": 2.0, "least": 1.0, "most": 3.0}, found["pause_ms"][10]["there"])
        self.assertEqual({"median": 7.0, "least": 5.0, "most": 9.0}, found["pause_ms"][10]["back"])


if __name__ == "__main__":
    unittest.main()
