#include "agent/judgements.h"

#include "base/compiler.h"
#include "base/mem.h"
#include "support/tap.h"

/* Two classes whose code makes objects. */
static char a, b;
static const jclass A = (jclass)(void *)&a, B = (jclass)(void *)&b;

static struct wish made(const char *allocates, const char *opcode)
{
	return (struct wish){.allocates = allocates, .opcode = opcode};
}

/* Arrays have no constructor, nor has it a call that is known to be one. */
TEST(each_class_wants_to_know_of_each_once)
{
	struct judgements j = {.list = {0}};
	struct wish list[] = {made("Lx/X;", "new"), made("Lx/X;", NULL), made("Lx/Xy;", "new"),
		made("[Lx/X;", "anewarray"), made("Lx/Y;", "invokestatic")};
	struct wishes own = {list, ARRAY_SIZE(list)};
	judgements_want(&j, A, &own);
	judgements_want(&j, A, &own);
	EXPECT_INT(2, j.list.count);
	own.count = 1;
	judgements_want(&j, B, &own);
	EXPECT_INT(3, j.list.count);
	EXPECT_STR("x/X", judgements_find(&j, A, "Lx/X;")->made);
	EXPECT_STR("x/Xy", judgements_find(&j, A, "Lx/Xy;")->made);
	EXPECT(judgements_find(&j, B, "Lx/X;") != judgements_find(&j, A, "Lx/X;"));
	EXPECT(!judgements_find(&j, B, "Lx/Xy;") && !judgements_find(&j, A, "Lx/Y;"));
	EXPECT(!judgements_find(&j, A, "[Lx/X;"));
	judgements_release(&j);
	EXPECT_INT(0, j.list.count);
}

/* None is quiet: that is known, too. */
TEST(what_is_known_is_taken_and_not_looked_for_again)
{
	struct judgements j = {.list = {0}};
	struct wish list[] = {made("Lx/X;", "new"), made("Lx/Y;", "new"), made("Lx/Z;", "new")};
	struct wishes own = {list, ARRAY_SIZE(list)};
	judgements_want(&j, A, &own);
	j.list.at[0].quiet = "()V ";
	j.list.at[1].quiet = "";
	judgements_take(&j, A, &own);
	EXPECT_STR("()V ", list[0].quiet);
	EXPECT_STR("", list[1].quiet);
	EXPECT(!list[2].quiet);
	EXPECT(list[0].asked == WISH_ASKED_MOST && list[1].asked == WISH_ASKED_MOST);
	EXPECT_INT(0, list[2].asked);
	judgements_take(&j, B, &own);
	EXPECT(!list[0].quiet);
	judgements_release(&j);
}

/* A VM that shows no code: nothing is said of any. */
TEST(nothing_is_made_up)
{
	struct judgements j = {.list = {0}};
	struct quiet q = {.can = false};
	struct wish one = made("Lx/X;", "new");
	struct wishes own = {&one, 1};
	judgements_want(&j, A, &own);
	judgements_make(&j, &q, NULL);
	judgements_take(&j, A, &own);
	EXPECT(!one.quiet && one.asked == 0);
	judgements_release(&j);
}

/* A VM that has no such classes. */
static int listings;

static jvmtiError JNICALL loaded(jvmtiEnv *e, jint *count, jclass **out)
{
	(void)e;
	listings++;
	*count = 0;
	*out = NULL;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL boot_loader(jvmtiEnv *e, jclass k, jobject *out)
{
	(void)e, (void)k;
	*out = NULL;
	return JVMTI_ERROR_NONE;
}

static void JNICALL drop(JNIEnv *e, jobject o)
{
	(void)e, (void)o;
}

/* It lists its classes for it, which takes milliseconds. */
TEST(one_listing_for_all)
{
	static const struct jvmtiInterface_1_ calls = {
		.GetLoadedClasses = loaded, .GetClassLoader = boot_loader};
	static const struct JNINativeInterface_ jni_calls = {.DeleteLocalRef = drop};
	jvmtiEnv env = &calls;
	JNIEnv jni = &jni_calls;
	struct judgements j = {.list = {0}};
	struct quiet q = {.can = true, .env = &env};
	struct wish list[] = {made("Lx/X;", "new"), made("Lx/Y;", "new"), made("Lx/Z;", "new")};
	struct wishes own = {list, ARRAY_SIZE(list)};
	judgements_make(&j, &q, &jni);
	EXPECT_INT(0, listings);
	judgements_want(&j, A, &own);
	judgements_want(&j, B, &own);
	judgements_make(&j, &q, &jni);
	EXPECT_INT(1, listings);
	EXPECT(j.list.count == 6 && !j.list.at[5].quiet);
	judgements_release(&j);
}

TEST(without_memory_nobody_knows)
{
	struct judgements j = {.list = {0}};
	struct wish one = made("Lx/X;", "new");
	struct wishes own = {&one, 1};
	for (uint64_t fail = 1; fail <= 2; fail++) {
		mem_fail_at(fail);
		judgements_want(&j, A, &own);
		mem_fail_at(0);
		EXPECT(!judgements_find(&j, A, "Lx/X;"));
	}
	judgements_release(&j);
}
