#include "agent/configs.h"

#include "base/clock.h"

enum {
	SAMPLES_PER_SECOND = 4000,
	SAMPLES_BESIDE_COUNTS = 500, /* these only tell who called, and some later lives */
};

static uint64_t sieve_pack(struct sieve s)
{
	return (uint64_t)s.config << 24 | (uint64_t)s.spread << 16 | (uint64_t)s.walk_shift << 8 |
	       s.track_shift;
}

struct sieve configs_sieve(const struct configs *c)
{
	uint64_t packed = atomic_load_explicit(&c->sieve, memory_order_relaxed);
	return (struct sieve){.config = (uint32_t)(packed >> 24),
		.spread = (uint8_t)(packed >> 16),
		.walk_shift = (uint8_t)(packed >> 8),
		.track_shift = (uint8_t)packed};
}

uint64_t configs_interval(const struct configs *c, uint8_t spread)
{
	return c->interval << spread;
}

/* 0: it is not known. */
static uint32_t find(const struct configs *c, const struct known_config *of)
{
	for (uint32_t i = 0; i < CONFIGS_KNOWN; i++)
		if (c->known[i].id && c->known[i].interval == of->interval &&
			c->known[i].walk_shift == of->walk_shift &&
			c->known[i].track_shift == of->track_shift)
			return c->known[i].id;
	return 0;
}

static uint32_t add(struct configs *c, const struct known_config *of)
{
	struct known_config *place = &c->known[c->known_next];
	*place = *of;
	place->id = ++c->count;
	c->known_next = (c->known_next + 1) % CONFIGS_KNOWN;
	return place->id;
}

static int define_new(struct configs *c, const struct known_config *of, struct ns now)
{
	struct record record = {.kind = RECORD_config};
	record.config.id = c->count + 1;
	record.config.time = now.v;
	record.config.interval = of->interval;
	record.config.walk = 1ull << of->walk_shift;
	record.config.track = 1ull << of->track_shift;
	record.config.capacity = c->capacity;
	return journal_put(c->journal, now, &record);
}

static int say_again(struct configs *c, uint32_t id, struct ns now)
{
	const struct record record = {
		.kind = RECORD_config_again, .config_again = {.time = now.v, .config = id}};
	return journal_put(c->journal, now, &record);
}

/* Its id, from now on in force; 0: no room. */
static uint32_t define(struct configs *c, const struct known_config *of)
{
	struct ns now = clock_since(c->start);
	uint32_t known = find(c, of);
	if (known)
		return say_again(c, known, now) ? 0 : known;
	return define_new(c, of, now) ? 0 : add(c, of);
}

static uint8_t walk_shift(const struct configs *c)
{
	return (uint8_t)(c->thinning.walk_shift + c->coarse_shift);
}

/* Where there is no room the old sieves stay in force: weights stay right. */
static bool put(struct configs *c)
{
	struct sieve s = {.spread = c->spread,
		.walk_shift = walk_shift(c),
		.track_shift = (uint8_t)c->thinning.track_shift};
	const struct known_config of = {.interval = configs_interval(c, s.spread),
		.walk_shift = s.walk_shift,
		.track_shift = s.track_shift};
	s.config = define(c, &of);
	if (s.config)
		atomic_store_explicit(&c->sieve, sieve_pack(s), memory_order_relaxed);
	return s.config;
}

/* Puts the sieve in force that thinning wants: again, where its config found no room before. */
static void renew(struct configs *c)
{
	struct sieve s = configs_sieve(c);
	if (s.walk_shift != walk_shift(c) || s.track_shift != c->thinning.track_shift)
		put(c);
}

/* An interval that was asked for stays, and so does the one of who wants all stacks. */
static uint64_t samples_bound(const struct options *o)
{
	if (options_given(o, "interval") || !o->max_walks)
		return 0;
	return o->max_walks > SAMPLES_PER_SECOND ? o->max_walks : SAMPLES_PER_SECOND;
}

void configs_init(struct configs *c, const struct options *o, struct journal *j, uint32_t capacity,
	struct ns start)
{
	*c = (struct configs){.journal = j,
		.start = start,
		.interval = o->interval,
		.capacity = capacity,
		.first = o->spread,
		.spread = o->spread};
	/* JVMTI's interval is a jint; what is beyond is thinned here, by the same known
	 * probability. */
	for (; c->interval > INT32_MAX; c->interval /= 2)
		c->coarse_shift++;
	thinning_init(&c->thinning, o->max_walks, o->max_rate, clock_now());
	c->bound_alone = samples_bound(o);
	spacing_init(&c->spacing, c->interval, c->first,
		c->first && c->bound_alone ? SAMPLES_BESIDE_COUNTS : c->bound_alone, clock_now());
	cpu_share_init(&c->cpu);
	put(c);
}

void configs_begin(struct configs *c, struct ns start)
{
	c->start = start;
	/* Windows as long as the wait would take the first burst for a low rate. */
	c->thinning.window_start = c->spacing.window_start = start;
}

/* A burst must not wait for the window's end. */
void configs_walk(struct configs *c, uint64_t samples, uint64_t walked)
{
	if (!thinning_walk(&c->thinning))
		return;
	thinning_close(&c->thinning, clock_now(), samples, walked);
	renew(c);
}

static void want(struct configs *c)
{
	atomic_store_explicit(&c->spaces, c->spacing.shift != c->spread, memory_order_relaxed);
}

void configs_alone(struct configs *c)
{
	spacing_loosen(&c->spacing, c->bound_alone);
	want(c);
}

void configs_bound(struct configs *c, uint64_t walks_per_second)
{
	thinning_bound(&c->thinning, walks_per_second);
	renew(c);
}

void configs_tick(struct configs *c, uint64_t samples, uint64_t walked)
{
	thinning_share(&c->thinning, cpu_share_update(&c->cpu));
	thinning_update(&c->thinning, clock_now(), samples, walked);
	renew(c);
	spacing_update(&c->spacing, clock_now(), samples);
	want(c);
}

uint32_t configs_of(struct configs *c, uint64_t interval, const struct sieve *sieve)
{
	const struct known_config of = {.interval = interval,
		.walk_shift = sieve->walk_shift,
		.track_shift = sieve->track_shift};
	uint32_t id = find(c, &of);
	if (!id) {
		id = define(c, &of);
		put(c); /* the last one is what is in force */
	}
	return id;
}

bool configs_want(const struct configs *c)
{
	return atomic_load_explicit(&c->spaces, memory_order_relaxed);
}

bool configs_tell(struct configs *c, uint64_t *interval)
{
	bool mine = c->spacing.shift != c->spread && !c->spacing_now;
	atomic_store_explicit(&c->spaces, false, memory_order_relaxed);
	c->spacing_now = c->spacing_now || mine;
	c->spread_next = (uint8_t)c->spacing.shift;
	*interval = configs_interval(c, c->spread_next);
	return mine;
}

bool configs_told(struct configs *c)
{
	uint8_t before = c->spread;
	c->spread = c->spread_next;
	bool told = put(c);
	c->spread = told ? c->spread : before;
	c->spacing_now = !told;
	return told;
}

void configs_untold(struct configs *c)
{
	c->spacing_now = false;
}
