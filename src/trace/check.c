#include "trace/check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "trace/event_check.h"
#include "trace/exact_check.h"
#include "trace/ids.h"
#include "trace/lives.h"
#include "trace/tenure_check.h"

/* -- Fields that never step back from one record of a kind to the next of it -- */

struct rising {
	uint8_t kind;
	uint16_t offset; /* in struct record */
	const char *name;
};

#define RISING(name_, field)                                                                       \
	{                                                                                          \
		RECORD_##name_, offsetof(struct record, name_.field), #field                       \
	}

static const struct rising rising[] = {
	RISING(gc, alloc),
	RISING(gc, young),
	RISING(gc, full),
	RISING(tick, time),
	RISING(tick, alloc),
	RISING(tick, samples),
	RISING(tick, walked),
	RISING(tick, tracked),
	RISING(tick, lost),
	RISING(tick, young),
	RISING(tick, full),
	RISING(exact_gc, young),
	RISING(exact_gc, full),
	RISING(round, young),
};

struct check {
	struct reader reader;
	const struct check_listener *listener; /* or NULL */
	struct check_result *out;
	struct diag first; /* the first problem, with its offset */
	struct ids ids;
	struct lives lives;
	struct exact_check exact;
	struct event_check events;
	struct tenure_check tenure;
	uint64_t last[ARRAY_SIZE(rising)];
	uint64_t orphans;     /* deaths and untracks of objects never born */
	uint64_t orphan_at;   /* offset of the block with the first that was not born before */
	uint64_t lost_births; /* that the writer owned up to */
	uint64_t unheld;      /* births beyond the most objects at once */
	uint32_t sequence;    /* that the next block should have */
	/* Totals of what was forgotten, by the segment's record that the rest begins with. */
	struct record_segment before;
	bool segment; /* it has come */
};

static void problem_at(struct check *c, uint64_t offset, const char *text)
{
	if (c->out->problems++ == 0)
		diag_set(&c->first, 0, "block at offset %" PRIu64 ": %.400s", offset, text);
	if (c->listener)
		c->listener->problem(c->listener->arg, offset, text);
}

static void problem(struct check *c, const char *format, ...) MF_PRINTF(2, 3);

static void problem(struct check *c, const char *format, ...)
{
	char text[DIAG_MAX];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	problem_at(c, c->reader.block.offset, text);
}

static void check_rising(struct check *c, const struct record *r)
{
	for (size_t i = 0; i < ARRAY_SIZE(rising) && rising[i].kind <= r->kind; i++) {
		uint64_t v;
		if (rising[i].kind != r->kind)
			continue;
		memcpy(&v, (const uint8_t *)r + rising[i].offset, sizeof(v));
		if (v < c->last[i])
			problem(c, "%s: %s steps back from %" PRIu64 " to %" PRIu64,
				record_name(r->kind), rising[i].name, c->last[i], v);
		c->last[i] = v;
	}
}

/* -- Rules of single kinds. 0 or ERR_NOMEM; what breaks a rule is a problem, not an error. -- */

static int take_fact(struct check *c, const struct record *r)
{
	size_t len = r->fact.key.len;
	if (len == 0 || len > FACT_KEY_MAX)
		problem(c, "fact: a key of %zu bytes, 1 to %d are allowed", len, FACT_KEY_MAX);
	return ERR_NONE;
}

static int take_config(struct check *c, const struct record *r)
{
	if (r->config.walk == 0 || r->config.track == 0)
		problem(c, "configuration %" PRIu64 ": walk and track must be at least 1",
			r->config.id);
	return ERR_NONE;
}

static int take_alloc(struct check *c, const struct record *r MF_UNUSED)
{
	c->out->walked++;
	return ERR_NONE;
}

static int take_birth(struct check *c, const struct record *r)
{
	const struct record_birth *b = &r->birth;
	struct life_clocks clocks = {b->time, b->alloc, b->young, b->full};
	c->out->walked++;
	c->out->births++;
	int err = lives_begin(&c->lives, b->object, clocks);
	if (err == ERR_BUSY)
		problem(c, "birth: object %" PRIu64 " is alive already", b->object);
	if (err == ERR_LIMIT && !c->unheld++)
		problem(c, "birth: more than %d objects are alive at once", FOLLOWED_MAX);
	return err == ERR_NOMEM ? err : ERR_NONE;
}

/* How many of the deaths may be of objects that were born in what was forgotten. */
static uint64_t born_before(const struct check *c)
{
	const struct record_segment *b = &c->before;
	return b->tracked - b->died - b->untracked;
}

static void count_orphan(struct check *c)
{
	if (c->orphans++ == born_before(c))
		c->orphan_at = c->reader.block.offset;
}

static int end_life(struct check *c, const char *name, uint64_t object, struct life_clocks end)
{
	struct life_clocks birth;
	int err = lives_end(&c->lives, object, &birth);
	if (err == ERR_NOT_FOUND) {
		count_orphan(c);
		return ERR_NONE;
	}
	if (!err && (end.time < birth.time || end.alloc < birth.alloc || end.young < birth.young ||
			    end.full < birth.full))
		problem(c, "%s: object %" PRIu64 " has a clock less than at its birth", name,
			object);
	return err;
}

static int take_death(struct check *c, const struct record *r)
{
	const struct record_death *e = &r->death;
	c->out->deaths++;
	return end_life(
		c, "death", e->object, (struct life_clocks){e->time, e->alloc, e->young, e->full});
}

static int take_untrack(struct check *c, const struct record *r)
{
	const struct record_untrack *e = &r->untrack;
	c->out->untracked++;
	return end_life(c, "untrack", e->object,
		(struct life_clocks){e->time, e->alloc, e->young, e->full});
}

static int take_gc(struct check *c, const struct record *r)
{
	c->out->gcs++;
	if (r->gc.end < r->gc.start)
		problem(c, "gc %" PRIu64 ": it ends before it starts", r->gc.number);
	return ERR_NONE;
}

static int take_pause(struct check *c, const struct record *r)
{
	if (r->pause.end < r->pause.start)
		problem(c, "pause: it ends before it starts");
	return ERR_NONE;
}

static int take_lost(struct check *c, const struct record *r)
{
	uint64_t what = r->lost.what < LOST_WHATS ? r->lost.what : LOST_WHATS;
	uint64_t why = r->lost.reason < LOST_REASONS ? r->lost.reason : LOST_REASONS;
	c->out->lost_as[what][why] += r->lost.count;
	if (r->lost.what == LOST_SAMPLES)
		c->out->lost += r->lost.count;
	if (r->lost.what == LOST_BIRTHS)
		c->lost_births += r->lost.count;
	return ERR_NONE;
}

static void check_sum(
	struct check *c, const char *name, const char *what, uint64_t says, uint64_t counted)
{
	if (says != counted)
		problem(c, "%s: it says %" PRIu64 " %s, the trace has %" PRIu64, name, says, what,
			counted);
}

static void check_totals(struct check *c, const char *name, uint64_t walked, uint64_t tracked,
	uint64_t died, uint64_t untracked, uint64_t lost)
{
	const struct record_segment *b = &c->before;
	const struct check_result *out = c->out;
	check_sum(c, name, "walked", walked, b->walked + out->walked);
	check_sum(c, name, "tracked", tracked, b->tracked + out->births);
	check_sum(c, name, "died", died, b->died + out->deaths);
	check_sum(c, name, "untracked", untracked, b->untracked + out->untracked);
	check_sum(c, name, "lost", lost, b->lost + out->lost);
}

/* The first that is there tells what the forgotten blocks held; the others, what all before do. */
static int take_segment(struct check *c, const struct record *r)
{
	const struct record_segment *s = &r->segment;
	if (c->out->forgotten.blocks && !c->segment)
		c->before = *s;
	else
		check_totals(c, "segment", s->walked, s->tracked, s->died, s->untracked, s->lost);
	c->segment = true;
	return ERR_NONE;
}

/* Of all since recording began; those of what was forgotten do not count. */
static void tell_samples(struct check *c, uint64_t samples)
{
	uint64_t before = c->before.samples;
	uint64_t told = samples > before ? samples - before : 0;
	if (told > c->out->samples)
		c->out->samples = told;
}

static int take_tick(struct check *c, const struct record *r)
{
	tell_samples(c, r->tick.samples);
	return ERR_NONE;
}

static int take_end(struct check *c, const struct record *r)
{
	const struct record_end *e = &r->end;
	if (e->walked > e->samples || e->lost > e->samples - e->walked)
		problem(c, "end: more samples walked and lost than there were");
	if (e->tracked != e->died + e->untracked + e->alive)
		problem(c, "end: tracked is not the sum of died, untracked and alive");
	tell_samples(c, e->samples);
	check_totals(c, "end", e->walked, e->tracked, e->died, e->untracked, e->lost);
	return ERR_NONE;
}

static int (*const rules[256])(struct check *, const struct record *) = {
	[RECORD_fact] = take_fact,
	[RECORD_config] = take_config,
	[RECORD_segment] = take_segment,
	[RECORD_alloc] = take_alloc,
	[RECORD_birth] = take_birth,
	[RECORD_death] = take_death,
	[RECORD_untrack] = take_untrack,
	[RECORD_gc] = take_gc,
	[RECORD_pause] = take_pause,
	[RECORD_lost] = take_lost,
	[RECORD_tick] = take_tick,
	[RECORD_end] = take_end,
};

static int take_record(struct check *c, const struct record *r)
{
	struct diag d;
	int err = ids_take(&c->ids, r, &d);
	if (err == ERR_FORMAT)
		problem(c, "%s", d.text);
	else if (err)
		return err;
	err = exact_check_take(&c->exact, r, &d);
	if (err == ERR_FORMAT)
		problem(c, "%s", d.text);
	else if (err)
		return err;
	err = tenure_check_take(&c->tenure, r, &d);
	if (err == ERR_FORMAT)
		problem(c, "%s", d.text);
	else if (err)
		return err;
	if (event_check_take(&c->events, r, &d))
		problem(c, "%s", d.text);
	check_rising(c, r);
	return rules[r->kind] ? rules[r->kind](c, r) : ERR_NONE;
}

/* -- Blocks, and the whole -- */

static void check_sequence(struct check *c)
{
	uint32_t is = c->reader.block.sequence;
	if (is > c->sequence)
		problem(c, "blocks missing before it: %" PRIu32, is - c->sequence);
	else if (is < c->sequence)
		problem(c, "its sequence number %" PRIu32 " stands after %" PRIu32, is,
			c->sequence - 1);
	c->sequence = is + 1;
}

static int take_block(struct check *c, struct diag *d)
{
	struct reader *r = &c->reader;
	struct record record;
	int got;
	bool ended = r->ended;
	c->events.at = r->block.offset;
	if (ended)
		problem(c, "it stands after the end record");
	check_sequence(c);
	if (r->block.kind == BLOCK_EVENTS || r->block.kind == BLOCK_SIZES ||
		r->block.kind == BLOCK_CHECKPOINT) {
		int err = event_check_block(
			&c->events, r->block.kind == BLOCK_CHECKPOINT, buf_slice(&r->raw), &c->ids);
		if (err)
			return diag_set(d, err, "%s", err_text(err));
	}
	while ((got = reader_next_in_block(r, &record, d)) > 0) {
		if (ended && r->ended)
			problem(c, "%s stands after the end record", record_name(record.kind));
		ended = r->ended;
		int err = take_record(c, &record);
		if (err)
			return diag_set(d, err, "%s", err_text(err));
	}
	if (got == 0 && r->block.kind == BLOCK_RECORDS && r->deltas.top != r->block.last_time)
		problem(c, "its header says that the last time is %" PRIu64 ", it is %" PRIu64,
			r->block.last_time, r->deltas.top);
	return got;
}

/* What was forgotten is no loss: the rest is held to what it can be. */
static void begin_forgotten(struct check *c)
{
	c->out->forgotten = c->reader.forgotten;
	c->sequence = c->reader.next_sequence;
	exact_check_forgotten(&c->exact);
	event_check_forgotten(&c->events);
}

/* What shows at the end only, with where it began. */
static void tell_orphans(struct check *c)
{
	struct diag d;
	uint64_t older = born_before(c);
	c->out->older = c->orphans < older ? c->orphans : older;
	c->orphans -= c->out->older;
	if (c->orphans <= c->lost_births + c->unheld)
		return;
	diag_set(&d, 0,
		"deaths and untracks of objects never born: %" PRIu64 ", births lost: %" PRIu64,
		c->orphans, c->lost_births);
	problem_at(c, c->orphan_at, d.text);
}

static void tell_events(struct check *c)
{
	struct diag d;
	uint64_t offset;
	for (int n = 0; event_check_problem(&c->events, n, &offset, &d); n++)
		problem_at(c, offset, d.text);
}

static int walk(struct check *c, struct diag *d)
{
	int got;
	if (c->reader.forgotten.blocks)
		begin_forgotten(c);
	while ((got = reader_next_block(&c->reader, d)) > 0) {
		int err = take_block(c, d);
		if (err)
			return err;
	}
	if (event_check_end(&c->events, c->reader.ended))
		return diag_set(d, ERR_NOMEM, "%s", err_text(ERR_NOMEM));
	tell_events(c);
	tell_orphans(c);
	return got;
}

static int conclude(struct check *c, int err, struct diag *d)
{
	struct check_result *out = c->out;
	out->blocks = c->reader.blocks;
	out->records = c->reader.records_read;
	out->bytes = c->reader.next;
	out->followed = c->events.image.totals;
	out->followed_standing = heap_image_standing(&c->events.image);
	out->complete = c->reader.ended;
	out->cut = c->reader.cut;
	if (err || out->problems == 0)
		return err;
	return diag_set(d, ERR_CORRUPT, "%" PRIu64 " problem%s; the first: %s", out->problems,
		out->problems == 1 ? "" : "s", c->first.text);
}

int check_run(struct source *source, const struct codec *codec, const struct check_listener *l,
	struct check_result *out, struct diag *d)
{
	*out = (struct check_result){0};
	struct check *c = mem_zalloc(1, sizeof(*c));
	if (!c)
		return diag_set(d, ERR_NOMEM, "%s", err_text(ERR_NOMEM));
	c->listener = l;
	c->out = out;
	int err = reader_init(&c->reader, source, codec, d);
	if (!err)
		err = walk(c, d);
	if (out->samples < out->walked) /* cut before it was told */
		out->samples = out->walked;
	err = conclude(c, err, d);
	reader_release(&c->reader);
	ids_release(&c->ids);
	lives_release(&c->lives);
	exact_check_release(&c->exact);
	event_check_release(&c->events);
	tenure_check_release(&c->tenure);
	mem_free(c);
	return err;
}
