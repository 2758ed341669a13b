#include "tenure/learner.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "stat/late.h"
#include "tenure/rows.h"
#include "tenure/watch.h"

enum { ROWS_MOST = 8192, ROWS_LEAST = 1024, QUIET_MOST = 32, SWEEP_KEEPS = 16 };
enum { BORN_CLOCKS = 32 }; /* more than there are ages */
enum { WHOLE_MOST = TENURE_AGES + 2 };

/* Of one followed object. */
struct followed_slot {
	uint32_t row : 31, jumps : 1; /* ROW_NONE: free */
	uint32_t born;                /* the young clock, low bits */
	float bytes, objects;         /* that it stands for */
};

/* Protected by the caller's lock, all of it. */
struct learner {
	double decay;                /* of what there is now, at the end of its round */
	struct followed_slot *slots; /* owned */
	uint32_t slot_count;
	struct rows rows;
	struct watches watches;
	struct thresholds thresholds;
	uint64_t now;     /* the young clock, as last told */
	uint64_t counted; /* where it was when what stands was swept last */
	uint64_t looked;  /* births before that were looked at, where all that is old was */
	uint64_t marks;   /* where it was when the marking began; UINT64_MAX: not told */
	uint64_t sees;    /* the last collection finds dead who was old, and died, before that */
	uint32_t recent;  /* bit i: the collection that moved it to now - i counts */
	uint64_t cycles;  /* collections of the old generation that did not move it */
	struct late late;
	bool still; /* the last collection did not move the young clock */
	bool looks; /* it looked through the old generation */
	struct learner_rule rule;
	struct learner_lost lost;
	/* Of the window. */
	double collections, alone, copied_bytes, copied_squares; /* snapshot */
	struct age_tables ages;
	/* Of this round. */
	struct amount copied;
	struct early early;
	double held[THRESHOLD_MOST + 1], stayed[THRESHOLD_MOST + 1];
	double stayed_bytes[THRESHOLD_MOST + 1];
	double full[THRESHOLD_MOST + 1], full_bytes[THRESHOLD_MOST + 1]; /* of them, made old by a
									    full collection */
	uint32_t cohorts; /* bit i: what was born i collections before the last one is young */
	double round;     /* collections that moved the young clock */
	double blind;     /* of `held`: of which it is not known what they copied */
	double born[BORN_CLOCKS]; /* bytes, by the young clock's lowest bits */
	double pending;           /* collections of the round before that are swept in this one */
	uint32_t threshold;       /* in force in the last collection */
	bool jump_rests, jumps;   /* some place's objects jump */
	uint32_t whole;           /* collections since none did, at most WHOLE_MOST */
};

static uint64_t bytes_for(uint32_t slots, uint32_t rows)
{
	return sizeof(struct learner) + (uint64_t)slots * sizeof(struct followed_slot) +
	       rows_bytes(rows) + (uint64_t)rows * sizeof(struct snapshot_row);
}

/* Half as many rows until all fits. */
static uint32_t rows_for(const struct learner_rule *rule)
{
	uint32_t rows = rule->places ? rule->places : ROWS_MOST;
	while (!rule->places && rows > ROWS_LEAST && bytes_for(rule->slots, rows) > LEARNER_BYTES)
		rows /= 2;
	return rows;
}

/* As many as there is room for beside the rows. */
static uint32_t slots_for(const struct learner_rule *rule, uint32_t rows)
{
	uint64_t beside = bytes_for(0, rows);
	uint64_t most = beside < LEARNER_BYTES
				? (LEARNER_BYTES - beside) / sizeof(struct followed_slot)
				: 0;
	return rule->slots < most ? rule->slots : (uint32_t)most;
}

static void clear_slots(struct learner *l)
{
	for (uint32_t i = 0; i < l->slot_count; i++)
		l->slots[i].row = ROW_NONE;
}

static int fill(struct learner *l, uint32_t rows)
{
	l->slots = mem_zalloc(l->slot_count, sizeof(*l->slots));
	if (!l->slots)
		return ERR_NOMEM;
	clear_slots(l);
	watches_init(&l->watches);
	return rows_init(&l->rows, rows);
}

int learner_init(struct learner **out, const struct learner_rule *rule)
{
	uint32_t rows = rows_for(rule), slots = slots_for(rule, rows);
	*out = NULL;
	if (!slots)
		return ERR_LIMIT;
	struct learner *l = mem_zalloc(1, sizeof(*l));
	if (!l)
		return ERR_NOMEM;
	l->rule = *rule;
	l->marks = UINT64_MAX;
	l->whole = WHOLE_MOST;
	l->slot_count = slots;
	l->decay = rule->decay > 0 ? rule->decay : LEARNER_START;
	if (!(l->rule.decay > 0))
		l->rule.decay = LEARNER_DECAY;
	if (fill(l, rows)) {
		learner_free(l);
		return ERR_NOMEM;
	}
	*out = l;
	return ERR_NONE;
}

void learner_free(struct learner *l)
{
	if (!l)
		return;
	mem_free(l->slots);
	rows_release(&l->rows);
	mem_free(l);
}

uint64_t learner_bytes(const struct learner *l)
{
	return bytes_for(l->slot_count, l->rows.room);
}

struct learner_lost learner_lost(const struct learner *l)
{
	return l->lost;
}

size_t learner_rows(const struct learner *l)
{
	return l->rows.room;
}

static void add_to(struct row *row, uint32_t age, bool stood, struct amount weight)
{
	passage_add(&row->passage, age, stood, weight);
	row->quiet = 0;
}

static void pass(struct learner *l, uint32_t row, uint32_t age, bool stood, struct amount weight)
{
	struct row *r = &l->rows.at[row];
	add_to(r, age, stood, weight);
	if (r->parent != ROW_NONE)
		add_to(&l->rows.at[r->parent], age, stood, weight);
}

static void count_copies(struct learner *l, struct amount weight, double copies)
{
	amount_add(&l->copied, amount_times(weight, copies));
	l->copied_bytes += weight.bytes * copies;
	l->copied_squares += weight.bytes * copies * weight.bytes * copies;
}

static uint64_t born(const struct learner *l, const struct followed_slot *s)
{
	return l->now - (uint32_t)((uint32_t)l->now - s->born);
}

/*
 * Goes through the collections that looked at the object since the last sweep: of the `survived`
 * ones of its life and, if it died, the one that found it, up to its promotion. Whether it had been
 * promoted.
 */
static bool settle(struct learner *l, const struct followed_slot *s, uint64_t survived, bool died)
{
	struct amount weight = {(double)s->bytes, (double)s->objects};
	uint64_t birth = born(l, s), from = l->counted > birth ? l->counted - birth : 0;
	uint32_t copies = 0;
	bool old = false;
	for (uint32_t age = 0; age < TENURE_AGES && age <= survived; age++) {
		if (age == survived) {
			if (died && age >= from)
				pass(l, s->row, age, false, weight);
			break;
		}
		if (thresholds_emptied(&l->thresholds, birth + age) ||
			!thresholds_knows(&l->thresholds, birth + age + 1))
			break;
		if (age >= from) {
			pass(l, s->row, age, true, weight);
			copies++;
		}
		old = s->jumps || thresholds_promotes(&l->thresholds, birth + age + 1, age);
		if (old)
			break;
	}
	if (copies)
		count_copies(l, weight, copies);
	return old;
}

static bool is_taken(const struct learner *l, uint32_t slot)
{
	return slot < l->slot_count && l->slots[slot].row != ROW_NONE;
}

bool learner_place(const struct learner *l, uint32_t slot, struct place *out)
{
	if (!is_taken(l, slot))
		return false;
	*out = l->rows.at[l->slots[slot].row].at.place;
	return true;
}

static uint64_t since(uint64_t now, uint64_t then)
{
	return now > then ? now - then : 0;
}

void learner_death(struct learner *l, uint32_t slot, uint64_t young)
{
	if (!is_taken(l, slot))
		return;
	struct followed_slot *s = &l->slots[slot];
	uint64_t at = young, cycles = l->cycles;
	late_death(&l->late, born(l, s), s->row, &at, &cycles);
	bool earlier = at != young || cycles != l->cycles, still = l->still && !earlier;
	uint64_t seen = since(at, born(l, s));
	bool found = still || seen;
	uint64_t age = still || !seen ? seen : seen - 1;
	bool old = settle(l, s, age, found);
	if (old && found && l->looks && !earlier)
		early_death(&l->early, since(l->sees, born(l, s)), (double)s->bytes);
	s->row = ROW_NONE;
}

/* Up to there it has been told who died. */
static uint64_t known_until(const struct learner *l, uint64_t young)
{
	uint64_t known = late_known(&l->late);
	return young < known ? young : known;
}

void learner_let_go(struct learner *l, uint32_t slot, uint64_t young)
{
	if (!is_taken(l, slot))
		return;
	struct followed_slot *s = &l->slots[slot];
	settle(l, s, since(known_until(l, young), born(l, s)), false);
	s->row = ROW_NONE;
}

static void tell_clock(struct learner *l, uint64_t young)
{
	if (young <= l->now)
		return;
	l->recent = young - l->now < 32 ? l->recent << (young - l->now) : 0;
	for (uint64_t i = 0; i < BORN_CLOCKS && i < young - l->now; i++)
		l->born[(young - i) % BORN_CLOCKS] = 0;
	l->now = young;
}

static void count_born(struct learner *l, uint64_t young, double bytes)
{
	if (l->now - young < BORN_CLOCKS)
		l->born[young % BORN_CLOCKS] += bytes;
}

static uint32_t place_row(struct learner *l, const struct place_context *at, uint32_t flags)
{
	struct place_context place = place_context_cut(at, 0);
	uint32_t row = rows_find(&l->rows, &place);
	if (row != ROW_NONE)
		return row;
	row = rows_add(&l->rows, &place, ROW_NONE);
	if (row != ROW_NONE)
		l->rows.at[row].flags = flags & (SNAPSHOT_LEAF | SNAPSHOT_REFUSE);
	return row;
}

/* Whether one of the contexts that jump takes it in. */
static bool jumps(const struct learner *l, uint32_t place, const struct place_context *at)
{
	if (l->rows.at[place].flags & SNAPSHOT_JUMPS)
		return true;
	for (uint32_t depth = 1; depth <= at->depth; depth++) {
		struct place_context key = place_context_cut(at, depth);
		uint32_t row = rows_find(&l->rows, &key);
		if (row != ROW_NONE && l->rows.at[row].flags & SNAPSHOT_JUMPS)
			return true;
	}
	return false;
}

static void take_slot(struct learner *l, uint32_t slot, uint32_t row, bool jump, uint64_t young,
	struct amount weight)
{
	l->slots[slot] = (struct followed_slot){.row = row & ROW_NONE,
		.jumps = jump,
		.born = (uint32_t)young,
		.bytes = (float)weight.bytes,
		.objects = (float)weight.objects};
}

void learner_birth(struct learner *l, uint32_t slot, const struct place_context *at, uint32_t flags,
	uint64_t size, double weight, uint64_t young)
{
	bool other = false;
	if (slot >= l->slot_count)
		return;
	tell_clock(l, young);
	learner_let_go(l, slot, young);
	if (l->rule.humongous && size >= l->rule.humongous) {
		l->lost.large++;
		return;
	}
	count_born(l, young, weight);
	uint32_t place = place_row(l, at, flags);
	if (place == ROW_NONE) {
		l->lost.full++;
		return;
	}
	uint32_t row = watches_row(&l->watches, &l->rows, place, at, &other);
	l->lost.others += other;
	struct amount amount = {weight, weight / (double)(size ? size : 1)};
	take_slot(l, slot, row, !l->jump_rests && jumps(l, place, at), young, amount);
}

static void promote_cohort(struct learner *l, uint32_t age, uint64_t birth)
{
	l->stayed[age] += 1;
	l->stayed_bytes[age] += l->born[birth % BORN_CLOCKS];
}

/* All that is young is old since, and was copied by no young collection for it: at the age at which
 * the last one found it. What was born since that was copied by none. */
static void end_cohorts(struct learner *l, uint64_t young)
{
	for (uint32_t age = 0; age <= THRESHOLD_MOST; age++) {
		if (!(l->cohorts >> age & 1))
			continue;
		promote_cohort(l, age, young - 1 - age);
		l->full[age] += 1;
		l->full_bytes[age] += l->born[(young - 1 - age) % BORN_CLOCKS];
	}
	l->cohorts = 0;
}

/* What of each collection's births lives is young until the first one whose threshold is its age.
 */
static void promote_cohorts(struct learner *l, uint64_t young, uint32_t threshold)
{
	l->cohorts = l->cohorts << 1 | 1;
	for (uint32_t age = threshold; age <= THRESHOLD_MOST; age++)
		if (l->cohorts >> age & 1)
			promote_cohort(l, age, young - 1 - age);
	l->cohorts &= (1u << threshold) - 1;
}

static void count_young(struct learner *l, uint32_t threshold, bool blind)
{
	l->blind += blind;
	l->held[threshold < THRESHOLD_MOST ? threshold : THRESHOLD_MOST] += 1;
	l->threshold = threshold < THRESHOLD_MOST ? threshold : THRESHOLD_MOST;
}

static void count_collection(struct learner *l, bool full)
{
	l->round += 1;
	l->collections += 1;
	l->alone += full;
	l->recent |= 1;
}

/* Mixed collections look at a part, in which hardly anybody has died since the marking before. */
static void look_at_all(struct learner *l)
{
	uint64_t next = l->sees - EARLY_LEAST + 1;
	early_look(&l->early, since(l->sees, l->looked));
	if (l->sees >= EARLY_LEAST && next > l->looked)
		l->looked = next;
}

void learner_marking(struct learner *l, uint64_t young)
{
	l->marks = young;
}

/* The collection that moved the clock looks at who had come as far before it. */
static void see(struct learner *l, uint64_t young)
{
	bool marked = l->still && l->marks < young;
	l->sees = marked ? l->marks : l->still ? young : since(young, 1);
	l->marks = UINT64_MAX;
}

/* The young part has been told of. */
static void go_on(struct learner *l, uint64_t young)
{
	thresholds_all(&l->thresholds, young);
	l->cohorts = 0;
	l->looks = true;
	look_at_all(l);
}

static void empty(struct learner *l, uint64_t young)
{
	thresholds_full(&l->thresholds, young);
	end_cohorts(l, young);
}

static enum late_seen seen_by(uint32_t flags)
{
	return flags & LEARNER_GC_WAITED    ? LATE_WAITED
	       : flags & LEARNER_GC_NOTHING ? LATE_NOTHING
					    : LATE_UNSEEN;
}

static void follow_cohorts(struct learner *l, uint64_t young, uint32_t flags)
{
	if (flags & (LEARNER_GC_FULL | LEARNER_GC_BLIND))
		end_cohorts(l, young - 1);
	else
		promote_cohorts(l, young, l->threshold);
	if (flags & LEARNER_GC_SPILT)
		l->cohorts = 0;
}

static void count_whole(struct learner *l)
{
	if (l->jumps && !l->jump_rests)
		l->whole = 0;
	else if (l->whole < WHOLE_MOST)
		l->whole++;
}

/* A full collection that moves the young clock promotes all that it finds. */
void learner_gc(
	struct learner *l, uint64_t young, uint32_t threshold, uint32_t flags, uint64_t time)
{
	bool full = flags & LEARNER_GC_FULL, old = flags & (LEARNER_GC_FULL | LEARNER_GC_SPILT);
	bool all = full || flags & LEARNER_GC_STILL;
	if (flags & LEARNER_GC_SAME) {
		go_on(l, young);
		return;
	}
	l->still = flags & LEARNER_GC_STILL;
	tell_clock(l, young);
	see(l, young);
	l->looks = flags & LEARNER_GC_OLD;
	if (l->looks && all)
		look_at_all(l);
	if (l->still) {
		l->cycles++;
		if (full)
			empty(l, young);
		return;
	}
	late_collection(&l->late, young, l->cycles, time, seen_by(flags));
	thresholds_add(&l->thresholds, young, old ? 0 : threshold);
	count_collection(l, full);
	if (!full)
		count_young(l, threshold, flags & LEARNER_GC_BLIND);
	follow_cohorts(l, young, flags);
	count_whole(l);
}

/* What was born while jumps had effect is in no table, and the collection in between took some. */
void learner_ages(struct learner *l, const struct age_table *before, const struct age_table *after,
	uint64_t promoted)
{
	const struct age_tables_turn c = {.before = before,
		.after = after,
		.threshold = l->threshold,
		.whole = l->whole > 1 ? l->whole - 1 : 0,
		.promoted = promoted};
	if (age_tables_tells(&c))
		age_tables_add(&l->ages, &c);
}

static uint32_t row_of(struct learner *l, const struct place_context *at)
{
	uint32_t place = place_row(l, at, 0);
	if (!at->depth || place == ROW_NONE)
		return place;
	uint32_t row = rows_find(&l->rows, at);
	return row != ROW_NONE ? row : rows_add(&l->rows, at, place);
}

static bool any_jumps(const struct learner *l)
{
	for (uint32_t i = 0; i < l->rows.top; i++)
		if (l->rows.at[i].used && l->rows.at[i].flags & SNAPSHOT_JUMPS)
			return true;
	return false;
}

void learner_jump(struct learner *l, const struct place_context *at, bool on)
{
	uint32_t row = row_of(l, at);
	if (row == ROW_NONE)
		l->lost.full++;
	else if (on)
		l->rows.at[row].flags |= SNAPSHOT_JUMPS;
	else
		l->rows.at[row].flags &= ~(uint32_t)SNAPSHOT_JUMPS;
	l->jumps = on || any_jumps(l);
}

void learner_rest(struct learner *l, bool rest)
{
	l->jump_rests = rest;
}

/* Up to that clock. */
static void sweep(struct learner *l, uint64_t until)
{
	if (until <= l->counted)
		return;
	for (uint32_t i = 0; i < l->slot_count; i++) {
		struct followed_slot *s = &l->slots[i];
		if (s->row != ROW_NONE)
			settle(l, s, since(until, born(l, s)), false);
	}
	l->counted = until;
}

static bool is_shown(const struct learner *l, const struct row *row, bool place)
{
	if (!row->used || place != !row->at.depth)
		return false;
	return place || row->flags & SNAPSHOT_JUMPS ||
	       watches_told(&l->watches, &l->rows.at[row->parent]);
}

static void copy_rows(const struct learner *l, struct snapshot *out, bool place)
{
	for (uint32_t i = 0; i < l->rows.top && out->count < out->room; i++) {
		const struct row *row = &l->rows.at[i];
		if (!is_shown(l, row, place))
			continue;
		uint32_t split = watches_told(&l->watches, row) ? SNAPSHOT_SPLIT : 0;
		out->rows[out->count++] = (struct snapshot_row){
			.at = row->at, .flags = row->flags | split, .passage = row->passage};
	}
}

static double sum_of(const double counts[THRESHOLD_MOST + 1])
{
	double all = 0;
	for (uint32_t t = 0; t <= THRESHOLD_MOST; t++)
		all += counts[t];
	return all;
}

/* As shares. full: of the counts; NULL: none. */
static struct held held_of(
	const double counts[THRESHOLD_MOST + 1], const double full[THRESHOLD_MOST + 1])
{
	struct held h = {.share = {0}};
	double all = sum_of(counts);
	for (uint32_t t = 0; t <= THRESHOLD_MOST && all > 0; t++) {
		h.share[t] = counts[t] / all;
		h.full[t] = full ? full[t] / all : 0;
	}
	return h;
}

/* By what was born for each of them: G1's eden may be twenty times as large for one collection as
 * for the next, and its threshold goes by that. Where no sample tells, all count the same. */
static struct held stayed_of(const struct learner *l)
{
	return sum_of(l->stayed_bytes) > 0 ? held_of(l->stayed_bytes, l->full_bytes)
					   : held_of(l->stayed, l->full);
}

/* Collections whose survivors have not been swept. */
static double pending(const struct learner *l)
{
	uint64_t since = l->now - l->counted;
	uint32_t of = since < 32 ? l->recent & ((1u << since) - 1) : l->recent;
	return (double)__builtin_popcount(of);
}

/* For as many collections as the round has: those that were swept may be others. */
static struct amount for_round(const struct learner *l, struct amount a)
{
	double swept = l->round + l->pending - pending(l);
	return swept > 0 ? amount_times(a, l->round / swept) : a;
}

static void copy_out(const struct learner *l, struct snapshot *out)
{
	out->count = 0;
	copy_rows(l, out, true);
	out->places = out->count;
	copy_rows(l, out, false);
	out->collections = l->collections - pending(l);
	out->alone = l->alone;
	out->copied = for_round(l, l->copied);
	out->early = l->early;
	out->copied_error = l->copied_bytes > 0 ? sqrt(l->copied_squares) / l->copied_bytes : 0;
	out->held = held_of(l->held, NULL);
	out->stayed = stayed_of(l);
	out->left = sum_of(l->stayed) / fmax(sum_of(l->held) - l->blind, 1);
	out->threshold = l->threshold;
	out->young = l->now;
	snapshot_fit(out, &l->ages);
}

void learner_snapshot(struct learner *l, struct snapshot *out)
{
	sweep(l, known_until(l, l->now));
	copy_out(l, out);
}

void learner_glance(struct learner *l, struct snapshot *out)
{
	if (l->now)
		sweep(l, known_until(l, l->now - 1));
	copy_out(l, out);
}

static void decay_row(struct learner *l, uint32_t i)
{
	struct row *row = &l->rows.at[i];
	passage_decay(&row->passage, l->decay);
	row->tired -= row->tired > 0;
	if (row->quiet++ < QUIET_MOST || row->flags & SNAPSHOT_JUMPS || row->at.depth)
		return;
	watches_drop(&l->watches, &l->rows, i);
	row->going = true;
}

/* What an object counted for goes: it counts for the place from now on, or is not followed here. */
static void leave_going(struct learner *l)
{
	for (uint32_t i = 0; i < l->slot_count; i++) {
		struct followed_slot *s = &l->slots[i];
		if (s->row == ROW_NONE || !l->rows.at[s->row].going)
			continue;
		uint32_t parent = l->rows.at[s->row].parent;
		bool stays = parent != ROW_NONE && !l->rows.at[parent].going;
		s->row = (stays ? parent : ROW_NONE) & ROW_NONE;
	}
}

static void mark_callers(struct learner *l)
{
	for (uint32_t i = 0; i < l->rows.top; i++) {
		struct row *row = &l->rows.at[i];
		if (row->used && row->parent != ROW_NONE && l->rows.at[row->parent].going)
			row->going = true;
	}
}

static void remove_going(struct learner *l)
{
	mark_callers(l);
	leave_going(l);
	for (uint32_t i = 0; i < l->rows.top; i++)
		if (l->rows.at[i].used && l->rows.at[i].going)
			rows_remove(&l->rows, i);
}

static void clear_round(struct learner *l)
{
	l->copied = (struct amount){0};
	l->early = (struct early){.bytes = {0}};
	l->round = l->blind = 0;
	memset(l->held, 0, sizeof(l->held));
	memset(l->stayed, 0, sizeof(l->stayed));
	memset(l->stayed_bytes, 0, sizeof(l->stayed_bytes));
	memset(l->full, 0, sizeof(l->full));
	memset(l->full_bytes, 0, sizeof(l->full_bytes));
}

void learner_decay(struct learner *l)
{
	for (uint32_t i = 0; i < l->rows.top; i++)
		if (l->rows.at[i].used)
			decay_row(l, i);
	watches_round(&l->watches, &l->rows);
	remove_going(l);
	l->jumps = l->jumps && any_jumps(l);
	l->pending = pending(l);
	l->collections = (l->collections - l->pending) * l->decay + l->pending;
	l->alone *= l->decay;
	l->copied_bytes *= l->decay;
	l->copied_squares *= l->decay * l->decay;
	age_tables_decay(&l->ages, l->decay);
	l->decay = l->rule.decay;
	clear_round(l);
}

/* A caller's row stays while its place does: what is known of the rest still holds. */
void learner_forget(struct learner *l, uint64_t vm_method)
{
	for (uint32_t i = 0; i < l->rows.top; i++) {
		struct row *row = &l->rows.at[i];
		if (!row->used || row->at.depth || row->at.place.vm_method != vm_method)
			continue;
		watches_drop(&l->watches, &l->rows, i);
		row->going = true;
	}
	remove_going(l);
}
