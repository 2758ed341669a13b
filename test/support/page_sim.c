#include "support/page_sim.h"

#include <stdbool.h>

#include "base/compiler.h"

static const struct sim_site sites[] = {
	{"byte[]", {"java.util.Arrays.copyOf:1", "a.B.c:1", "a.Main.main:2"}, 64, 5, 90, 1, 4},
	{"byte[]", {"java.util.Arrays.copyOf:1", "a.B.d:1", "a.Main.main:2"}, 64, 5, 2, 6, 9},
	{"a.Order", {"a.b.C.d:3", "a.Main.main:2"}, 320, 3, 10, 1, 9},
	{"a.Cache", {"a.b.C.e:4"}, 48, 1, 0, SIM_FOREVER, 0},
	{"byte[]", {"a.b.C.e:5", "a.Main.main:2"}, 70000, 2, 50, 2, 2},
	{"</script><!--mayfly-data-->", {NULL}, 16, 1, 100, 0, 0},
	{"bad\xff\xc3(\xed\xa0\x80\x01\x7f\"\\", {"\n\t\x1b[31m.\xe2\x80\xae:8"}, 24, 1, 95, 1, 1},
};
static const struct sim_text each[] = {
	{"deaths", "collection"}, {"gc", "G1"}, {"jdk.version", "25\xff"}, {NULL, NULL}};
static const struct sim_text old[] = {{"deaths", "old"}, {NULL, NULL}};
static const struct sim_text none[] = {{"deaths", "none"}, {NULL, NULL}};
static const char *const notes[] = {"A note with \xff in it", NULL};

struct sim page_sim(struct rng *rng, uint64_t samples)
{
	static const struct sim_text *const facts[] = {each, each, each, old, none};
	size_t which = (size_t)rng_below(rng, ARRAY_SIZE(facts));
	bool is_old = facts[which] == old;
	return (struct sim){.sites = sites,
		.count = ARRAY_SIZE(sites),
		.facts = facts[which],
		.notes = notes,
		.seed = rng_u64(rng),
		.samples = samples,
		.interval = 1000,
		.track = 1 + rng_below(rng, 3),
		.walk = 1 + rng_below(rng, 2),
		.gc_bytes = facts[which] == none ? 0 : 20000 + rng_below(rng, 100000),
		.full_every = is_old ? 3 : rng_below(rng, 2) * 7,
		.promote = 5,
		.old_only = is_old,
		.young_role = is_old ? ROLE_YOUNG_CONCURRENT : ROLE_YOUNG,
		.full_role = is_old ? ROLE_OLD_CONCURRENT : ROLE_FULL,
		.bytes_per_s = 100000,
		.untrack = (unsigned)rng_below(rng, 20),
		.threads = 3};
}
