#include "analyze/tree.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

struct builder {
	struct tree *t;
	const struct model *m;
	enum metric metric;
	uint32_t path[STACK_MAX]; /* frames of one stack, from the leaf */
};

void tree_release(struct tree *t)
{
	vec_release(&t->nodes);
	map_release(&t->index);
}

double tree_died_share(const struct tree_node *n)
{
	double known = n->bytes[METRIC_DIED0] + n->bytes[METRIC_SURVIVED];
	return known > 0 ? n->bytes[METRIC_DIED0] / known : (double)NAN;
}

static void add(struct tree_node *n, const struct tally *t)
{
	for (int i = 0; i < METRIC_COUNT; i++)
		n->bytes[i] += metric_of(t, (enum metric)i);
}

/* The child of this name, made if it is not there, with the tally added. 0: out of memory. */
static uint32_t step(
	struct builder *b, uint32_t parent, uint32_t def, bool is_class, const struct tally *t)
{
	uint32_t name = is_class ? def : b->m->defs.frames.at[def].location;
	uint64_t key = (uint64_t)parent << 32 | (uint64_t)name << 1 | is_class;
	uint64_t *known = map_find(&b->t->index, key);
	uint32_t i = known ? (uint32_t)*known : (uint32_t)b->t->nodes.count;
	if (!known) {
		struct tree_node n = {.parent = parent, .def = def, .is_class = is_class};
		if (map_put(&b->t->index, key, i) || vec_push(&b->t->nodes, n))
			return 0;
		b->t->nodes.at[i].next = b->t->nodes.at[parent].child;
		b->t->nodes.at[parent].child = i;
	}
	add(&b->t->nodes.at[i], t);
	return i;
}

static int put_path(struct builder *b, const struct account *a, bool upward)
{
	const struct site_def *s = &b->m->defs.sites.at[a->site];
	uint32_t depth = 0, at = 0;
	for (uint32_t f = s->frame; f && depth < STACK_MAX; f = b->m->defs.frames.at[f].parent)
		b->path[depth++] = f;
	add(&b->t->nodes.at[0], &a->tally);
	if (upward && !(at = step(b, at, s->class, true, &a->tally)))
		return ERR_NOMEM;
	for (uint32_t i = 0; i < depth; i++)
		if (!(at = step(b, at, b->path[upward ? i : depth - 1 - i], false, &a->tally)))
			return ERR_NOMEM;
	if (!upward && !step(b, at, s->class, true, &a->tally))
		return ERR_NOMEM;
	return ERR_NONE;
}

static int compare_nodes(const void *left, const void *right, void *arg)
{
	const struct builder *b = arg;
	uint32_t i = *(const uint32_t *)left, k = *(const uint32_t *)right;
	double x = b->t->nodes.at[i].bytes[b->metric], y = b->t->nodes.at[k].bytes[b->metric];
	return x > y ? -1 : x < y ? 1 : (i > k) - (i < k);
}

/* Links the children of each node anew, in order. All nodes in order will do: each is put at the
 * front of its parent's, the last first. */
static int sort_siblings(struct builder *b)
{
	size_t count = b->t->nodes.count;
	uint32_t *order = mem_zalloc(count, sizeof(*order));
	if (!order)
		return ERR_NOMEM;
	for (uint32_t i = 0; i < count; i++) {
		order[i] = i;
		b->t->nodes.at[i].child = b->t->nodes.at[i].next = 0;
	}
	qsort_r(order, count, sizeof(*order), compare_nodes, b);
	for (size_t k = count; k-- > 0;) {
		uint32_t i = order[k];
		struct tree_node *n = &b->t->nodes.at[i];
		if (i == 0)
			continue;
		n->next = b->t->nodes.at[n->parent].child;
		b->t->nodes.at[n->parent].child = i;
	}
	mem_free(order);
	return ERR_NONE;
}

static int put_all(struct builder *b, const struct ledger *l, const struct where *w, bool upward)
{
	struct buf scratch = {0};
	int err = vec_push(&b->t->nodes, (struct tree_node){0});
	for (size_t i = 0; i < l->accounts.count && !err; i++) {
		const struct account *a = &l->accounts.at[i];
		if (where_account(w, b->m, a->site, a->thread, &scratch))
			err = put_path(b, a, upward);
		err = err ? err : scratch.failed;
	}
	buf_release(&scratch);
	return err;
}

int tree_build(struct tree *t, const struct model *m, const struct ledger *l, const struct where *w,
	bool upward, enum metric metric)
{
	*t = (struct tree){0};
	struct builder b = {.t = t, .m = m, .metric = metric};
	int err = put_all(&b, l, w, upward);
	if (!err)
		err = sort_siblings(&b);
	if (err)
		tree_release(t);
	return err;
}
