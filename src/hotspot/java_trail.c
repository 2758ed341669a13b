#include "hotspot/java_trail.h"

#include "hotspot/java_code.h"

#define TRAIL_BASE 0x9e3779b97f4a7c15ull

/* Bits in which the word is not as it was. */
static inline uintptr_t change(const struct java_trail *t, uint32_t word)
{
	const struct trail_word *w = &t->words[word];
	return *(const volatile uintptr_t *)(t->base - w->below) ^ w->is;
}

/* Of eight words: nothing waits for the one before. */
static inline uintptr_t changes_of_8(const struct java_trail *t, uint32_t i)
{
	return change(t, i) | change(t, i + 1) | change(t, i + 2) | change(t, i + 3) |
	       change(t, i + 4) | change(t, i + 5) | change(t, i + 6) | change(t, i + 7);
}

/* How many words from the root on are as they were. */
static uint32_t same_words(const struct java_trail *t, uint32_t count)
{
	uint32_t i = 0;
	while (i + 8 <= count && !changes_of_8(t, i))
		i += 8;
	while (i < count && !change(t, i))
		i++;
	return i;
}

static void drop_changed_words(struct java_trail *t)
{
	uint32_t same = t->count ? same_words(t, t->at[t->count - 1].words) : 0;
	while (t->count && t->at[t->count - 1].words > same)
		t->count--;
}

/* Their Methods are on the stack, as the words are the same. */
static void drop_changed_methods(struct java_trail *t, const struct method_key *k)
{
	uint32_t i = 0;
	while (i < t->method_count && t->methods[i] < t->count) {
		const struct trail_frame *f = &t->at[t->methods[i]];
		if (method_key_at(k, f->method, 0) != f->key)
			t->count = t->methods[i];
		else
			i++;
	}
}

static void set_depth(struct java_trail *t, uint32_t depth)
{
	t->depth = depth;
	t->power = 1;
	for (uint32_t i = 0; i < depth; i++)
		t->power *= TRAIL_BASE;
}

void java_trail_begin(struct java_trail *t, const struct method_key *methods, uintptr_t base,
	uintptr_t sp, uint32_t depth)
{
	uint32_t changes = java_code_changes();
	if (t->changes != changes || t->base != base)
		t->count = 0;
	t->changes = changes;
	t->base = base;
	t->fresh_count = t->fresh_words = 0;
	t->forgets = false;
	if (t->depth != depth)
		set_depth(t, depth);
	while (t->count && t->at[t->count - 1].sp < sp)
		t->count--;
	drop_changed_words(t);
	drop_changed_methods(t, methods);
}

struct trail_frame *java_trail_step(struct java_trail *t, uintptr_t pc, uintptr_t sp, uintptr_t fp)
{
	if (t->fresh_count == TRAIL_FRAMES)
		return NULL;
	struct trail_frame *f = &t->fresh[t->fresh_count++];
	*f = (struct trail_frame){.sp = sp, .pc = pc, .fp = fp, .words = t->fresh_words};
	return f;
}

/* The youngest frame, of this walk or of the one before; NULL: there is none. */
static const struct trail_frame *youngest(const struct java_trail *t)
{
	if (t->fresh_count)
		return &t->fresh[0];
	return t->count ? &t->at[t->count - 1] : NULL;
}

static void sum_up(struct trail_frame *f, const struct trail_frame *before)
{
	f->told = (before ? before->told : 0) + f->tells;
	f->hash = before ? before->hash : 0;
	if (f->tells)
		f->hash = f->hash * TRAIL_BASE + f->part;
}

uint32_t java_trail_end(struct java_trail *t, bool met)
{
	if (!met)
		t->count = 0;
	const struct trail_frame *before = t->count ? &t->at[t->count - 1] : NULL;
	for (uint32_t i = t->fresh_count; i-- > 0; before = &t->fresh[i])
		sum_up(&t->fresh[i], before);
	return before ? before->told : 0;
}

/* The oldest frame with so many told up to it: it tells. */
static const struct trail_frame *frame_told(const struct java_trail *t, uint32_t told)
{
	if (t->count && told <= t->at[t->count - 1].told)
		return &t->at[t->telling[told - 1]];
	uint32_t i = t->fresh_count - 1;
	while (t->fresh[i].told < told)
		i--;
	return &t->fresh[i];
}

uint64_t java_trail_hash(struct java_trail *t)
{
	const struct trail_frame *f = youngest(t);
	if (!f)
		return 0;
	if (f->told <= t->depth)
		return f->hash;
	return f->hash - frame_told(t, f->told - t->depth)->hash * t->power;
}

/* Its own words: those before the next fresh one's. They are one or two as a rule, and their order
 * is nobody's: one by one from behind, as the compiler calls memcpy for them otherwise. */
static void keep_words(struct java_trail *t, uint32_t fresh, uint32_t to)
{
	uint32_t begin = t->fresh[fresh].words,
		 end = fresh + 1 < t->fresh_count ? t->fresh[fresh + 1].words : t->fresh_words;
	while (end > begin)
		t->words[to++] = t->of_fresh[--end];
	t->at[t->count].words = to;
}

static void keep(struct java_trail *t, uint32_t fresh)
{
	struct trail_frame *f = &t->at[t->count];
	uint32_t words = t->count ? f[-1].words : 0;
	*f = t->fresh[fresh];
	keep_words(t, fresh, words);
	if (f->tells)
		t->telling[f->told - 1] = (uint16_t)t->count;
	if (f->by_method)
		t->methods[t->method_count++] = (uint16_t)t->count;
	t->count++;
}

static void forget_methods(struct java_trail *t)
{
	while (t->method_count && t->methods[t->method_count - 1] >= t->count)
		t->method_count--;
}

static bool has_room(const struct java_trail *t)
{
	uint32_t words = t->count ? t->at[t->count - 1].words : 0;
	return !t->forgets && t->count + t->fresh_count <= TRAIL_FRAMES &&
	       words + t->fresh_words <= TRAIL_WORDS;
}

void java_trail_keep(struct java_trail *t, uint8_t end)
{
	if (!has_room(t)) {
		java_trail_drop(t);
		return;
	}
	t->end = end;
	forget_methods(t);
	for (uint32_t i = t->fresh_count; i-- > 0;)
		if (!t->fresh[i].alone)
			keep(t, i);
}

void java_trail_drop(struct java_trail *t)
{
	t->count = t->method_count = 0;
}
