#include "exact/code_map.h"

#include <string.h>

#include "base/error.h"
#include "base/map.h"
#include "base/mem.h"

/* Nodes are let go where so many of them are there, and one record in so many is gone. */
enum { NODES_MANY = CODE_MAP_NODES / 8 * 7, RECORDS_GONE = 8 };

void code_map_init(struct code_map *m)
{
	*m = (struct code_map){0};
	pthread_mutex_init(&m->lock, NULL);
}

void code_map_release(struct code_map *m)
{
	/* A thread may still ask, and gets nothing. */
	pthread_mutex_lock(&m->lock);
	for (size_t i = 0; i < m->ranges.count; i++)
		mem_free(m->ranges.at[i].records);
	vec_release(&m->ranges);
	vec_release(&m->nodes);
	slots_release(&m->index);
	m->record_count = 0;
	pthread_mutex_unlock(&m->lock);
}

/* The first range that ends behind the address. */
static size_t lower(const struct code_map *m, uintptr_t address)
{
	size_t lo = 0, hi = m->ranges.count;
	while (lo < hi) {
		size_t middle = (lo + hi) / 2;
		if (m->ranges.at[middle].end <= address)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

static void cut(struct code_map *m, size_t from, size_t to)
{
	if (from == to)
		return; /* of a vector that is empty, too */
	for (size_t i = from; i < to; i++) {
		m->record_count -= m->ranges.at[i].count;
		m->gone += m->ranges.at[i].count;
		mem_free(m->ranges.at[i].records);
	}
	memmove(m->ranges.at + from, m->ranges.at + to,
		(m->ranges.count - to) * sizeof(*m->ranges.at));
	m->ranges.count -= to - from;
}

/* The VM tells of code that goes before it tells of what comes there: what is there still is told
 * of once more. */
static bool is_again(const struct code_range *was, const struct code_range *r)
{
	return was->begin == r->begin && was->end == r->end && was->method == r->method;
}

static int insert(struct code_map *m, struct code_range *r)
{
	size_t at = lower(m, r->begin), end = at;
	while (end < m->ranges.count && m->ranges.at[end].begin < r->end)
		end++;
	r->stamp = end == at + 1 && is_again(&m->ranges.at[at], r) ? m->ranges.at[at].stamp
								   : ++m->stamps;
	cut(m, at, end);
	if (vec_reserve(&m->ranges, 1))
		return ERR_NOMEM;
	memmove(m->ranges.at + at + 1, m->ranges.at + at,
		(m->ranges.count - at) * sizeof(*m->ranges.at));
	m->ranges.at[at] = *r;
	m->ranges.count++;
	m->record_count += r->count;
	return ERR_NONE;
}

static bool same(const struct code_node *a, const struct code_node *b)
{
	return a->parent == b->parent && a->method == b->method && a->call == b->call;
}

static uint64_t hash_of(const struct code_node *n)
{
	return hash64_pair(n->method, (uint64_t)n->parent << 32 | (uint32_t)n->call);
}

/* Of an index that is empty. */
static void index_nodes(struct code_map *m)
{
	for (size_t i = 1; i < m->nodes.count; i++)
		slots_put(&m->index, hash_of(&m->nodes.at[i]), (uint32_t)i);
}

static int grow(struct code_map *m)
{
	if (slots_grow(&m->index))
		return ERR_NOMEM;
	index_nodes(m);
	return ERR_NONE;
}

/* 0: no room. */
static uint32_t add_node(struct code_map *m, const struct code_node *n, uint64_t hash)
{
	if (m->nodes.count == 0 && vec_push(&m->nodes, (struct code_node){0}))
		return 0;
	if (m->nodes.count >= CODE_MAP_NODES ||
		(slots_tight(&m->index, m->nodes.count) && grow(m)) || vec_push(&m->nodes, *n))
		return 0;
	uint32_t id = (uint32_t)m->nodes.count - 1;
	slots_put(&m->index, hash, id);
	return id;
}

/* The node's number; 0: no room. */
static uint32_t intern(struct code_map *m, const struct code_node *n)
{
	const struct slots *s = &m->index;
	uint64_t hash = hash_of(n);
	size_t i = slots_home(s, hash);
	while (s->room && s->at[i] && !same(&m->nodes.at[s->at[i]], n))
		i = slots_next(s, i);
	return s->room && s->at[i] ? s->at[i] : add_node(m, n, hash);
}

/* From the root to the leaf. */
static uint32_t leaf_of(struct code_map *m, const struct code_place *p)
{
	uint32_t at = 0, depth = p->depth < CODE_MAP_DEPTH ? p->depth : CODE_MAP_DEPTH;
	int32_t call = 0;
	for (uint32_t i = depth; i-- > 0;) {
		struct code_node n = {p->frames[i].method, at, call};
		at = intern(m, &n);
		if (!at)
			return 0;
		call = p->frames[i].bci;
	}
	return at;
}

static int fill(
	struct code_map *m, struct code_range *r, const struct code_place *places, uint32_t count)
{
	if (m->record_count + count > CODE_MAP_RECORDS)
		return ERR_FULL;
	r->records = count ? mem_alloc(count * sizeof(*r->records)) : NULL;
	if (count && !r->records)
		return ERR_NOMEM;
	bool all = true;
	for (uint32_t i = 0; i < count; i++) {
		if (places[i].pc < r->begin || places[i].pc > r->end || places[i].depth == 0)
			continue;
		uint32_t leaf = leaf_of(m, &places[i]);
		all = all && leaf;
		r->records[r->count++] = (struct code_record){
			(uint32_t)(places[i].pc - r->begin), leaf, places[i].frames[0].bci};
	}
	m->refused += !all;
	return ERR_NONE;
}

/* Marks what code that stands needs, callers with it. */
static void mark_nodes(const struct code_map *m, uint32_t *kept)
{
	for (size_t i = 0; i < m->ranges.count; i++)
		for (uint32_t k = 0; k < m->ranges.at[i].count; k++)
			for (uint32_t n = m->ranges.at[i].records[k].node; n && !kept[n];
				n = m->nodes.at[n].parent)
				kept[n] = 1;
}

/* Gives what is kept new numbers, in their order: a caller's is known before it is asked for. */
static void move_nodes(struct code_map *m, uint32_t *kept)
{
	uint32_t count = 1;
	for (size_t i = 1; i < m->nodes.count; i++) {
		if (!kept[i])
			continue;
		struct code_node n = m->nodes.at[i];
		n.parent = kept[n.parent];
		kept[i] = count;
		m->nodes.at[count++] = n;
	}
	m->nodes.count = count;
	for (size_t i = 0; i < m->ranges.count; i++)
		for (uint32_t k = 0; k < m->ranges.at[i].count; k++)
			m->ranges.at[i].records[k].node = kept[m->ranges.at[i].records[k].node];
}

/* The nodes of code that is gone. Without memory they stay. */
static void let_go(struct code_map *m)
{
	if (m->nodes.count < NODES_MANY || m->gone < m->record_count / RECORDS_GONE)
		return;
	uint32_t *kept = mem_zalloc(m->nodes.count, sizeof(*kept));
	if (!kept)
		return;
	mark_nodes(m, kept);
	move_nodes(m, kept);
	mem_free(kept);
	m->gone = 0;
	memset(m->index.at, 0, m->index.room * sizeof(*m->index.at));
	index_nodes(m);
}

int code_map_add(struct code_map *m, uintptr_t begin, uintptr_t size, uint64_t method,
	const struct code_place *places, uint32_t count)
{
	struct code_range r = {.begin = begin, .end = begin + size, .method = method};
	pthread_mutex_lock(&m->lock);
	let_go(m);
	int err = fill(m, &r, places, count);
	if (!err)
		err = insert(m, &r);
	if (err) {
		mem_free(r.records);
		m->refused++;
	}
	pthread_mutex_unlock(&m->lock);
	return err;
}

void code_map_remove(struct code_map *m, uintptr_t begin)
{
	pthread_mutex_lock(&m->lock);
	size_t at = lower(m, begin);
	if (at < m->ranges.count && m->ranges.at[at].begin == begin)
		cut(m, at, at + 1);
	pthread_mutex_unlock(&m->lock);
}

/* The index of the record at the offset, else of the next after it. */
static uint32_t index_of(const struct code_range *r, uint32_t offset)
{
	uint32_t lo = 0, hi = r->count;
	while (lo < hi) {
		uint32_t middle = (lo + hi) / 2;
		if (r->records[middle].offset < offset)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

/* The range that holds the address; NULL: none does. */
static const struct code_range *range_of(const struct code_map *m, uintptr_t pc)
{
	size_t at = lower(m, pc);
	return at < m->ranges.count && m->ranges.at[at].begin <= pc ? &m->ranges.at[at] : NULL;
}

static uint32_t put_frames(const struct code_map *m, const struct code_record *r,
	struct code_frame out[CODE_MAP_DEPTH])
{
	uint32_t depth = 0;
	int32_t bci = r->bci;
	for (uint32_t node = r->node; node && depth < CODE_MAP_DEPTH;) {
		const struct code_node *n = &m->nodes.at[node];
		out[depth++] = (struct code_frame){n->method, bci};
		bci = n->call;
		node = n->parent;
	}
	return depth;
}

uint32_t code_map_frames(struct code_map *m, uintptr_t pc, bool after,
	struct code_frame out[CODE_MAP_DEPTH], uint64_t *method)
{
	uint32_t depth = 0;
	pthread_mutex_lock(&m->lock);
	const struct code_range *r = range_of(m, pc);
	if (r) {
		uint32_t i = index_of(r, (uint32_t)(pc - r->begin) + (after ? 1 : 0));
		i = i < r->count ? i : r->count - 1; /* else the last */
		if (r->count)
			depth = put_frames(m, &r->records[i], out);
		else
			out[depth++] = (struct code_frame){r->method, -1};
		if (depth)
			*method = r->method;
	}
	pthread_mutex_unlock(&m->lock);
	return depth;
}

uint32_t code_map_stamp(struct code_map *m, uintptr_t pc, uint64_t *method)
{
	pthread_mutex_lock(&m->lock);
	const struct code_range *r = range_of(m, pc);
	uint32_t stamp = r ? r->stamp : 0;
	*method = r ? r->method : 0;
	pthread_mutex_unlock(&m->lock);
	return stamp;
}

static bool is_common(const struct code_range *r, const struct code_record *o)
{
	enum { FEW = 4, SHARE = 10 }; /* records; one part in so many */
	uint32_t times = 0;
	for (uint32_t i = 0; i < r->count; i++)
		times += r->records[i].node == o->node && r->records[i].bci == o->bci;
	return times > FEW && times > r->count / SHARE;
}

uint32_t code_map_near(struct code_map *m, uintptr_t pc, int step,
	struct code_frame out[CODE_MAP_DEPTH], bool *common)
{
	uint32_t depth = 0;
	pthread_mutex_lock(&m->lock);
	const struct code_range *r = range_of(m, pc);
	if (r) {
		int64_t i = (int64_t)index_of(r, (uint32_t)(pc - r->begin)) + step;
		if (i >= 0 && i < r->count) {
			depth = put_frames(m, &r->records[i], out);
			*common = is_common(r, &r->records[i]);
		}
	}
	pthread_mutex_unlock(&m->lock);
	return depth;
}

uint32_t code_map_next(
	struct code_map *m, uintptr_t pc, uintptr_t *at, struct code_frame out[CODE_MAP_DEPTH])
{
	uint32_t depth = 0;
	pthread_mutex_lock(&m->lock);
	const struct code_range *r = range_of(m, pc);
	uint32_t i = r ? index_of(r, (uint32_t)(pc - r->begin)) : 0;
	if (r && i < r->count) {
		depth = put_frames(m, &r->records[i], out);
		*at = r->begin + r->records[i].offset;
	}
	pthread_mutex_unlock(&m->lock);
	return depth;
}
