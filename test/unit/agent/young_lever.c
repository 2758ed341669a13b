/* In a VM that is a table of flags. */
#include "agent/young_lever.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "support/agent_trace.h"
#include "support/tap.h"
#include "support/vm_flag_table.h"
#include "trace/format.h"

enum { MB = 1 << 20, TOLD = 8 };

static struct {
	uint64_t size, most, ratio, heap;
	bool serial, parallel;
} vm;
static struct vm_flag_row rows[] = {{&vm.size, "NewSize", FLAG_SIZE, 0},
	{&vm.most, "MaxNewSize", FLAG_SIZE, 0}, {&vm.ratio, "NewRatio", FLAG_UINTX, 0},
	{&vm.heap, "MaxHeapSize", FLAG_SIZE, FLAG_ERGONOMIC},
	{&vm.serial, "UseSerialGC", FLAG_BOOL, 0}, {&vm.parallel, "UseParallelGC", FLAG_BOOL, 0}};
static struct recorder recorder;
static struct {
	char text[TOLD][512];
	size_t count;
	uint64_t action, value, predicted, observed;
} seen;

static struct vm_flags begin(void)
{
	static struct options o; /* the recorder borrows its texts */
	options_init(&o);
	EXPECT_INT(0, recorder_init(&recorder, &o, 64, clock_now(), NULL));
	vm.size = vm.most = 0;
	vm.heap = 400ull * MB;
	vm.parallel = true;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		rows[i].flags = 0;
	return vm_flag_table(rows, ARRAY_SIZE(rows));
}

static void see(void *arg, const struct record *r)
{
	(void)arg;
	if (r->kind == RECORD_decision) {
		seen.action = r->decision.action;
		seen.value = r->decision.value;
	}
	if (r->kind == RECORD_outcome) {
		EXPECT_INT(TENURE_YOUNG, r->outcome.lever);
		EXPECT_INT(5, r->outcome.round); /* three after the first two */
		EXPECT(!seen.predicted);         /* once */
		seen.predicted = r->outcome.predicted;
		seen.observed = r->outcome.observed;
	}
	if (r->kind == RECORD_note && seen.count < TOLD)
		snprintf(seen.text[seen.count++], sizeof(seen.text[0]), "%.*s",
			(int)r->note.text.len, (const char *)r->note.text.at);
}

static void end(void)
{
	struct agent_trace trace = {.sequence = 0};
	memset(&seen, 0, sizeof(seen));
	seen.action = UINT64_MAX;
	agent_trace_drain(&trace, &recorder, true);
	EXPECT(agent_trace_each(&trace, see, NULL) >= 0);
	agent_trace_release(&trace);
	recorder_release(&recorder);
}

static const struct decision_young said = {.there = true,
	.set = true,
	.mb = 200,
	.heap_mb = 400,
	.before_mb = 100,
	.before = {1000, 500, 0, 0},
	.expected = 400};

TEST(what_the_file_says_is_set_and_told)
{
	struct young_lever l;
	struct vm_flags f = begin();
	young_lever_open(&l, &f, &said, true, false);
	EXPECT(l.set);
	EXPECT_INT(200ull * MB, vm.size);
	EXPECT_INT(200ull * MB, vm.most);
	young_lever_begin(&l, &recorder);
	end();
	EXPECT_INT(0, seen.count);
	EXPECT_INT(TENURE_TAKE, seen.action);
	EXPECT_INT(200, seen.value);
}

TEST(or_why_not)
{
	static const struct {
		bool g1, live, own;
		uint32_t mb, heap_mb;
		const char *why;
	} cases[] = {
		{true, false, false, 200, 400, "G1 chooses its own"},
		{false, true, false, 200, 400, "the program runs already"},
		{false, false, true, 200, 400, "the program's own options"},
		{false, false, false, 200, 300, "for a heap of 300 MB, and this one has 400"},
		{false, false, false, 301, 400, "a quarter of the heap of 400 MB"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct young_lever l;
		struct vm_flags f = begin();
		struct decision_young file = said;
		file.mb = cases[i].mb;
		file.heap_mb = cases[i].heap_mb;
		vm.parallel = !cases[i].g1;
		rows[2].flags = cases[i].own;
		young_lever_open(&l, &f, &file, true, cases[i].live);
		EXPECT(!l.set && !vm.size && !vm.most);
		young_lever_begin(&l, &recorder);
		end();
		EXPECT_INT(1, seen.count);
		EXPECT(strstr(seen.text[0], cases[i].why) != NULL);
		EXPECT(seen.action == UINT64_MAX);
	}
}

TEST(nothing_is_done_where_only_is_learnt_or_the_file_keeps_it_out)
{
	struct decision_young out = said;
	out.set = false;
	for (int i = 0; i < 2; i++) {
		struct young_lever l;
		struct vm_flags f = begin();
		young_lever_open(&l, &f, i ? &out : &said, i, false);
		EXPECT(!l.set && l.free && !vm.size);
		young_lever_begin(&l, &recorder);
		end();
		EXPECT_INT(0, seen.count);
	}
}

static struct round round_of(uint64_t copied, uint64_t young_mb)
{
	return (struct round){.count = 1,
		.wall = 1000000000,
		.collection[0] = {.allocated = MB, .survivors = copied, .cpu = 100},
		.room = {.heap = 400ull * MB, .young = young_mb * MB}};
}

static struct decision_young next_after(
	struct young_lever *l, uint64_t copied, const struct young_end *e, bool *changed)
{
	struct round r = round_of(copied, l->set ? 200 : 100);
	for (uint64_t i = 1; i <= 6; i++)
		young_lever_round(l, &recorder, i, &r);
	return young_lever_next(l, &recorder, e, changed);
}

TEST(what_was_seen_is_for_the_next_run)
{
	struct young_lever l;
	bool changed;
	const struct decision_young none = {.there = false};
	const struct young_end offered = {
		.offer = {.bytes = 200 * MB, .now.bytes = 10, .then.bytes = 4},
		.advised = 200 * MB};
	struct vm_flags f = begin();
	young_lever_open(&l, &f, &none, true, false);
	struct decision_young next = next_after(&l, 1000, &offered, &changed);
	EXPECT(changed && next.set && next.mb == 200 && next.expected == 400);
	end();
	EXPECT_INT(1, seen.count);
	EXPECT(strstr(seen.text[0], "the next run with these decisions begins with a young "
				    "generation of 200 MB (-Xmn200m), where this one had 100"));
}

TEST(what_did_not_pay_is_taken_back)
{
	struct young_lever l;
	bool changed;
	const struct young_end nothing = {.advised = 0};
	struct vm_flags f = begin();
	young_lever_open(&l, &f, &said, true, false);
	struct decision_young next = next_after(&l, 450, &nothing, &changed);
	EXPECT(!changed && next.set && next.runs == 1);
	end();
	EXPECT(seen.action == UINT64_MAX);
	/* A MiB a second was allocated. */
	EXPECT_INT(400, seen.predicted);
	EXPECT_INT(450, seen.observed);
	f = begin();
	young_lever_open(&l, &f, &said, true, false);
	next = next_after(&l, 1001, &nothing, &changed);
	EXPECT(changed && !next.set);
	end();
	EXPECT_INT(TENURE_TAKE_BACK, seen.action);
}

TEST(what_the_vm_makes_of_it_and_what_can_not_be_known_is_said)
{
	struct young_lever l;
	bool changed;
	struct vm_flags f = begin();
	young_lever_open(&l, &f, &said, true, false);
	struct round r = round_of(450, 300);
	young_lever_round(&l, &recorder, 1, &r);
	young_lever_round(&l, &recorder, 2, &r);
	end();
	EXPECT_INT(1, seen.count);
	EXPECT(strstr(seen.text[0], "made the young generation 300 MB large, and not 200"));
	const struct decision_young none = {.there = false};
	r = round_of(450, 100);
	for (int garbage = 0; garbage < 2; garbage++) {
		f = begin();
		young_lever_open(&l, &f, &none, true, false);
		r.room.held = 150ull * MB;
		r.room.garbage = garbage;
		young_lever_round(&l, &recorder, 1, &r);
		(void)young_lever_next(
			&l, &recorder, &(struct young_end){.advised = 200 * MB}, &changed);
		end();
		EXPECT_INT(1, seen.count);
		EXPECT(strstr(seen.text[0], "the old one has 150 MB in use"));
		EXPECT_INT(garbage, strstr(seen.text[0], "no full collection has told") != NULL);
		EXPECT_INT(!garbage, strstr(seen.text[0], "after full collections") != NULL);
	}
}
