#include "agent/wishes.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"

static const char *append(char **to, const char *text)
{
	size_t room = strlen(text) + 1;
	const char *copy = memcpy(*to, text, room);
	*to += room;
	return copy;
}

static bool copy_one(struct wish *to, const struct wish *from)
{
	size_t room = strlen(from->class_name) + strlen(from->method) + strlen(from->descriptor) +
		      strlen(from->allocates) + 4;
	char *at = mem_alloc(room);
	*to = *from;
	to->owned = at;
	if (!at)
		return false;
	to->class_name = append(&at, from->class_name);
	to->method = append(&at, from->method);
	to->descriptor = append(&at, from->descriptor);
	to->allocates = append(&at, from->allocates);
	return true;
}

static int by_place(const void *a, const void *b)
{
	const struct wish *x = a, *y = b;
	int order = strcmp(x->class_name, y->class_name);
	order = order ? order : strcmp(x->method, y->method);
	order = order ? order : strcmp(x->descriptor, y->descriptor);
	order = order ? order : (x->bci > y->bci) - (x->bci < y->bci);
	return order ? order : strcmp(x->allocates, y->allocates);
}

int wishes_copy(struct wishes *out, const struct wish *from, size_t count)
{
	*out = (struct wishes){.at = mem_zalloc(count + 1, sizeof(*out->at))};
	if (!out->at)
		return ERR_NOMEM;
	for (size_t i = 0; i < count; i++)
		if (from[i].state != WISH_REFUSED && !copy_one(&out->at[out->count++], &from[i])) {
			wishes_release(out);
			return ERR_NOMEM;
		}
	qsort(out->at, out->count, sizeof(*out->at), by_place);
	return ERR_NONE;
}

void wishes_release(struct wishes *w)
{
	for (size_t i = 0; i < w->count; i++)
		mem_free(w->at[i].owned);
	mem_free(w->at);
	*w = (struct wishes){.at = NULL};
}

struct wishes wishes_of(const struct wishes *w, const char *class_name)
{
	size_t from = 0, to = w->count;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (strcmp(w->at[middle].class_name, class_name) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	while (to < w->count && strcmp(w->at[to].class_name, class_name) == 0)
		to++;
	return (struct wishes){w->at ? w->at + from : NULL, to - from};
}

bool wishes_agree(const struct wishes *a, const struct wishes *b, const char *class_name)
{
	struct wishes x = wishes_of(a, class_name), y = wishes_of(b, class_name);
	bool same = x.count == y.count;
	for (size_t i = 0; same && i < x.count; i++)
		same = by_place(&x.at[i], &y.at[i]) == 0;
	return same;
}

void wishes_follow(struct wish *to, size_t count, const struct wishes *from)
{
	for (size_t i = 0; i < count && from->count; i++) {
		const struct wish *now =
			bsearch(&to[i], from->at, from->count, sizeof(*now), by_place);
		if (!now)
			continue;
		to[i].state = now->state;
		to[i].why = now->why;
		to[i].hash = now->hash;
		to[i].has_hash = now->has_hash;
		to[i].opcode = now->opcode;
	}
}
