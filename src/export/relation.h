/* What is exported as rows: relations, their fields, and how a row is filled. One table,
 * relation.def, for all formats of rows. */
#ifndef EXPORT_RELATION_H
#define EXPORT_RELATION_H

#include "analyze/cells.h"
#include "analyze/tally.h"
#include "base/buf.h"
#include "stat/curve.h"

enum field_type {
	FIELD_COUNT,
	FIELD_NUMBER,
	FIELD_MS, /* ns as a count, told in ms */
	FIELD_TEXT,
};

struct value {
	bool known;
	union {
		uint64_t count;
		double number; /* finite */
		struct slice text;
	};
};

struct item;
struct field {
	const char *name; /* NULL behind a relation's last */
	enum field_type type;
	bool joined; /* told by another relation too: for readers without joins */
	struct value (*get)(const struct item *x);
};

/* What a row is made from; each relation uses what it needs. All borrowed. */
struct item {
	const struct model *model;
	uint64_t index; /* of a class, method, frame; a collection's number; an age */
	uint32_t site;
	const struct tally *tally;
	const struct total *alloc; /* the tally's, with the error that it has as a row */
	const struct cell *cell;
	const struct site_counts *counts;
	const struct curve_point *point;
	const struct gc *gc;
	const struct object *object;
	const struct life *life;
	enum cell_fate fate;
	struct slice key, text;
	struct buf *line, *stack; /* to make texts in; failed: out of memory */
};

enum { FIELDS_MAX = 24 };

struct relation {
	const char *name, *about;
	const struct field *fields;
};

enum relation_id {
#define RELATION(name, about) RELATION_##name,
#define FIELD(relation, name, type, when, what)
#define JOINED(relation, name, type, when, what)
#include "export/relation.def"
#undef RELATION
#undef FIELD
#undef JOINED
	RELATIONS
};
enum { RELATIONS_ALL = (1 << RELATIONS) - 1 };

const struct relation *relation_at(enum relation_id id);
/* The relation of that name, or RELATIONS. */
enum relation_id relation_named(const char *name);
/* Fills a value for each field; texts live until the item's buffers change. */
void relation_fill(enum relation_id id, struct value *out, const struct item *x);

/* Who takes rows. 0 or an error, which ends the export. */
struct rows {
	int (*put)(void *arg, enum relation_id id, const struct value *values);
	void *arg;
};

#endif
