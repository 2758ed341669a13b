#include "hotspot/alloc_notes.h"

#include <unistd.h>

#include "base/error.h"
#include "hotspot/landmarks.h"
#include "support/library_file.h"
#include "support/tap.h"

#define ALLOC  "object__alloc"
#define VALUES "-8@%rcx 8@%rax -4@%edx "
#define WIDE   VALUES "8@%r12"
#define NARROW VALUES "-4@%r12d"
enum { SIZE = 48 };

/* push %rbp; mov %rsp,%rbp; the object to rbx, the size to r12; its class; the name; shl; the text;
 * the probe, and the end. */
#define CODE(object, size)                                                                         \
	"\x55\x48\x89\xe5" object size "\x48\x8b\x43\x08\x48\x8b\x58\x18\x49\xc1\xe4\x03"          \
	"\x48\x8d\x43\x06\x90\x31\xc0\x5d\xc3"
enum { PROBE = 4 + 3 + 3 + 4 + 4 + 4 + 4, CODE_LEN = PROBE + 5 };
#define OOP_SIZE        CODE("\x48\x89\xfb", "\x41\x89\xf4") /* (oop, int) */
#define OOP             CODE("\x48\x89\xfb", "\x4d\x31\xe4") /* (oop) */
#define THREAD_OOP      CODE("\x48\x89\xf3", "\x4d\x31\xe4") /* (thread, oop) */
#define THREAD_OOP_SIZE CODE("\x48\x89\xf3", "\x49\x89\xd4") /* (thread, oop, size) */
#define THIRD           CODE("\x48\x89\xd3", "\x4d\x31\xe4") /* the object is the third */

static uint64_t add(struct library_file *f, const char *code, const char *values)
{
	uint64_t at = library_file_function(f, "f", code, CODE_LEN, SIZE);
	library_file_range(f, at, SIZE);
	library_file_probe(f, ALLOC, at + PROBE, values);
	return at;
}

/* A function that ends with a jump, or a call, to `to`. */
static uint64_t add_leading(struct library_file *f, uint8_t how, uint64_t to)
{
	uint64_t at = LIBRARY_FILE_CODE + f->code.len;
	uint32_t distance = (uint32_t)(to - (at + 9));
	const uint8_t code[] = {0x55, 0x48, 0x89, 0xe5, how, (uint8_t)distance,
		(uint8_t)(distance >> 8), (uint8_t)(distance >> 16), (uint8_t)(distance >> 24)};
	library_file_function(f, "f", code, sizeof(code), SIZE);
	library_file_range(f, at, SIZE);
	return at;
}

static void open_library(struct vm_library *l, struct library_file *f)
{
	char path[64];
	f->stripped = true;
	EXPECT(library_file_write(f, path, sizeof(path)));
	EXPECT_INT(0, vm_library_open_file(l, path, NULL));
	unlink(path);
}

static int look(struct alloc_notes *n, struct library_file *f, struct diag *d)
{
	struct vm_library l;
	open_library(&l, f);
	int err = alloc_notes_find(n, &l, d);
	vm_library_release(&l);
	library_file_release(f);
	return err;
}

static struct landmarks landmarks(struct library_file *f)
{
	struct vm_library l;
	struct landmarks m;
	open_library(&l, f);
	landmarks_find(&m, &l);
	vm_library_release(&l);
	library_file_release(f);
	return m;
}

TEST(the_three_of_21)
{
	struct library_file f = {.count = 0};
	uint64_t oop = add(&f, OOP, WIDE), thread = add(&f, THREAD_OOP, WIDE),
		 size = add(&f, THREAD_OOP_SIZE, WIDE);
	library_file_probe(&f, "object__free", oop, "8@%rdi"); /* another's */
	struct landmarks m = landmarks(&f);
	EXPECT(m.noted && m.wide);
	EXPECT_STR("", m.why.text);
	EXPECT_INT(LANDMARK_FOUND, m.found[LANDMARK_ALLOC].state);
	EXPECT_INT(oop, m.found[LANDMARK_ALLOC].address);
	EXPECT_INT(SIZE, m.found[LANDMARK_ALLOC].size);
	EXPECT_INT(LANDMARK_OBJECT_RDI, m.found[LANDMARK_ALLOC].object);
	EXPECT_INT(thread, m.found[LANDMARK_ALLOC_THREAD].address);
	EXPECT_INT(LANDMARK_OBJECT_RSI, m.found[LANDMARK_ALLOC_THREAD].object);
	EXPECT_INT(size, m.found[LANDMARK_ALLOC_SIZE].address);
	EXPECT_INT(LANDMARK_OBJECT_RSI, m.found[LANDMARK_ALLOC_SIZE].object);
	EXPECT_INT(LANDMARK_MISSING, m.found[LANDMARK_FULL_G1].state);
}

TEST(the_two_of_17)
{
	struct library_file f = {.count = 0};
	uint64_t oop = add(&f, OOP_SIZE, NARROW), thread = add(&f, THREAD_OOP_SIZE, NARROW);
	struct landmarks m = landmarks(&f);
	EXPECT(m.noted && !m.wide);
	EXPECT_INT(oop, m.found[LANDMARK_ALLOC].address);
	EXPECT_INT(thread, m.found[LANDMARK_ALLOC_THREAD].address);
	EXPECT_INT(LANDMARK_MISSING, m.found[LANDMARK_ALLOC_SIZE].state);
}

/* As Debian's 17 has it: the one jumps to the other. */
TEST(one_that_the_other_jumps_to)
{
	struct library_file f = {.count = 0};
	uint64_t thread = add(&f, THREAD_OOP_SIZE, NARROW);
	add_leading(&f, 0xe9, thread);
	struct landmarks m = landmarks(&f);
	EXPECT(m.noted);
	EXPECT_INT(LANDMARK_MISSING, m.found[LANDMARK_ALLOC].state);
	EXPECT_INT(thread, m.found[LANDMARK_ALLOC_THREAD].address);
}

TEST(one_that_the_other_calls)
{
	struct library_file f = {.count = 0};
	struct alloc_notes n;
	struct diag d = {""};
	add_leading(&f, 0xe8, add(&f, THREAD_OOP_SIZE, NARROW));
	EXPECT_INT(ERR_UNSUPPORTED, look(&n, &f, &d));
	EXPECT_STR("its functions seem to call each other", d.text);
	/* Its own jump to its beginning is none of another's. */
	f = (struct library_file){.count = 0};
	uint64_t at = add(&f, THREAD_OOP_SIZE, NARROW);
	static const uint8_t back[] = {0xe9, 0xdb, 0xff, 0xff, 0xff};
	memcpy(f.code.at + 32, back, sizeof(back));
	EXPECT_INT(LIBRARY_FILE_CODE, at);
	EXPECT_INT(ERR_UNSUPPORTED, look(&n, &f, &d));
}

TEST(a_probe_that_is_there_twice)
{
	struct library_file f = {.count = 0};
	struct alloc_notes n;
	struct diag d = {""};
	uint64_t at = add(&f, OOP_SIZE, NARROW);
	add(&f, THREAD_OOP_SIZE, NARROW);
	library_file_probe(&f, ALLOC, at + PROBE, NARROW);
	EXPECT_INT(0, look(&n, &f, NULL));
	EXPECT_INT(2, n.count);
	at = add(&f, OOP_SIZE, NARROW);
	library_file_probe(&f, ALLOC, at + PROBE, VALUES "-4@%ecx"); /* a size from elsewhere */
	EXPECT_INT(ERR_UNSUPPORTED, look(&n, &f, &d));
	EXPECT_STR("its places do not agree", d.text);
}

/* As a hostile library has them: each takes a look through the whole table of ranges. */
TEST(more_than_a_library_has)
{
	enum { MOST = 16, JUMP = 5 };
	struct library_file f = {.count = 0};
	struct alloc_notes n;
	struct diag d = {""};
	uint8_t jumps[MOST * JUMP];
	uint64_t at = add(&f, OOP_SIZE, NARROW);
	add(&f, THREAD_OOP_SIZE, NARROW);
	for (int i = 1; i < MOST - 1; i++)
		library_file_probe(&f, ALLOC, at + PROBE, NARROW);
	EXPECT_INT(0, look(&n, &f, NULL));
	at = add(&f, OOP_SIZE, NARROW);
	for (int i = 0; i < MOST; i++)
		library_file_probe(&f, ALLOC, at + PROBE, NARROW);
	EXPECT_INT(ERR_UNSUPPORTED, look(&n, &f, &d));
	EXPECT_STR("it is in more places than mayfly knows", d.text);
	for (int spare = 0; spare < 2; spare++) {
		at = add(&f, THREAD_OOP_SIZE, NARROW);
		for (int i = 0; i < MOST; i++) {
			int32_t distance = -(int32_t)(SIZE + (i + 1) * JUMP);
			jumps[i * JUMP] = 0xe9;
			memcpy(jumps + i * JUMP + 1, &distance, sizeof(distance));
		}
		jumps[0] = spare ? 0x90 : 0xe9;
		library_file_function(&f, "f", jumps, sizeof(jumps), sizeof(jumps));
		add_leading(&f, 0xe9, at);
		EXPECT_INT(spare ? 0 : ERR_UNSUPPORTED, look(&n, &f, NULL));
	}
}

TEST(what_is_not_certain)
{
	struct library_file f = {.count = 0};
	struct alloc_notes n;
	struct diag d = {""};
	EXPECT_INT(ERR_NOT_FOUND, look(&n, &f, &d));
	EXPECT_STR("it has no notes of it", d.text);
	library_file_probe(&f, "object__free", LIBRARY_FILE_CODE, WIDE);
	EXPECT_INT(ERR_NOT_FOUND, look(&n, &f, &d));
	uint64_t at = library_file_function(&f, "f", OOP, CODE_LEN, SIZE);
	library_file_probe(&f, ALLOC, at + PROBE, WIDE); /* without a range */
	EXPECT_INT(ERR_UNSUPPORTED, look(&n, &f, &d));
	EXPECT_STR("it can't be told where one of its functions begins", d.text);
	add(&f, OOP, "8@%rcx 8@%rbx");
	EXPECT_INT(ERR_UNSUPPORTED, look(&n, &f, &d));
	EXPECT_STR("it can't be told where one of its functions gets the object", d.text);
	library_file_range(&f, 0x7000000, SIZE); /* outside of the code */
	library_file_probe(&f, ALLOC, 0x7000000, WIDE);
	EXPECT_INT(ERR_UNSUPPORTED, look(&n, &f, &d));
	for (int i = 0; i <= ALLOC_NOTES_MAX; i++)
		add(&f, OOP, WIDE);
	EXPECT_INT(ERR_UNSUPPORTED, look(&n, &f, &d));
	EXPECT_STR("it is in more functions than mayfly knows", d.text);
}

static void expect_strange(struct library_file *f)
{
	struct landmarks m = landmarks(f);
	EXPECT(!m.noted);
	EXPECT_STR("its functions are none that mayfly knows", m.why.text);
	for (int id = 0; id < LANDMARKS; id++)
		EXPECT_INT(LANDMARK_MISSING, m.found[id].state);
}

TEST(functions_that_are_none_of_the_table)
{
	struct library_file f = {.count = 0};
	add(&f, OOP, WIDE);
	add(&f, THREAD_OOP, WIDE);
	add(&f, THREAD_OOP, WIDE);
	expect_strange(&f);
	add(&f, OOP, WIDE);
	add(&f, THREAD_OOP_SIZE, WIDE);
	add(&f, THIRD, WIDE);
	expect_strange(&f);
}

TEST(beginnings_are_looked_at)
{
	struct library_file f = {.count = 0};
	add(&f, OOP_SIZE, NARROW);
	add(&f, "\xcc" OOP_SIZE, NARROW);
	f.code.at[SIZE] = 0x90; /* no push */
	memcpy(f.code.at + SIZE + 1, &OOP_SIZE[1], CODE_LEN - 1);
	memcpy(f.code.at + SIZE + 4, "\x48\x89\xf3\x49\x89\xd4", 6);
	struct landmarks m = landmarks(&f);
	EXPECT_INT(LANDMARK_FOUND, m.found[LANDMARK_ALLOC].state);
	EXPECT_INT(LANDMARK_PROLOGUE, m.found[LANDMARK_ALLOC_THREAD].state);
}

/* Names come first. */
TEST(a_library_with_symbols)
{
	struct library_file f = {.count = 0};
	struct vm_library l;
	struct landmarks m;
	char path[64];
	add(&f, OOP_SIZE, NARROW);
	add(&f, THREAD_OOP_SIZE, NARROW);
	EXPECT(library_file_write(&f, path, sizeof(path)));
	EXPECT_INT(0, vm_library_open_file(&l, path, NULL));
	unlink(path);
	landmarks_find(&m, &l);
	EXPECT(!m.noted);
	EXPECT_INT(LANDMARK_MISSING, m.found[LANDMARK_ALLOC].state);
	vm_library_release(&l);
	library_file_release(&f);
}
