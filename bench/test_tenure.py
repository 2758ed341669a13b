"""What is told of runs with flags: each figure of made-up runs, and which options a run gets."""
import argparse
import unittest

import runs
import tenure


def options(**more):
    return argparse.Namespace(**{"heap": None, "young": None, "build": "b", **more})


def run(**more):
    return {"wall_ns": 100, "gc_cpu_ns": 6_000_000, "gc_concurrent_cpu_ns": 0, "alloc_bytes": 1000, "survived": 100,
            "old": 50, "pauses_ms": [1.0, 2.0, 9.0], "full": 0, "rss_kb": 7, **more}


def entry(variant, number, **more):
    return {"variant": variant, "round": number, "run": run(**more)}


class Options(unittest.TestCase):
    def test_the_variants_young_size_comes_after_the_common_one(self):
        flags = tenure.flags(options(heap=1600, young=64), "requests", "young16")
        self.assertLess(flags.index("-Xmn64m"), flags.index("-Xmn100m"))
        self.assertIn("-Xmx1600m", flags)

    def test_the_heap_is_the_workloads_own(self):
        self.assertIn("-Xmx" + runs.WORKLOADS["requests"][3], tenure.flags(options(), "requests", "mtt0"))
        self.assertIn("-XX:MaxTenuringThreshold=0", tenure.flags(options(), "requests", "mtt0"))

    def test_the_base_has_no_options_of_its_own(self):
        self.assertEqual(tenure.flags(options(), "h2", "default"), tenure.flags(options(), "h2", "default2"))

    def test_only_tenure_gets_the_agent(self):
        for variant in tenure.VARIANTS:
            agents = [f for f in tenure.flags(options(), "h2", variant, "d.json") if f.startswith("-agentpath:")]
            self.assertEqual(variant in ("tenure", "tenured"), len(agents) == 1, variant)
        self.assertTrue(tenure.flags(options(), "h2", "tenured", "d.json")[-1].endswith("tenure=apply,decisions=d.json"))


class Figures(unittest.TestCase):
    def cell(self, *entries):
        return tenure.summarize_cell(("requests", "17", "G1", 384), list(entries))["variants"]

    def test_of_one_run(self):
        v = self.cell(entry("default", 0))["default"]
        self.assertEqual((2.0, 0.1, 0.05, 150), (v["cpu_ms_a_pause"], v["survived_part"], v["old_part"], v["copied"]))
        self.assertEqual((2.0, 9.0, 9.0, 3), (v["p50"], v["p100"], v["longest_ms"], v["pauses"]))

    def test_variants_are_compared_with_the_base_of_their_round(self):
        v = self.cell(entry("default", 0, wall_ns=100), entry("mtt0", 1, wall_ns=300), entry("default", 1, wall_ns=200),
                      entry("mtt0", 2, wall_ns=9))["mtt0"]
        self.assertEqual((1, 0.5), (v["against"]["wall_ns"]["pairs"], v["against"]["wall_ns"]["median"]))

    def test_runs_without_a_pause_or_without_the_threads_times(self):
        v = self.cell(entry("default", 0, pauses_ms=[], gc_cpu_ns=-1))["default"]
        self.assertIsNone(v["cpu_ms_a_pause"])
        self.assertIsNone(v["p50"])
        self.assertEqual(0, v["longest_ms"])
        self.assertIsNone(self.cell(entry("default", 0, gc_cpu_ns=-1))["default"]["cpu_ms_a_pause"])
        self.assertIsNone(self.cell(entry("default", 0, pauses_ms=[]))["default"]["cpu_ms_a_pause"])

    def test_what_was_decided(self):
        told = {"tenure": {"threshold": 2}, "places": [{"in_force": True, "frames": [1]}, {"in_force": False, "frames": [1, 2]},
                                                       {"in_force": True, "frames": [1, 2]}],
                "outcomes": [{"error": 0.2}, {"error": None}, {"error": -0.15}]}
        self.assertEqual({"jumps": 2, "by_callers": 1, "threshold": 2, "missed": [0.2, -0.15]}, tenure.decided(told))
        self.assertEqual(3, self.cell(entry("tenure", 0, jumps=2), entry("tenure", 1, jumps=4))["tenure"]["jumps"])
        self.assertIsNone(self.cell(entry("default", 0))["default"]["jumps"])

    def test_forecasts_of_all_runs(self):
        v = self.cell(entry("tenure", 1, missed=[-0.16, 0.15]), entry("tenure", 0, missed=[0.0]), entry("default", 0))
        self.assertEqual([0.0, -0.16, 0.15], v["tenure"]["missed"])
        self.assertEqual(("2/3", "-"), tuple(tenure.came_true(v[n]["missed"]) for n in ("tenure", "default")))


if __name__ == "__main__":
    unittest.main()
