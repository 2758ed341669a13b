#!/usr/bin/env python3
"""G1 reclaims large arrays in any young collection once nothing points to them, but not those that are tagged: doc/jvm.md,
"Humongous objects". So the agent must leave them alone: the heap must be as small with it as without it."""
import sys

import jvm


def main():
    args = jvm.parser(__doc__).parse_args()
    bench = jvm.Bench(args.keep)
    for jdk in jvm.jdks(args.jdk):
        flags = ["-XX:+UseG1GC", "-Xms512m", "-Xmx512m", "-Xmn32m", "-XX:InitiatingHeapOccupancyPercent=95"]
        for region in (1, 2):
            trace = bench.path("large.mfly")
            got = bench.java(jdk, *flags, f"-XX:G1HeapRegionSize={region}m", bench.agent_flag(f"file={trace},interval=64k"),
                             "-cp", bench.classes, "Large", "20")
            # 160 MB of large arrays were allocated; each stands in regions of its own, 3 or 4 MB.
            used = int(got.out) if got.status == 0 and got.out else None
            bench.check(f"{jdk.release}, regions of {region} MB: {used} MB in use at the end", used is not None and used < 16,
                        got.out + got.err)
            info = bench.json("info", trace)
            bench.check(f"{jdk.release}, regions of {region} MB: the bound is told",
                        info["facts"].get("follow.max") == str(region << 19)
                        and any("were not followed: G1" in note for note in info["notes"]), info)
            bench.check(f"{jdk.release}, regions of {region} MB: the heap's bound is told", info["facts"].get("heap.max") == str(512 << 20), info)
    bench.done()


if __name__ == "__main__":
    sys.exit(main())
