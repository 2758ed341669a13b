#include "analyze/evidence.h"

#include "analyze/evidence_counts.h"
#include "base/error.h"

enum {
	WIDTH_LEAST = 1 << 20,    /* ns: a millisecond */
	THRESHOLDS_MOST = 1 << 24 /* collections */
};

void evidence_init(struct evidence_log *e, bool by_thread)
{
	*e = (struct evidence_log){
		.ledger = {.by_thread = by_thread, .clocks = 1u << CLOCK_YOUNG | 1u << CLOCK_FULL}};
}

void evidence_release(struct evidence_log *e)
{
	ledger_release(&e->ledger);
	vec_release(&e->sites);
	vec_release(&e->threads);
	vec_release(&e->thresholds);
}

/* Bins twice as wide. */
static void widen(struct evidence_site *s)
{
	for (size_t i = 0; i < EVIDENCE_TIMES; i++)
		s->times[i] = 2 * i < EVIDENCE_TIMES ? s->times[2 * i] + s->times[2 * i + 1] : 0;
	s->width *= 2;
}

static void add_time(struct evidence_site *s, uint64_t time, double bytes)
{
	s->width = s->width ? s->width : WIDTH_LEAST;
	while (time / s->width >= EVIDENCE_TIMES)
		widen(s);
	s->times[time / s->width] += bytes;
}

static int size_bin(uint64_t size)
{
	int bin = 0;
	while (size >>= 1)
		bin++;
	return bin < EVIDENCE_SIZES ? bin : EVIDENCE_SIZES - 1;
}

/* Makes element `i` of a vector be there; new ones are zero. */
static int reach(void **at, size_t *room, size_t *count, size_t size, size_t i)
{
	if (i < *count)
		return ERR_NONE;
	size_t more = i + 1 - *count;
	if (vec_grow(at, room, *count, more, size))
		return ERR_NOMEM;
	memset((char *)*at + *count * size, 0, more * size);
	*count += more;
	return ERR_NONE;
}
#define REACH(v, i) reach((void **)&(v)->at, &(v)->room, &(v)->count, sizeof(*(v)->at), (i))

static int on_sample(void *arg, const struct model *m, const struct sample *s)
{
	struct evidence_log *e = arg;
	double bytes = (double)s->size * s->weight;
	e->large = e->large ? e->large : m->facts.follow_max;
	if (REACH(&e->sites, s->site) || REACH(&e->threads, s->thread))
		return ERR_NOMEM;
	struct evidence_site *site = &e->sites.at[s->site];
	add_time(site, s->time, bytes);
	site->objects[size_bin(s->size)] += s->weight;
	if (s->size > e->large)
		(void)total_add(&site->large, s->size, s->weight);
	(void)total_add(&e->threads.at[s->thread], s->size, s->weight);
	return ledger_listener(&e->ledger).on_sample(&e->ledger, m, s);
}

/* The VM's bound, until a collection tells what it chose: for the next, or for itself, and then it
 * is the best that is known of the next. */
static uint8_t threshold_of(const struct model *m, const struct gc *gc, uint8_t before)
{
	uint32_t t = gc ? gc->tenuring : m->facts.tenuring_max;
	t = gc && (!gcs_chose(&m->gcs, gc) || !gc->raised_young) ? before : t;
	return t < TENURING_MOST ? (uint8_t)t : TENURING_MOST;
}

/* How far the young clock had gone in what was read. */
static uint64_t gone(const struct model *m, uint64_t young)
{
	return young > m->begin.young ? young - m->begin.young : 0;
}

/* Element i is what held in the collection that found the young clock i after the begin: of a
 * cyclic trace's forgotten part no threshold is known. */
static int on_gc(void *arg, const struct model *m, const struct gc *gc)
{
	struct evidence_log *e = arg;
	if (!e->thresholds.count && vec_push(&e->thresholds, threshold_of(m, NULL, 0)))
		return ERR_NOMEM;
	uint8_t last = e->thresholds.at[e->thresholds.count - 1];
	uint64_t young = gone(m, gc->young);
	while (e->thresholds.count < THRESHOLDS_MOST && e->thresholds.count <= young)
		if (vec_push(&e->thresholds, last))
			return ERR_NOMEM;
	last = threshold_of(m, gc, last);
	e->thresholds.at[e->thresholds.count - 1] = last;
	if (m->gcs.chooses_first && gc->raised_young && young && young < e->thresholds.count)
		e->thresholds.at[young - 1] = last;
	return ERR_NONE;
}

unsigned evidence_promotion(const struct evidence_log *e, uint64_t young)
{
	unsigned age = 0;
	while (age < TENURING_MOST && young + age < e->thresholds.count &&
		e->thresholds.at[young + age] > age)
		age++;
	return age;
}

/* What collections did with an object, had the threshold never been over each bound. */
static int add_copies(
	struct evidence_log *e, const struct model *m, const struct object *o, const struct life *l)
{
	if (REACH(&e->sites, o->site))
		return ERR_NOMEM;
	struct evidence_site *s = &e->sites.at[o->site];
	double bytes = (double)o->size * o->weight;
	unsigned held = l->young ? evidence_promotion(e, gone(m, o->young)) : 0;
	for (unsigned t = 0; t <= TENURING_MOST && l->young; t++) {
		unsigned age = held < t ? held : t;
		s->copied[t] += bytes * (double)(l->young <= age ? l->young : age + 1);
		s->promoted[t] += l->young > age ? bytes : 0;
		s->early[t] += l->died && l->young > age && l->young <= held ? bytes : 0;
	}
	return ERR_NONE;
}

static int on_death(void *arg, const struct model *m, const struct object *o, const struct life *l)
{
	struct evidence_log *e = arg;
	int err = add_copies(e, m, o, l);
	return err ? err : ledger_listener(&e->ledger).on_death(&e->ledger, m, o, l);
}

/* Which of `parts` equal parts of 0 … whole this is in. */
static int part_of(uint64_t value, uint64_t whole, int parts)
{
	double part = parts * (double)value / ((double)whole + 1);
	return part < parts ? (int)part : parts - 1;
}

/* Alive at the end, when the clocks are known. */
static int add_alive(
	struct evidence_log *e, const struct model *m, const struct object *o, const struct life *l)
{
	if (REACH(&e->sites, o->site))
		return ERR_NOMEM;
	struct evidence_site *s = &e->sites.at[o->site];
	double bytes = (double)o->size * o->weight;
	s->births |= 1ull << part_of(gone(m, o->young), model_young(m), EVIDENCE_BIRTHS);
	s->alive[part_of(o->time, m->now.time, EVIDENCE_PARTS)] += bytes;
	s->proven += l->full ? bytes : 0;
	return ERR_NONE;
}

static int on_untrack(void *arg, const struct model *m, const struct object *o,
	const struct life *l, uint64_t reason)
{
	struct evidence_log *e = arg;
	int err = add_copies(e, m, o, l);
	err = err || reason != UNTRACK_STOPPED ? err : add_alive(e, m, o, l);
	return err ? err : ledger_listener(&e->ledger).on_untrack(&e->ledger, m, o, l, reason);
}

static int on_alive(void *arg, const struct model *m, const struct object *o, const struct life *l)
{
	struct evidence_log *e = arg;
	int err = add_copies(e, m, o, l);
	err = err ? err : add_alive(e, m, o, l);
	return err ? err : ledger_listener(&e->ledger).on_alive(&e->ledger, m, o, l);
}

struct listener evidence_listener(struct evidence_log *e)
{
	return (struct listener){.arg = e,
		.on_sample = on_sample,
		.on_death = on_death,
		.on_untrack = on_untrack,
		.on_alive = on_alive,
		.on_gc = on_gc};
}

int evidence_settle(struct evidence_log *e, const struct model *m)
{
	int err = ledger_settle(&e->ledger, m);
	err = err ? err : leaves_lay(&e->ledger, m);
	return err ? err : evidence_lay(e, m);
}

void evidence_merge(struct evidence_site *s, const struct evidence_site *more)
{
	struct evidence_site other = *more;
	while (s->width && other.width && s->width < other.width)
		widen(s);
	while (s->width && other.width && other.width < s->width)
		widen(&other);
	s->width = s->width ? s->width : other.width;
	for (int i = 0; i < EVIDENCE_TIMES; i++)
		s->times[i] += other.times[i];
	for (int i = 0; i < EVIDENCE_SIZES; i++)
		s->objects[i] += other.objects[i];
	for (int i = 0; i < EVIDENCE_PARTS; i++)
		s->alive[i] += other.alive[i];
	for (int t = 0; t <= TENURING_MOST; t++) {
		s->copied[t] += other.copied[t];
		s->promoted[t] += other.promoted[t];
		s->early[t] += other.early[t];
	}
	total_merge(&s->large, &other.large);
	s->births |= other.births;
	s->proven += other.proven;
}

double evidence_until(const struct evidence_site *s, uint64_t time)
{
	double sum = 0;
	for (uint64_t i = 0; i < EVIDENCE_TIMES && s->width; i++) {
		uint64_t from = i * s->width;
		if (time > from && time - from >= s->width)
			sum += s->times[i];
		else if (time > from)
			sum += s->times[i] * (double)(time - from) / (double)s->width;
	}
	return sum;
}
