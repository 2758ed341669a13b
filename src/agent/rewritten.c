#include "agent/rewritten.h"

#include <string.h>

#include "base/error.h"
#include "base/map.h"
#include "base/mem.h"

static bool is_of(const struct rewritten_method *m, const char *class_name, int32_t loader)
{
	return m->key.loader == loader && strcmp(m->key.class_name, class_name) == 0;
}

static bool is(const struct rewritten_method *m, const struct method_key *k)
{
	return is_of(m, k->class_name, k->loader) && strcmp(m->key.name, k->name) == 0 &&
	       strcmp(m->key.descriptor, k->descriptor) == 0;
}

static bool waits(const struct rewritten_method *m)
{
	return m->current && !m->known && m->looks < REWRITTEN_LOOKS;
}

static size_t bucket_of(const char *class_name, int32_t loader)
{
	uint64_t name = hash_bytes(class_name, strlen(class_name));
	return hash64_pair(name, (uint32_t)loader) % REWRITTEN_BUCKETS;
}

/* The methods of the class, and of some others, from this one on; NULL: no more. */
static struct rewritten_method *at(const struct rewritten *r, uint32_t index)
{
	return index ? &r->list.at[index - 1] : NULL;
}

static struct rewritten_method *first(
	const struct rewritten *r, const char *class_name, int32_t loader)
{
	return at(r, r->buckets[bucket_of(class_name, loader)]);
}

static void link_in(struct rewritten *r, size_t i)
{
	struct rewritten_method *m = &r->list.at[i];
	uint32_t *bucket = &r->buckets[bucket_of(m->key.class_name, m->key.loader)];
	m->next = *bucket;
	*bucket = (uint32_t)i + 1;
}

static void link_out(struct rewritten *r, size_t i)
{
	struct rewritten_method *m = &r->list.at[i];
	uint32_t *link = &r->buckets[bucket_of(m->key.class_name, m->key.loader)];
	while (*link != i + 1)
		link = &at(r, *link)->next;
	*link = m->next;
}

void rewritten_class(struct rewritten *r, const char *class_name, int32_t loader)
{
	struct rewritten_method *m = first(r, class_name, loader);
	for (; m; m = at(r, m->next))
		if (is_of(m, class_name, loader)) {
			r->waiting -= waits(m);
			m->current = false;
		}
}

static void release(struct rewritten_method *m)
{
	mem_free(m->texts);
	moved_code_drop(m->code);
}

static const char *append(char **to, const char *text)
{
	size_t size = strlen(text) + 1;
	const char *copy = memcpy(*to, text, size);
	*to += size;
	return copy;
}

static bool copy_key(struct rewritten_method *m, const struct method_key *k)
{
	char *at = m->texts =
		mem_alloc(strlen(k->class_name) + strlen(k->name) + strlen(k->descriptor) + 3);
	if (!at)
		return false;
	m->key.loader = k->loader;
	m->key.class_name = append(&at, k->class_name);
	m->key.name = append(&at, k->name);
	m->key.descriptor = append(&at, k->descriptor);
	return true;
}

/* Where there are too many the oldest goes: frames of it would show where they are now. */
static int put(struct rewritten *r, struct rewritten_method m)
{
	if (r->list.count < REWRITTEN_MOST) {
		int err = vec_push(&r->list, m);
		if (!err)
			link_in(r, r->list.count - 1);
		r->waiting += !err;
		return err;
	}
	r->waiting += !waits(&r->list.at[r->oldest]);
	link_out(r, r->oldest);
	release(&r->list.at[r->oldest]);
	r->list.at[r->oldest] = m;
	link_in(r, r->oldest);
	r->oldest = (r->oldest + 1) % REWRITTEN_MOST;
	return ERR_NONE;
}

static struct rewritten_method *find(
	const struct rewritten *r, const struct method_key *key, uint64_t outline)
{
	struct rewritten_method *m = first(r, key->class_name, key->loader);
	while (m && !(is(m, key) && m->code->outline == outline))
		m = at(r, m->next);
	return m;
}

/* One that was there, and known, has the id that it had. */
int rewritten_add(struct rewritten *r, const struct method_key *key, const struct moved_method *m,
	uint64_t outline)
{
	struct rewritten_method fresh = {.current = true}, *found = find(r, key, outline);
	if (found) {
		r->waiting -= waits(found);
		found->current = true;
		found->looks = 0;
		r->waiting += waits(found);
		return ERR_NONE;
	}
	fresh.code = moved_code_make(m, outline);
	if (fresh.code && copy_key(&fresh, key) && put(r, fresh) == ERR_NONE)
		return ERR_NONE;
	release(&fresh);
	return ERR_NOMEM;
}

struct moved_code *rewritten_known(struct rewritten *r, const struct method_key *key)
{
	struct moved_code *code = NULL;
	struct rewritten_method *m = first(r, key->class_name, key->loader);
	for (; m; m = at(r, m->next)) {
		if (!is(m, key))
			continue;
		r->waiting -= waits(m);
		m->known = m->current;
		code = m->current ? m->code : code;
	}
	return code;
}

bool rewritten_has(const struct rewritten *r, const struct method_key *key)
{
	struct rewritten_method *m = first(r, key->class_name, key->loader);
	while (m && !is(m, key))
		m = at(r, m->next);
	return m;
}

struct moved_code *rewritten_version(
	const struct rewritten *r, const struct method_key *key, uint64_t outline)
{
	const struct rewritten_method *m = find(r, key, outline);
	return m ? m->code : NULL;
}

/* The youngest first: they are those that wait, as a rule. */
bool rewritten_waits(const struct rewritten *r, const char *class_name)
{
	size_t left = r->waiting, count = r->list.count;
	for (size_t i = r->oldest + count; left > 0 && i-- > r->oldest;) {
		const struct rewritten_method *m = &r->list.at[i % count];
		if (waits(m) && strcmp(m->key.class_name, class_name) == 0)
			return true;
		left -= waits(m);
	}
	return false;
}

bool rewritten_waits_in(const struct rewritten *r, const char *class_name, int32_t loader)
{
	const struct rewritten_method *m = first(r, class_name, loader);
	while (m && !(waits(m) && is_of(m, class_name, loader)))
		m = at(r, m->next);
	return m;
}

size_t rewritten_waiting(const struct rewritten *r)
{
	return r->waiting;
}

bool rewritten_overdue(const struct rewritten *r)
{
	size_t i = 0;
	while (i < r->list.count && !(waits(&r->list.at[i]) && r->list.at[i].looks))
		i++;
	return i < r->list.count;
}

void rewritten_looked(struct rewritten *r)
{
	r->waiting = 0;
	for (size_t i = 0; i < r->list.count; i++) {
		struct rewritten_method *m = &r->list.at[i];
		m->looks += waits(m);
		r->waiting += waits(m);
	}
}

void rewritten_release(struct rewritten *r)
{
	for (size_t i = 0; i < r->list.count; i++)
		release(&r->list.at[i]);
	vec_release(&r->list);
	*r = (struct rewritten){.oldest = 0};
}
