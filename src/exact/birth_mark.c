#include "exact/birth_mark.h"

#include <assert.h>
#include <string.h>

#include "exact/shape.h"
#include "exact/site_table.h"

enum {
	MARK_BITS = 7,
	MARK_FREE = 1, /* neither locked, biased nor forwarded */
	KLASS_AT = 8,
	SITE_SHIFT = 42, /* in the mark */
};
static_assert(SHAPE_JUMPS >> SITE_BITS == BIRTH_JUMPED && SITE_SHIFT + SITE_BITS == 64,
	"a slot's word, turned, is what goes into the mark");

static const uint32_t length_at[BIRTH_HEADERS] = {12, 8, 16};

/* Set before the first birth. */
static enum birth_header header;

struct birth_align births_align = {8, ~7ull};

void birth_mark_of(enum birth_header of)
{
	header = of;
}

void birth_align_to(uint32_t bytes)
{
	births_align = (struct birth_align){bytes, ~(uint64_t)(bytes - 1)};
}

static bool is_compact(void)
{
	return header == BIRTH_HEADER_COMPACT;
}

static uint64_t mark_of(uintptr_t object)
{
	uint64_t mark;
	memcpy(&mark, (const void *)object, sizeof(mark));
	return mark;
}

static void set_mark(uintptr_t object, uint64_t mark)
{
	memcpy((void *)object, &mark, sizeof(mark));
}

static uint32_t word_at(uintptr_t at)
{
	uint32_t word;
	memcpy(&word, (const void *)at, sizeof(word));
	return word;
}

uint32_t birth_klass(uintptr_t object)
{
	return is_compact() ? (uint32_t)(mark_of(object) >> BIRTHS_KLASS_SHIFT)
			    : word_at(object + KLASS_AT);
}

uint32_t birth_length(uintptr_t object)
{
	return word_at(object + length_at[header]);
}

/* Whether nobody has put anything else into the mark's place. */
static bool is_free(uint64_t mark)
{
	return (mark & MARK_BITS) == MARK_FREE;
}

/* What a slot's word puts into a mark. */
static uint64_t bits_of(uint32_t word)
{
	return (uint64_t)(word & SITE_MASK) << SITE_SHIFT | (word & SHAPE_JUMPS) >> SITE_BITS;
}

void birth_stamp(uintptr_t object, uint32_t word)
{
	if (is_compact())
		return;
	uint64_t mark = mark_of(object);
	if (is_free(mark))
		set_mark(object, mark | bits_of(word));
}

void birth_stamp_outside(uintptr_t object, uint32_t word)
{
	if (!is_compact() && is_free(mark_of(object)))
		set_mark(object, mark_of(object) | BIRTH_SEEN_OLD);
	birth_stamp(object, word & SITE_MASK);
}

/* Rewritten code may have had it jump since: it has outlived nothing all the same. */
static bool is_bare(uint64_t mark)
{
	return is_free(mark) && mark >> SITE_SHIFT == 0 &&
	       (!(mark & BIRTH_AGES) || birth_jumped(mark));
}

/* Whoever locks or hashes the object meanwhile does so by compare-and-swap, too. */
bool birth_stamp_again(uintptr_t object, uint32_t word)
{
	uint64_t mark = __atomic_load_n((uint64_t *)object, __ATOMIC_RELAXED);
	if (is_compact() || !is_bare(mark))
		return is_compact() || (mark & MARK_FREE);
	return __atomic_compare_exchange_n((uint64_t *)object, &mark, mark | bits_of(word), false,
		__ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
