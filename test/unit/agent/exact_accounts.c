/* When accounts become records. */
#include "agent/exact_accounts.h"

#include <string.h>

#include "base/clock.h"
#include "support/agent_trace.h"
#include "support/tap.h"

enum { MS = 1000000 };

static struct recorder recorder;
static struct output output;
static struct exact exact;
static uint32_t told, told_from;
static uint64_t told_walks, told_roots;
static bool from_stood_first;

static void begin(bool trusted)
{
	static struct options o; /* the recorder borrows its texts */
	options_init(&o);
	memset(&exact, 0, sizeof(exact));
	EXPECT_INT(0, recorder_init(&recorder, &o, 64, (struct ns){0}, NULL));
	EXPECT_INT(0, accounts_init(&exact.pauses.accounts));
	EXPECT_INT(0, site_table_init(&births_get()->sites, SITE_FIRST));
	exact.places = (struct places){.recorder = &recorder, .births = births_get()};
	told_sites_init(&exact.told, &exact.places);
	exact.audits.trusted = trusted;
}

static void see(void *arg, const struct record *r)
{
	(void)arg;
	told += r->kind == RECORD_exact_gc;
	if (r->kind == RECORD_walks) {
		told_walks += r->walks.walks;
		told_roots += r->walks.ends.at[STACK_ROOT];
	}
	if (r->kind != RECORD_fact || !slice_equal(r->fact.key, slice_str("exact.from.young")))
		return;
	told_from++;
	from_stood_first = !told && slice_equal(r->fact.value, slice_str("9"));
}

/* How many collections the trace tells. */
static uint32_t end(void)
{
	struct agent_trace trace = {.sequence = 0};
	told = told_from = 0;
	told_walks = told_roots = 0;
	agent_trace_drain(&trace, &recorder, true);
	EXPECT(agent_trace_each(&trace, see, NULL) >= 0);
	agent_trace_release(&trace);
	accounts_release(&exact.pauses.accounts);
	site_table_release(&births_get()->sites);
	recorder_release(&recorder);
	return told;
}

/* One that old, with an audit that saw so many of 100 000 objects; 0: without one. Until its end so
 * many births were walked. */
static void account_walked(uint64_t age_ms, uint64_t seen, uint64_t walks)
{
	struct account a = {.time = clock_now().v - age_ms * MS,
		.walks = {.walks = walks, .ends = {[STACK_ROOT] = walks}}};
	if (seen)
		a.audit =
			(struct account_audit){.walked = 100000, .seen = seen, .attributed = seen};
	accounts_put(&exact.pauses.accounts, &a);
}

static void account(uint64_t age_ms, uint64_t seen)
{
	account_walked(age_ms, seen, 0);
}

static bool write_due(bool all)
{
	return exact_accounts_write(&exact, &recorder, &output, all);
}

TEST(an_account_waits_for_a_moment)
{
	begin(true);
	account(0, 0);
	EXPECT(!write_due(false));
	account(0, 0);
	EXPECT(!write_due(false));
	EXPECT(write_due(true));
	EXPECT_INT(2, end());
	begin(true);
	account(300, 0);
	EXPECT(write_due(false));
	EXPECT_INT(1, end());
}

/* And longer where a place of it is not known yet. */
TEST(an_account_waits_for_its_places)
{
	int fresh;
	begin(true);
	uint32_t site = site_table_find(&births_get()->sites, 16, 1, SITES_MAX, &fresh);
	accounts_count(&exact.pauses.accounts, site, ACCOUNT_BIRTHS, 0, 5, 80);
	account(300, 0);
	EXPECT(!write_due(false));
	atomic_store(&births_get()->sites.at[site].site, 7);
	EXPECT(write_due(false));
	EXPECT_INT(1, end());
}

/* After an attach: nothing is told before an audit holds, and the account that it was in is not. */
TEST(accounts_before_an_audit_holds)
{
	begin(false);
	account(300, 0);
	account(300, 50000);
	EXPECT(write_due(false));
	EXPECT(!exact.audits.trusted);
	EXPECT(!atomic_load(&exact.pauses.audit.wanted));
	account(300, 100000);
	EXPECT(write_due(false));
	EXPECT(exact.audits.trusted);
	/* One that is told, too, however short ago that was. */
	EXPECT(atomic_load(&exact.pauses.audit.wanted));
	EXPECT(!atomic_load(&exact.pauses.audit.all));
	account(300, 0);
	EXPECT(write_due(false));
	EXPECT_INT(1, end());
}

/* Walks are told of the births that are told, though both are written some time later. */
TEST(walks_are_of_the_births_told)
{
	begin(false);
	births_get()->every = 1;
	account_walked(300, 0, 40);
	account_walked(300, 100000, 70);
	EXPECT(write_due(false));
	account_walked(300, 0, 100);
	account_walked(0, 0, 250);
	EXPECT(!write_due(false));
	EXPECT(write_due(true));
	EXPECT_INT(2, end());
	EXPECT_INT(180, told_walks);
	EXPECT_INT(180, told_roots);
	births_get()->every = 0;
}

/* Collections between the recording's begin and the first birth lack no account. */
TEST(where_births_begin_is_told_once)
{
	begin(true);
	exact.earlier = 9;
	account(300, 0);
	account(300, 0);
	EXPECT(write_due(false));
	EXPECT_INT(2, end());
	EXPECT_INT(1, told_from);
	EXPECT(from_stood_first);
	begin(true);
	account(300, 0);
	EXPECT(write_due(false));
	EXPECT_INT(1, end());
	EXPECT_INT(0, told_from);
}
