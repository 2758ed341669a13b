#include "agent/moves.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"

struct moves_table {
	struct moves_table *before; /* replaced earlier, and not freed yet */
	size_t count;
	struct moves_change at[]; /* by vm_method; each has code */
};

/* Whether instruction i has moved otherwise than the one before it. */
static bool begins_run(const struct moved_method *m, size_t i)
{
	const struct moved *at = &m->moved[i];
	return i == 0 || at->now - at->was != at[-1].now - at[-1].was;
}

static size_t count_runs(const struct moved_method *m)
{
	size_t runs = 0;
	for (size_t i = 0; i < m->count; i++)
		runs += begins_run(m, i);
	return runs;
}

struct moved_code *moved_code_make(const struct moved_method *m, uint64_t outline)
{
	struct moved_code *c = mem_alloc(sizeof(*c) + count_runs(m) * sizeof(*c->at));
	if (!c)
		return NULL;
	*c = (struct moved_code){.users = 1, .outline = outline, .len = m->len};
	for (size_t i = 0; i < m->count; i++) {
		const struct moved *at = &m->moved[i];
		if (begins_run(m, i))
			c->at[c->count++] = (struct moved_run){.now = at->now, .was = at->was};
		c->at[c->count - 1].last = at->was;
	}
	return c;
}

void moved_code_drop(struct moved_code *c)
{
	if (c && --c->users == 0)
		mem_free(c);
}

int32_t moved_code_was(const struct moved_code *c, int32_t now)
{
	size_t from = 0, to = c->count;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (c->at[middle].now <= (uint32_t)now)
			from = middle + 1;
		else
			to = middle;
	}
	if (!from)
		return 0;
	const struct moved_run *run = &c->at[from - 1];
	uint32_t was = run->was + ((uint32_t)now - run->now);
	return (int32_t)(was < run->last ? was : run->last);
}

static int by_method(const void *a, const void *b)
{
	const struct moves_change *x = a, *y = b;
	return (x->vm_method > y->vm_method) - (x->vm_method < y->vm_method);
}

static const struct moves_change *find(const struct moves_table *t, uint64_t vm_method)
{
	struct moves_change key = {.vm_method = vm_method};
	return t && t->count ? bsearch(&key, t->at, t->count, sizeof(*t->at), by_method) : NULL;
}

bool moves_find(struct moves *m, uint64_t vm_method, int32_t bci, struct moves_found *out)
{
	if (!atomic_load_explicit(&m->now, memory_order_relaxed))
		return false;
	atomic_fetch_add(&m->readers, 1);
	const struct moves_change *found = find(atomic_load(&m->now), vm_method);
	if (found)
		*out = (struct moves_found){.outline = found->code->outline,
			.len = found->code->len,
			.was = moved_code_was(found->code, bci)};
	atomic_fetch_sub(&m->readers, 1);
	return found;
}

static void free_table(struct moves_table *t)
{
	for (size_t i = 0; i < t->count; i++)
		moved_code_drop(t->at[i].code);
	mem_free(t);
}

static void free_tables(struct moves_table *t)
{
	while (t) {
		struct moves_table *before = t->before;
		free_table(t);
		t = before;
	}
}

/* Who comes in from now on finds the new one; who was in before may still read the others. */
static void replace(struct moves *m, struct moves_table *t)
{
	struct moves_table *old = atomic_exchange(&m->now, t);
	if (old) {
		old->before = m->before;
		m->before = old;
	}
	if (atomic_load(&m->readers) == 0) {
		free_tables(m->before);
		m->before = NULL;
	}
}

static void put(struct moves_table *t, struct moves_change c)
{
	if (t->count && t->at[t->count - 1].vm_method == c.vm_method)
		t->count--;
	t->at[t->count++] = c;
}

/* Those that were there, and behind each what takes its place. */
static void merge(struct moves_table *t, const struct moves_table *old,
	const struct moves_change *changes, size_t count)
{
	size_t i = 0, k = 0, was = old ? old->count : 0;
	while (i < was || k < count)
		if (k == count || (i < was && old->at[i].vm_method <= changes[k].vm_method))
			put(t, old->at[i++]);
		else
			put(t, changes[k++]);
	for (i = k = 0; i < t->count; i++)
		if (t->at[i].code)
			t->at[k++] = t->at[i];
	t->count = k;
}

static struct moves_change *sorted(const struct moves_change *changes, size_t count)
{
	struct moves_change *s = mem_alloc((count + 1) * sizeof(*s));
	if (s && count) {
		memcpy(s, changes, count * sizeof(*s));
		qsort(s, count, sizeof(*s), by_method);
	}
	return s;
}

int moves_change(struct moves *m, const struct moves_change *changes, size_t count)
{
	struct moves_table *old = atomic_load(&m->now);
	size_t most = count + (old ? old->count : 0);
	struct moves_table *t = mem_alloc(sizeof(*t) + most * sizeof(*t->at));
	struct moves_change *s = sorted(changes, count);
	if (!t || !s) {
		mem_free(t);
		mem_free(s);
		return ERR_NOMEM;
	}
	*t = (struct moves_table){.count = 0};
	merge(t, old, s, count);
	mem_free(s);
	for (size_t i = 0; i < t->count; i++)
		t->at[i].code->users++;
	if (t->count == 0) {
		mem_free(t);
		t = NULL;
	}
	replace(m, t);
	return ERR_NONE;
}

void moves_release(struct moves *m)
{
	replace(m, NULL);
	free_tables(m->before);
	m->before = NULL;
}
