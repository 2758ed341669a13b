#include "agent/young_lever.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "agent/tenure_records.h"
#include "base/error.h"
#include "hotspot/young_flags.h"

enum { MIB = 1 << 20 };
#define NOT_SO 0.1 /* of the size, that the VM may make it another without a word */

static bool is_for(const struct vm_flags *f)
{
	return vm_flags_bool(f, "UseSerialGC", false) || vm_flags_bool(f, "UseParallelGC", false);
}

static uint64_t bytes_of(uint32_t mb)
{
	return (uint64_t)mb * MIB;
}

/* Why it can't be done; "". */
static void look(struct young_lever *l, const struct vm_flags *f, bool live)
{
	const struct decision_young *y = &l->file;
	uint64_t heap_mb = l->heap / MIB;
	if (!is_for(f))
		diag_set(&l->not_set, ERR_UNSUPPORTED,
			"it is for Serial and Parallel: G1 chooses its own");
	else if (live)
		diag_set(&l->not_set, ERR_UNSUPPORTED, "the program runs already");
	else if (y->heap_mb && y->heap_mb != heap_mb)
		diag_set(&l->not_set, ERR_UNSUPPORTED,
			"it was found for a heap of %u MB, and this one has %" PRIu64, y->heap_mb,
			heap_mb);
	else if (!l->free)
		diag_set(&l->not_set, ERR_UNSUPPORTED,
			"the program's own options say how large it is");
	else if (!young_size_fits(bytes_of(y->mb), &(struct young_room){.heap = l->heap}))
		diag_set(&l->not_set, ERR_LIMIT,
			"the old generation is to have a quarter of the heap of %" PRIu64 " MB",
			heap_mb);
}

void young_lever_open(struct young_lever *l, const struct vm_flags *f,
	const struct decision_young *file, bool acts, bool live)
{
	*l = (struct young_lever){.file = *file, .heap = young_flags_heap(f)};
	l->free = is_for(f) && !young_flags_taken(f);
	if (!file->there || !file->set || !acts)
		return;
	look(l, f, live);
	l->set = !l->not_set.text[0] && young_flags_set(f, bytes_of(file->mb));
}

void young_lever_begin(struct young_lever *l, struct recorder *r)
{
	struct diag text;
	const struct decision_young *y = &l->file;
	const struct action take = {.lever = LEVER_YOUNG,
		.kind = ACTION_TAKE,
		.value = y->before_mb ? 100ull * y->mb / y->before_mb : 0,
		.reason = text.text};
	if (l->set) {
		diag_set(&text, ERR_NONE, "the decisions file says so: %u MB of a heap of %" PRIu64,
			y->mb, l->heap / MIB);
		tenure_record_action(r, 0, &take);
	} else if (l->not_set.text[0]) {
		diag_set(&text, ERR_NONE,
			"the young generation of %u MB that the decisions file says is not set: "
			"%.300s",
			y->mb, l->not_set.text);
		recorder_note(r, NOTE_WARNING, text.text);
	}
}

static double per_second(const struct round *r, uint64_t for_each_mib)
{
	double seconds = (double)r->wall / 1e9;
	return seconds > 0 ? round_total(r, ROUND_ALLOCATED) / MIB * (double)for_each_mib / seconds
			   : 0;
}

/* Once: as soon as enough was seen. */
static void tell_outcome(struct young_lever *l, struct recorder *r, const struct round *round)
{
	struct young_figures now;
	if (!l->set || l->told || !l->file.expected || !young_trial_figures(&l->trial, &now) ||
		!now.copied)
		return;
	l->told = true;
	const struct outcome o = {.told = true,
		.lever = LEVER_YOUNG,
		.predicted = per_second(round, l->file.expected),
		.observed = per_second(round, now.copied)};
	tenure_record_outcome(r, l->number, &o);
}

/* The VM has the last word; where it begins with a part of its heap it is smaller for a while. */
static void check_size(struct young_lever *l, struct recorder *r)
{
	struct diag text;
	double want = (double)bytes_of(l->file.mb), got = (double)l->room.young;
	if (!l->set || l->looked || !l->room.young)
		return;
	l->looked = true;
	if (got <= want * (1 + NOT_SO))
		return;
	diag_set(&text, ERR_NONE, "the VM made the young generation %.0f MB large, and not %u",
		got / MIB, l->file.mb);
	recorder_note(r, NOTE_WARNING, text.text);
}

void young_lever_round(
	struct young_lever *l, struct recorder *r, uint64_t number, const struct round *round)
{
	l->number = number;
	l->room = round->room;
	check_size(l, r);
	young_trial_round(&l->trial, round);
	tell_outcome(l, r, round);
}

static void tell_back(struct recorder *r, uint64_t round, const struct diag *why)
{
	struct diag text;
	diag_set(&text, ERR_NONE, "for the next run: %.400s", why->text);
	const struct action back = {
		.lever = LEVER_YOUNG, .kind = ACTION_TAKE_BACK, .reason = text.text};
	tenure_record_action(r, round, &back);
}

static void tell_next(struct recorder *r, const struct decision_young *y)
{
	struct diag text;
	diag_set(&text, ERR_NONE,
		"the next run with these decisions begins with a young generation of %u MB "
		"(-Xmn%um), where this one had %u",
		y->mb, y->mb, y->before_mb);
	recorder_note(r, NOTE_INFO, text.text);
}

/* What was advised, and seemed to fit then. */
static void tell_none(struct recorder *r, const struct young_lever *l, uint64_t advised)
{
	struct diag text;
	diag_set(&text, ERR_NONE,
		"a young generation of %" PRIu64
		" MB is not for the next run to begin with: the old one has %" PRIu64
		" MB in use%s",
		advised / MIB, l->room.held / MIB,
		l->room.garbage ? ", and how much of that is garbage no full collection has told"
				: " after full collections, and needs half as much again");
	recorder_note(r, NOTE_INFO, text.text);
}

static bool is_new(const struct decision_young *a, const struct decision_young *b)
{
	return a->set && (!b->set || a->mb != b->mb || a->heap_mb != b->heap_mb);
}

struct decision_young young_lever_next(
	const struct young_lever *l, struct recorder *r, const struct young_end *end, bool *changed)
{
	struct diag why;
	bool able = l->free || l->set,
	     none = end->advised && !young_size_fits(end->advised, &l->room);
	struct young_run run = {.set = l->set, .room = l->room};
	run.known = young_trial_figures(&l->trial, &run.now);
	run.offer = able ? end->offer : (struct young_offer){.bytes = 0};
	struct decision_young next = young_trial_next(&l->file, &run, &why);
	bool back = l->set && !next.set, fresh = is_new(&next, &l->file);
	if (back)
		tell_back(r, l->number, &why);
	if (fresh)
		tell_next(r, &next);
	else if (able && none && !next.there)
		tell_none(r, l, end->advised);
	*changed = back || fresh;
	return next;
}
