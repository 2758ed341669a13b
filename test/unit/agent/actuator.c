#include "agent/actuator.h"

#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "support/tap.h"

/* One that does what it is told to: by the wish's bytecode index, a letter of what comes of it. */
struct fake {
	const char *takes; /* d: does it, r: refuses, w: waits, for its wish's index */
	bool off;
	char given[32]; /* indices that it was applied with last; "-": with none */
	unsigned settles, ends;
	size_t late;
	bool rests, changes, unsettled;
	int fails;
};
static struct fake first, second;
static struct actuators by;

static enum wish_state state_of(const struct fake *f, const struct wish *w)
{
	char c = f->takes[w->bci];
	return c == 'd' ? WISH_DONE : c == 'r' ? WISH_REFUSED : WISH_WAITS;
}

static bool can(void *arg)
{
	return !((struct fake *)arg)->off;
}

static int apply(void *arg, JNIEnv *jni, struct wish *wishes, size_t count)
{
	struct fake *f = arg;
	(void)jni;
	if (f->fails)
		return f->fails;
	strcpy(f->given, count ? "" : "-");
	for (size_t i = 0; i < count; i++) {
		EXPECT_INT(WISH_WAITS, wishes[i].state);
		f->given[i] = (char)('0' + wishes[i].bci);
		f->given[i + 1] = '\0';
		wishes[i].state = state_of(f, &wishes[i]);
		wishes[i].why = f == &first ? "first" : "second";
	}
	return ERR_NONE;
}

/* A refused wish is forgotten. */
static void look(void *arg, struct wish *wishes, size_t count)
{
	struct fake *f = arg;
	for (size_t i = 0; i < count; i++)
		if (strchr(f->given, '0' + wishes[i].bci) && f->takes[wishes[i].bci] != 'r')
			wishes[i].state = state_of(f, &wishes[i]);
}

/* That of a place is its index in the list and 1 hundred, or 2. */
static void methods(void *arg, JNIEnv *jni, struct wish *list, size_t count)
{
	struct fake *f = arg;
	(void)jni;
	for (size_t i = 0; i < count; i++)
		if (!list[i].vm_method && f->takes[list[i].bci] == 'd')
			list[i].vm_method = (f == &first ? 100u : 200u) + (uint32_t)list[i].bci;
}

static bool unsettled(void *arg)
{
	return ((struct fake *)arg)->unsettled;
}

static bool settle(void *arg, JNIEnv *jni)
{
	struct fake *f = arg;
	(void)jni;
	f->settles++;
	return f->changes;
}

static int rest(void *arg, JNIEnv *jni, bool rests)
{
	struct fake *f = arg;
	(void)jni;
	f->rests = rests;
	return ERR_NONE;
}

static size_t end(void *arg, JNIEnv *jni)
{
	struct fake *f = arg;
	(void)jni;
	f->ends++;
	return f->late;
}

static struct actuator fake(struct fake *f)
{
	return (struct actuator){.name = "fake",
		.arg = f,
		.can = can,
		.apply = apply,
		.look = look,
		.methods = methods,
		.unsettled = unsettled,
		.settle = settle,
		.rest = rest,
		.end = end};
}

static void begin(const char *first_takes, const char *second_takes)
{
	first = (struct fake){.takes = first_takes};
	second = (struct fake){.takes = second_takes};
	by = (struct actuators){.count = 0};
	actuators_add(&by, fake(&first));
	actuators_add(&by, fake(&second));
}

enum { WISHES = 5 };
static struct wish wishes[WISHES];

static int apply_all(void)
{
	for (int i = 0; i < WISHES; i++)
		wishes[i] = (struct wish){.bci = i};
	return actuators_apply(&by, NULL, wishes, WISHES);
}

static void expect_states(const char *want)
{
	static const char letters[] = {[WISH_DONE] = 'd', [WISH_REFUSED] = 'r', [WISH_WAITS] = 'w'};
	char got[WISHES + 1] = "";
	for (int i = 0; i < WISHES; i++)
		got[i] = letters[wishes[i].state];
	EXPECT_STR(want, got);
}

TEST(each_wish_goes_to_the_first_that_does_not_refuse_it)
{
	begin("drwrr", "rdrdw");
	EXPECT_INT(0, apply_all());
	EXPECT_STR("01234", first.given);
	EXPECT_STR("134", second.given);
	expect_states("ddwdw");
	begin("rrdrr", "drdrr");
	EXPECT_INT(0, apply_all());
	expect_states("drdrr");
	EXPECT_STR("second", wishes[4].why); /* the last word is the last one's */
}

TEST(all_is_taken_back_from_all)
{
	begin("drdrd", "ddddd");
	EXPECT_INT(0, apply_all());
	EXPECT_INT(0, actuators_apply(&by, NULL, NULL, 0));
	EXPECT_STR("-", first.given);
	EXPECT_STR("-", second.given);
}

TEST(who_gives_up_leaves_all_to_the_next)
{
	begin("ddddd", "ddddd");
	EXPECT(!actuators_stale(&by));
	EXPECT_INT(0, apply_all());
	EXPECT_STR("-", second.given);
	EXPECT(!actuators_stale(&by));
	first.off = true;
	EXPECT(actuators_stale(&by));
	EXPECT_INT(0, apply_all());
	EXPECT_STR("-", first.given);
	EXPECT_STR("01234", second.given);
	EXPECT(!actuators_stale(&by));
	expect_states("ddddd");
}

TEST(who_refuses_later_is_asked_again)
{
	begin("wwddd", "ddddd");
	EXPECT_INT(0, apply_all());
	actuators_settle(&by, NULL);
	EXPECT(!actuators_stale(&by));
	first.takes = "rdddd";
	first.changes = true;
	actuators_settle(&by, NULL);
	EXPECT(actuators_stale(&by));
	actuators_look(&by, &wishes[0]);
	actuators_look(&by, &wishes[1]);
	expect_states("wdddd");
	EXPECT_INT(0, apply_all());
	EXPECT_STR("0", second.given);
	EXPECT(!actuators_stale(&by));
	EXPECT_INT(2, first.settles);
	EXPECT_INT(2, second.settles);
}

TEST(looks_find_who_has_it)
{
	begin("wrrdr", "dwrrr");
	EXPECT_INT(0, apply_all());
	expect_states("wwrdr");
	first.takes = "drrdr";
	second.takes = "ddrrr";
	for (int i = 0; i < 2; i++)
		actuators_look(&by, &wishes[i]);
	expect_states("ddrdr");
}

TEST(a_rest_and_an_end_are_for_all)
{
	begin("ddddd", "ddddd");
	EXPECT_INT(0, actuators_rest(&by, NULL, true));
	EXPECT(first.rests && second.rests);
	EXPECT_INT(0, actuators_rest(&by, NULL, false));
	EXPECT(!first.rests && !second.rests);
	first.late = 2;
	second.late = 3;
	EXPECT_INT(5, actuators_end(&by, NULL));
	EXPECT(first.ends == 1 && second.ends == 1);
}

TEST(a_method_is_told_by_who_has_it)
{
	begin("drwrd", "rdrrd");
	EXPECT_INT(0, apply_all());
	actuators_methods(&by, NULL, wishes, 3);
	EXPECT_INT(100, wishes[0].vm_method);
	EXPECT_INT(201, wishes[1].vm_method);
	EXPECT_INT(0, wishes[2].vm_method);
	first.off = true;
	actuators_methods(&by, NULL, &wishes[4], 1);
	EXPECT_INT(204, wishes[4].vm_method);
}

TEST(an_error_is_handed_on)
{
	begin("rrrrr", "ddddd");
	second.fails = ERR_JVM;
	EXPECT_INT(ERR_JVM, apply_all());
}

TEST(unsettled_is_who_can)
{
	begin("ddddd", "ddddd");
	EXPECT(!actuators_unsettled(&by));
	first.unsettled = true;
	EXPECT(actuators_unsettled(&by));
	first.off = true;
	EXPECT(!actuators_unsettled(&by));
	second.unsettled = true;
	EXPECT(actuators_unsettled(&by));
}
