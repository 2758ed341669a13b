#include "hotspot/landmarks.h"

#include <unistd.h>

#include "base/compiler.h"
#include "support/library_file.h"
#include "support/tap.h"

#define ALLOC        "_ZN13SharedRuntime19dtrace_object_allocEP7oopDesci"
#define ALLOC_THREAD "_ZN13SharedRuntime24dtrace_object_alloc_baseEP6ThreadP7oopDesci"
#define ALLOC_21     "_ZN13SharedRuntime19dtrace_object_allocEP7oopDesc"
#define FULL_G1      "_ZN15G1FullCollector24phase1_mark_live_objectsEv"
#define DEPENDENCIES "_ZN11JvmtiExport30_all_dependencies_are_recordedE"

static const uint8_t push[] = {0x55, 0x48, 0x89, 0xe5}, endbr[] = {0xf3, 0x0f, 0x1e, 0xfa, 0x55};

static struct landmarks found(struct library_file *f)
{
	struct vm_library l;
	struct landmarks m = {.strange = 0};
	char path[64];
	EXPECT(library_file_write(f, path, sizeof(path)));
	EXPECT_INT(0, vm_library_open_file(&l, path, NULL));
	landmarks_find(&m, &l);
	EXPECT(landmarks_at(&m, LANDMARK_ALLOC) == NULL); /* not loaded */
	vm_library_release(&l);
	unlink(path);
	library_file_release(f);
	return m;
}

TEST(functions_as_they_should_be)
{
	struct library_file f = {.count = 0};
	uint64_t first = library_file_function(&f, ALLOC, push, sizeof(push), 64);
	library_file_function(&f, ALLOC_THREAD, endbr, sizeof(endbr), 64);
	library_file_variable(&f, DEPENDENCIES, 0x9000, 1);
	struct landmarks m = found(&f);
	EXPECT_INT(LANDMARK_FOUND, m.found[LANDMARK_ALLOC].state);
	EXPECT_INT(first, m.found[LANDMARK_ALLOC].address);
	EXPECT_INT(64, m.found[LANDMARK_ALLOC].size);
	EXPECT_INT(LANDMARK_OBJECT_RDI, m.found[LANDMARK_ALLOC].object);
	EXPECT_INT(LANDMARK_FOUND, m.found[LANDMARK_ALLOC_THREAD].state);
	EXPECT_INT(LANDMARK_OBJECT_RSI, m.found[LANDMARK_ALLOC_THREAD].object);
	EXPECT_INT(LANDMARK_MISSING, m.found[LANDMARK_ALLOC_SIZE].state);
	EXPECT_INT(LANDMARK_FOUND, m.found[LANDMARK_DEPENDENCIES].state);
	EXPECT_INT(0x9000, m.found[LANDMARK_DEPENDENCIES].address);
	EXPECT_INT(0, m.strange);
}

TEST(more_than_one)
{
	struct library_file f = {.count = 0};
	library_file_function(&f, ALLOC, push, sizeof(push), 64);
	library_file_function(&f, ALLOC_21, push, sizeof(push), 64); /* of another release */
	library_file_function(&f, FULL_G1, push, sizeof(push), 64);
	library_file_function(&f, FULL_G1, push, sizeof(push), 64);
	struct landmarks m = found(&f);
	EXPECT_INT(LANDMARK_AMBIGUOUS, m.found[LANDMARK_ALLOC].state);
	EXPECT_INT(0, m.found[LANDMARK_ALLOC].address);
	EXPECT_INT(LANDMARK_AMBIGUOUS, m.found[LANDMARK_FULL_G1].state);
}

TEST(clones_and_strangers)
{
	struct library_file f = {.count = 0};
	library_file_function(&f, ALLOC, push, sizeof(push), 64);
	library_file_function(&f, ALLOC ".cold", push, sizeof(push), 64);
	library_file_function(&f, ALLOC_THREAD ".part.0", push, sizeof(push), 64);
	struct landmarks m = found(&f);
	EXPECT_INT(LANDMARK_FOUND, m.found[LANDMARK_ALLOC].state);
	EXPECT_INT(LANDMARK_MISSING, m.found[LANDMARK_ALLOC_THREAD].state);
	EXPECT_INT(0, m.strange);
	library_file_function(&f, ALLOC, push, sizeof(push), 64);
	library_file_function(&f, ALLOC_21 "P5Klass", push, sizeof(push), 64);
	EXPECT_INT(1, found(&f).strange);
}

static enum landmark_state begins(const void *bytes, size_t len, size_t size)
{
	struct library_file f = {.count = 0};
	library_file_function(&f, FULL_G1, bytes, len, size);
	return found(&f).found[LANDMARK_FULL_G1].state;
}

TEST(beginnings)
{
	static const struct {
		uint8_t bytes[6];
		enum landmark_state state;
	} cases[] = {{{0x55, 0x48}, LANDMARK_FOUND},
		{{0xf3, 0x0f, 0x1e, 0xfa, 0x55}, LANDMARK_FOUND}, {{0xe9}, LANDMARK_HOOKED},
		{{0xff, 0x25}, LANDMARK_HOOKED}, {{0x48, 0xb8}, LANDMARK_HOOKED},
		{{0xcc, 0x48}, LANDMARK_HOOKED}, {{0xf3, 0x0f, 0x1e, 0xfa, 0xe9}, LANDMARK_HOOKED},
		{{0x41, 0x57}, LANDMARK_PROLOGUE}, {{0x48, 0x89}, LANDMARK_PROLOGUE},
		{{0xf3, 0x0f, 0x1e, 0xfb, 0x55}, LANDMARK_PROLOGUE},
		{{0xf3, 0x0f, 0x1e, 0xfa, 0x41}, LANDMARK_PROLOGUE},
		{{0xf3, 0x0f, 0x1e, 0xfa, 0x48, 0xb8}, LANDMARK_HOOKED},
		{{0xf3, 0x0f, 0x1e, 0xfa, 0x48, 0x89}, LANDMARK_PROLOGUE}};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		EXPECT_INT(cases[i].state, begins(cases[i].bytes, 6, 64));
	EXPECT_INT(LANDMARK_FOUND, begins(push, sizeof(push), 32));
	EXPECT_INT(LANDMARK_SMALL, begins(push, sizeof(push), 31));
}

static enum landmark_state small(struct library_file *f)
{
	return found(f).found[LANDMARK_ALLOC].state;
}

/* As where the VM was built without DTrace. */
TEST(functions_that_do_nothing)
{
	static const uint8_t nothing[] = {0x31, 0xc0, 0xc3}, something[] = {0x89, 0xf8, 0xc3};
	static const uint8_t jump[] = {0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8, 0xff, 0xe0};
	struct library_file f = {.count = 0};
	library_file_function(&f, ALLOC, nothing, sizeof(nothing), 16);
	f.symbols[f.count - 1].size = sizeof(nothing);
	library_file_function(&f, FULL_G1, push, sizeof(push), 64);
	EXPECT_INT(LANDMARK_FOUND, small(&f));
	f = (struct library_file){.count = 0};
	library_file_function(&f, FULL_G1, nothing, sizeof(nothing), 16);
	f.symbols[f.count - 1].size = sizeof(nothing);
	EXPECT_INT(LANDMARK_SMALL, found(&f).found[LANDMARK_FULL_G1].state);
	f = (struct library_file){.count = 0};
	library_file_function(&f, ALLOC, something, sizeof(something), 16);
	f.symbols[f.count - 1].size = sizeof(something);
	EXPECT_INT(LANDMARK_SMALL, small(&f));
	f = (struct library_file){.count = 0};
	library_file_function(&f, ALLOC, nothing, sizeof(nothing), sizeof(nothing));
	EXPECT_INT(LANDMARK_SMALL, small(&f)); /* the library ends behind it */
	f = (struct library_file){.count = 0};
	library_file_function(&f, ALLOC, jump, sizeof(jump), 16);
	f.symbols[f.count - 1].size = sizeof(nothing);
	EXPECT_INT(LANDMARK_HOOKED, small(&f)); /* another agent's, over it and the filling */
}

/* As Corretto's 25, which is larger than the patch, and of which nothing need be behind. */
TEST(functions_that_only_read)
{
	static const uint8_t reads[] = {0x48, 0x8d, 0x05, 1, 2, 3, 0, 0x8b, 0, 0x85, 0xc0, 0x75, 3,
		0x48, 0x8b, 0x06, 0x31, 0xc0, 0xc3};
	static const uint8_t stores[] = {0x48, 0x8d, 0x05, 1, 2, 3, 0, 0x8b, 0, 0x85, 0xc0, 0x75, 3,
		0x48, 0x89, 0x06, 0x31, 0xc0, 0xc3};
	struct library_file f = {.count = 0};
	library_file_function(&f, ALLOC, reads, sizeof(reads), sizeof(reads));
	EXPECT_INT(LANDMARK_FOUND, small(&f));
	f = (struct library_file){.count = 0};
	library_file_function(&f, ALLOC, stores, sizeof(stores), sizeof(stores));
	EXPECT_INT(LANDMARK_SMALL, small(&f));
}

/* The linker or the compiler has made one of two, or something begins in what seems to be filling.
 */
TEST(nothing_of_others)
{
	static const uint8_t nothing[] = {0x31, 0xc0, 0xc3};
	for (uint64_t at = 0; at <= 16; at++) {
		struct library_file f = {.count = 0};
		uint64_t first = library_file_function(&f, ALLOC, nothing, sizeof(nothing), 16);
		f.symbols[f.count - 1].size = sizeof(nothing);
		library_file_function(&f, FULL_G1, push, sizeof(push), 64);
		f.symbols[f.count - 1].address = first + at;
		EXPECT_INT(at < 16 ? LANDMARK_SHARED : LANDMARK_FOUND, small(&f));
	}
}

TEST(parts_by_any_number)
{
#define PROBE "_ZN16PhaseMacroExpand25expand_dtrace_alloc_probeEP12AllocateNodeP4NodeRS3_S4_"
	struct library_file f = {.count = 0};
	library_file_function(&f, PROBE ".part.132", push, sizeof(push), 64);
	library_file_function(&f, PROBE ".part.132.cold.7", push, sizeof(push), 64);
	library_file_function(&f, PROBE ".part.", push, sizeof(push), 64);
	EXPECT_INT(LIBRARY_FILE_CODE, found(&f).found[LANDMARK_PROBE_PART].address);
	f = (struct library_file){.count = 0};
	library_file_function(&f, PROBE ".part.0", push, sizeof(push), 64);
	library_file_function(&f, PROBE ".part.1", push, sizeof(push), 64);
	EXPECT_INT(LANDMARK_AMBIGUOUS, found(&f).found[LANDMARK_PROBE_PART].state);
}

TEST(symbols_that_lie)
{
	struct library_file f = {.count = 0};
	library_file_variable(&f, FULL_G1, LIBRARY_FILE_CODE, 64); /* no function */
	library_file_function(&f, DEPENDENCIES, push, sizeof(push), 64);
	library_file_function(&f, ALLOC, push, sizeof(push), 64);
	f.symbols[2].size = UINT64_MAX;
	library_file_function(&f, ALLOC_THREAD, push, sizeof(push), 64);
	f.symbols[3].address = UINT64_MAX - 8;
	struct landmarks m = found(&f);
	EXPECT_INT(LANDMARK_MISSING, m.found[LANDMARK_FULL_G1].state);
	EXPECT_INT(LANDMARK_MISSING, m.found[LANDMARK_DEPENDENCIES].state);
	EXPECT_INT(LANDMARK_PROLOGUE, m.found[LANDMARK_ALLOC].state);
	EXPECT_INT(LANDMARK_PROLOGUE, m.found[LANDMARK_ALLOC_THREAD].state);
}

TEST(where_the_object_comes_in)
{
	static const struct {
		const char *mangled;
		enum landmark_object object;
	} cases[] = {{ALLOC, LANDMARK_OBJECT_RDI}, {ALLOC_21, LANDMARK_OBJECT_RDI},
		{ALLOC_THREAD, LANDMARK_OBJECT_RSI},
		{"_ZN13SharedRuntime19dtrace_object_allocEP10JavaThreadP7oopDesc",
			LANDMARK_OBJECT_RSI},
		{"_ZN13SharedRuntime19dtrace_object_allocEP10JavaThreadP7oopDescm",
			LANDMARK_OBJECT_RSI},
		{"_ZN13SharedRuntime19dtrace_object_allocEP10JavaThread", LANDMARK_OBJECT_NONE},
		{"_ZN13SharedRuntime19dtrace_object_allocEi", LANDMARK_OBJECT_NONE},
		{"_ZN13SharedRuntime19dtrace_object_alloc", LANDMARK_OBJECT_NONE},
		{FULL_G1, LANDMARK_OBJECT_NONE}, {"", LANDMARK_OBJECT_NONE}};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		EXPECT_INT(cases[i].object, landmark_object_of(slice_str(cases[i].mangled)));
}

TEST(states_have_sentences)
{
	for (int s = 0; s < LANDMARK_STATES; s++)
		EXPECT(*landmark_state_name((enum landmark_state)s) &&
			*landmark_state_text((enum landmark_state)s));
	EXPECT_STR("is there more than once", landmark_state_text(LANDMARK_AMBIGUOUS));
	EXPECT_STR("Node::out_grow", landmark_name(LANDMARK_OUT_GROW));
}
