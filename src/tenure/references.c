#include "tenure/references.h"

#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "tenure/rows.h"

#define KEPT_PART 0.875 /* of what is known, from round to round */
#define GONE      0.5   /* less than that of an object is nothing */

int references_init(struct references *r)
{
	*r = (struct references){.parents = mem_zalloc(REFERENCES_PARENTS, sizeof(*r->parents)),
		.pairs = mem_zalloc(REFERENCES_PAIRS, sizeof(*r->pairs)),
		.edges = mem_zalloc(REFERENCES_EDGES, sizeof(*r->edges))};
	if (r->parents && r->pairs && r->edges)
		return ERR_NONE;
	references_release(r);
	return ERR_NOMEM;
}

void references_release(struct references *r)
{
	mem_free(r->parents);
	mem_free(r->pairs);
	mem_free(r->edges);
	map_release(&r->parent_at);
	map_release(&r->pair_at);
	map_release(&r->row_at);
	vec_release(&r->next);
	memset(r, 0, sizeof(*r));
}

static uint64_t hash_of(const struct place *p)
{
	struct place_context at = {.place = *p};
	return place_context_hash(&at);
}

static uint64_t hash_pair(const struct place *from, const struct place *to)
{
	return hash64_pair(hash_of(from), hash_of(to));
}

static struct references_parent *find_parent(const struct references *r, const struct place *at)
{
	const uint64_t *i = map_find(&r->parent_at, hash_of(at));
	return i && place_same(&r->parents[*i].at, at) ? &r->parents[*i] : NULL;
}

/* NULL: no room, or another has its hash. */
static struct references_parent *parent_of(struct references *r, const struct place *at)
{
	uint64_t hash = hash_of(at);
	struct references_parent *p = find_parent(r, at);
	if (p || r->parent_count == REFERENCES_PARENTS || map_find(&r->parent_at, hash) ||
		map_put(&r->parent_at, hash, r->parent_count))
		return p;
	p = &r->parents[r->parent_count++];
	*p = (struct references_parent){.at = *at};
	return p;
}

static struct references_pair *pair_of(
	struct references *r, const struct place *from, const struct place *to)
{
	uint64_t hash = hash_pair(from, to);
	const uint64_t *i = map_find(&r->pair_at, hash);
	if (i) {
		struct references_pair *p = &r->pairs[*i];
		return place_same(&p->from, from) && place_same(&p->to, to) ? p : NULL;
	}
	if (r->pair_count == REFERENCES_PAIRS || map_put(&r->pair_at, hash, r->pair_count))
		return NULL;
	struct references_pair *p = &r->pairs[r->pair_count++];
	*p = (struct references_pair){.from = *from, .to = *to};
	return p;
}

static bool came_before(const struct place *child, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (place_same(&child[j], &child[i]))
			return true;
	return false;
}

void references_look(
	struct references *r, const struct place *at, const struct place *child, size_t count)
{
	struct references_parent *parent = parent_of(r, at);
	if (!parent) {
		r->lost.parents++;
		return;
	}
	parent->looks += 1;
	for (size_t i = 0; i < count; i++) {
		struct references_pair *p =
			came_before(child, i) ? NULL : pair_of(r, at, &child[i]);
		if (p)
			p->seen += 1;
		else
			r->lost.pairs += !came_before(child, i);
	}
}

double references_looks(const struct references *r, const struct place *at)
{
	const struct references_parent *p = find_parent(r, at);
	return p ? (double)p->looks : 0;
}

static void fade_parents(struct references *r)
{
	uint32_t kept = 0;
	map_release(&r->parent_at);
	for (uint32_t i = 0; i < r->parent_count; i++) {
		struct references_parent p = r->parents[i];
		p.looks *= (float)KEPT_PART;
		if ((double)p.looks < GONE || map_put(&r->parent_at, hash_of(&p.at), kept))
			continue;
		r->parents[kept++] = p;
	}
	r->parent_count = kept;
}

/* A pair stays with its parent, or with a share of it that matters. */
static void fade_pairs(struct references *r)
{
	uint32_t kept = 0;
	map_release(&r->pair_at);
	for (uint32_t i = 0; i < r->pair_count; i++) {
		struct references_pair p = r->pairs[i];
		p.seen *= (float)KEPT_PART;
		if ((double)p.seen < GONE * KEPT_PART || !find_parent(r, &p.from) ||
			map_put(&r->pair_at, hash_pair(&p.from, &p.to), kept))
			continue;
		r->pairs[kept++] = p;
	}
	r->pair_count = kept;
}

void references_fade(struct references *r)
{
	fade_parents(r);
	fade_pairs(r);
}

void references_mark(const struct references *r, struct snapshot *s)
{
	for (size_t i = 0; i < s->places; i++)
		if (references_looks(r, &s->rows[i].at.place) >= REFERENCES_KNOWN)
			s->rows[i].flags |= SNAPSHOT_LOOKED;
}

/* Lists of rows by class. */
static int index_rows(struct references *r, const struct snapshot *s)
{
	map_release(&r->row_at);
	r->next.count = 0;
	if (vec_reserve(&r->next, s->places))
		return ERR_NOMEM;
	for (uint32_t i = 0; i < s->places; i++) {
		uint64_t *first = map_find(&r->row_at, s->rows[i].at.place.class_id);
		r->next.at[r->next.count++] = first ? (uint32_t)*first : ROW_NONE;
		if (map_put(&r->row_at, s->rows[i].at.place.class_id, i))
			return ERR_NOMEM;
	}
	return ERR_NONE;
}

static uint32_t first_of(const struct references *r, uint32_t class_id)
{
	const uint64_t *row = map_find(&r->row_at, class_id);
	return row ? (uint32_t)*row : ROW_NONE;
}

static uint32_t row_of(const struct references *r, const struct snapshot *s, const struct place *p)
{
	uint32_t i = first_of(r, p->class_id);
	while (i != ROW_NONE && !place_same(&s->rows[i].at.place, p))
		i = r->next.at[i];
	return i;
}

static void add_edge(struct references *r, uint32_t from, uint32_t to, double share, bool likely)
{
	if (r->edge_count == REFERENCES_EDGES) {
		r->lost.edges++;
		return;
	}
	r->edges[r->edge_count++] = (struct choose_edge){
		.from = from, .to = to, .share = (float)share, .likely = likely};
}

static double survivors(const struct snapshot *s, uint32_t row)
{
	return (double)s->rows[row].passage.objects.stood[0];
}

static void add_class(struct references *r, const struct snapshot *s, uint32_t from,
	uint32_t class_id, double share)
{
	double all = 0;
	for (uint32_t i = first_of(r, class_id); i != ROW_NONE; i = r->next.at[i])
		all += survivors(s, i);
	for (uint32_t i = first_of(r, class_id); i != ROW_NONE; i = r->next.at[i])
		if (survivors(s, i) > 0)
			add_edge(r, from, i, share * survivors(s, i) / all, true);
}

static void add_pair(
	struct references *r, const struct snapshot *s, const struct references_pair *p)
{
	struct place class_only = references_class(p->to.class_id);
	const struct references_parent *parent = find_parent(r, &p->from);
	uint32_t from = row_of(r, s, &p->from), to = row_of(r, s, &p->to);
	if (from == ROW_NONE || !parent)
		return;
	double share = (double)p->seen / (double)parent->looks;
	if (place_same(&p->to, &class_only))
		add_class(r, s, from, p->to.class_id, share);
	else if (to != ROW_NONE)
		add_edge(r, from, to, share, false);
}

int references_edges(struct references *r, const struct snapshot *s)
{
	r->edge_count = 0;
	r->lost.edges = 0;
	if (index_rows(r, s))
		return ERR_NOMEM;
	for (uint32_t i = 0; i < r->pair_count; i++)
		add_pair(r, s, &r->pairs[i]);
	return ERR_NONE;
}
