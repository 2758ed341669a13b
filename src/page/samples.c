#include "page/samples.h"

#include "base/error.h"

void samples_release(struct samples *s)
{
	vec_release(&s->list);
	map_release(&s->open);
}

static int index_open(struct samples *s, size_t i)
{
	const struct kept *k = &s->list.at[i];
	bool open = k->lives > 0 && k->fate == KEPT_NOT_FOLLOWED;
	return open ? map_put(&s->open, k->object, i) : ERR_NONE;
}

/* Halves the probability of the larger stratum, and drops those that it no longer has. */
static int halve(struct samples *s)
{
	enum stratum larger = s->counts[STRATUM_FOLLOWED] > s->counts[STRATUM_PLAIN]
				      ? STRATUM_FOLLOWED
				      : STRATUM_PLAIN;
	if (s->sieve.level[larger] == SIEVE_FINEST)
		return ERR_LIMIT;
	s->sieve.level[larger]++;
	map_release(&s->open);
	size_t kept = 0;
	int err = ERR_NONE;
	for (size_t i = 0; i < s->list.count && !err; i++) {
		struct kept k = s->list.at[i];
		if (kept_stratum(&k) == larger && !sieve_keeps(&s->sieve, larger, k.number))
			continue;
		s->list.at[kept++] = k;
		err = index_open(s, kept - 1);
	}
	s->counts[larger] -= s->list.count - kept;
	s->list.count = kept;
	return err;
}

int samples_add(struct samples *s, const struct sample *sample)
{
	enum stratum stratum = sample->tracked ? STRATUM_FOLLOWED : STRATUM_PLAIN;
	uint64_t number = s->seen[STRATUM_PLAIN] + s->seen[STRATUM_FOLLOWED];
	struct kept k = {.number = number,
		.time = sample->time,
		.alloc = sample->alloc,
		.size = sample->size,
		.weight = sample->weight,
		.site = sample->site,
		.thread = sample->thread,
		.followed = sample->tracked};
	int err = ERR_NONE;
	s->pending = false;
	s->seen[stratum]++;
	while (!err && s->list.count >= s->max && sieve_keeps(&s->sieve, stratum, number))
		err = halve(s);
	if (err || !sieve_keeps(&s->sieve, stratum, number))
		return err;
	if (vec_push(&s->list, k))
		return ERR_NOMEM;
	s->counts[stratum]++;
	s->pending = sample->tracked;
	return ERR_NONE;
}

int samples_follow(struct samples *s, const struct object *o)
{
	if (!s->pending)
		return ERR_NONE;
	struct kept *k = &s->list.at[s->list.count - 1];
	s->pending = false;
	k->lives = o->weight;
	k->object = o->id;
	k->born_young = o->young;
	k->born_full = o->full;
	return index_open(s, s->list.count - 1);
}

void samples_end(
	struct samples *s, const struct object *o, const struct life *l, enum kept_fate fate)
{
	uint64_t *at = map_find(&s->open, o->id);
	if (!at)
		return;
	struct kept *k = &s->list.at[*at];
	map_remove(&s->open, o->id);
	k->fate = (uint8_t)fate;
	k->young = l->young;
	k->full = l->full;
	k->full_found = l->died && l->full_found;
	k->bytes.after = l->bytes.after;
	k->ns.after = l->ns.after;
	k->bytes.by = l->died ? l->bytes.by : 0;
	k->ns.by = l->died ? l->ns.by : 0;
}

double samples_thinned(const struct samples *s)
{
	double seen = (double)(s->seen[STRATUM_PLAIN] + s->seen[STRATUM_FOLLOWED]);
	return s->list.count ? seen / (double)s->list.count : 1;
}
