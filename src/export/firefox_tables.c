#include "export/firefox_tables.h"

#include "base/error.h"
#include "export/naming.h"
#include "report/text.h"

#define CLASS_BIT (1ull << 63)

/* 0: out of memory, or the empty text. */
static uint32_t string_of(struct firefox_tables *t, struct slice text)
{
	struct buf clean = {0};
	text_clean(&clean, text);
	uint32_t number =
		clean.len && !clean.failed ? intern_add(&t->strings, buf_slice(&clean), NULL) : 0;
	buf_release(&clean);
	return number;
}

/* Functions and frames */

/* The number + 1 of a source file; 0: none. Negative: ERR_NOMEM. */
static int64_t source_of(struct firefox_tables *t, struct slice file)
{
	uint32_t text = string_of(t, file);
	const uint64_t *known = map_find(&t->sources, text);
	if (!text || known)
		return text ? (int64_t)*known : file.len ? ERR_NOMEM : 0;
	if (vec_push(&t->source, text) || map_put(&t->sources, text, t->source.count))
		return ERR_NOMEM;
	return (int64_t)t->source.count;
}

static int add_function(struct firefox_tables *t, uint64_t key, const struct frame_text *text)
{
	int64_t source = source_of(t, text->file);
	struct firefox_function f = {.name = string_of(t, text->name), .source = (uint32_t)source};
	if (source < 0 || !f.name || vec_push(&t->function, f))
		return ERR_NOMEM;
	return map_put(&t->functions, key, t->function.count - 1);
}

/* All lines of one method are one function. */
static int add_frame(struct firefox_tables *t, size_t number)
{
	const struct frame_ref *ref = &t->frames.list.at[number];
	const struct model *m = t->s->model;
	uint64_t key =
		ref->is_class ? CLASS_BIT | ref->index : m->defs.frames.at[ref->index].method;
	struct frame_text text = frames_text(&t->frames, m, number, &t->scratch);
	if (t->scratch.failed)
		return ERR_NOMEM;
	int err = map_find(&t->functions, key) ? ERR_NONE : add_function(t, key, &text);
	if (err)
		return err;
	return vec_push(&t->frame_function, (uint32_t)*map_find(&t->functions, key));
}

static int add_frames(struct firefox_tables *t)
{
	int err = ERR_NONE;
	for (size_t i = 0; i < t->frames.list.count && !err; i++)
		err = add_frame(t, i);
	return err;
}

/* Stacks */

/* The node with this key, added behind `prefix` where it is new. Negative: ERR_NOMEM. */
static int64_t node_of(struct firefox_tables *t, uint64_t key, int64_t prefix, int64_t frame)
{
	struct firefox_node node = {.prefix = prefix, .frame = (uint32_t)frame};
	const uint64_t *known = map_find(&t->nodes, key);
	if (known)
		return (int64_t)*known;
	if (frame < 0 || vec_push(&t->node, node))
		return ERR_NOMEM;
	return map_put(&t->nodes, key, t->node.count - 1) ? ERR_NOMEM : (int64_t)t->node.count - 1;
}

static int64_t stack_of(struct firefox_tables *t, uint32_t site)
{
	const struct defs *d = &t->s->model->defs;
	const struct site_def *s = &d->sites.at[site];
	uint64_t key = CLASS_BIT | (uint64_t)s->frame << 32 | s->class;
	uint32_t path[STACK_MAX], depth = 0;
	int64_t node = -1;
	for (uint32_t f = s->frame; f && depth < STACK_MAX; f = d->frames.at[f].parent)
		path[depth++] = f;
	while (depth) {
		uint32_t f = path[--depth];
		node = node_of(t, f, node, frames_of_line(&t->frames, t->s->model, f));
		if (node < 0)
			return node;
	}
	return node_of(t, key, node, frames_of_class(&t->frames, s->class));
}

static int pick(struct firefox_tables *t)
{
	const struct firefox_log *l = t->s->log;
	for (uint32_t i = 0; i < l->events.count; i++) {
		const struct firefox_event *e = &l->events.at[i];
		if (t->s->where->count &&
			!where_account(t->s->where, t->s->model, e->site, e->thread, &t->scratch))
			continue;
		int64_t stack = stack_of(t, e->site);
		if (stack < 0 || t->scratch.failed || vec_push(&t->picked, i) ||
			vec_push(&t->stacks, (uint32_t)stack))
			return ERR_NOMEM;
	}
	return ERR_NONE;
}

/* The first strings, so that a collection's kind tells the string. */
static int add_kinds(struct firefox_tables *t)
{
	static const char *const names[GC_KINDS] = {[GC_KIND_YOUNG] = "young GC",
		[GC_KIND_MIXED] = "mixed GC",
		[GC_KIND_FULL] = "full GC",
		[GC_KIND_CONCURRENT] = "concurrent cycle"};
	for (unsigned i = 0; i < GC_KINDS; i++)
		if (string_of(t, slice_str(names[i])) != i + 1)
			return ERR_NOMEM;
	return ERR_NONE;
}

void firefox_tables_release(struct firefox_tables *t)
{
	frames_release(&t->frames);
	map_release(&t->nodes);
	map_release(&t->functions);
	map_release(&t->sources);
	intern_release(&t->strings);
	vec_release(&t->node);
	vec_release(&t->frame_function);
	vec_release(&t->function);
	vec_release(&t->source);
	vec_release(&t->picked);
	vec_release(&t->stacks);
	buf_release(&t->scratch);
}

int firefox_tables_fill(struct firefox_tables *t)
{
	int err = add_kinds(t);
	err = err ? err : pick(t);
	return err ? err : add_frames(t);
}
