#include "model/defs.h"

#include <string.h>

#include "base/error.h"

/* Appends the all-zero element that index 0 stands for. */
#define PUT_UNKNOWN(v, T) vec_push((v), (struct T){0})

int defs_init(struct defs *d)
{
	*d = (struct defs){0};
	int err = PUT_UNKNOWN(&d->classes, class_def);
	err = err ? err : PUT_UNKNOWN(&d->methods, method_def);
	err = err ? err : PUT_UNKNOWN(&d->frames, frame_def);
	err = err ? err : PUT_UNKNOWN(&d->sites, site_def);
	err = err ? err : PUT_UNKNOWN(&d->sites_defined, site_def);
	err = err ? err : PUT_UNKNOWN(&d->threads, thread_def);
	err = err ? err : PUT_UNKNOWN(&d->collectors, collector_def);
	if (err)
		defs_release(d);
	return err;
}

void defs_release(struct defs *d)
{
	texts_release(&d->texts);
	intern_release(&d->locations);
	vec_release(&d->classes);
	vec_release(&d->methods);
	vec_release(&d->frames);
	vec_release(&d->sites);
	vec_release(&d->sites_defined);
	vec_release(&d->threads);
	vec_release(&d->collectors);
	struct ids *ids[] = {&d->class_ids, &d->method_ids, &d->frame_ids, &d->site_ids,
		&d->thread_ids, &d->collector_ids};
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++)
		map_release(&ids[i]->map);
}

/* 0: not defined. */
static uint32_t find(const struct ids *ids, uint64_t id)
{
	if (id <= ids->dense)
		return (uint32_t)id;
	uint64_t *index = map_find(&ids->map, id);
	return index ? (uint32_t)*index : 0;
}

static int put(struct ids *ids, uint64_t id, uint64_t index)
{
	if (id == index && id == ids->dense + 1) {
		ids->dense++;
		return ERR_NONE;
	}
	return map_put(&ids->map, id, index);
}

uint32_t defs_index(const struct ids *ids, uint64_t id, enum odd odd, struct odds *odds)
{
	uint32_t index = find(ids, id);
	odd_if(odds, odd, id && !index);
	return index;
}

static uint32_t text_of(const struct defs *d, uint64_t id, struct odds *odds)
{
	bool known;
	uint32_t number = texts_number(&d->texts, id, &known);
	odd_if(odds, ODD_UNDEFINED_STRING, !known);
	return number;
}

/*
 * Puts `def` at the end of v under the file's id, or compares it with what the id has already.
 * Definitions are all 32-bit numbers without padding, so that bytes can be compared. Id 0 is
 * "unknown" and can't be defined.
 */
#define DEFINE(ids, v, id, def, odds)                                                              \
	do {                                                                                       \
		uint32_t old_ = find((ids), (id));                                                 \
		if (!(id) || old_) {                                                               \
			odd_if((odds), ODD_REDEFINED,                                              \
				!(id) || memcmp(&(v)->at[old_], &(def), sizeof(def)) != 0);        \
			return 1;                                                                  \
		}                                                                                  \
		if (vec_reserve((v), 1) || put((ids), (id), (v)->count))                           \
			return ERR_NOMEM;                                                          \
		(v)->at[(v)->count++] = (def);                                                     \
		return 1;                                                                          \
	} while (0)

static int read_string(struct defs *d, const struct record *r, struct odds *odds)
{
	if (odd_if(odds, ODD_REDEFINED, !r->string.id))
		return 1;
	int err = texts_define(&d->texts, r->string.id, r->string.text);
	odd_if(odds, ODD_REDEFINED, err == 1);
	return err < 0 ? err : 1;
}

static int read_class(struct defs *d, const struct record *r, struct odds *odds)
{
	struct class_def def = {.name = text_of(d, r->class.name, odds),
		.raw = text_of(d, r->class.raw, odds),
		.flags = (uint32_t)r->class.flags};
	DEFINE(&d->class_ids, &d->classes, r->class.id, def, odds);
}

static int read_method(struct defs *d, const struct record *r, struct odds *odds)
{
	struct method_def def = {.class_name = text_of(d, r->method.class_name, odds),
		.name = text_of(d, r->method.name, odds),
		.descriptor = text_of(d, r->method.descriptor, odds),
		.source = text_of(d, r->method.source, odds),
		.flags = (uint32_t)r->method.flags};
	DEFINE(&d->method_ids, &d->methods, r->method.id, def, odds);
}

struct location {
	uint32_t class_name, method_name, line;
};

static struct location location_in(const struct method_def *m, uint32_t line)
{
	return (struct location){m->class_name, m->name, line};
}

static uint32_t location_of(struct defs *d, uint32_t method, uint32_t line)
{
	const struct location l = location_in(&d->methods.at[method], line);
	return intern_add(&d->locations, slice(&l, sizeof(l)), NULL);
}

uint32_t defs_method_location(const struct defs *d, uint32_t frame)
{
	const struct location l = location_in(defs_frame_method(d, frame), 0);
	return intern_find(&d->locations, slice(&l, sizeof(l)));
}

enum { BCI_MOST = 65535 }; /* of a method */

static int32_t bci_of(int64_t bci)
{
	return bci < 0 || bci > BCI_MOST ? -1 : (int32_t)bci;
}

static int read_frame(struct defs *d, const struct record *r, struct odds *odds)
{
	struct frame_def def = {
		.parent = defs_index(&d->frame_ids, r->frame.parent, ODD_UNDEFINED_FRAME, odds),
		.method = defs_index(&d->method_ids, r->frame.method, ODD_UNDEFINED_METHOD, odds),
		.line = r->frame.line > UINT32_MAX ? 0 : (uint32_t)r->frame.line,
		.bci = bci_of(r->frame.bci)};
	if (odd_if(odds, ODD_STACK_DEEP, d->frames.at[def.parent].depth >= STACK_MAX))
		def.parent = 0;
	def.depth = d->frames.at[def.parent].depth + 1;
	def.location = location_of(d, def.method, def.line);
	if (!def.location)
		return ERR_NOMEM;
	DEFINE(&d->frame_ids, &d->frames, r->frame.id, def, odds);
}

static int define_site(struct defs *d, uint64_t id, const struct site_def *def, struct odds *odds)
{
	DEFINE(&d->site_ids, &d->sites_defined, id, *def, odds);
}

static int read_site(struct defs *d, const struct record *r, struct odds *odds)
{
	struct site_def def = {
		.class = defs_index(&d->class_ids, r->site.class, ODD_UNDEFINED_CLASS, odds),
		.frame = defs_index(&d->frame_ids, r->site.frame, ODD_UNDEFINED_FRAME, odds),
		.flags = (uint32_t)r->site.flags};
	if (vec_reserve(&d->sites, 1))
		return ERR_NOMEM;
	int err = define_site(d, r->site.id, &def, odds);
	if (d->sites_defined.count > d->sites.count)
		d->sites.at[d->sites.count++] = def;
	return err;
}

/* The site stays what its id says; where it is, is known now. */
static int read_site_place(struct defs *d, const struct record *r, struct odds *odds)
{
	uint32_t site = defs_index(&d->site_ids, r->site_place.site, ODD_UNDEFINED_SITE, odds);
	uint32_t as = defs_index(&d->site_ids, r->site_place.as, ODD_UNDEFINED_SITE, odds);
	if (site && as) {
		d->sites.at[site].frame = d->sites.at[as].frame;
		d->sites.at[site].flags = d->sites.at[as].flags;
	}
	return 1;
}

static int read_thread(struct defs *d, const struct record *r, struct odds *odds)
{
	struct thread_def def = {
		.name = text_of(d, r->thread.name, odds), .flags = (uint32_t)r->thread.flags};
	DEFINE(&d->thread_ids, &d->threads, r->thread.id, def, odds);
}

static int read_collector(struct defs *d, const struct record *r, struct odds *odds)
{
	struct collector_def def = {.name = text_of(d, r->collector.name, odds),
		.role = r->collector.role > ROLE_YOUNG_CONCURRENT ? ROLE_UNKNOWN
								  : (uint32_t)r->collector.role};
	DEFINE(&d->collector_ids, &d->collectors, r->collector.id, def, odds);
}

static int (*const readers[])(struct defs *, const struct record *, struct odds *) = {
	[RECORD_string] = read_string,
	[RECORD_class] = read_class,
	[RECORD_method] = read_method,
	[RECORD_frame] = read_frame,
	[RECORD_site] = read_site,
	[RECORD_site_place] = read_site_place,
	[RECORD_thread] = read_thread,
	[RECORD_collector] = read_collector,
};

int defs_read(struct defs *d, const struct record *r, struct odds *odds)
{
	if (r->kind >= ARRAY_SIZE(readers) || !readers[r->kind])
		return 0;
	return readers[r->kind](d, r, odds);
}
