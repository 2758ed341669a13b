#include "agent/wishes.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"

bool wish_constructs(const struct wish *w)
{
	const char *opcode = w->found_opcode ? w->found_opcode : w->opcode;
	return w->allocates[0] == 'L' && (!opcode || strcmp(opcode, "new") == 0);
}

bool wish_came_late(const struct wish *w)
{
	return w->state == WISH_DONE && !w->plain && w->asked < WISH_ASKED_MOST &&
	       wish_constructs(w);
}

static const char *append(char **to, const char *text)
{
	size_t room = strlen(text) + 1;
	const char *copy = memcpy(*to, text, room);
	*to += room;
	return copy;
}

/* In one piece. */
struct wish_texts {
	atomic_size_t users;
	char at[];
};

static void drop_texts(struct wish_texts *t)
{
	if (t && atomic_fetch_sub(&t->users, 1) == 1)
		mem_free(t);
}

static bool copy_texts(struct wish *to, const struct wish *from)
{
	size_t room = strlen(from->class_name) + strlen(from->method) + strlen(from->descriptor) +
		      strlen(from->allocates) + 4;
	to->texts = mem_alloc(sizeof(*to->texts) + room);
	if (!to->texts)
		return false;
	char *at = to->texts->at;
	atomic_init(&to->texts->users, 1);
	to->class_name = append(&at, from->class_name);
	to->method = append(&at, from->method);
	to->descriptor = append(&at, from->descriptor);
	to->allocates = append(&at, from->allocates);
	return true;
}

/* A copy of a copy has the same texts. */
static bool copy_one(struct wish *to, const struct wish *from)
{
	*to = *from;
	if (!from->texts)
		return copy_texts(to, from);
	atomic_fetch_add(&from->texts->users, 1);
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

static int by_place_and_loader(const void *a, const void *b)
{
	const struct wish *x = a, *y = b;
	int order = by_place(a, b);
	order = order ? order : x->one_loader - y->one_loader;
	return order ? order : (x->loader > y->loader) - (x->loader < y->loader);
}

typedef int wish_order(const void *a, const void *b);

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
	qsort(out->at, out->count, sizeof(*out->at), by_place_and_loader);
	return ERR_NONE;
}

void wishes_release(struct wishes *w)
{
	for (size_t i = 0; i < w->count; i++)
		drop_texts(w->at[i].texts);
	mem_free(w->at);
	*w = (struct wishes){.at = NULL};
}

/* The first one that does not come before such (behind: that comes after such). */
static size_t first_of(
	const struct wishes *w, const struct wish *such, wish_order *order, bool behind)
{
	size_t from = 0, to = w->count;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (order(&w->at[middle], such) < (behind ? 1 : 0))
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

static int by_class(const void *a, const void *b)
{
	const struct wish *x = a, *y = b;
	return strcmp(x->class_name, y->class_name);
}

struct wishes wishes_of(const struct wishes *w, const char *class_name)
{
	const struct wish such = {.class_name = class_name};
	size_t from = first_of(w, &such, by_class, false), to = first_of(w, &such, by_class, true);
	return (struct wishes){w->at ? w->at + from : NULL, to - from};
}

/* The next answer from i on that is the loader's: of each place there may be thousands. */
static size_t next_in(const struct wishes *of, size_t i, int32_t loader)
{
	while (i < of->count && of->at[i].loader != loader) {
		struct wish such = of->at[i];
		such.loader = loader;
		size_t at = first_of(of, &such, by_place_and_loader, false);
		i = at > i ? at : first_of(of, &such, by_place, true);
	}
	return i;
}

/* The next one from i on that is for the loader's class, at a place of its own. */
static size_t next_for(const struct wishes *of, size_t i, int32_t loader, const struct wish *last)
{
	while (i < of->count && ((of->at[i].one_loader && of->at[i].loader != loader) ||
					(last && by_place(last, &of->at[i]) == 0)))
		i++;
	return i;
}

bool wishes_agree(
	const struct wishes *a, const struct wishes *b, const char *class_name, int32_t loader)
{
	struct wishes x = wishes_of(a, class_name), y = wishes_of(b, class_name);
	size_t i = next_for(&x, 0, loader, NULL), k = next_for(&y, 0, loader, NULL);
	while (i < x.count && k < y.count && by_place(&x.at[i], &y.at[k]) == 0) {
		i = next_for(&x, i + 1, loader, &x.at[i]);
		k = next_for(&y, k + 1, loader, &y.at[k]);
	}
	return i == x.count && k == y.count;
}

static bool is_same_opcode(const struct wish *a, const struct wish *b)
{
	return a->opcode && b->opcode ? strcmp(a->opcode, b->opcode) == 0 : a->opcode == b->opcode;
}

/* That the code is another was said of what a file had decided on, and is no answer to who wishes
 * the same place of other code: the run itself has learnt it by then. */
static bool answers_to(const struct wish *answer, const struct wish *w)
{
	bool same = answer->has_hash == w->has_hash && (!w->has_hash || answer->hash == w->hash);
	return !answer->other_code || (same && is_same_opcode(answer, w));
}

static const struct wish *answer_in(
	const struct wishes *answers, const struct wish *w, int32_t loader)
{
	struct wish key = *w;
	key.one_loader = true;
	key.loader = loader;
	const struct wish *found = answers->count ? bsearch(&key, answers->at, answers->count,
							    sizeof(key), by_place_and_loader)
						  : NULL;
	return found && answers_to(found, w) ? found : NULL;
}

/* Answers that can be added for classes of that name: those that come from thousands of loaders
 * leave room for others. */
static size_t room_for(const struct wishes *answers, const char *class_name)
{
	size_t all = ANSWERS_MOST - answers->count;
	size_t own = ANSWERS_OF_NAME - wishes_of(answers, class_name).count;
	return all < own ? all : own;
}

int wishes_for(struct wishes *out, const struct wishes *w, const struct wishes *answers,
	const char *class_name, int32_t loader)
{
	struct wishes of = wishes_of(w, class_name);
	size_t room = room_for(answers, class_name);
	*out = (struct wishes){.at = mem_zalloc(of.count + 1, sizeof(*out->at))};
	if (!out->at)
		return ERR_NOMEM;
	for (size_t i = next_for(&of, 0, loader, NULL); i < of.count;
		i = next_for(&of, i + 1, loader, &of.at[i])) {
		const struct wish *known = answer_in(answers, &of.at[i], loader);
		struct wish *one = &out->at[out->count];
		if (known ? known->state == WISH_REFUSED : !room)
			continue;
		room -= !known;
		out->count++;
		if (!copy_one(one, &of.at[i])) {
			wishes_release(out);
			return ERR_NOMEM;
		}
		one->one_loader = true;
		one->loader = loader;
		one->asked = known ? known->asked : 0;
	}
	return ERR_NONE;
}

bool wishes_unanswered(const struct wishes *w, const struct wishes *answers, const char *class_name,
	int32_t loader)
{
	struct wishes of = wishes_of(w, class_name);
	if (!room_for(answers, class_name)) /* it would be asked for ever */
		return false;
	for (size_t i = next_for(&of, 0, loader, NULL); i < of.count;
		i = next_for(&of, i + 1, loader, &of.at[i]))
		if (!answer_in(answers, &of.at[i], loader))
			return true;
	return false;
}

bool wishes_any_done(const struct wishes *answers, const char *class_name, int32_t loader)
{
	struct wishes of = wishes_of(answers, class_name);
	size_t i = next_in(&of, 0, loader);
	while (i < of.count && of.at[i].state != WISH_DONE)
		i = next_in(&of, i + 1, loader);
	return i < of.count;
}

bool wishes_any_late(const struct wishes *answers, const char *class_name, int32_t loader)
{
	struct wishes of = wishes_of(answers, class_name);
	size_t i = next_in(&of, 0, loader);
	while (i < of.count && !wish_came_late(&of.at[i]))
		i = next_in(&of, i + 1, loader);
	return i < of.count;
}

void wishes_asked(const struct wishes *answers, const char *class_name, int32_t loader)
{
	struct wishes of = wishes_of(answers, class_name);
	for (size_t i = next_in(&of, 0, loader); i < of.count; i = next_in(&of, i + 1, loader))
		of.at[i].asked += wish_came_late(&of.at[i]);
}

/* Those refused before stay so: nobody has asked for them again. */
static void forget(struct wishes *answers, struct wishes of, int32_t loader)
{
	struct wish *end = answers->at + answers->count;
	size_t i = next_in(&of, 0, loader);
	while (i < of.count) {
		struct wish *w = &of.at[i];
		if (w->state == WISH_DONE) {
			drop_texts(w->texts);
			memmove(w, w + 1, (size_t)(end-- - w - 1) * sizeof(*w));
			of.count--;
		} else {
			i++;
		}
		i = next_in(&of, i, loader);
	}
	answers->count = (size_t)(end - answers->at);
}

/* Where it belongs, or in place of what was refused there to another wish; there is room. A class
 * of that name may come from thousands of loaders, each in its turn: all are not sorted anew for
 * one. */
static void insert(struct wishes *answers, struct wish *w)
{
	size_t at = first_of(answers, w, by_place_and_loader, false);
	struct wish *to = answers->at + at;
	if (at < answers->count && by_place_and_loader(to, w) == 0) {
		drop_texts(to->texts);
	} else {
		memmove(to + 1, to, (answers->count - at) * sizeof(*to));
		answers->count++;
	}
	*to = *w;
	w->texts = NULL;
}

int wishes_answer(
	struct wishes *answers, const char *class_name, int32_t loader, struct wishes *outcome)
{
	struct wishes of = wishes_of(answers, class_name);
	if (of.count)
		forget(answers, of, loader);
	if (!outcome->count)
		return ERR_NONE;
	size_t room = answers->count + outcome->count;
	struct wish *list = mem_realloc(answers->at, room * sizeof(*list));
	if (!list)
		return ERR_NOMEM;
	answers->at = list;
	for (size_t i = 0; i < outcome->count && room_for(answers, class_name); i++)
		if (outcome->at[i].state != WISH_WAITS)
			insert(answers, &outcome->at[i]);
	return ERR_NONE;
}

static bool at_place(const struct wish *w, const struct wish *answer)
{
	return by_place(w, answer) == 0 && (!w->one_loader || w->loader == answer->loader) &&
	       answers_to(answer, w);
}

const struct wish *wishes_at(const struct wishes *answers, const struct wish *w)
{
	struct wishes of = wishes_of(answers, w->class_name);
	const struct wish *found = NULL;
	for (size_t i = 0; i < of.count; i++)
		if (at_place(w, &of.at[i]) && (!found || of.at[i].state == WISH_DONE))
			found = &of.at[i];
	return found;
}

/* Wherever it is done. */
static bool all_plain(const struct wishes *answers, const struct wish *w)
{
	struct wishes of = wishes_of(answers, w->class_name);
	size_t done = 0, plain = 0;
	for (size_t i = 0; i < of.count; i++) {
		bool here = at_place(w, &of.at[i]) && of.at[i].state == WISH_DONE;
		done += here;
		plain += here && of.at[i].plain;
	}
	return done && plain == done;
}

void wishes_look(struct wish *to, size_t count, const struct wishes *answers)
{
	for (size_t i = 0; i < count; i++) {
		const struct wish *now = wishes_at(answers, &to[i]);
		if (!now)
			continue;
		to[i].state = now->state;
		to[i].why = now->why;
		to[i].plain = all_plain(answers, &to[i]);
		to[i].asked = now->asked;
		to[i].found_hash = now->found_hash;
		to[i].found_opcode = now->found_opcode;
	}
}

bool wishes_done_in(const struct wishes *answers, const struct wish *w, int32_t *loader)
{
	const struct wish *now = wishes_at(answers, w);
	if (now && now->state == WISH_DONE)
		*loader = now->loader;
	return now && now->state == WISH_DONE;
}
