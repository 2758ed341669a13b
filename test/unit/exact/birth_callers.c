#include "exact/birth_callers.h"

#include <pthread.h>

#include "support/tap.h"

enum { ROOM = 16, MANY = 100, LOOKS = 100000 };

static enum caller known(uintptr_t pc, bool *is)
{
	return birth_caller_known(pc, is);
}

TEST(what_is_kept_is_known)
{
	bool is;
	birth_callers_forget();
	known(0x1000, &is);
	EXPECT(!is);
	birth_caller_keep(0x1000, CALLER_VM);
	birth_caller_keep(0x2000, CALLER_STUB);
	EXPECT_INT(CALLER_VM, known(0x1000, &is));
	EXPECT(is);
	EXPECT_INT(CALLER_STUB, known(0x2000, &is));
	EXPECT(is);
	known(0x3000, &is);
	EXPECT(!is);
	birth_callers_forget();
	known(0x1000, &is);
	EXPECT(!is);
}

/* Only the stub's and the interpreter's addresses are the fast path's; of the latter two. */
TEST(what_the_fast_path_knows)
{
	birth_callers_forget();
	birth_caller_keep(0x1000, CALLER_VM);
	EXPECT(!births_stub && !births_templates[0]);
	birth_caller_keep(0x2000, CALLER_STUB);
	birth_caller_keep(0x3000, CALLER_INTERPRETER);
	birth_caller_keep(0x3000, CALLER_INTERPRETER);
	EXPECT_INT(0x2000, births_stub);
	EXPECT_INT(0x3000, births_templates[0]);
	EXPECT_INT(0, births_templates[1]);
	birth_caller_keep(0x4000, CALLER_INTERPRETER);
	birth_caller_keep(0x5000, CALLER_STUB); /* the first one stays */
	EXPECT_INT(0x4000, births_templates[1]);
	EXPECT_INT(0x2000, births_stub);
	birth_callers_forget();
	EXPECT(!births_stub && !births_templates[0] && !births_templates[1]);
}

/* One address has one entry, so that many threads which meet it don't fill the table. */
TEST(again_and_too_many)
{
	bool is;
	uintptr_t kept = 0;
	birth_callers_forget();
	for (int i = 0; i < MANY; i++)
		birth_caller_keep(0x1000, CALLER_VM);
	for (uintptr_t i = 1; i < MANY; i++)
		birth_caller_keep(0x1000 + i, CALLER_VM);
	for (uintptr_t i = 0; i < MANY; i++) {
		known(0x1000 + i, &is);
		kept += is;
	}
	EXPECT_INT(ROOM, kept);
	birth_callers_forget();
}

/* Who reads an address without the lock reads who calls from there, too. */
static void *look(void *arg)
{
	long *wrong = arg;
	for (int i = 0; i < LOOKS; i++) {
		bool is;
		uintptr_t pc = 1 + (uintptr_t)i % ROOM;
		enum caller c = known(pc, &is);
		*wrong += is && c != CALLER_INTERPRETER;
	}
	return NULL;
}

TEST(readers_take_no_lock)
{
	long wrong = 0;
	pthread_t reader;
	birth_callers_forget();
	EXPECT_INT(0, pthread_create(&reader, NULL, look, &wrong));
	for (uintptr_t pc = 1; pc <= ROOM; pc++)
		birth_caller_keep(pc, CALLER_INTERPRETER);
	pthread_join(reader, NULL);
	EXPECT_INT(0, wrong);
	birth_callers_forget();
}
