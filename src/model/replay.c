#include "model/replay.h"

#include "base/compiler.h"
#include "base/error.h"
#include "trace/ahead.h"

struct replay {
	struct model *m;
	const struct listener *l;
	struct diag *d;
};

/* Calls the listener's function where it has one. */
#define TELL(rp, function, ...)                                                                    \
	((rp)->l && (rp)->l->function ? (rp)->l->function((rp)->l->arg, (rp)->m, __VA_ARGS__)      \
				      : ERR_NONE)

static MF_INLINE void rise(uint64_t *clock, uint64_t now)
{
	if (now > *clock)
		*clock = now;
}

/* Only the allocation clock is said to be monotonic over all records; times of threads interleave.
 */
static MF_INLINE void advance(
	struct model *m, uint64_t time, uint64_t alloc, uint64_t young, uint64_t full)
{
	rise(&m->now.time, time);
	rise(&m->now.alloc, alloc);
	rise(&m->now.young, young);
	rise(&m->now.full, full);
}

/* Places of a sample in the definitions. */
static MF_INLINE void locate(
	struct model *m, uint64_t site, uint64_t thread, uint64_t config, struct sample *s)
{
	s->site = defs_index(&m->defs.site_ids, site, ODD_UNDEFINED_SITE, &m->odds);
	s->thread = defs_index(&m->defs.thread_ids, thread, ODD_UNDEFINED_THREAD, &m->odds);
	s->config = facts_config(&m->facts, config);
	s->weight = model_weight(m, s->size, s->config);
	odd_if(&m->odds, ODD_WEIGHTLESS, s->weight <= 0);
}

static MF_INLINE bool is_large(const struct model *m, const struct sample *s)
{
	return s->size >= MODEL_LARGE &&
	       s->size / MODEL_LARGE_INTERVALS < m->facts.configs.at[s->config].interval;
}

static MF_INLINE int sample(struct replay *rp, const struct sample *s)
{
	if (s->weight <= 0)
		return ERR_NONE;
	rp->m->tallies.samples++;
	rp->m->facts.configs.at[s->config].samples++;
	rp->m->tallies.sampled += (double)s->size * s->weight;
	if (is_large(rp->m, s))
		rp->m->tallies.large += (double)s->size * s->weight;
	return TELL(rp, on_sample, s);
}

static int play_alloc(struct replay *rp, const struct record *r)
{
	const struct record_alloc *a = &r->alloc;
	struct sample s = {.time = a->time, .alloc = a->alloc, .size = a->size};
	advance(rp->m, a->time, a->alloc, 0, 0);
	locate(rp->m, a->site, a->thread, a->config, &s);
	return sample(rp, &s);
}

static int play_birth(struct replay *rp, const struct record *r)
{
	const struct record_birth *b = &r->birth;
	struct model *m = rp->m;
	struct sample s = {.time = b->time, .alloc = b->alloc, .size = b->size, .tracked = true};
	advance(m, b->time, b->alloc, b->young, b->full);
	locate(m, b->site, b->thread, b->config, &s);
	struct object o = {.id = b->object,
		.time = b->time,
		.alloc = b->alloc,
		.size = b->size,
		.young = b->young,
		.full = b->full,
		.weight = s.weight * m->facts.configs.at[s.config].track,
		.site = s.site,
		.thread = s.thread};
	int err = live_add(&m->live, &o);
	if (err == ERR_USAGE)
		return odd_add(&m->odds, ODD_DOUBLE_BIRTH), ERR_NONE;
	if (err)
		return diag_set(
			rp->d, err, "the trace follows more objects at once than %d", LIVE_MAX);
	err = sample(rp, &s);
	if (err || o.weight <= 0)
		return err;
	m->tallies.born++;
	return TELL(rp, on_birth, &o);
}

/* False: it was never born, or in what was forgotten. */
static bool take(struct model *m, enum odd odd, uint64_t object, struct object *o)
{
	if (live_take(&m->live, object, o))
		return true;
	if (m->begin.forgotten.blocks)
		m->tallies.older++;
	else
		odd_add(&m->odds, odd);
	return false;
}

static int play_death(struct replay *rp, const struct record *r)
{
	const struct record_death *e = &r->death;
	struct model *m = rp->m;
	struct object o;
	advance(m, e->time, e->alloc, e->young, e->full);
	if (!take(m, ODD_DEATH_UNBORN, e->object, &o) || o.weight <= 0)
		return ERR_NONE;
	struct moment at = {e->time, e->alloc, e->young, e->full};
	if (m->facts.deaths == DEATHS_COLLECTION)
		late_death(&m->late, o.young, o.site, &at.young, &at.full);
	struct life life = life_of_death(&m->facts, &m->gcs, &o, &at, &m->odds);
	m->tallies.died++;
	return TELL(rp, on_death, &o, &life);
}

static int play_untrack(struct replay *rp, const struct record *r)
{
	const struct record_untrack *e = &r->untrack;
	struct model *m = rp->m;
	struct object o;
	advance(m, e->time, e->alloc, e->young, e->full);
	if (!take(m, ODD_UNTRACK_UNBORN, e->object, &o) || o.weight <= 0)
		return ERR_NONE;
	struct moment at = {e->time, e->alloc, e->young, e->full};
	struct life life = life_so_far(&m->facts, &m->gcs, &o, &at);
	m->tallies.untracked++;
	return TELL(rp, on_untrack, &o, &life, e->reason);
}

static enum late_seen seen_by(uint64_t flags)
{
	return flags & GC_WAITED ? LATE_WAITED : flags & GC_NOTHING ? LATE_NOTHING : LATE_UNSEEN;
}

static int play_gc(struct replay *rp, const struct record *r)
{
	struct model *m = rp->m;
	bool known;
	uint32_t collector = defs_index(
		&m->defs.collector_ids, r->gc.collector, ODD_UNDEFINED_COLLECTOR, &m->odds);
	uint32_t cause = texts_number(&m->defs.texts, r->gc.cause, &known);
	odd_if(&m->odds, ODD_UNDEFINED_STRING, !known);
	m->gcs.chooses_first = m->facts.chooses_first;
	int err = gcs_add(
		&m->gcs, &r->gc, collector, m->defs.collectors.at[collector].role, cause, &m->odds);
	if (err)
		return err;
	advance(m, r->gc.end, r->gc.alloc, r->gc.young, r->gc.full);
	const struct gc *gc = &m->gcs.list.at[m->gcs.list.count - 1];
	/* Between two ticks the heap can have been fuller. */
	rise(&m->standing.heap_peak, gc->heap_before);
	rise(&m->standing.heap_peak, gc->heap_after);
	rise(&m->standing.committed_peak, gc->heap_committed);
	if (gc->raised_young)
		late_collection(&m->late, gc->young, gc->full, gc->end, seen_by(r->gc.flags));
	return TELL(rp, on_gc, gc);
}

static int play_pause(struct replay *rp, const struct record *r)
{
	advance(rp->m, r->pause.end, 0, 0, 0);
	rp->m->tallies.pauses++;
	return TELL(rp, on_pause, &r->pause);
}

/* Totals count from the recording's begin; of those of what was forgotten nothing is left. */
static void rise_totals(
	struct model *m, uint64_t samples, uint64_t walked, uint64_t tracked, uint64_t lost)
{
	const struct begin *b = &m->begin;
	rise(&m->standing.samples, samples > b->samples ? samples - b->samples : 0);
	rise(&m->standing.walked, walked > b->walked ? walked - b->walked : 0);
	rise(&m->standing.tracked, tracked > b->tracked ? tracked - b->tracked : 0);
	rise(&m->standing.lost, lost > b->lost ? lost - b->lost : 0);
}

static int play_tick(struct replay *rp, const struct record *r)
{
	const struct record_tick *t = &r->tick;
	struct standing *s = &rp->m->standing;
	advance(rp->m, t->time, t->alloc, t->young, t->full);
	rp->m->tallies.ticks++;
	rise_totals(rp->m, t->samples, t->walked, t->tracked, t->lost);
	rise(&s->agent_peak, t->agent_bytes);
	rise(&s->heap_peak, t->heap_used);
	rise(&s->committed_peak, t->heap_committed);
	return TELL(rp, on_tick, t);
}

static int play_lost(struct replay *rp, const struct record *r)
{
	const struct record_lost *lost = &r->lost;
	advance(rp->m, lost->time, 0, 0, 0);
	if (lost->what < LOST_KINDS)
		rp->m->tallies.lost[lost->what] += lost->count;
	return TELL(rp, on_lost, lost);
}

static uint32_t site_of(struct model *m, uint64_t id)
{
	m->tallies.exact++;
	return defs_index(&m->defs.site_ids, id, ODD_UNDEFINED_SITE, &m->odds);
}

static int play_site_births(struct replay *rp, const struct record *r)
{
	return counts_births(&rp->m->exact, site_of(rp->m, r->site_births.site), &r->site_births);
}

static int play_site_ages(struct replay *rp, const struct record *r)
{
	return counts_ages(&rp->m->exact, site_of(rp->m, r->site_ages.site), &r->site_ages);
}

static int play_site_old(struct replay *rp, const struct record *r)
{
	uint32_t site = site_of(rp->m, r->site_old.site);
	int err = counts_old(&rp->m->exact, site, &r->site_old);
	return err ? err : heap_counts_old(&rp->m->heap, site, &r->site_old);
}

static int play_site_young(struct replay *rp, const struct record *r)
{
	return heap_counts_young(&rp->m->heap, site_of(rp->m, r->site_young.site), &r->site_young);
}

static int play_class_older(struct replay *rp, const struct record *r)
{
	struct model *m = rp->m;
	m->tallies.exact++;
	uint32_t class =
		defs_index(&m->defs.class_ids, r->class_older.class, ODD_UNDEFINED_CLASS, &m->odds);
	return heap_counts_older(&m->heap, class, &r->class_older);
}

static int play_heap_count(struct replay *rp, const struct record *r)
{
	const struct record_heap_count *h = &r->heap_count;
	rp->m->tallies.exact++;
	advance(rp->m, h->time, 0, h->young, h->full);
	heap_counts_head(&rp->m->heap, h);
	return ERR_NONE;
}

static int play_audit(struct replay *rp, const struct record *r)
{
	rp->m->tallies.exact++;
	counts_audit(&rp->m->exact, &r->audit);
	return ERR_NONE;
}

static int play_walks(struct replay *rp, const struct record *r)
{
	rp->m->tallies.exact++;
	counts_walks(&rp->m->exact, &r->walks);
	return ERR_NONE;
}

/* After an attach; the fact stands before what it is about. */
static void begin_counts(struct model *m)
{
	if (m->facts.exact_from_young)
		counts_begin(&m->exact, m->facts.exact_from_young);
}

static int play_exact_gc(struct replay *rp, const struct record *r)
{
	const struct record_exact_gc *e = &r->exact_gc;
	rp->m->tallies.exact++;
	advance(rp->m, e->time, 0, e->young, e->full);
	bool before = counts_opens(&rp->m->exact, e->young);
	int err = before ? ERR_NONE : TELL(rp, on_accounts, e);
	if (err)
		return err;
	begin_counts(rp->m);
	if (e->failed)
		rp->m->exact.keeps_marks = model_keeps_marks(rp->m);
	counts_gc(&rp->m->exact, e, &rp->m->odds);
	return TELL(rp, on_accounted, e);
}

static int play_round(struct replay *rp, const struct record *r)
{
	advance(rp->m, r->round.time, 0, r->round.young, 0);
	return tenure_add_round(&rp->m->tenure, &r->round, &rp->m->odds);
}

static int play_decision(struct replay *rp, const struct record *r)
{
	const struct record_decision *e = &r->decision;
	struct model *m = rp->m;
	bool known;
	advance(m, e->time, 0, 0, 0);
	uint32_t site = defs_index(&m->defs.site_ids, e->site, ODD_UNDEFINED_SITE, &m->odds);
	uint32_t reason = texts_number(&m->defs.texts, e->reason, &known);
	odd_if(&m->odds, ODD_UNDEFINED_STRING, !known);
	return tenure_add_decision(&m->tenure, e, site, reason, &m->odds);
}

static int play_outcome(struct replay *rp, const struct record *r)
{
	advance(rp->m, r->outcome.time, 0, 0, 0);
	return tenure_add_outcome(&rp->m->tenure, &r->outcome, &rp->m->odds);
}

static int play_end(struct replay *rp, const struct record *r)
{
	const struct record_end *e = &r->end;
	struct standing *s = &rp->m->standing;
	advance(rp->m, e->time, e->alloc, 0, 0);
	rp->m->complete = true;
	rp->m->end_reason = e->reason;
	rise_totals(rp->m, e->samples, e->walked, e->tracked, e->lost);
	rise(&s->agent_peak, e->agent_bytes);
	return ERR_NONE;
}

static int (*const players[])(struct replay *, const struct record *) = {
	[RECORD_alloc] = play_alloc,
	[RECORD_birth] = play_birth,
	[RECORD_death] = play_death,
	[RECORD_untrack] = play_untrack,
	[RECORD_gc] = play_gc,
	[RECORD_pause] = play_pause,
	[RECORD_tick] = play_tick,
	[RECORD_lost] = play_lost,
	[RECORD_end] = play_end,
	[RECORD_site_births] = play_site_births,
	[RECORD_site_ages] = play_site_ages,
	[RECORD_site_old] = play_site_old,
	[RECORD_audit] = play_audit,
	[RECORD_exact_gc] = play_exact_gc,
	[RECORD_site_young] = play_site_young,
	[RECORD_class_older] = play_class_older,
	[RECORD_heap_count] = play_heap_count,
	[RECORD_walks] = play_walks,
	[RECORD_round] = play_round,
	[RECORD_decision] = play_decision,
	[RECORD_outcome] = play_outcome,
};

/* A cyclic trace's segments have the fact again. */
static int read_facts(struct model *m, const struct record *r)
{
	uint64_t waited = m->facts.waited;
	int taken = facts_read(&m->facts, &m->defs.texts, r, &m->odds);
	m->wall.v += m->facts.waited - waited;
	return taken;
}

static int play(struct replay *rp, const struct record *r)
{
	struct model *m = rp->m;
	if (r->kind < ARRAY_SIZE(players) && players[r->kind])
		return players[r->kind](rp, r);
	int taken = defs_read(&m->defs, r, &m->odds);
	if (!taken)
		taken = read_facts(m, r);
	odd_if(&m->odds, ODD_EXACT, !taken && r->kind == RECORD_space);
	return taken < 0 ? taken : ERR_NONE;
}

static int play_survivors(struct replay *rp)
{
	struct model *m = rp->m;
	int err = ERR_NONE;
	for (size_t i = 0; i < m->live.slots.count && !err; i++) {
		const struct object *o = &m->live.slots.at[i];
		if (!o->used || o->weight <= 0)
			continue;
		struct life life = life_so_far(&m->facts, &m->gcs, o, &m->now);
		m->tallies.alive++;
		err = TELL(rp, on_alive, o, &life);
	}
	return err;
}

/* Whether what was read before the error can stand: the trace's fault, not the machine's. */
static bool is_damage(int err)
{
	return err == ERR_CORRUPT || err == ERR_LIMIT || err == ERR_FORMAT || err == ERR_TRUNCATED;
}

static void begin_at(struct model *m, struct reader *r, const struct record_segment *s)
{
	struct begin *b = &m->begin;
	b->time = s->time;
	b->alloc = s->alloc;
	b->young = s->young;
	b->full = s->full;
	b->gcs = s->gcs;
	b->samples = s->samples;
	b->walked = s->walked;
	b->tracked = s->tracked;
	b->lost = s->lost;
	m->wall.v += s->time;
	m->gcs.young = m->now.young = s->young;
	m->gcs.full = m->now.full = s->full;
	late_gap(&m->late, s->young, s->full);
	reader_rebase(r, s->time, s->alloc);
	counts_forgotten(&m->exact, s->young, (s->flags & SEGMENT_AMID) != 0);
}

/*
 * What is left of a trace begins with a segment, which tells of what was before. 0 also where there
 * is none: then the rest is read with the recording's own times.
 */
static int begin_forgotten(struct replay *rp, struct reader *r)
{
	struct record record;
	struct model *m = rp->m;
	m->begin.forgotten = r->forgotten;
	int got = reader_next(r, &record, &m->damage);
	if (got <= 0)
		return got;
	m->records++;
	if (record.kind == RECORD_segment)
		return begin_at(m, r, &record.segment), ERR_NONE;
	counts_forgotten(&m->exact, 0, true);
	return play(rp, &record);
}

static int play_all(struct replay *rp, struct ahead *ahead)
{
	const struct record *record;
	for (;;) {
		int got = ahead_next(ahead, &record, &rp->m->damage);
		if (got <= 0)
			return got;
		rp->m->records++;
		int err = play(rp, record);
		if (err)
			return diag_set(
				rp->d, err, "%s", rp->d->text[0] ? rp->d->text : err_text(err));
	}
}

static int play_ahead(struct replay *rp, struct reader *r)
{
	struct ahead ahead;
	int err = ahead_init(&ahead, r, AHEAD_ROOM);
	if (err)
		return diag_set(rp->d, err, "%s", err_text(err));
	err = play_all(rp, &ahead);
	ahead_release(&ahead);
	return err;
}

/* 0: it is none. */
static uint64_t number_of(struct slice digits)
{
	uint64_t n = 0;
	for (size_t i = 0; i < digits.len && n < UINT32_MAX; i++) {
		if (digits.at[i] < '0' || digits.at[i] > '9')
			return 0;
		n = n * 10 + (uint64_t)(digits.at[i] - '0');
	}
	return n;
}

/* Where the agent gave its counts up, none of them stands, the earlier ones neither. */
static void settle_counts(struct model *m)
{
	if (model_disowned(m)) {
		counts_release(&m->exact);
		m->exact = (struct counts){0};
		return;
	}
	begin_counts(m); /* where no collection came behind it */
	counts_end(&m->exact, m->now.young, &m->odds);
	m->exact.walks.every = number_of(facts_get(&m->facts, &m->defs.texts, "every"));
}

int replay_run(struct model *m, struct reader *r, const struct listener *l, struct diag *d)
{
	struct diag unread = {""};
	struct replay rp = {.m = m, .l = l, .d = d ? d : &unread};
	m->wall = r->wall;
	m->major = r->major;
	m->minor = r->minor;
	int err = r->forgotten.blocks ? begin_forgotten(&rp, r) : ERR_NONE;
	err = err ? err : play_ahead(&rp, r);
	m->blocks = r->blocks;
	m->unknown_records = r->unknown_records;
	m->skipped_blocks = r->skipped_blocks;
	m->events = r->events;
	m->checkpoints = r->checkpoints;
	m->cut = r->cut;
	if (err && !(is_damage(err) && m->damage.text[0]))
		return diag_set(d, err, "%s", rp.d->text[0] ? rp.d->text : m->damage.text);
	settle_counts(m);
	return play_survivors(&rp);
}
