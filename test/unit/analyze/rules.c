#include "analyze/rules.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "stat/weight.h"
#include "support/advise_of.h"
#include "support/tap.h"

#define MAIN "a.Main.main:1"

/* One place for each rule, and garbage that is none. */
static const struct sim_site mill[] = {
	{"char[]", {"a.Text.line:9", MAIN}, 256, 900, 99, 1, 2},
	{"a.Bean", {"a.Text.bean:9", MAIN}, 64, 90, 99, 1, 2},
	{"java.lang.Integer", {"java.lang.Integer.valueOf:1081", "a.Sum.add:5", MAIN}, 16, 120, 100,
		0, 0},
	{"a.Order", {"a.Parser.order:40", MAIN}, 64, 120, 20, 2, 6},
	{"a.Term[]", {"a.Index.add:17", MAIN}, 2048, 100, 3, 16, 60},
	{"a.Page[]", {"a.Cache.page:3", MAIN}, 512, 120, 50, 12, 14},
	{"a.Entry", {"a.Log.keep:23", MAIN}, 48, 40, 0, SIM_FOREVER, 0},
	{"java.lang.ref.WeakReference", {"a.Listeners.add:8", MAIN}, 48, 60, 10, 2, 8},
	{"byte[]", {"a.Blob.read:12", MAIN}, 1000000, 60, 100, 0, 0},
	{"java.lang.Object[]",
		{"java.util.Arrays.copyOf:3512", "java.util.ArrayList.grow:237", MAIN}, 64, 20, 100,
		0, 0},
	{"java.lang.Object[]",
		{"java.util.Arrays.copyOf:3512", "java.util.ArrayList.grow:237", MAIN}, 128, 20,
		100, 0, 0},
	{"java.lang.Object[]",
		{"java.util.Arrays.copyOf:3512", "java.util.ArrayList.grow:237", MAIN}, 256, 20,
		100, 0, 0},
	{"java.lang.Object[]",
		{"java.util.Arrays.copyOf:3512", "java.util.ArrayList.grow:237", MAIN}, 512, 20,
		100, 0, 0},
	{"long[]", {"a.Table.resize:4", MAIN}, 512, 60, 100, 0, 0},
	{"int[]", {"a.Sizes.all:4", MAIN}, 64, 20, 100, 0, 0},
	{"int[]", {"a.Sizes.all:4", MAIN}, 128, 20, 100, 0, 0},
	{"int[]", {"a.Sizes.all:4", MAIN}, 256, 20, 100, 0, 0},
	{"int[]", {"a.Sizes.all:4", MAIN}, 512, 20, 100, 0, 0},
};

static struct sim_text facts[] = {{"gc", "G1"}, {"jdk.version", "17.0.9"}, {"deaths", "collection"},
	{"heap.max", "536870912"}, {"tenuring.max", "15"}, {"follow.max", "524288"},
	{"cause", "System.gc()"}, {NULL, NULL}};

static struct sim program(void)
{
	return (struct sim){.sites = mill,
		.count = ARRAY_SIZE(mill),
		.facts = facts,
		.seed = tap_seed(),
		.samples = 30000,
		.interval = 524288,
		.gc_bytes = 60000000,
		.promote = 15,
		.young_role = ROLE_YOUNG,
		.full_role = ROLE_FULL,
		.full_every = 60,
		.bytes_per_s = 800000000,
		.threads = 5,
		.follow_max = 524288,
		.gc_ns = 4000000,
		.copy_ns = 0.5};
}

static void make(struct advise_of *a, const struct sim *s, double least)
{
	EXPECT_INT(0, advise_of_sim(a, s));
	EXPECT_INT(0, advise_of_find(a, least));
}

/* What each place is found to be: by its first finding of a family, and nothing else. */
TEST(each_place_is_what_it_was_made_to_be)
{
	static const struct {
		const char *class;
		enum rule rule;
	} places[] = {{"char[]", RULE_CHURN}, {"java.lang.Integer", RULE_BOXED},
		{"a.Order", RULE_MID_LIFE}, {"a.Term[]", RULE_LONG_LIVED},
		{"a.Page[]", RULE_BIMODAL}, {"a.Entry", RULE_GROWTH},
		{"java.lang.ref.WeakReference", RULE_REFERENCES}, {"byte[]", RULE_HUMONGOUS},
		{"java.lang.Object[]", RULE_RESIZED}};
	struct advise_of a;
	struct sim s = program();
	make(&a, &s, 0);
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		for (int rule = 0; rule < RULES; rule++) {
			const struct finding *f =
				advise_of_finding(&a, (enum rule)rule, places[i].class);
			bool also = rule == RULE_MID_LIFE && places[i].rule == RULE_REFERENCES;
			bool right = also || (f != NULL) == ((enum rule)rule == places[i].rule);
			tap_check(right, __FILE__, __LINE__, "%s: %s", places[i].class,
				rule_word((enum rule)rule));
		}
	/* Under every threshold; grown but of one size; of many sizes but not grown. */
	for (int rule = 0; rule < RULES; rule++) {
		EXPECT(!advise_of_finding(&a, (enum rule)rule, "a.Bean"));
		EXPECT(!advise_of_finding(&a, (enum rule)rule, "long[]"));
		EXPECT(!advise_of_finding(&a, (enum rule)rule, "int[]"));
	}
	advise_of_release(&a);
}

/* Bytes that a site's samples stand for, in proportion. */
static double lots_of(const struct sim_site *site)
{
	return site->rate * (double)site->size * weight_poisson(site->size, program().interval);
}

/* Within three times the interval's half width: chance alone does not go there. */
static void expect_share(const struct finding *f, double share)
{
	EXPECT(f != NULL);
	if (f)
		EXPECT_NEAR(share, f->share.value,
			3 * fmax(f->share.hi - f->share.value, f->share.value - f->share.lo));
}

TEST(how_much_is_what_was_put_in)
{
	struct advise_of a;
	struct sim s = program();
	make(&a, &s, 0);
	double lots = 0, copied = 0;
	for (size_t i = 0; i < ARRAY_SIZE(mill); i++) {
		const struct sim_site *m = &mill[i];
		double mean = m->least == SIM_FOREVER ? 16 : fmin(16, (m->least + m->most) / 2.0);
		lots += lots_of(m);
		copied += m->size > 524288 ? 0 : lots_of(m) * (1 - m->infant / 100.0) * mean;
	}
	const struct finding *f = advise_of_finding(&a, RULE_CHURN, "char[]");
	double share = lots_of(&mill[0]) / lots;
	expect_share(f, share);
	EXPECT(f && f->sure == SURE_SURE);
	f = advise_of_finding(&a, RULE_BOXED, NULL);
	share = lots_of(&mill[2]) / lots;
	expect_share(f, share);
	f = advise_of_finding(&a, RULE_MID_LIFE, "a.Order");
	share = lots_of(&mill[3]) * 0.8 * 4 / copied;
	expect_share(f, share);
	EXPECT(f && f->gc > 0 && f->gc <= f->gc_most);
	advise_of_release(&a);
}

/* Sums over disjoint places can't be more than the run's pauses. */
TEST(costs_are_parts_of_the_pauses)
{
	struct advise_of a;
	struct sim s = program();
	double sum = 0;
	make(&a, &s, 0);
	for (size_t i = 0; i < a.advise.findings.count; i++) {
		const struct finding *f = &a.advise.findings.at[i];
		sum += f->row && !isnan(f->gc) ? f->gc : 0;
	}
	EXPECT(sum > 0 && sum <= a.advise.run.pause / a.advise.run.seconds);
	advise_of_release(&a);
}

/* Long pauses, of which copying is nothing, must not make a few bytes look dear. */
TEST(what_is_copied_costs_no_more_than_copies_can)
{
	struct advise_of a;
	struct sim s = program();
	s.bytes_per_s = 8000000;
	s.gc_ns = 100000000000;
	s.copy_ns = 0;
	make(&a, &s, 0);
	const struct finding *f = advise_of_finding(&a, RULE_MID_LIFE, "a.Order");
	EXPECT(f && f->bytes > 0);
	if (f && isnan(f->gc)) /* by chance the run seems to tell, once in forty */
		EXPECT(f->gc_most <= f->bytes * 10 * (1 + 1e-9));
	advise_of_release(&a);
}

/* As of a recording that kill -9 ended: counted in up to a collection in the middle. */
TEST(what_was_born_is_over_the_time_it_was_counted_in)
{
	struct advise_of whole, cut;
	struct sim s = program();
	make(&whole, &s, 0);
	EXPECT_INT(0, advise_of_sim(&cut, &s));
	size_t middle = cut.model.gcs.list.count / 2;
	cut.model.complete = false;
	cut.model.exact.births.objects = 1;
	cut.model.exact.young = cut.model.gcs.list.at[middle].young;
	EXPECT_INT(0, advise_of_find(&cut, 0));
	double times = cut.advise.run.seconds / cut.advise.run.born_seconds;
	EXPECT(times > 1.5 && times < 3);
	const struct finding *f = advise_of_finding(&whole, RULE_CHURN, "char[]");
	const struct finding *g = advise_of_finding(&cut, RULE_CHURN, "char[]");
	EXPECT(f && g);
	if (f && g) {
		EXPECT_NEAR(f->bytes * times, g->bytes, 1e-6 * g->bytes);
		EXPECT_NEAR(f->gc_most, g->gc_most, 1e-6 * g->gc_most);
	}
	advise_of_release(&whole);
	advise_of_release(&cut);
}

static void expect_least(const char *text, double share)
{
	struct buf out = {0};
	rule_put_least(&out, share);
	EXPECT_STR(text, buf_text(&out));
	buf_release(&out);
}

/* 99.5 % are not "at least 100 %". */
TEST(what_is_at_least_so_much_is_rounded_down)
{
	expect_least("99 %", 0.9952);
	expect_least("100 %", 1);
	expect_least("53 %", 0.53);
	expect_least("4.0 %", 0.0409);
	expect_least("0 %", 0);
}

static void mark_explicit(struct model *m, size_t every)
{
	uint32_t cause = texts_add(&m->defs.texts, slice_str("System.gc()"));
	for (size_t i = 0; i < m->gcs.list.count; i += every) {
		m->gcs.list.at[i].flags |= GC_FORCED;
		m->gcs.list.at[i].cause = cause;
	}
}

TEST(collections_asked_for_are_found)
{
	struct advise_of a;
	struct sim s = program();
	make(&a, &s, 0);
	EXPECT(!advise_of_finding(&a, RULE_EXPLICIT_GC, NULL));
	mark_explicit(&a.model, 10);
	EXPECT_INT(0, advise_of_find(&a, 0));
	const struct finding *f = advise_of_finding(&a, RULE_EXPLICIT_GC, NULL);
	EXPECT(f && strcmp(f->option, "-XX:+ExplicitGCInvokesConcurrent") == 0);
	double pause = 0;
	for (size_t i = 0; i < a.model.gcs.list.count; i += 10)
		pause += (double)a.model.gcs.list.at[i].pause;
	EXPECT(f && fabs(f->gc * a.advise.run.seconds / pause - 1) < 1e-6);
	/* One pause each, in two parts, as Parallel has it. */
	uint64_t calls = a.advise.run.explicit_count;
	for (size_t i = 0; i < a.model.gcs.list.count; i += 20)
		a.model.gcs.list.at[i].part = 1;
	EXPECT_INT(0, advise_of_find(&a, 0));
	EXPECT_INT(calls / 2, a.advise.run.explicit_count);
	for (size_t i = 10; i < a.model.gcs.list.count; i += 10)
		a.model.gcs.list.at[i].part = 1;
	a.model.gcs.list.at[0].part = 0;
	EXPECT_INT(0, advise_of_find(&a, 0));
	f = advise_of_finding(&a, RULE_EXPLICIT_GC, NULL);
	EXPECT(f && strncmp(f->facts, "1 collection, ", 14) == 0 && !strstr(f->facts, "each"));
	/* Forced by something else. */
	for (size_t i = 0; i < a.model.gcs.list.count; i++)
		a.model.gcs.list.at[i].cause = 0;
	EXPECT_INT(0, advise_of_find(&a, 0));
	EXPECT(!advise_of_finding(&a, RULE_EXPLICIT_GC, NULL));
	advise_of_release(&a);
}

/* Every tenth collection, as if survivors had found no room. */
static double mark_full(struct model *m, const char *cause)
{
	uint32_t text = texts_add(&m->defs.texts, slice_str(cause));
	double pause = 0;
	for (size_t i = 0; i < m->gcs.list.count; i += 10) {
		struct gc *gc = &m->gcs.list.at[i];
		gc->kind = GC_KIND_FULL;
		gc->raised_full = true;
		gc->cause = text;
		gc->heap_after = 402653184; /* three quarters of heap.max */
		pause += (double)gc->pause;
	}
	return pause;
}

TEST(a_heap_that_is_full_is_found)
{
	struct advise_of a;
	struct sim s = program();
	s.full_every = 0;
	make(&a, &s, 0);
	EXPECT(!advise_of_finding(&a, RULE_FULL_HEAP, NULL));
	(void)mark_full(&a.model, "Metadata GC Threshold");
	EXPECT_INT(0, advise_of_find(&a, 0));
	EXPECT(!advise_of_finding(&a, RULE_FULL_HEAP, NULL));
	double pause = mark_full(&a.model, "G1 Compaction Pause");
	for (size_t i = 0; i < a.model.gcs.list.count; i += 10)
		pause += 9 * (double)a.model.gcs.list.at[i].pause,
			a.model.gcs.list.at[i].pause *= 10;
	EXPECT_INT(0, advise_of_find(&a, 0));
	const struct finding *f = advise_of_finding(&a, RULE_FULL_HEAP, NULL);
	EXPECT(f && f->sure == SURE_SURE && strstr(f->facts, "403 MB are in use still, 75 %"));
	EXPECT(f && fabs(f->gc * a.advise.run.seconds / pause - 1) < 1e-6);
	/* Garbage filled it. */
	for (size_t i = 0; i < a.model.gcs.list.count; i++)
		a.model.gcs.list.at[i].heap_after /= 2;
	EXPECT_INT(0, advise_of_find(&a, 0));
	EXPECT(!advise_of_finding(&a, RULE_FULL_HEAP, NULL));
	for (size_t i = 0; i < a.model.gcs.list.count; i++) {
		a.model.gcs.list.at[i].flags |= GC_FORCED;
		a.model.gcs.list.at[i].heap_after *= 2;
	}
	EXPECT_INT(0, advise_of_find(&a, 0));
	EXPECT(!advise_of_finding(&a, RULE_FULL_HEAP, NULL));
	advise_of_release(&a);
}

static void mark_for_large(struct model *m)
{
	uint32_t cause = texts_add(&m->defs.texts, slice_str("G1 Humongous Allocation"));
	for (size_t i = 0; i < m->gcs.list.count; i++)
		if (i % 10)
			m->gcs.list.at[i].cause = cause;
}

/* A place fills eden, and large objects don't: each answers for its own collections. */
TEST(collections_that_large_objects_ask_for_are_theirs)
{
	struct advise_of a;
	struct sim s = program();
	char whole[64];
	make(&a, &s, 0);
	const struct finding *f = advise_of_finding(&a, RULE_HUMONGOUS, "byte[]");
	EXPECT(f && isnan(f->gc_most) && !strstr(f->facts, "began"));
	double eden = a.advise.run.young_bytes;
	mark_for_large(&a.model);
	EXPECT_INT(0, advise_of_find(&a, 0.9));
	const struct advise_run *r = &a.advise.run;
	EXPECT(r->filled + r->for_large == r->young && r->for_large > 8 * r->filled);
	EXPECT_NEAR(r->young_pause, r->filled_pause + r->for_large_pause, 1);
	f = advise_of_finding(&a, RULE_HUMONGOUS, "byte[]");
	snprintf(whole, sizeof(whole), " %d of %d young GCs began", (int)r->for_large,
		(int)r->young);
	EXPECT(f && strstr(f->facts, whole));
	EXPECT(f && fabs(f->gc_most * r->seconds / r->for_large_pause - 1) < 1e-6);
	EXPECT_INT(0, advise_of_find(&a, 0));
	f = advise_of_finding(&a, RULE_CHURN, "char[]");
	double share = f ? f->row->tally.alloc.bytes.sum / eden : 0;
	EXPECT(f && fabs(f->gc_most * r->seconds / (share * r->filled_pause) - 1) < 1e-6);
	snprintf(whole, sizeof(whole), "about %d young GCs instead of %d",
		(int)lround((double)r->young - share * (double)r->filled), (int)r->young);
	EXPECT(f && strstr(f->outcome, whole));
	advise_of_release(&a);
}

TEST(a_thread_that_allocates_most_is_found)
{
	struct advise_of a;
	struct sim s = program();
	make(&a, &s, 0);
	EXPECT(!advise_of_finding(&a, RULE_THREADS, NULL));
	total_merge(&a.log.threads.at[2], &a.log.threads.at[3]);
	total_merge(&a.log.threads.at[2], &a.log.threads.at[4]);
	a.log.threads.at[3].bytes.sum = a.log.threads.at[4].bytes.sum = 1;
	EXPECT_INT(0, advise_of_find(&a, 0));
	const struct finding *f = advise_of_finding(&a, RULE_THREADS, NULL);
	EXPECT(f && fabs(f->share.value - 0.6) < 0.03);
	EXPECT(f && strstr(f->facts, "worker-2") && strstr(f->facts, "one of 5"));
	EXPECT(f && strstr(f->todo, "mayfly report -w thread=worker-2."));
	advise_of_release(&a);
}

/* That all bytes were counted does not tell whose they are. */
TEST(the_share_of_a_thread_is_by_samples_where_bytes_were_counted)
{
	struct advise_of a;
	struct sim s = program();
	make(&a, &s, 0);
	total_merge(&a.log.threads.at[2], &a.log.threads.at[3]);
	total_merge(&a.log.threads.at[2], &a.log.threads.at[4]);
	a.log.threads.at[3].bytes.sum = a.log.threads.at[4].bytes.sum = 1;
	EXPECT_INT(0, advise_of_find(&a, 0));
	const struct finding *f = advise_of_finding(&a, RULE_THREADS, NULL);
	struct estimate sampled = f ? f->share : (struct estimate){0};
	EXPECT(f && sampled.lo < sampled.value && sampled.value < sampled.hi);
	for (size_t i = 0; i < a.log.ledger.accounts.count; i++)
		total_certain(&a.log.ledger.accounts.at[i].tally.alloc);
	EXPECT_INT(0, advise_of_find(&a, 0));
	f = advise_of_finding(&a, RULE_THREADS, NULL);
	EXPECT_NEAR(sampled.lo, f ? f->share.lo : 0, 1e-12);
	EXPECT_NEAR(sampled.hi, f ? f->share.hi : 0, 1e-12);
	advise_of_release(&a);
}

/* The same objects, all at the start. */
TEST(what_is_built_at_the_start_is_no_growth)
{
	static const struct sim_site sites[] = {
		{"char[]", {"a.Text.line:9", MAIN}, 256, 1000, 100, 0, 0},
		{"a.Entry", {"a.Load.all:23", MAIN}, 48, 20, 0, SIM_FOREVER, 0}};
	struct advise_of a;
	struct sim s = program();
	s.sites = sites;
	s.count = 2;
	make(&a, &s, 0);
	EXPECT(advise_of_finding(&a, RULE_GROWTH, "a.Entry"));
	EXPECT(!advise_of_finding(&a, RULE_RAMP_UP, NULL));
	/* As if its bytes had come in the first bins of time. */
	for (size_t i = 0; i < a.log.sites.count; i++) {
		struct evidence_site *site = &a.log.sites.at[i];
		double all = evidence_until(site, UINT64_MAX), alive = 0;
		for (int p = 0; p < EVIDENCE_PARTS; p++) {
			alive += site->alive[p];
			site->alive[p] = 0;
		}
		memset(site->times, 0, sizeof(site->times));
		site->times[0] = all;
		site->alive[0] = alive;
	}
	EXPECT_INT(0, advise_of_find(&a, 0));
	EXPECT(!advise_of_finding(&a, RULE_GROWTH, NULL));
	EXPECT(advise_of_finding(&a, RULE_RAMP_UP, "a.Entry"));
	advise_of_release(&a);
}

/* Many that live for some collections, survivors that don't fit, and an old generation that is
 * collected. */
TEST(promoted_too_soon_is_found)
{
	static const struct sim_site sites[] = {
		{"char[]", {"a.Text.line:9", MAIN}, 256, 1000, 100, 0, 0},
		{"a.Order", {"a.Parser.order:40", MAIN}, 64, 400, 20, 2, 9}};
	struct advise_of a;
	struct sim s = program();
	s.sites = sites;
	s.count = 2;
	s.full_every = 30;
	make(&a, &s, 0);
	EXPECT(!advise_of_finding(&a, RULE_PREMATURE, NULL));
	advise_of_release(&a);
	s.promote = 2;
	make(&a, &s, 0);
	const struct finding *f = advise_of_finding(&a, RULE_PREMATURE, NULL);
	EXPECT(f && f->sure == SURE_SURE && strcmp(f->option, "-XX:SurvivorRatio=4") == 0);
	EXPECT(f && f->share.value > 0.9);
	/* Where tenure set that bound, it was not for want of room. */
	struct record_round bound = {.round = 1, .young = 16, .collections = 16, .threshold = 2};
	EXPECT_INT(0, tenure_add_round(&a.model.tenure, &bound, &a.model.odds));
	EXPECT_INT(0, advise_of_find(&a, 0));
	EXPECT(!advise_of_finding(&a, RULE_PREMATURE, NULL));
	advise_of_release(&a);
	s.full_every = 0;
	make(&a, &s, 0);
	EXPECT(!advise_of_finding(&a, RULE_PREMATURE, NULL)); /* nobody looked */
	advise_of_release(&a);
}

TEST(a_larger_young_generation_is_advised_where_there_is_room)
{
	static const struct sim_site sites[] = {
		{"char[]", {"a.Text.line:9", MAIN}, 256, 1000, 100, 0, 0},
		{"a.Order", {"a.Parser.order:40", MAIN}, 64, 400, 20, 2, 9}};
	struct advise_of a;
	struct sim s = program();
	s.sites = sites;
	s.count = 2;
	make(&a, &s, 0);
	const struct finding *f = advise_of_finding(&a, RULE_YOUNG_SIZE, NULL);
	EXPECT_NEAR(0.5, f ? f->share.value : 0, 0.1);
	EXPECT(f && strstr(f->option, "-XX:+UnlockExperimentalVMOptions -XX:G1NewSizePercent=29"));
	advise_of_release(&a);
	facts[0].value = "Parallel";
	make(&a, &s, 0);
	f = advise_of_finding(&a, RULE_YOUNG_SIZE, NULL);
	EXPECT(f && strncmp(f->option, "-Xmn14", 6) == 0);
	advise_of_release(&a);
	facts[0].value = "G1";
	facts[3].value = "200000000";
	make(&a, &s, 0);
	EXPECT(!advise_of_finding(&a, RULE_YOUNG_SIZE, NULL));
	facts[3].value = "536870912";
	advise_of_release(&a);
}

/* What is long-lived is promoted sooner at no price; what dies in between has one. */
TEST(a_lower_threshold_is_advised_where_little_dies_in_between)
{
	static const struct sim_site lasting[] = {
		{"char[]", {"a.Text.line:9", MAIN}, 256, 900, 100, 0, 0},
		{"a.Term[]", {"a.Index.add:17", MAIN}, 2048, 100, 3, 40, 60}};
	static const struct sim_site dying[] = {
		{"char[]", {"a.Text.line:9", MAIN}, 256, 900, 100, 0, 0},
		{"a.Order", {"a.Parser.order:40", MAIN}, 64, 400, 20, 1, 1}};
	struct advise_of a;
	struct sim s = program();
	s.sites = lasting;
	s.count = 2;
	make(&a, &s, 0);
	const struct finding *f = advise_of_finding(&a, RULE_THRESHOLD, NULL);
	EXPECT(f && strcmp(f->option, "-XX:MaxTenuringThreshold=0") == 0);
	EXPECT(f && f->share.value > 0.9 && f->sure == SURE_LIKELY);
	advise_of_release(&a);
	s.sites = dying;
	make(&a, &s, 0);
	EXPECT(!advise_of_finding(&a, RULE_THRESHOLD, NULL));
	advise_of_release(&a);
	s.sites = lasting;
	facts[1].value = "26";
	make(&a, &s, 0);
	EXPECT(!advise_of_finding(&a, RULE_THRESHOLD, NULL)); /* not known to have the flag */
	facts[1].value = "17.0.9";
	advise_of_release(&a);
}

/* No text has what a terminal can't show, and each says something. */
TEST(texts_are_sentences)
{
	struct advise_of a;
	struct sim s = program();
	make(&a, &s, 0);
	EXPECT(a.advise.findings.count >= 10);
	for (size_t i = 0; i < a.advise.findings.count; i++) {
		const struct finding *f = &a.advise.findings.at[i];
		const char *texts[] = {f->facts, f->todo, f->outcome};
		for (size_t k = 0; k < ARRAY_SIZE(texts); k++) {
			size_t len = strlen(texts[k]);
			EXPECT(len || k == 2);
			EXPECT(!len || texts[k][len - 1] == '.');
			EXPECT(!strstr(texts[k], "nan") && !strstr(texts[k], "inf "));
			for (size_t c = 0; c < len; c++)
				EXPECT(texts[k][c] >= ' ' && texts[k][c] < 127);
		}
	}
	advise_of_release(&a);
}
