#include "hotspot/heap_walk.h"

#include <string.h>
#include <sys/mman.h>

#include "base/error.h"
#include "support/tap.h"
#include "support/vm_heap.h"

enum { POINT, BYTES, FILLER, CLASSES, WORDS = 4096 };

static struct vm_name names[CLASSES];
static struct vm_klass classes[CLASSES];
static const void *const functions[] = {names};
static _Alignas(8) uint64_t heap[WORDS];

static struct vm_objects made(bool compact)
{
	static const char *const texts[] = {"Point", "[B", "jdk/internal/vm/FillerObject"};
	static const int32_t layouts[] = {24, (int32_t)0xc0100800, 16};
	for (size_t i = 0; i < CLASSES; i++) {
		vm_name_set(&names[i], texts[i]);
		classes[i] = (struct vm_klass){
			.functions = functions, .layout = layouts[i], .name = &names[i]};
	}
	struct vm_objects o = vm_objects_made(classes, compact);
	o.filler_name = (uintptr_t)&names[FILLER];
	o.ints_name = (uintptr_t)names - 8; /* no class here is int[] */
	return o;
}

struct seen {
	uintptr_t at[WORDS];
	size_t count, bytes;
};

static void see(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	struct seen *s = arg;
	EXPECT(klass == (uintptr_t)&classes[POINT] || klass == (uintptr_t)&classes[BYTES]);
	s->at[s->count++] = address;
	s->bytes += bytes;
}

/* Points, arrays of all lengths and fillers in turn; how many are no fillers. */
static size_t fill(const struct vm_objects *o, size_t objects, uintptr_t *top)
{
	size_t at = 0, real = 0;
	for (size_t i = 0; i < objects; i++) {
		int class = (int)(i % CLASSES);
		uint32_t length = (uint32_t)(i % 50);
		vm_object_put(o, &heap[at], &classes[class], length);
		at += class == POINT ? 3 : class == BYTES ? (16 + length + 7) / 8 : 2;
		real += class != FILLER;
	}
	*top = (uintptr_t)&heap[at];
	return real;
}

typedef int walk(
	const struct vm_objects *, uintptr_t, uintptr_t, heap_visit *, void *, uintptr_t *);
static walk *const walks[] = {heap_walk, heap_walk_checked};

TEST(all_objects_but_fillers)
{
	for (size_t i = 0; i < 2 * ARRAY_SIZE(walks); i++) {
		static struct seen s;
		struct vm_objects o = made(i & 1);
		uintptr_t top, reached = 0;
		size_t real = fill(&o, 500, &top);
		s = (struct seen){.count = 0};
		EXPECT_INT(0, walks[i / 2](&o, (uintptr_t)heap, top, see, &s, &reached));
		EXPECT_INT(real, s.count);
		EXPECT(reached == top);
		EXPECT(s.at[0] == (uintptr_t)heap && s.at[1] == (uintptr_t)&heap[3]);
		EXPECT_INT(0, walks[i / 2](&o, top, top, see, &s, NULL));
		EXPECT_INT(real, s.count);
	}
}

TEST(it_ends_at_what_cannot_be)
{
	for (size_t i = 0; i < ARRAY_SIZE(walks); i++) {
		static struct seen s;
		struct vm_objects o = made(false);
		uintptr_t top, reached = 0;
		fill(&o, 10, &top);
		s = (struct seen){.count = 0};
		/* The last goes beyond top. */
		EXPECT_INT(ERR_CORRUPT, walks[i](&o, (uintptr_t)heap, top - 8, see, &s, &reached));
		EXPECT(reached == top - 24);
		EXPECT_INT(6, s.count);
		/* No class at all: the second. */
		heap[4] = 0;
		s.count = 0;
		EXPECT_INT(ERR_CORRUPT, walks[i](&o, (uintptr_t)heap, top, see, &s, &reached));
		EXPECT(reached == (uintptr_t)&heap[3]);
		EXPECT_INT(1, s.count);
		/* Less than a header. */
		EXPECT_INT(ERR_CORRUPT, walks[i](&o, top - 8, top, see, &s, &reached));
		EXPECT(reached == top - 8);
	}
}

/* An array's header, of which its length would be behind top, where nothing is mapped: the memory
 * ends in what is left of a dead one. */
TEST(nothing_behind_top_is_read)
{
	enum { PAGE = 4096 };
	char *page =
		mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	EXPECT(page != MAP_FAILED && mprotect(page + PAGE, PAGE, PROT_NONE) == 0);
	for (size_t i = 0; i < 2 * ARRAY_SIZE(walks); i++) {
		static struct seen s;
		struct vm_objects o = made(i & 1);
		uint64_t array[3];
		o.wide = !o.compact;
		o.array_length = o.wide ? 16 : 8;
		vm_object_put(&o, array, &classes[BYTES], 0);
		char *at = page + PAGE - o.array_length;
		memcpy(at, array, o.array_length);
		uintptr_t from = (uintptr_t)at, reached = 0;
		s = (struct seen){.count = 0};
		EXPECT_INT(ERR_CORRUPT,
			walks[i / 2](&o, from, (uintptr_t)page + PAGE, see, &s, &reached));
		EXPECT(reached == from && !s.count);
	}
	munmap(page, 2 * PAGE);
}

TEST(the_checked_one_believes_no_class)
{
	static struct seen s;
	struct vm_objects o = made(false);
	uintptr_t top, reached;
	fill(&o, 10, &top);
	/* A page that can't be read where the class would be. */
	void *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	EXPECT(page != MAP_FAILED);
	o.narrow_base = (uintptr_t)page - vm_narrow(&o, &classes[POINT]);
	EXPECT_INT(ERR_CORRUPT, heap_walk_checked(&o, (uintptr_t)heap, top, see, &s, &reached));
	EXPECT(reached == (uintptr_t)heap);
	EXPECT_INT(0, s.count);
	munmap(page, 4096);
	/* One with no functions is none. */
	o = made(false);
	classes[BYTES].functions = NULL;
	EXPECT_INT(ERR_CORRUPT, heap_walk_checked(&o, (uintptr_t)heap, top, see, &s, &reached));
	EXPECT_INT(1, s.count);
	/* Nor is there anything behind one that has moved. */
	o = made(false);
	heap[3] |= MARK_FORWARDED;
	EXPECT_INT(ERR_CORRUPT, heap_walk_checked(&o, (uintptr_t)heap, top, see, &s, &reached));
	EXPECT(reached == (uintptr_t)&heap[3]);
}
