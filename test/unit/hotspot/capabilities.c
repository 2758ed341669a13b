#include "hotspot/capabilities.h"

#include "hotspot/probe_call.h"
#include "support/tap.h"

static struct vm_library whole(void)
{
	return (struct vm_library){.symbols = {.whole = true}};
}

/* As on 17, but for what C2's fast path needs. */
static struct landmarks all_of_17(void)
{
	struct landmarks m = {.strange = 0};
	m.found[LANDMARK_ALLOC_SIZE].state = LANDMARK_MISSING;
	return m;
}

static const struct capability_answer *ask(
	const struct vm_library *l, const struct landmarks *m, unsigned major, enum capability id)
{
	static struct capabilities c;
	capabilities_find(&c, l, m, major);
	return &c.answers[id];
}

#define YES(why_, a)                                                                               \
	do {                                                                                       \
		EXPECT((a)->yes);                                                                  \
		EXPECT_STR(why_, (a)->why);                                                        \
	} while (0)
#define NO(why_, a)                                                                                \
	do {                                                                                       \
		EXPECT(!(a)->yes);                                                                 \
		EXPECT_STR(why_, (a)->why);                                                        \
	} while (0)

TEST(all_is_there)
{
	struct vm_library l = whole();
	struct landmarks m = all_of_17();
	YES("", ask(&l, &m, 17, CAPABILITY_BIRTHS));
	YES("", ask(&l, &m, 17, CAPABILITY_ATTACH));
	YES("", ask(&l, &m, 17, CAPABILITY_HEADER));
	YES("with -XX:-UseBiasedLocking", ask(&l, &m, 11, CAPABILITY_HEADER));
	YES("by a trap", ask(&l, &m, 17, CAPABILITY_FULL_G1));
	m.found[LANDMARK_ALLOC_SIZE].state = LANDMARK_FOUND;
	YES("but with -XX:+UseCompactObjectHeaders", ask(&l, &m, 25, CAPABILITY_HEADER));
	m.found[LANDMARK_TEMPLATES].state = LANDMARK_FOUND;
	YES("", ask(&l, &m, 25, CAPABILITY_ATTACH));
	m.found[LANDMARK_TEMPLATES].state = LANDMARK_MISSING;
	YES("but for what the interpreter allocates by `new`", ask(&l, &m, 25, CAPABILITY_ATTACH));
}

TEST(ways_of_their_own_for_hot_places)
{
	struct vm_library l = whole();
	struct landmarks m = all_of_17();
	m.found[LANDMARK_ALLOC_THREAD].object = LANDMARK_OBJECT_RSI;
	if (code_fence_can())
		YES("where each object is counted only", ask(&l, &m, 17, CAPABILITY_DOORS));
	else
		NO("this machine's kernel has no membarrier for code that was changed",
			ask(&l, &m, 17, CAPABILITY_DOORS));
	m.found[LANDMARK_ALLOC_THREAD].object = LANDMARK_OBJECT_RDI;
	NO("C2's own call of the probe is not known", ask(&l, &m, 17, CAPABILITY_DOORS));
	l.musl = true;
	NO("the C library is musl: a thread's counts have no fixed place",
		ask(&l, &m, 17, CAPABILITY_DOORS));
}

/* Several in one pause, where only the full ones are caught. */
TEST(young_ones_that_are_not_caught)
{
	struct vm_library l = whole();
	struct landmarks m = all_of_17();
	m.found[LANDMARK_ALLOC_SIZE].state = LANDMARK_FOUND;
	m.found[LANDMARK_YOUNG_SERIAL].state = LANDMARK_MISSING;
	m.found[LANDMARK_YOUNG_PARALLEL].state = LANDMARK_PROLOGUE;
	YES("by a trap, but not behind two young ones in the same pause",
		ask(&l, &m, 17, CAPABILITY_FULL_SERIAL));
	YES("by a trap, but not behind two young ones in the same pause",
		ask(&l, &m, 21, CAPABILITY_FULL_PARALLEL));
	YES("by a trap", ask(&l, &m, 25, CAPABILITY_FULL_PARALLEL));
}

TEST(releases)
{
	struct vm_library l = whole();
	struct landmarks m = all_of_17();
	NO("only 11, 17, 21 and 25 to 27 are known, not 23", ask(&l, &m, 23, CAPABILITY_BIRTHS));
	NO("only 11, 17, 21 and 25 to 27 are known, not 23", ask(&l, &m, 23, CAPABILITY_FULL_G1));
	NO("which release it is can't be told", ask(&l, &m, 0, CAPABILITY_ATTACH));
	/* From 18 on there are three functions. */
	NO("SharedRuntime::dtrace_object_alloc(thread, oop, size) is not in the library's symbols",
		ask(&l, &m, 21, CAPABILITY_BIRTHS));
}

TEST(what_one_lacks_the_others_keep)
{
	struct vm_library l = whole();
	struct landmarks m = all_of_17();
	m.found[LANDMARK_FULL_SERIAL].state = LANDMARK_HOOKED;
	NO("the serial collector's full mark begins with a jump or a trap: another tool has "
	   "patched it",
		ask(&l, &m, 17, CAPABILITY_FULL_SERIAL));
	YES("by a trap", ask(&l, &m, 17, CAPABILITY_FULL_PARALLEL));
	YES("by a trap, not with -XX:-UseParallelOldGC", ask(&l, &m, 11, CAPABILITY_FULL_PARALLEL));
	m.found[LANDMARK_ALLOC].state = LANDMARK_SMALL;
	for (int id = 0; id < CAPABILITIES; id++)
		EXPECT(!ask(&l, &m, 17, (enum capability)id)->yes);
	NO("SharedRuntime::dtrace_object_alloc(oop) is smaller than it can be",
		ask(&l, &m, 17, CAPABILITY_HEADER));
}

TEST(functions_that_are_not_known)
{
	struct vm_library l = whole();
	struct landmarks m = all_of_17();
	m.strange = 1;
	NO("the VM tells allocations through functions that mayfly does not know",
		ask(&l, &m, 17, CAPABILITY_BIRTHS));
}

static struct vm_library stripped(void)
{
	struct vm_library l = {.base = NULL};
	strcpy(l.source.lack.text, "the library is stripped");
	return l;
}

TEST(a_stripped_library_is_the_reason)
{
	struct vm_library l = stripped();
	struct landmarks m = all_of_17();
	m.found[LANDMARK_ALLOC].state = LANDMARK_MISSING;
	NO("the library is stripped", ask(&l, &m, 17, CAPABILITY_BIRTHS));
	strcpy(m.why.text, "it has no notes of it");
	NO("the library is stripped; nor will its own probe object__alloc do: it has no notes of "
	   "it",
		ask(&l, &m, 17, CAPABILITY_FAST_PATH));
}

/* As a stripped library has it; the others are all missing. */
static struct landmarks noted(bool wide)
{
	struct landmarks m = {.noted = true, .wide = wide};
	for (int id = LANDMARK_ALLOC_SIZE + 1; id < LANDMARKS; id++)
		m.found[id].state = LANDMARK_MISSING;
	if (!wide)
		m.found[LANDMARK_ALLOC_SIZE].state = LANDMARK_MISSING;
	return m;
}

TEST(by_the_probe_of_21)
{
	struct vm_library l = stripped();
	struct landmarks m = noted(true);
	YES("by the VM's own probe", ask(&l, &m, 21, CAPABILITY_BIRTHS));
	YES("the VM does it by itself", ask(&l, &m, 21, CAPABILITY_FAST_PATH));
	YES("", ask(&l, &m, 21, CAPABILITY_ATTACH));
	NO("the library is stripped", ask(&l, &m, 25, CAPABILITY_ATTACH));
	NO("the library is stripped", ask(&l, &m, 21, CAPABILITY_FULL_G1));
	NO("the notes of the VM's probe are of another release",
		ask(&l, &m, 17, CAPABILITY_BIRTHS));
	NO("which release it is can't be told", ask(&l, &m, 0, CAPABILITY_BIRTHS));
}

TEST(by_the_probe_of_17)
{
	struct vm_library l = stripped();
	struct landmarks m = noted(false);
	m.found[LANDMARK_ALLOC].state = LANDMARK_MISSING; /* it became a jump to the other */
	YES("by the VM's own probe", ask(&l, &m, 17, CAPABILITY_BIRTHS));
	NO("the library is stripped", ask(&l, &m, 17, CAPABILITY_FAST_PATH));
	NO("the notes of the VM's probe are of another release",
		ask(&l, &m, 21, CAPABILITY_BIRTHS));
	m.found[LANDMARK_ALLOC_THREAD].state = LANDMARK_HOOKED;
	NO("SharedRuntime::dtrace_object_alloc(thread, oop) begins with a jump or a trap: another "
	   "tool has patched it",
		ask(&l, &m, 17, CAPABILITY_BIRTHS));
}

TEST(names)
{
	EXPECT_STR("births", capability_name(CAPABILITY_BIRTHS));
	EXPECT_STR("in a program that already runs", capability_text(CAPABILITY_ATTACH));
}
