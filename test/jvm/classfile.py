#!/usr/bin/env python3
"""Class files that src/classfile rewrote, judged by VMs.

    verify: every class of java.base (or of --jar) with a call behind each allocation, linked under full verification
    near:   the same, with every branch farther than ten bytes made wide
    far:    the same, with 900 bytes more before each call, so that branches and methods really grow out of reach
    counts: programs that make known numbers of objects: the calls of each site agree
    wrong:  calls that must not verify are found not to, so that the others mean something
"""
import os
import re
import subprocess
import sys
import time
import zipfile

import jvm

REWRITE = os.environ.get("MAYFLY_CLASS_REWRITE") or os.path.join(os.path.dirname(jvm.newest_build()), "../test/class_rewrite")
VERIFY = ["-Xshare:off", "-XX:+UnlockDiagnosticVMOptions", "-XX:+BytecodeVerificationLocal", "-XX:+BytecodeVerificationRemote"]
# Classes that HotSpot does not verify (Verifier::is_eligible_for_verification): these, and before 25 those below
# jdk.internal.reflect.MagicAccessorImpl, which ClassLink names.
EXEMPT = {"java.lang.Object", "java.lang.Class", "java.lang.String", "java.lang.Throwable"}


def compile_tally(bench):
    out = bench.path("tally")
    if not os.path.exists(out):
        javac = os.path.join(jvm.own_jdk().home, "bin/javac")
        subprocess.run([javac, "-source", "11", "-target", "11", "-nowarn", "--patch-module", f"java.base={jvm.HERE}/tally", "-d", out,
                        os.path.join(jvm.HERE, "tally/java/util/Tally.java")], check=True, stderr=subprocess.DEVNULL)
    return out


def rewrite(bench, mode, folder, to):
    """What the tool counted, by name, and the reasons it gave."""
    got = subprocess.run([REWRITE, mode, folder, to], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    lines = [line.split(" ", 1) for line in got.stdout.splitlines()]
    counts = {name: int(n) for name, n in lines if n.isdigit()}
    reasons = [" ".join(line) for line in lines if not line[1].isdigit()]
    bench.check(f"{mode} {os.path.basename(folder)}: {counts.get('files')} classes come out the same with nothing inserted",
                got.returncode == 0 and counts["files"] == counts["reread"] > 0 and counts["touched"] == counts["codes"] > 0
                and counts["copy_differs"] == counts["touch_differs"] == counts["bad_files"] == 0, got.stdout + got.stderr)
    bench.say(f"{counts['files']} classes, {counts['sites']} sites ({counts['new']} new), {counts['inserted']} inserted, "
              f"{counts['lost']} not written; {counts['widened']} methods with wide branches, {counts['turned']} with turned conditions; "
              f"{counts['bytes_in']} to {counts['bytes_out']} bytes in {counts['ms']} ms CPU")
    bench.say("\n".join(reasons))
    return counts


def class_names(folder):
    """As the VM names them; None of them is module-info."""
    found = set()
    for where, _, files in os.walk(folder):
        for f in files:
            if f.endswith(".class") and f != "module-info.class" and "META-INF" not in where:
                found.add(os.path.relpath(os.path.join(where, f), folder)[:-6].replace("/", "."))
    return found


def link(bench, jdk, folder, *more):
    """Links each class below the folder. The VM's log of verification, and what the program said."""
    log = bench.path("verified")
    p = bench.java(jdk, *VERIFY, f"-Xlog:class+init=info:file={log}:none", *more, "ClassLink", folder)
    with open(log, encoding="utf-8", errors="replace") as f:
        text = f.read()
    return p, set(re.findall(r"^End class verification for: (\S+)", text, re.M)), len(re.findall("(?i)fail over", text))


def verify_base(bench, jdk, mode):
    folder, out = bench.path(f"base-{jdk.name}"), bench.path(f"{mode}-{jdk.name}")
    if not os.path.exists(folder):
        bench.java(jdk, "-cp", bench.classes, "ClassDump", "java.base", folder)
    rewrite(bench, mode, folder, out)
    start = time.monotonic()
    p, verified, failed_over = link(bench, jdk, out, "--patch-module", f"java.base={compile_tally(bench)}:{out}", "-cp", bench.classes)
    names = class_names(out)
    unverified = names - verified - EXEMPT - set(re.findall(r"^exempt (\S+)$", p.out, re.M))
    bench.check(f"{jdk.name} {mode}: {len(names)} classes of java.base link under verification",
                p.status == 0 and f"linked {len(names)}" in p.out and "failed" not in p.out and not unverified and not failed_over,
                "\n".join(p.out.splitlines()[-20:]) + p.err + f"\nnot verified: {sorted(unverified)[:20]}; old verifier: {failed_over}")
    bench.say(f"JDK {jdk.release}: {len(names & verified)} verified, {len(names - verified)} that the VM exempts, "
              f"{time.monotonic() - start:.1f} s")


def verify_jar(bench, jdk, mode, jar):
    name = os.path.basename(jar)
    folder, out = bench.path(name), bench.path(f"{mode}-{name}")
    if not os.path.exists(folder):
        with zipfile.ZipFile(jar) as z:
            z.extractall(folder, [n for n in z.namelist() if n.endswith(".class") and not n.startswith("META-INF")])
    plain, before, _ = link(bench, jdk, folder, "-cp", os.pathsep.join([folder, bench.classes] + ARGS.classpath))
    rewrite(bench, mode, folder, out)
    p, verified, failed_over = link(bench, jdk, out, "--patch-module", f"java.base={compile_tally(bench)}", "-cp",
                                    os.pathsep.join([out, bench.classes] + ARGS.classpath))
    names = class_names(out)
    bench.check(f"{jdk.name} {mode}: {name} links as it did before",
                p.status == 0 and p.out == plain.out and names & before == names & verified and not failed_over,
                "\n".join(sorted(set(p.out.splitlines()) ^ set(plain.out.splitlines()))[:20]) + p.err)
    bench.say(f"JDK {jdk.release}: {len(names)} classes, {len(names & verified)} verified; {plain.out.splitlines()[-3:]}")


def many_statements(count):
    """Straight code with sites in it; each statement takes 25 bytes."""
    return "\n".join(f"\t\tkept = new Object[] {{new StringBuilder(), kept[0]}};" for _ in range(count))


def write_huge(bench):
    """A loop whose body is nearly as long as a branch reaches, in a condition, and a switch on top."""
    count = 1300
    text = f"""
import java.util.Map;

public final class Huge {{
	static Object[] kept = new Object[2];

	static int within(int which) {{
		int turns = 0;
		long wide = 1;
		String name = "a" + which;
		if (which > 0) {{
			for (Object o = kept; turns < which; turns++) {{
{many_statements(count)}
				wide += o.hashCode() & 1;
			}}
		}}
		switch (which) {{
		case 0:
			return name.length() + (int) wide;
		case 1:
			return turns;
		default:
			return -turns;
		}}
	}}

	public static Map<String, Integer> run(int which) {{
		within(which);
		return Map.of("java/lang/Object", which * {count}, "java/lang/StringBuilder", which * {count});
	}}
}}
"""
    with open(bench.path("Huge.java"), "w", encoding="utf-8") as f:
        f.write(text)
    return bench.path("Huge.java")


def compile_made(bench):
    out = bench.path("made")
    if not os.path.exists(out):
        javac = os.path.join(jvm.own_jdk().home, "bin/javac")
        subprocess.run([javac, "-g", "--release", "11", "-nowarn", "-d", out, os.path.join(jvm.HERE, "java/Made.java"), write_huge(bench)],
                       check=True)
    return out


def read_sites(folder):
    """The class that each site names."""
    with open(os.path.join(folder, "sites"), encoding="utf-8") as f:
        return [re.match(r"\d+ \S+ \S+ \d+ \S+ (\S+)", line).group(1) for line in f]


def counts(bench, jdk, _):
    for mode in ("all", "near"):
        count_calls(bench, jdk, mode)


def count_calls(bench, jdk, mode):
    folder, out = compile_made(bench), bench.path(f"made-{mode}")
    totals = rewrite(bench, mode, folder, out)
    sites = read_sites(out)
    p = bench.java(jdk, *VERIFY, "--patch-module", f"java.base={compile_tally(bench)}", "-cp", out, "Made", str(len(sites)))
    made = {name: int(n) for name, n in re.findall(r"^made (\S+) (\d+)$", p.out, re.M)}
    called = {}
    for site, n in re.findall(r"^site (\d+) (\d+)$", p.out, re.M):
        called[sites[int(site)]] = called.get(sites[int(site)], 0) + int(n)
    bench.check(f"{jdk.name} {mode}: {sum(made.values())} objects of {len(made)} classes, each counted once", p.status == 0 and made
                and made == called and totals["lost"] == 0,
                f"{p.err}\n" + "\n".join(f"{n}: made {made.get(n)}, called {called.get(n)}" for n in sorted({*made, *called})
                                        if made.get(n) != called.get(n)))
    bench.check(f"{jdk.name} {mode}: conditions had to be turned, as in the loop of Huge", totals["turned"] > 0, totals)


def wrong(bench, jdk, _):
    folder, out = compile_made(bench), bench.path("made-wrong")
    rewrite(bench, "wrong", folder, out)
    p, _, _ = link(bench, jdk, out, "--patch-module", f"java.base={compile_tally(bench)}", "-cp", os.pathsep.join([out, bench.classes]))
    with open(os.path.join(out, "sites"), encoding="utf-8") as f:
        touched = {line.split()[1] for line in f if line.split()[5] != "java/lang/String"}
    refused = set(re.findall(r"^refused (\S+): java.lang.VerifyError", p.out, re.M))
    bench.check(f"{jdk.name}: {len(touched)} classes that are wrong are refused", touched and refused == touched,
                f"{sorted(touched ^ refused)}\n{p.out}{p.err}")


CASES = {"verify": (verify_base, verify_jar, "all"), "near": (verify_base, verify_jar, "near"), "far": (verify_base, verify_jar, "900"),
         "counts": (counts, None, "all"), "wrong": (wrong, None, "wrong")}


def main():
    bench = jvm.Bench(ARGS.keep)
    for jdk in jvm.jdks(ARGS.jdk):
        for name in ARGS.case or CASES:
            of_base, of_jar, mode = CASES[name]
            if not ARGS.jar or not of_jar:
                of_base(bench, jdk, mode)
            for jar in ARGS.jar if of_jar else []:
                of_jar(bench, jdk, mode, os.path.abspath(jar))
    bench.done()


if __name__ == "__main__":
    PARSER = jvm.parser(__doc__)
    PARSER.add_argument("--case", action="append", choices=CASES, help="may be repeated (default: all)")
    PARSER.add_argument("--jar", action="append", default=[], help="the classes of a jar instead of java.base; may be repeated")
    PARSER.add_argument("--classpath", action="append", default=[], help="what the jars need; may be repeated")
    ARGS = PARSER.parse_args()
    sys.exit(main())
