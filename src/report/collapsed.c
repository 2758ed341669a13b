#include "report/collapsed.h"

#include <stdlib.h>

#include "base/error.h"
#include "report/text.h"

/* Stacks that read alike are one line. */
struct folder {
	const struct model *m;
	struct intern stacks;
	VEC(double) bytes; /* by stack number - 1 */
	struct buf line, scratch;
};

/* Frames are separated by ';' and the number by the last blank: a ';' in a name must go. */
static void put_name(struct folder *f, struct slice name)
{
	size_t start = f->line.len;
	text_clean(&f->line, name.len ? name : slice_str("(unknown)"));
	for (size_t i = start; i < f->line.len; i++)
		if (f->line.at[i] == ';')
			f->line.at[i] = ',';
}

static void put_frame(struct folder *f, uint32_t frame)
{
	const struct method_def *method = defs_frame_method(&f->m->defs, frame);
	put_name(f, texts_get(&f->m->defs.texts, method->class_name));
	buf_put_u8(&f->line, '.');
	put_name(f, texts_get(&f->m->defs.texts, method->name));
	buf_put_u8(&f->line, ';');
}

static void put_stack(struct folder *f, uint32_t site)
{
	const struct site_def *s = &f->m->defs.sites.at[site];
	uint32_t path[STACK_MAX], depth = 0;
	for (uint32_t frame = s->frame; frame && depth < STACK_MAX;
		frame = f->m->defs.frames.at[frame].parent)
		path[depth++] = frame;
	buf_clear(&f->line);
	while (depth)
		put_frame(f, path[--depth]);
	put_name(f, defs_class_name(&f->m->defs, s->class));
}

static int add(struct folder *f, double bytes)
{
	uint32_t number = f->line.failed ? 0 : intern_add(&f->stacks, buf_slice(&f->line), NULL);
	if (!number)
		return ERR_NOMEM;
	if (number > f->bytes.count && vec_push(&f->bytes, 0))
		return ERR_NOMEM;
	f->bytes.at[number - 1] += bytes;
	return ERR_NONE;
}

static int compare(const void *left, const void *right, void *arg)
{
	const struct folder *f = arg;
	struct slice a = intern_get(&f->stacks, *(const uint32_t *)left);
	struct slice b = intern_get(&f->stacks, *(const uint32_t *)right);
	int order = memcmp(a.at, b.at, a.len < b.len ? a.len : b.len);
	return order ? order : (a.len > b.len) - (a.len < b.len);
}

static int put_lines(struct folder *f, struct buf *out)
{
	size_t count = f->bytes.count;
	uint32_t *order = mem_zalloc(count + 1, sizeof(*order));
	if (!order)
		return ERR_NOMEM;
	for (uint32_t i = 0; i < count; i++)
		order[i] = i + 1;
	qsort_r(order, count, sizeof(*order), compare, f);
	for (size_t i = 0; i < count; i++) {
		struct slice stack = intern_get(&f->stacks, order[i]);
		double bytes = f->bytes.at[order[i] - 1];
		if (bytes < 1)
			continue;
		buf_put(out, stack.at, stack.len);
		buf_printf(out, " %.0f\n", bytes);
	}
	mem_free(order);
	return out->failed;
}

int collapsed_put(struct buf *out, const struct model *m, const struct ledger *l,
	const struct where *w, enum metric metric)
{
	struct folder f = {.m = m};
	int err = ERR_NONE;
	for (size_t i = 0; i < l->accounts.count && !err; i++) {
		const struct account *a = &l->accounts.at[i];
		if (!where_account(w, m, a->site, a->thread, &f.scratch))
			continue;
		put_stack(&f, a->site);
		err = add(&f, metric_of(&a->tally, metric));
	}
	err = err ? err : f.scratch.failed;
	if (!err)
		err = put_lines(&f, out);
	intern_release(&f.stacks);
	vec_release(&f.bytes);
	buf_release(&f.line);
	buf_release(&f.scratch);
	return err;
}
