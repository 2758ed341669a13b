#include "trace/ids.h"

#include <inttypes.h>
#include <stddef.h>

#include "base/error.h"
#include "base/map.h"

/* A field of a record that holds an id. */
struct id_field {
	uint8_t kind;     /* of the record */
	uint8_t table;    /* enum id_table */
	bool required;    /* 0 is not allowed */
	uint16_t offset;  /* of the field in struct record */
	const char *name; /* of the field */
};

#define ID(name_, field, table, required)                                                          \
	{                                                                                          \
		RECORD_##name_, table, required, offsetof(struct record, name_.field), #field      \
	}

/* In the order of their kinds. */
static const struct id_field definitions[] = {
	ID(string, id, ID_STRING, true),
	ID(class, id, ID_CLASS, true),
	ID(method, id, ID_METHOD, true),
	ID(frame, id, ID_FRAME, true),
	ID(site, id, ID_SITE, true),
	ID(thread, id, ID_THREAD, true),
	ID(collector, id, ID_COLLECTOR, true),
	ID(config, id, ID_CONFIG, true),
};

static const struct id_field uses[] = {
	ID(class, name, ID_STRING, false),
	ID(class, raw, ID_STRING, false),
	ID(method, class_name, ID_STRING, false),
	ID(method, name, ID_STRING, false),
	ID(method, descriptor, ID_STRING, false),
	ID(method, source, ID_STRING, false),
	ID(frame, parent, ID_FRAME, false),
	ID(frame, method, ID_METHOD, false),
	ID(site, class, ID_CLASS, false),
	ID(site, frame, ID_FRAME, false),
	ID(thread, name, ID_STRING, false),
	ID(collector, name, ID_STRING, false),
	ID(site_place, site, ID_SITE, true),
	ID(site_place, as, ID_SITE, true),
	ID(config_again, config, ID_CONFIG, true),
	ID(alloc, site, ID_SITE, false),
	ID(alloc, thread, ID_THREAD, false),
	ID(alloc, config, ID_CONFIG, true),
	ID(birth, site, ID_SITE, false),
	ID(birth, thread, ID_THREAD, false),
	ID(birth, config, ID_CONFIG, true),
	ID(gc, collector, ID_COLLECTOR, false),
	ID(gc, cause, ID_STRING, false),
	ID(site_births, site, ID_SITE, false),
	ID(site_births, thread, ID_THREAD, false),
	ID(site_ages, site, ID_SITE, false),
	ID(site_old, site, ID_SITE, false),
	ID(site_young, site, ID_SITE, false),
	ID(class_older, class, ID_CLASS, false),
	ID(site_before, site, ID_SITE, false),
	ID(decision, site, ID_SITE, false),
	ID(decision, reason, ID_STRING, false),
};

static const char *const table_names[ID_TABLES] = {
	[ID_STRING] = "string",
	[ID_CLASS] = "class",
	[ID_METHOD] = "method",
	[ID_FRAME] = "frame",
	[ID_SITE] = "site",
	[ID_THREAD] = "thread",
	[ID_COLLECTOR] = "collector",
	[ID_CONFIG] = "configuration",
};

void ids_release(struct ids *ids)
{
	for (int i = 0; i < ID_TABLES; i++)
		vec_release(&ids->table[i].contents);
	vec_release(&ids->depths);
	vec_release(&ids->framed);
	buf_release(&ids->scratch);
	*ids = (struct ids){0};
}

bool ids_defined(const struct ids *ids, enum id_table table, uint64_t id)
{
	return id <= ids->table[table].contents.count;
}

static uint64_t field_value(const struct record *r, const struct id_field *f)
{
	uint64_t v;
	memcpy(&v, (const uint8_t *)r + f->offset, sizeof(v));
	return v;
}

static int check_use(
	const struct ids *ids, const struct record *r, const struct id_field *f, struct diag *d)
{
	uint64_t id = field_value(r, f);
	if (id == 0 && f->required)
		return diag_set(d, ERR_FORMAT, "%s without a %s", record_name(r->kind), f->name);
	if (!ids_defined(ids, f->table, id))
		return diag_set(d, ERR_FORMAT, "%s uses %s %" PRIu64 ", which is not defined",
			record_name(r->kind), table_names[f->table], id);
	return ERR_NONE;
}

static int check_uses(const struct ids *ids, const struct record *r, struct diag *d)
{
	for (size_t i = 0; i < ARRAY_SIZE(uses) && uses[i].kind <= r->kind; i++) {
		int err = uses[i].kind == r->kind ? check_use(ids, r, &uses[i], d) : ERR_NONE;
		if (err)
			return err;
	}
	return ERR_NONE;
}

static int take_depth(struct ids *ids, const struct record *r, struct diag *d)
{
	uint64_t parent = r->frame.parent;
	unsigned depth = parent ? ids->depths.at[parent - 1] + 1u : 1;
	if (depth > STACK_FRAMES_MAX)
		return diag_set(d, ERR_FORMAT, "frame %" PRIu64 " is deeper than %d", r->frame.id,
			STACK_FRAMES_MAX);
	return vec_push(&ids->depths, (uint16_t)depth);
}

static int take_framed(struct ids *ids, const struct record *r)
{
	return vec_push(&ids->framed, r->site.frame != 0);
}

static int check_place(const struct ids *ids, const struct record *r, struct diag *d)
{
	if (!ids->framed.at[r->site_place.site - 1])
		return ERR_NONE;
	return diag_set(d, ERR_FORMAT, "site_place of site %" PRIu64 ", which has a frame",
		r->site_place.site);
}

/* What the definition says, as a hash of the record encoded alone. */
static int hash_content(struct ids *ids, const struct record *r, uint64_t *hash)
{
	struct record_deltas none = {0};
	buf_clear(&ids->scratch);
	int err = record_encode(&ids->scratch, &none, r);
	if (!err)
		*hash = hash_bytes(ids->scratch.at, ids->scratch.len);
	return err;
}

static int define(struct ids *ids, const struct record *r, const struct id_field *f, struct diag *d)
{
	uint64_t id = field_value(r, f), hash = 0;
	size_t count = ids->table[f->table].contents.count;
	const char *name = table_names[f->table];
	if (id == 0 || id > count + 1)
		return diag_set(d, ERR_FORMAT, "%s %" PRIu64 " is defined where %zu is the next",
			name, id, count + 1);
	int err = hash_content(ids, r, &hash);
	if (err)
		return err;
	if (id <= count) {
		if (ids->table[f->table].contents.at[id - 1] == hash)
			return ERR_NONE;
		return diag_set(
			d, ERR_FORMAT, "%s %" PRIu64 " is defined again, otherwise", name, id);
	}
	if (r->kind == RECORD_frame && (err = take_depth(ids, r, d)))
		return err;
	if (r->kind == RECORD_site && (err = take_framed(ids, r)))
		return err;
	return vec_push(&ids->table[f->table].contents, hash);
}

int ids_take(struct ids *ids, const struct record *r, struct diag *d)
{
	int err = check_uses(ids, r, d);
	if (!err && r->kind == RECORD_site_place)
		return check_place(ids, r, d);
	for (size_t i = 0; !err && i < ARRAY_SIZE(definitions); i++)
		if (definitions[i].kind == r->kind)
			return define(ids, r, &definitions[i], d);
	return err;
}
