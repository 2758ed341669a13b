#include "support/exact_sim.h"

#include <math.h>

#include "base/error.h"
#include "base/rng.h"
#include "trace/writer.h"

enum { SITES_MOST = 256, AGES = 16 };

/* What is told of one exact site at the next collection. */
struct sums {
	uint64_t births, birth_bytes;
	uint64_t objects[AGES], bytes[AGES], moved[AGES], moved_bytes[AGES];
};

struct filter {
	const struct exact_sim *x;
	sim_put *put;
	void *arg;
	struct exact_truth *truth;
	struct rng rng;
	VEC(struct record) frames;    /* as defined; the file's ids are 1, 2 … */
	uint64_t classes[SITES_MOST]; /* of each site of the sim, from 1 */
	uint64_t leaves[SITES_MOST];  /* its frame */
	uint64_t bright[SITES_MOST], alone[SITES_MOST], dark[SITES_MOST],
		walked[SITES_MOST];    /* the exact engine's sites */
	uint64_t frame_of[SITES_MOST]; /* of the exact engine's sites, by id */
	uint64_t class_of[SITES_MOST], flags_of[SITES_MOST];
	uint64_t sites, exact_sites;  /* numbers of them: the latter's ids follow the former's */
	struct sums sums[SITES_MOST]; /* by id less `sites` */
	VEC(uint8_t) kept;            /* by object: whether it was sampled */
	uint64_t next_age;            /* of the object that is born now */
	uint64_t samples, tracked, died;
	uint64_t told; /* of the objects, those born before the last collection accounted for */
	uint64_t young;
	uint64_t dark_births;
};

void exact_truth_release(struct exact_truth *t)
{
	vec_release(&t->objects);
	vec_release(&t->gcs);
}

static int emit(struct filter *f, const struct record *r)
{
	return f->put(f->arg, r);
}

/* The first frames of a stack, as a stack of its own. 0: failed. */
static uint64_t cut_frame(struct filter *f, uint64_t leaf, unsigned depth)
{
	struct record r = f->frames.at[leaf - 1];
	uint64_t parent = r.frame.parent;
	r.frame.parent = depth > 1 && parent ? cut_frame(f, parent, depth - 1) : 0;
	for (size_t i = 0; i < f->frames.count; i++) {
		const struct record_frame *k = &f->frames.at[i].frame;
		if (k->parent == r.frame.parent && k->method == r.frame.method &&
			k->line == r.frame.line)
			return i + 1;
	}
	r.frame.id = f->frames.count + 1;
	return vec_push(&f->frames, r) || emit(f, &r) ? 0 : f->frames.count;
}

enum { EXACT = 4, WALKED = 8 };

static uint64_t exact_site(struct filter *f, uint64_t class, uint64_t frame, uint64_t flags)
{
	for (uint64_t i = 0; i < f->exact_sites; i++)
		if (f->class_of[i] == class && f->frame_of[i] == frame && f->flags_of[i] == flags)
			return f->sites + i + 1;
	struct record r = {.kind = RECORD_site};
	f->class_of[f->exact_sites] = class;
	f->frame_of[f->exact_sites] = frame;
	f->flags_of[f->exact_sites] = flags;
	r.site.id = f->sites + ++f->exact_sites;
	r.site.class = class;
	r.site.frame = frame;
	r.site.flags = flags;
	return emit(f, &r) ? 0 : r.site.id;
}

static int define(struct filter *f)
{
	unsigned depth = f->x->inlined ? f->x->inlined : 1;
	for (uint64_t i = 1; i <= f->sites; i++) {
		uint64_t frame = f->leaves[i] ? cut_frame(f, f->leaves[i], depth) : 0;
		f->bright[i] = exact_site(f, f->classes[i], frame, EXACT);
		frame = f->x->alone && f->leaves[i] ? cut_frame(f, f->leaves[i], 1) : frame;
		f->alone[i] = exact_site(f, f->classes[i], frame, EXACT);
		f->dark[i] = f->x->dark ? exact_site(f, f->classes[i], 0, EXACT) : f->bright[i];
		f->walked[i] = f->x->every && f->leaves[i]
				       ? exact_site(f, f->classes[i], f->leaves[i], EXACT | WALKED)
				       : f->bright[i];
		if (!f->walked[i] || !f->bright[i] || !f->alone[i] || !f->dark[i])
			return ERR_NOMEM;
	}
	return ERR_NONE;
}

static bool is_exact(const struct filter *f)
{
	return !f->x->sampled_only;
}

static int pass_birth(struct filter *f, struct record r)
{
	struct record_birth *b = &r.birth;
	bool dark = rng_below(&f->rng, 100) < f->x->dark;
	bool alone = f->x->alone && rng_below(&f->rng, 100) < f->x->alone;
	bool walked = f->x->every && !dark && rng_below(&f->rng, f->x->every) == 0;
	double p = -expm1(-(double)b->size / (double)f->x->interval);
	bool kept = !f->x->exact_only && rng_unit(&f->rng) < p;
	if (is_exact(f) && !f->exact_sites && define(f))
		return ERR_NOMEM;
	struct exact_object o = {.site = dark     ? f->dark[b->site]
					 : walked ? f->walked[b->site]
					 : alone  ? f->alone[b->site]
						  : f->bright[b->site],
		.size = b->size,
		.sampled = b->site,
		.born = b->young,
		.age = f->next_age};
	f->dark_births += dark;
	if (vec_push(&f->truth->objects, o) || vec_push(&f->kept, kept))
		return ERR_NOMEM;
	f->samples += kept;
	f->tracked += kept;
	return kept ? emit(f, &r) : ERR_NONE;
}

static int pass_death(struct filter *f, const struct record *r)
{
	bool kept = f->kept.at[r->death.object - 1];
	f->died += kept;
	return kept ? emit(f, r) : ERR_NONE;
}

static struct sums *sums_of(struct filter *f, const struct exact_object *o)
{
	return &f->sums[o->site - f->sites - 1];
}

static void count_births(struct filter *f)
{
	for (size_t i = f->told; i < f->truth->objects.count; i++) {
		const struct exact_object *o = &f->truth->objects.at[i];
		sums_of(f, o)->births++;
		sums_of(f, o)->birth_bytes += o->size;
	}
	f->told = f->truth->objects.count;
}

static int put_births(struct filter *f, uint64_t young, struct record_exact_gc *sum)
{
	int err = ERR_NONE;
	for (uint64_t i = 0; i < f->exact_sites && !err; i++) {
		struct record r = {.kind = RECORD_site_births};
		r.site_births = (struct record_site_births){.young = young,
			.site = f->sites + i + 1,
			.objects = f->sums[i].births,
			.bytes = f->sums[i].birth_bytes};
		sum->births += f->sums[i].births;
		sum->birth_bytes += f->sums[i].birth_bytes;
		err = f->sums[i].births ? emit(f, &r) : ERR_NONE;
	}
	return err;
}

/* Whether a full collection made the object's site unknown, before collection `young`. */
static bool is_unmarked(const struct filter *f, const struct exact_object *o, uint64_t young)
{
	for (uint64_t i = o->born; i < young && i < f->truth->gcs.count; i++)
		if (f->truth->gcs.at[i] == 2)
			return true;
	return false;
}

static void count_survivors(struct filter *f, uint64_t young, struct record_exact_gc *sum)
{
	for (size_t i = 0; i < f->truth->objects.count; i++) {
		const struct exact_object *o = &f->truth->objects.at[i];
		uint64_t survived = young - o->born; /* if it outlives this one */
		if (o->age < survived || survived > f->truth->promote + 1)
			continue;
		bool moved = survived == f->truth->promote + 1;
		uint64_t k = (survived < AGES ? survived : AGES) - 1;
		if (is_unmarked(f, o, young)) {
			sum->unknown++;
			sum->unknown_bytes += o->size;
			continue;
		}
		struct sums *s = sums_of(f, o);
		*(moved ? &s->moved[k] : &s->objects[k]) += 1;
		*(moved ? &s->moved_bytes[k] : &s->bytes[k]) += o->size;
		*(moved ? &sum->promoted : &sum->survivors) += 1;
		*(moved ? &sum->promoted_bytes : &sum->survivor_bytes) += o->size;
	}
}

static void put_list(struct record_list *l, const uint64_t *numbers)
{
	for (uint32_t i = 0; i < AGES; i++) {
		l->at[i] = numbers[i];
		if (numbers[i])
			l->count = i + 1;
	}
}

static int put_ages(struct filter *f, uint64_t young, uint64_t full)
{
	int err = ERR_NONE;
	for (uint64_t i = 0; i < f->exact_sites && !err; i++) {
		struct record r = {.kind = RECORD_site_ages};
		r.site_ages.young = young;
		r.site_ages.full = full;
		r.site_ages.site = f->sites + i + 1;
		put_list(&r.site_ages.objects, f->sums[i].objects);
		put_list(&r.site_ages.bytes, f->sums[i].bytes);
		put_list(&r.site_ages.promoted_objects, f->sums[i].moved);
		put_list(&r.site_ages.promoted_bytes, f->sums[i].moved_bytes);
		bool any = r.site_ages.objects.count || r.site_ages.promoted_objects.count;
		err = any ? emit(f, &r) : ERR_NONE;
	}
	return err;
}

static int put_audit(struct filter *f, uint64_t young, const struct record_exact_gc *sum)
{
	struct record r = {.kind = RECORD_audit};
	r.audit = (struct record_audit){.young = young,
		.walked = sum->births,
		.seen = sum->births,
		.attributed = sum->births - f->dark_births,
		.walked_bytes = sum->birth_bytes,
		.seen_bytes = sum->birth_bytes};
	f->dark_births = 0;
	return emit(f, &r);
}

static int put_accounts(struct filter *f, const struct record_gc *gc, bool full)
{
	struct record r = {.kind = RECORD_exact_gc};
	r.exact_gc = (struct record_exact_gc){.time = gc->end,
		.young = gc->young,
		.full = gc->full,
		.kind = full ? 2 : 0,
		.cost = 1500000};
	count_births(f);
	int err = put_births(f, gc->young, &r.exact_gc);
	if (!full)
		count_survivors(f, gc->young, &r.exact_gc);
	err = err ? err : put_ages(f, gc->young, gc->full);
	err = err ? err : put_audit(f, gc->young, &r.exact_gc);
	for (uint64_t i = 0; i < f->exact_sites; i++)
		f->sums[i] = (struct sums){0};
	return err ? err : emit(f, &r);
}

static int pass_gc(struct filter *f, const struct record *r)
{
	bool raised = r->gc.young > f->young, full = r->gc.collector == 2;
	bool miss = f->x->miss_every && r->gc.young % f->x->miss_every == 0;
	int err = emit(f, r);
	if (!raised || !is_exact(f))
		return err;
	f->young = r->gc.young;
	err = err || miss ? err : put_accounts(f, &r->gc, full);
	if (!err && vec_push(&f->truth->gcs, (uint8_t)(full ? 2 : !miss)))
		err = ERR_NOMEM;
	return err;
}

static int disown(struct filter *f)
{
	static const struct sim_text facts[] = {{"engine", "sampled"}, {"exact", "refused"},
		{"exact.why", "the exact counts did not hold against the heap"}};
	int err = ERR_NONE;
	for (size_t i = 0; i < ARRAY_SIZE(facts) && !err; i++) {
		struct record r = {.kind = RECORD_fact};
		r.fact = (struct record_fact){slice_str(facts[i].key), slice_str(facts[i].value)};
		err = emit(f, &r);
	}
	return err;
}

static int pass_end(struct filter *f, struct record r)
{
	struct record_exact_gc sum = {0};
	int err = f->x->disowned ? disown(f) : ERR_NONE;
	if (!err && is_exact(f) && f->exact_sites) {
		count_births(f);
		err = put_births(f, f->young + 1, &sum);
	}
	r.end.samples = r.end.walked = f->samples;
	r.end.tracked = f->tracked;
	r.end.died = f->died;
	r.end.alive = f->tracked - f->died;
	return err ? err : emit(f, &r);
}

static int pass_tick(struct filter *f, struct record r)
{
	r.tick.samples = r.tick.walked = f->samples;
	r.tick.tracked = f->tracked;
	r.tick.live = f->tracked - f->died;
	return emit(f, &r);
}

static int pass(void *arg, const struct record *given)
{
	struct filter *f = arg;
	struct record r = *given;
	if (r.kind == RECORD_birth)
		return pass_birth(f, r);
	if (r.kind == RECORD_death)
		return pass_death(f, &r);
	if (r.kind == RECORD_gc)
		return pass_gc(f, &r);
	if (r.kind == RECORD_end)
		return pass_end(f, r);
	if (r.kind == RECORD_tick)
		return pass_tick(f, r);
	if (r.kind == RECORD_config)
		r.config.interval = f->x->interval;
	if (r.kind == RECORD_frame && vec_push(&f->frames, r))
		return ERR_NOMEM;
	if (r.kind == RECORD_site) {
		f->sites = r.site.id;
		f->classes[r.site.id] = r.site.class;
		f->leaves[r.site.id] = r.site.frame;
	}
	return emit(f, &r);
}

static void take_truth(void *arg, uint64_t id, uint32_t age)
{
	struct filter *f = arg;
	(void)id;
	f->next_age = age;
}

int exact_sim_run(const struct exact_sim *x, sim_put *put, void *arg, struct exact_truth *truth)
{
	struct filter *f = mem_zalloc(1, sizeof(*f));
	struct sim sim = x->sim;
	*truth = (struct exact_truth){.promote = sim.promote};
	if (!f)
		return ERR_NOMEM;
	*f = (struct filter){
		.x = x, .put = put, .arg = arg, .truth = truth, .rng = rng_init(sim.seed + 1)};
	sim.truth = take_truth;
	int err = sim.count < SITES_MOST / 2 ? sim_run(&sim, pass, f) : ERR_USAGE;
	vec_release(&f->frames);
	vec_release(&f->kept);
	mem_free(f);
	return err;
}

static int put_record(void *arg, const struct record *r)
{
	return writer_put(arg, r);
}

int exact_sim_write(const struct exact_sim *x, struct buf *out, struct exact_truth *truth)
{
	struct writer w;
	int err = writer_init(&w, sink_buf(out), NULL, (struct ns){1});
	if (err)
		return err;
	err = exact_sim_run(x, put_record, &w, truth);
	int close_err = writer_release(&w);
	return err ? err : close_err;
}
