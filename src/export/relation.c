#include "export/relation.h"

#include <math.h>

#include "export/digits.h"
#include "export/naming.h"

#define METHOD(i) x->model->defs.methods.at[i]
#define FRAME(i)  x->model->defs.frames.at[i]
#define SITE(x)   (x)->model->defs.sites.at[(x)->site]

#define AGE(x) age_of(x)

/* What was counted at the item's age; nothing where none of the site came to it. */
static struct age_counts age_of(const struct item *x)
{
	static const struct age_counts none;
	return x->index < x->counts->ages.count ? x->counts->ages.at[x->index] : none;
}

static struct quantity died_at(const struct item *x)
{
	struct age_counts age = age_of(x);
	struct quantity out = age.survived;
	quantity_add(&out, age.promoted);
	return quantity_less(age.risk, out);
}

static struct slice text_of(const struct item *x, uint32_t text)
{
	return texts_get(&x->model->defs.texts, text);
}

static struct slice class_name(const struct item *x, uint64_t class)
{
	return naming_class(x->model, (uint32_t) class);
}

static struct slice thread_name(const struct item *x, uint32_t thread)
{
	return text_of(x, x->model->defs.threads.at[thread].name);
}

/* "com.acme.Order.flush:88" */
static void put_line(struct buf *out, const struct item *x, uint32_t frame)
{
	naming_method(out, x->model, FRAME(frame).method);
	if (FRAME(frame).line) {
		buf_put_u8(out, ':');
		digits_count(out, FRAME(frame).line);
	}
}

static struct slice leaf(const struct item *x)
{
	buf_clear(x->line);
	put_line(x->line, x, SITE(x).frame);
	return buf_slice(x->line);
}

/* From the entry point to the allocating line, with semicolons between: those in names become
 * commas. */
static struct slice stack(const struct item *x)
{
	uint32_t path[STACK_MAX], depth = 0;
	for (uint32_t f = SITE(x).frame; f && depth < STACK_MAX; f = FRAME(f).parent)
		path[depth++] = f;
	buf_clear(x->stack);
	while (depth) {
		size_t from = x->stack->len;
		put_line(x->stack, x, path[--depth]);
		for (size_t i = from; i < x->stack->len; i++)
			if (x->stack->at[i] == ';')
				x->stack->at[i] = ',';
		if (depth)
			buf_put_u8(x->stack, ';');
	}
	return buf_slice(x->stack);
}

static struct slice fate_text(enum cell_fate fate)
{
	static const char *const words[CELL_FATES] = {
		[CELL_DIED] = "died", [CELL_ALIVE] = "alive", [CELL_LET_GO] = "let go"};
	return slice_str(words[fate]);
}

static struct slice gc_kind_text(uint8_t kind)
{
	static const char *const words[GC_KINDS] = {[GC_KIND_YOUNG] = "young",
		[GC_KIND_MIXED] = "mixed",
		[GC_KIND_FULL] = "full",
		[GC_KIND_CONCURRENT] = "concurrent"};
	return slice_str(kind < GC_KINDS ? words[kind] : "");
}

static uint64_t whole_ns(double ns)
{
	return ns < 1e18 ? (uint64_t)ns : (uint64_t)1e18;
}

static struct value value_COUNT(uint64_t count)
{
	return (struct value){.known = true, .count = count};
}

static struct value value_MS(uint64_t ns)
{
	return value_COUNT(ns);
}

static struct value value_NUMBER(double number)
{
	return (struct value){.known = isfinite(number), .number = number};
}

static struct value value_TEXT(struct slice text)
{
	return (struct value){.known = true, .text = text};
}

/* A function for each field. */
#define RELATION(name, about)
#define FIELD(relation, name, type, when, what)                                                    \
	static struct value get_##relation##_##name(const struct item *x)                          \
	{                                                                                          \
		return (when) ? value_##type(what) : (struct value){0};                            \
	}
#define JOINED FIELD
#include "export/relation.def"
#undef RELATION
#undef FIELD
#undef JOINED

/* All fields in a row; each relation's begin behind a place of its own, which ends those before. */
enum {
#define RELATION(name, about)                   FIRST_##name,
#define FIELD(relation, name, type, when, what) PLACE_##relation##_##name,
#define JOINED                                  FIELD
#include "export/relation.def"
#undef RELATION
#undef FIELD
#undef JOINED
	PLACES
};

static const struct field fields[PLACES + 1] = {
#define RELATION(name, about)
#define FIELD(relation, name, type, when, what)                                                    \
	[PLACE_##relation##_##name] = {#name, FIELD_##type, false, get_##relation##_##name},
#define JOINED(relation, name, type, when, what)                                                   \
	[PLACE_##relation##_##name] = {#name, FIELD_##type, true, get_##relation##_##name},
#include "export/relation.def"
#undef RELATION
#undef FIELD
#undef JOINED
};

static const struct relation relations[RELATIONS] = {
#define RELATION(name, about) [RELATION_##name] = {#name, about, &fields[FIRST_##name + 1]},
#define FIELD(relation, name, type, when, what)
#define JOINED(relation, name, type, when, what)
#include "export/relation.def"
#undef RELATION
#undef FIELD
#undef JOINED
};

const struct relation *relation_at(enum relation_id id)
{
	return &relations[id];
}

enum relation_id relation_named(const char *name)
{
	for (int id = 0; id < RELATIONS; id++)
		if (strcmp(relations[id].name, name) == 0)
			return (enum relation_id)id;
	return RELATIONS;
}

void relation_fill(enum relation_id id, struct value *out, const struct item *x)
{
	for (const struct field *f = relations[id].fields; f->name; f++)
		*out++ = f->get(x);
}
