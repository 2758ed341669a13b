"""The tables of what is run, and what is read of a driver's output."""
import os
import re
import unittest

import jars
import overhead
import runs
import targets
import tenure

HERE = os.path.dirname(os.path.abspath(__file__))


def text(*names):
    with open(os.path.join(HERE, *names), encoding="utf-8") as f:
        return f.read()


class Tables(unittest.TestCase):
    def test_each_workload_has_a_driver_and_a_heap(self):
        for name, (driver, operations, warm_up, heap) in runs.WORKLOADS.items():
            with self.subTest(name):
                source = text("java", driver + ".java")
                self.assertRegex(source, r"\bclass " + driver + r" implements Load\b")
                self.assertIn("Drive.run(args", source)
                self.assertGreaterEqual(operations, warm_up)
                self.assertRegex(heap, r"^\d+m$")

    def test_each_driver_is_a_workload(self):
        drivers = {f[:-len(".java")] for f in os.listdir(os.path.join(HERE, "java")) if re.match(r".+Load\.java$", f)}
        self.assertEqual(drivers, {w[0] for w in runs.WORKLOADS.values()})

    def test_groups_name_workloads(self):
        named = {w for group in runs.GROUPS.values() for w in group}
        self.assertEqual(set(runs.WORKLOADS), named)
        self.assertFalse(set(runs.GROUPS) & set(runs.WORKLOADS))

    def test_programs_with_known_lifetimes_tell_them(self):
        for name, (driver, *_) in runs.WORKLOADS.items():
            with self.subTest(name):
                self.assertEqual(name in runs.GROUPS["known"], "void tell(Truth" in text("java", driver + ".java"))

    def test_the_handbook_has_each(self):
        rows = set(re.findall(r"`([^` ]+)`", "".join(re.findall(r"^\| (`.*?) \|", text("README.md"), re.M))))
        for name in [*runs.WORKLOADS, *runs.VARIANTS, *runs.GROUPS, *tenure.VARIANTS]:
            self.assertIn(name, rows)

    def test_all_jars_that_the_pom_names_are_locked(self):
        locked = set(jars._locked())
        for entry in re.findall(r"<dependency>(.*?)</dependency>", text("pom.xml"), re.S):
            of = {tag: re.search(f"<{tag}>(.*?)</{tag}>", entry) for tag in ("artifactId", "version", "classifier")}
            parts = [m.group(1) for m in of.values() if m]
            self.assertIn("-".join(parts) + ".jar", locked)


class Names(unittest.TestCase):
    def test_a_group_stands_for_its_workloads(self):
        self.assertEqual(["h2", *runs.GROUPS["known"]], targets.workloads("h2,known"))
        self.assertEqual(["other"], targets.workloads("other,"))

    def test_settings_go_to_their_workload(self):
        self.assertEqual({"requests": ["inflight=9", "sessions=2"], "h2": ["a=b"]},
                         targets.settings(["requests.inflight=9", "h2.a=b", "requests.sessions=2"]))
        for wrong in ("inflight=9", "requests.inflight", "known.a=1", ""):
            self.assertRaises(ValueError, targets.settings, [wrong])


class Output(unittest.TestCase):
    LINES = """\
[0.1s][info][gc] Using G1
ops 20 wall_ns 30 cpu_ns -1 gcs 2 alloc_bytes 400 from_ns 5 to_ns 35
truth site A.make class A$Row via keep born 7 lives 800
truth site A.make class byte[] via - born 12345678901 lives -1
"""

    def test_the_line_of_figures(self):
        self.assertEqual({"ops": 20, "wall_ns": 30, "cpu_ns": -1, "gcs": 2, "alloc_bytes": 400, "from_ns": 5,
                          "to_ns": 35}, runs._line(self.LINES))
        self.assertRaises(runs.Failed, runs._line, "no such line\n")

    def test_what_is_known_of_lifetimes(self):
        self.assertEqual([{"site": "A.make", "class": "A$Row", "via": "keep", "born": 7, "lives": 800},
                          {"site": "A.make", "class": "byte[]", "via": "-", "born": 12345678901, "lives": -1}],
                         runs._truth(self.LINES))
        self.assertEqual([], runs._truth("ops 1\n"))


class Trace(unittest.TestCase):
    INFO = {"exact": {"births": {"objects": 200, "bytes": 6400}, "collections": 4, "cost_ms": 10.0}}

    def test_what_the_exact_engine_adds(self):
        self.assertEqual({}, runs._counted({"exact": None}))
        self.assertEqual({}, runs._counted({}))
        self.assertEqual({"births": 200, "exact_gcs": 4, "exact_gc_ms": 10.0}, runs._counted(self.INFO))
        events = {"file_bytes": 300, "checkpoint_bytes": 50}
        self.assertEqual(350, runs._counted({**self.INFO, "events": events})["event_bytes"])
        self.assertEqual(300, runs._counted({**self.INFO, "events": {"file_bytes": 300}})["event_bytes"])

    def test_figures_for_each(self):
        pairs = [{"run": {"births": 200, "event_bytes": 100}}, {"run": {}}, {"run": {"births": 0, "event_bytes": 0}}]
        self.assertEqual([0.5], overhead.ratios(pairs, "event_bytes", "births"))


if __name__ == "__main__":
    unittest.main()
