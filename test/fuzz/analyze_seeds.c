/* Seeds of the target analyze: small traces that are sound, and rows of choices. */
#include <stdio.h>
#include <sys/stat.h>

#include "base/rng.h"
#include "support/event_trace.h"
#include "support/exact_sim.h"
#include "support/tenure_sim.h"
#include "trace/writer.h"

enum { EVENT_STEPS = 5 };

static const struct sim_site sites[] = {
	{"byte[]", {"java.util.Arrays.copyOf:1", "a.B.c:1", "a.Main.main:2"}, 64, 5, 90, 1, 4},
	{"byte[]", {"java.util.Arrays.copyOf:1", "a.B.d:1", "a.Main.main:2"}, 64, 5, 5, 6, 9},
	{"a.Order", {"a.b.C.d:3"}, 320, 3, 10, 1, 20},
};
static const struct sim_text all[] = {{"deaths", "collection"}, {"start", "attach"}, {NULL, NULL}};
static const struct sim_text old[] = {{"deaths", "old"}, {"tenuring.max", "3"}, {NULL, NULL}};

static int put(void *arg, const struct record *r)
{
	return writer_put(arg, r);
}

static int save(const char *folder, const char *name, uint8_t first, struct slice bytes)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/analyze/%s", folder, name);
	FILE *f = fopen(path, "wb");
	if (!f)
		return 1;
	int bad = fputc(first, f) == EOF || fwrite(bytes.at, 1, bytes.len, f) != bytes.len;
	return fclose(f) || bad;
}

static int save_exact(const char *folder, const char *name, const struct exact_sim *x)
{
	struct buf bytes = {0};
	struct writer w;
	struct exact_truth truth = {0};
	int bad = writer_init(&w, sink_buf(&bytes), NULL, (struct ns){1}) ||
		  exact_sim_run(x, put, &w, &truth);
	bad |= writer_release(&w);
	bad = bad || save(folder, name, 0, buf_slice(&bytes));
	exact_truth_release(&truth);
	buf_release(&bytes);
	return bad;
}

static int save_trace(const char *folder, const char *name, const struct sim *s)
{
	struct buf bytes = {0};
	struct writer w;
	int bad = writer_init(&w, sink_buf(&bytes), NULL, (struct ns){1}) || sim_run(s, put, &w);
	bad |= writer_release(&w);
	bad = bad || save(folder, name, 0, buf_slice(&bytes));
	buf_release(&bytes);
	return bad;
}

/* Objects that are followed one by one; `slow`: the writer loses some intervals and objects. */
static int save_events(const char *folder, const char *name, enum heap_collector collector,
	uint32_t slow, bool survivors)
{
	static struct event_trace t = {.accounted = true};
	const struct sim_follow_setting s = {
		.rules = {.collector = collector, .fail = 5, .survivors = survivors},
		.chunks = slow ? 40 : 4096,
		.reserve = slow ? 4 : 0,
		.words = 64,
		.residents = 1 << 16,
		.identities = 1 << 12,
		.slow = slow,
		.checkpoint = 3};
	struct buf bytes = {0};
	event_trace_make(&t, &s, 1, EVENT_STEPS, NULL, &bytes);
	int bad = slow && !t.lost;
	bad = bad || save(folder, name, 0, buf_slice(&bytes));
	event_trace_release(&t);
	buf_release(&bytes);
	return bad;
}

static const struct tenure_phase phases[] = {{0, 0.2, 0.03, 0.9, 1, TENURE_LEARNS, 15, 0},
	{3, 0.1, 0.03, 0, 0.5, TENURE_SETTLES, 2, 2}, {4, 0.1, 0.03, 0.5, 0.5, TENURE_HOLDS, 2, 1}};
static const struct tenure_step steps[] = {
	{.round = 2,
		.lever = TENURE_JUMP,
		.site = 2,
		.gain = 900,
		.harm = 7,
		.reason = "grows old"},
	{.round = 2, .lever = TENURE_JUMP, .site = 3, .gain = 800, .reason = "grows old"},
	{.round = 2, .lever = TENURE_THRESHOLD, .value = 2, .reason = "a bound"},
	{.round = 3, .lever = TENURE_THRESHOLD, .action = TENURE_ADVISE, .reason = "-XX:A=1"},
	{.round = 4, .lever = TENURE_JUMP, .predicted = 800, .observed = 790},
	{.round = 5, .lever = TENURE_JUMP, .action = TENURE_TAKE_BACK, .site = 3},
	{.round = 5, .lever = TENURE_SAMPLING, .value = 1},
};

static int save_tenure(const char *folder, const char *name, const struct sim *s)
{
	struct buf bytes = {0};
	struct writer w;
	const struct tenure_sim t = {.sim = *s,
		.length = 2,
		.phases = phases,
		.phase_count = ARRAY_SIZE(phases),
		.steps = steps,
		.step_count = ARRAY_SIZE(steps)};
	int bad = writer_init(&w, sink_buf(&bytes), NULL, (struct ns){1}) ||
		  tenure_sim_run(&t, put, &w);
	bad |= writer_release(&w);
	bad = bad || save(folder, name, 0, buf_slice(&bytes));
	buf_release(&bytes);
	return bad;
}

int main(int argc, char **argv)
{
	char path[4096];
	if (argc != 2)
		return 2;
	snprintf(path, sizeof(path), "%s/analyze", argv[1]);
	mkdir(path, 0755);
	struct sim s = {.sites = sites,
		.count = 3,
		.facts = all,
		.seed = 1,
		.samples = 400,
		.interval = 1000,
		.gc_bytes = 20000,
		.full_every = 7,
		.promote = 5,
		.young_role = ROLE_YOUNG,
		.full_role = ROLE_FULL,
		.bytes_per_s = 1000000,
		.untrack = 5};
	int bad = save_trace(argv[1], "sound", &s);
	bad |= save_tenure(argv[1], "tenure", &s);
	struct exact_sim x = {.sim = s, .interval = 2000, .inlined = 2, .dark = 9, .miss_every = 5};
	x.sim.untrack = 0;
	bad |= save_exact(argv[1], "exact", &x);
	bad |= save_events(argv[1], "events-g1", HEAP_G1, 0, false);
	bad |= save_events(argv[1], "events-serial", HEAP_SERIAL, 0, false);
	bad |= save_events(argv[1], "events-lost", HEAP_PARALLEL, 3, false);
	bad |= save_events(argv[1], "events-survivors", HEAP_G1, 0, true);
	s.facts = old;
	s.old_only = s.no_end = true;
	s.full_role = ROLE_OLD_CONCURRENT;
	bad |= save_trace(argv[1], "old", &s);
	for (uint64_t i = 0; i < 6; i++) {
		struct rng r = rng_init(i + 1);
		uint8_t choices[1500];
		for (size_t k = 0; k < sizeof(choices); k++)
			choices[k] = (uint8_t)rng_u64(&r) & (i % 2 ? 0x7f : 0x3f);
		snprintf(path, sizeof(path), "choices-%d", (int)i);
		bad |= save(argv[1], path, 1, slice(choices, sizeof(choices)));
	}
	return bad;
}
