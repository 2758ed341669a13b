#include "agent/account_out.h"

#include <string.h>

#include "base/rng.h"
#include "support/tap.h"

enum { SITES = 40, AGES = 15, ROUNDS = 300, TRACE_SITE = 1000 };

/* What went into an account, and what came out as records; by site, by how many were survived. */
struct sums {
	uint64_t births[SITES], bytes[SITES], outside[SITES], outside_bytes[SITES];
	uint64_t young[SITES][AGES + 1], young_bytes[SITES][AGES + 1];
	uint64_t promoted[SITES][AGES + 1], promoted_bytes[SITES][AGES + 1];
};

static struct accounts accounts;
static struct sums in, out;
static struct record_audit audit;
static struct record_exact_gc gc;
static int audits, gcs;

/* Odd ones have a place. */
static uint32_t site_of(void *arg, uint32_t site, bool *known)
{
	(void)arg;
	*known = site % 2;
	return TRACE_SITE + site;
}

static void take_births(const struct record_site_births *b)
{
	uint64_t s = b->site - TRACE_SITE;
	out.births[s] += b->objects;
	out.bytes[s] += b->bytes;
	out.outside[s] += b->outside_objects;
	out.outside_bytes[s] += b->outside_bytes;
}

static void take_list(const struct record_list *l, uint64_t *sum)
{
	for (uint64_t i = 0; i < l->count; i++)
		sum[i + 1] += l->at[i];
}

static void take_ages(const struct record_site_ages *a)
{
	uint64_t s = a->site - TRACE_SITE;
	take_list(&a->objects, out.young[s]);
	take_list(&a->bytes, out.young_bytes[s]);
	take_list(&a->promoted_objects, out.promoted[s]);
	take_list(&a->promoted_bytes, out.promoted_bytes[s]);
}

static void take(void *arg, const struct record *r)
{
	(void)arg;
	if (r->kind == RECORD_site_births)
		take_births(&r->site_births);
	if (r->kind == RECORD_site_ages)
		take_ages(&r->site_ages);
	if (r->kind == RECORD_audit) {
		audit = r->audit;
		audits++;
	}
	if (r->kind == RECORD_exact_gc) {
		gc = r->exact_gc;
		gcs++;
	}
}

/* As a pause does it: a site's births, what of them stands outside behind it, then its ages. */
static void add_site(struct rng *r, uint32_t s)
{
	if (rng_below(r, 3)) {
		in.births[s] = 10 + rng_below(r, 100);
		in.bytes[s] = in.births[s] * 16;
		accounts_count(&accounts, s, ACCOUNT_BIRTHS, 0, in.births[s], in.bytes[s]);
		in.outside[s] = rng_below(r, 2) * rng_below(r, 10);
		in.outside_bytes[s] = in.outside[s] * 16;
		accounts_count(
			&accounts, s, ACCOUNT_OUTSIDE, 0, in.outside[s], in.outside_bytes[s]);
	}
	for (unsigned age = 1; age <= AGES; age++) {
		in.young[s][age] = rng_below(r, 2) * rng_below(r, 50);
		in.young_bytes[s][age] = in.young[s][age] * 24;
		accounts_count(
			&accounts, s, ACCOUNT_YOUNG, age, in.young[s][age], in.young_bytes[s][age]);
	}
	for (unsigned age = 1; age <= AGES; age++) {
		in.promoted[s][age] = rng_below(r, 2) * rng_below(r, 50);
		in.promoted_bytes[s][age] = in.promoted[s][age] * 24;
		accounts_count(&accounts, s, ACCOUNT_PROMOTED, age, in.promoted[s][age],
			in.promoted_bytes[s][age]);
	}
}

static uint64_t attributed(void)
{
	uint64_t sum = 0;
	for (uint32_t s = 1; s < SITES; s += 2)
		sum += in.births[s] - in.outside[s];
	return sum;
}

static const struct account *put(const struct account_audit *a)
{
	accounts_put(&accounts, &(const struct account){.time = 700,
					.young = 5,
					.full = 2,
					.births = 11,
					.survivors = 7,
					.audit = *a});
	return accounts_next(&accounts);
}

/* Whatever goes in comes out, at its own site and age, once. */
TEST(accounts_come_out_whole)
{
	struct rng r = rng_init(tap_seed());
	struct account_out o = {.site = site_of, .put = take};
	EXPECT_INT(0, accounts_init(&accounts));
	for (int round = 0; round < ROUNDS; round++) {
		struct account_audit a = {.walked = rng_below(&r, 2) * 50, .seen = 49};
		memset(&in, 0, sizeof(in));
		memset(&out, 0, sizeof(out));
		audits = gcs = 0;
		for (uint32_t s = 0; s < SITES; s++)
			add_site(&r, s);
		const struct account *t = put(&a);
		account_out_sites(&o, &accounts, t);
		EXPECT(!memcmp(&in, &out, sizeof(in)));
		EXPECT_INT(attributed(), o.attributed);
		EXPECT_INT(a.walked > 0, audits);
		EXPECT_INT(0, gcs);
		if (audits) {
			EXPECT_INT(49, audit.seen);
			EXPECT_INT(attributed(), audit.attributed);
		}
		accounts_done(&accounts);
	}
	accounts_release(&accounts);
}

TEST(the_collection_ends_it)
{
	struct account_out o = {.site = site_of, .put = take};
	gcs = 0;
	EXPECT_INT(0, accounts_init(&accounts));
	account_out_gc(&o, put(&(const struct account_audit){0}), 600);
	EXPECT_INT(1, gcs);
	EXPECT_INT(600, gc.time);
	EXPECT_INT(5, gc.young);
	EXPECT_INT(2, gc.full);
	EXPECT_INT(11, gc.births);
	EXPECT_INT(7, gc.survivors);
	accounts_done(&accounts);
	accounts_release(&accounts);
}
