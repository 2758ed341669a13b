/* Where collections begin, as far as the VM has such functions. */
#include "agent/exact_traps.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "agent/probes.h"
#include "support/tap.h"
#include "support/vm_flag_table.h"

#ifdef __x86_64__

enum { FULL = 0, YOUNG = 64, SHRINK = 128, RESIZE = 192, PAGE = 4096 };

static struct exact exact;
static uint8_t *code;

static void function(size_t at, enum landmark id)
{
	/* push %rbp; mov %rsp, %rbp; pop %rbp; ret */
	static const uint8_t bytes[] = {0x55, 0x48, 0x89, 0xe5, 0x5d, 0xc3};
	memcpy(code + at, bytes, sizeof(bytes));
	probes_get()->landmarks.found[id] =
		(struct landmark_found){.state = LANDMARK_FOUND, .at = code + at};
}

static void begin(enum heap_collector collector)
{
	code = mmap(
		NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	EXPECT(code != MAP_FAILED);
	memset(&exact, 0, sizeof(exact));
	memset(&probes_get()->landmarks, 0, sizeof(struct landmarks));
	for (int i = 0; i < LANDMARKS; i++)
		probes_get()->landmarks.found[i].state = LANDMARK_MISSING;
	exact.pauses.layout.collector = collector;
	pthread_setname_np(pthread_self(), "VM Thread");
}

static void end(void)
{
	munmap(code, PAGE);
}

static void call(size_t at)
{
	((void (*)(void))(uintptr_t)(code + at))();
}

TEST(none_where_the_vm_has_no_such_functions)
{
	static const struct vm vm = {.major = 21};
	begin(HEAP_SERIAL);
	exact_traps_set(&exact, &vm);
	EXPECT(!exact.trapped && !exact.pauses.stamps.parts);
	exact_traps_clear(&exact);
	end();
}

TEST(both_and_gone_again)
{
	static const struct vm vm = {.major = 17};
	begin(HEAP_PARALLEL);
	function(FULL, LANDMARK_FULL_PARALLEL);
	function(YOUNG, LANDMARK_YOUNG_PARALLEL);
	exact_traps_set(&exact, &vm);
	EXPECT(exact.trapped && exact.pauses.stamps.parts);
	EXPECT(code[FULL] == 0xcc && code[YOUNG] == 0xcc);
	call(FULL); /* nothing is on: nobody looks at the heap */
	call(YOUNG);
	exact_traps_clear(&exact);
	EXPECT(!exact.trapped && code[FULL] == 0x55 && code[YOUNG] == 0x55);
	call(FULL);
	end();
}

/* The kernel would end the process. */
TEST(none_where_the_vm_has_the_signal_blocked)
{
	static const struct vm vm = {.major = 17};
	sigset_t mask;
	sigemptyset(&mask);
	sigaddset(&mask, SIGTRAP);
	pthread_sigmask(SIG_BLOCK, &mask, NULL);
	begin(HEAP_PARALLEL);
	function(FULL, LANDMARK_FULL_PARALLEL);
	function(YOUNG, LANDMARK_YOUNG_PARALLEL);
	exact_traps_set(&exact, &vm);
	EXPECT(!exact.trapped && !exact.pauses.stamps.parts);
	EXPECT(code[FULL] == 0x55 && code[YOUNG] == 0x55);
	end();
	pthread_sigmask(SIG_UNBLOCK, &mask, NULL);
}

/* 11 with -XX:-UseParallelOldGC: none begins there. */
TEST(none_where_another_function_marks)
{
	static const struct vm vm = {.major = 11};
	static bool parallel_old;
	static struct vm_flag_row rows[] = {{&parallel_old, "UseParallelOldGC", FLAG_BOOL, 0}};
	begin(HEAP_PARALLEL);
	function(FULL, LANDMARK_FULL_PARALLEL);
	function(YOUNG, LANDMARK_YOUNG_PARALLEL);
	probes_get()->flags = vm_flag_table(rows, 1);
	exact_traps_set(&exact, &vm);
	EXPECT(!exact.trapped && !exact.pauses.stamps.parts);
	EXPECT(code[FULL] == 0x55 && code[YOUNG] == 0x55);
	parallel_old = true;
	exact_traps_set(&exact, &vm);
	EXPECT(exact.trapped && exact.pauses.stamps.parts);
	exact_traps_clear(&exact);
	memset(&probes_get()->flags, 0, sizeof(struct vm_flags));
	end();
}

/* Young ones are of use to full ones alone; and G1 has one kind in a pause. */
TEST(young_ones_only_with_full_ones)
{
	static const struct vm vm = {.major = 21};
	begin(HEAP_SERIAL);
	function(YOUNG, LANDMARK_YOUNG_SERIAL);
	exact_traps_set(&exact, &vm);
	EXPECT(!exact.trapped && !exact.pauses.stamps.parts && code[YOUNG] == 0x55);
	end();
	begin(HEAP_G1);
	function(FULL, LANDMARK_FULL_G1);
	exact_traps_set(&exact, &vm);
	EXPECT(exact.trapped && !exact.pauses.stamps.parts);
	exact_traps_clear(&exact);
	end();
}

/* Where single objects are followed, of Parallel. */
TEST(where_memory_is_given_back)
{
	static const struct vm vm = {.major = 17};
	for (int is = 0; is < 8; is++) {
		enum heap_collector c = is & 1 ? HEAP_PARALLEL : HEAP_SERIAL;
		begin(c);
		function(FULL, c == HEAP_PARALLEL ? LANDMARK_FULL_PARALLEL : LANDMARK_FULL_SERIAL);
		function(RESIZE, LANDMARK_RESIZE_PARALLEL);
		if (is & 4)
			function(SHRINK, LANDMARK_SHRINK_PARALLEL);
		exact.traces = is & 2;
		exact_traps_set(&exact, &vm);
		EXPECT_INT((is & 7) == 7, code[SHRINK] == 0xcc);
		EXPECT_INT((is & 7) == 3, code[RESIZE] == 0xcc);
		call(RESIZE); /* nothing is on */
		exact_traps_clear(&exact);
		EXPECT(code[SHRINK] != 0xcc && code[RESIZE] == 0x55);
		end();
	}
}

static void walk(void)
{
}

/* From 16 to 19 G1 leaves dead objects where they are: then its own walk is needed. */
TEST(where_the_dead_can_not_be_told)
{
	static const struct vm vm = {.major = 17};
	begin(HEAP_G1);
	function(FULL, LANDMARK_FULL_G1);
	exact_traps_set(&exact, &vm);
	EXPECT(!exact.trapped && code[FULL] == 0x55);
	exact.pauses.g1_objects = (region_objects *)(uintptr_t)walk;
	exact_traps_set(&exact, &vm);
	EXPECT(exact.trapped);
	exact_traps_clear(&exact);
	end();
}

#endif
