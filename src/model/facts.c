#include "model/facts.h"

#include "base/error.h"
#include "stat/weight.h"

enum { TENURING_DEFAULT = 15 }; /* HotSpot's MaxTenuringThreshold */

int facts_init(struct facts *f)
{
	*f = (struct facts){.tenuring_max = TENURING_DEFAULT, .follow_max = UINT64_MAX};
	return vec_push(&f->configs, (struct config_def){0});
}

void facts_release(struct facts *f)
{
	vec_release(&f->facts);
	vec_release(&f->notes);
	vec_release(&f->configs);
	map_release(&f->config_ids);
	vec_release(&f->turns);
}

static struct fact *find(const struct facts *f, uint32_t key)
{
	for (size_t i = 0; i < f->facts.count; i++)
		if (f->facts.at[i].key == key)
			return &f->facts.at[i];
	return NULL;
}

struct slice facts_get(const struct facts *f, const struct texts *texts, const char *key)
{
	uint32_t number = intern_find(&texts->table, slice_str(key));
	struct fact *fact = number ? find(f, number) : NULL;
	return texts_get(texts, fact ? fact->value : 0);
}

const struct config_def *facts_in_force(const struct facts *f)
{
	return &f->configs.at[f->turns.count ? f->turns.at[f->turns.count - 1].config : 0];
}

uint32_t facts_config(struct facts *f, uint64_t id)
{
	if (f->last_config.index && f->last_config.id == id)
		return f->last_config.index;
	uint64_t *index = map_find(&f->config_ids, id);
	f->last_config.id = id;
	f->last_config.index = index ? (uint32_t)*index : 0;
	return f->last_config.index;
}

/* Digits up to the first byte that is none, as far as they fit; 0 where there is none. */
static uint64_t number(struct slice value)
{
	uint64_t v = 0;
	for (size_t i = 0; i < value.len; i++) {
		uint8_t digit = (uint8_t)(value.at[i] - '0');
		if (digit > 9 || v > (UINT64_MAX - digit) / 10)
			break;
		v = v * 10 + digit;
	}
	return v;
}

/* The facts that decide how the rest is read. */
static void apply(struct facts *f, struct slice key, struct slice value)
{
	if (slice_equal(key, slice_str("deaths"))) {
		f->deaths = slice_equal(value, slice_str("old"))    ? DEATHS_OLD
			    : slice_equal(value, slice_str("none")) ? DEATHS_NONE
								    : DEATHS_COLLECTION;
	} else if (slice_equal(key, slice_str("tenuring.max"))) {
		uint32_t v = 0;
		for (size_t i = 0; i < value.len && i < 3; i++)
			v = v * 10 + (uint32_t)(value.at[i] - '0') % 10;
		f->tenuring_max = v;
	} else if (slice_equal(key, slice_str("gc"))) {
		f->chooses_first = slice_equal(value, slice_str("G1"));
	} else if (slice_equal(key, slice_str("exact.from"))) {
		f->exact_from = number(value);
	} else if (slice_equal(key, slice_str("exact.from.young"))) {
		f->exact_from_young = number(value);
	} else if (slice_equal(key, slice_str("waited"))) {
		f->waited = number(value);
	} else if (slice_equal(key, slice_str("follow.max"))) {
		uint64_t bytes = number(value);
		f->follow_max = bytes ? bytes : UINT64_MAX;
	}
}

static int read_fact(struct facts *f, struct texts *texts, const struct record *r)
{
	uint32_t key = texts_add(texts, r->fact.key), value = texts_add(texts, r->fact.value);
	if ((r->fact.key.len && !key) || (r->fact.value.len && !value))
		return ERR_NOMEM;
	apply(f, r->fact.key, r->fact.value);
	struct fact *old = find(f, key);
	if (old) {
		old->value = value;
		return 1;
	}
	if (f->facts.count >= FACTS_MAX) {
		f->unkept++;
		return 1;
	}
	return vec_push(&f->facts, ((struct fact){key, value})) ? ERR_NOMEM : 1;
}

static int read_note(struct facts *f, struct texts *texts, const struct record *r)
{
	if (f->notes.count >= NOTES_MAX) {
		f->unkept++;
		return 1;
	}
	struct note_def note = {.time = r->note.time,
		.severity =
			r->note.severity > NOTE_TROUBLE ? NOTE_TROUBLE : (uint32_t)r->note.severity,
		.text = texts_add(texts, r->note.text)};
	if (r->note.text.len && !note.text)
		return ERR_NOMEM;
	return vec_push(&f->notes, note) ? ERR_NOMEM : 1;
}

static int add_turn(struct facts *f, uint64_t time, uint32_t config)
{
	return vec_push(&f->turns, ((struct config_turn){time, config})) ? ERR_NOMEM : 1;
}

/* What a segment of a cyclic trace repeats was there before. */
static int read_again(struct facts *f, const struct record_config_again *again)
{
	const uint64_t *index = map_find(&f->config_ids, again->config);
	size_t count = f->turns.count;
	if (!index || (count && again->time <= f->turns.at[count - 1].time))
		return 1;
	return add_turn(f, again->time, (uint32_t)*index);
}

static int read_config(struct facts *f, const struct record *r, struct odds *odds)
{
	uint64_t *old = map_find(&f->config_ids, r->config.id);
	struct config_def c = {.interval = r->config.interval,
		.capacity = r->config.capacity,
		.time = r->config.time,
		.walk = (double)r->config.walk,
		.track = (double)r->config.track};
	c.valid = weight_valid(c.walk) && weight_valid(c.track) &&
		  weight_valid(c.walk * c.track * weight_poisson(1, c.interval));
	if (old) {
		const struct config_def *o = &f->configs.at[*old];
		odd_if(odds, ODD_REDEFINED,
			o->interval != c.interval || r->config.walk != (uint64_t)o->walk ||
				r->config.track != (uint64_t)o->track);
		return 1;
	}
	if (vec_reserve(&f->configs, 1) || map_put(&f->config_ids, r->config.id, f->configs.count))
		return ERR_NOMEM;
	f->configs.at[f->configs.count++] = c;
	return add_turn(f, c.time, (uint32_t)f->configs.count - 1);
}

int facts_read(struct facts *f, struct texts *texts, const struct record *r, struct odds *odds)
{
	switch (r->kind) {
	case RECORD_fact:
		return read_fact(f, texts, r);
	case RECORD_note:
		return read_note(f, texts, r);
	case RECORD_config:
		return read_config(f, r, odds);
	case RECORD_config_again:
		return read_again(f, &r->config_again);
	default:
		return 0;
	}
}
