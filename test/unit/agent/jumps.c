#include "agent/jumps.h"

#include "base/clock.h"
#include "base/error.h"
#include "support/tap.h"

/* The list without a VM: what is put down, loaded and saved. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct jumps j;

static void begin(void)
{
	j = (struct jumps){.lock = &lock};
}

static void put(enum action_kind kind, uint64_t method, uint32_t depth)
{
	struct action a = {.lever = LEVER_JUMP, .kind = kind, .reason = ""};
	a.at = (struct place_context){
		.place = {.vm_method = method, .bci = 3, .class_id = 1}, .depth = depth};
	j.changed = false;
	jumps_put(&j, &a);
}

TEST(a_place_is_taken_once_and_taken_back_once)
{
	begin();
	put(ACTION_TAKE, 7, 0);
	EXPECT(j.changed && j.list.count == 1 && j.list.at[0].on);
	put(ACTION_TAKE, 7, 0);
	EXPECT(!j.changed && j.list.count == 1);
	put(ACTION_KEEP, 8, 0);
	EXPECT(!j.changed && j.list.count == 1);
	put(ACTION_ADVISE, 8, 0);
	EXPECT(j.changed && j.list.count == 2 && j.list.at[1].on);
	put(ACTION_TAKE_BACK, 7, 0);
	EXPECT(j.changed && j.list.count == 2 && !j.list.at[0].on);
	put(ACTION_TAKE_BACK, 7, 0);
	EXPECT(!j.changed);
	jumps_close(&j);
}

TEST(a_rest_changes_no_place)
{
	begin();
	put(ACTION_REST, 7, 0);
	EXPECT(j.rests && !j.changed && j.list.count == 0);
	put(ACTION_RESUME, 7, 0);
	EXPECT(!j.rests && !j.changed);
	jumps_close(&j);
}

/* As places of their own. */
TEST(callers_tell_places_apart)
{
	begin();
	put(ACTION_TAKE, 7, 0);
	put(ACTION_TAKE, 7, 1);
	EXPECT(j.changed && j.list.count == 2);
	put(ACTION_TAKE_BACK, 7, 1);
	EXPECT(j.list.at[0].on && !j.list.at[1].on);
	EXPECT(!jumps_pending(&j)); /* in a VM that lets nothing be rewritten */
	jumps_close(&j);
}

static void add(struct decisions *d, const char *class_name, const char *allocates,
	enum decision_action action)
{
	struct decision *to = decisions_add(d);
	EXPECT_INT(0, decision_text(&to->at.class_name, class_name));
	EXPECT_INT(0, decision_text(&to->at.method, "run"));
	EXPECT_INT(0, decision_text(&to->at.descriptor, "()V"));
	EXPECT_INT(0, decision_text(&to->allocates, allocates));
	to->at.bci = (int32_t)d->list.count;
	to->action = action;
}

/* Names of the file become those of the VM; what was loaded is saved as it was. */
TEST(a_file_is_loaded_and_saved)
{
	static const struct {
		const char *class_name, *allocates, *vm_class, *vm_allocates;
		enum decision_action action;
	} rows[] = {
		{"com.acme.Shop$1", "byte[]", "com/acme/Shop$1", "[B", DECISION_JUMP},
		{"Shop", "com.acme.Order", "Shop", "Lcom/acme/Order;", DECISION_JUMP},
		{"Shop", "com.acme.Order[][]", "Shop", "[[Lcom/acme/Order;", DECISION_KEEP_OUT},
		{"Shop", "boolean[][]", "Shop", "[[Z", DECISION_JUMP},
		{"Shop", "bytes", "Shop", "Lbytes;", DECISION_JUMP},
	};
	enum { ROWS = sizeof(rows) / sizeof(rows[0]) };
	struct decisions d = {.list = {0}}, saved = {.list = {0}};
	begin();
	for (size_t i = 0; i < ROWS; i++)
		add(&d, rows[i].class_name, rows[i].allocates, rows[i].action);
	EXPECT_INT(0, jumps_load(&j, &d));
	EXPECT(j.changed && j.list.count == ROWS);
	for (size_t i = 0; i < ROWS; i++) {
		EXPECT_STR(rows[i].vm_class, j.list.at[i].class_name);
		EXPECT_STR(rows[i].vm_allocates, j.list.at[i].allocates);
		EXPECT_INT(rows[i].action == DECISION_JUMP, j.list.at[i].on);
	}
	EXPECT_INT(0, jumps_save(&j, &saved));
	EXPECT_INT(ROWS, saved.list.count);
	for (size_t i = 0; i < ROWS; i++) {
		EXPECT_STR(rows[i].class_name, saved.list.at[i].at.class_name);
		EXPECT_STR(rows[i].allocates, saved.list.at[i].allocates);
		EXPECT_INT(rows[i].action, saved.list.at[i].action);
		EXPECT_INT(i + 1, saved.list.at[i].at.bci);
	}
	decisions_release(&saved);
	decisions_release(&d);
	jumps_close(&j);
}

/* They wait in the file for a VM that leaves strings alone. */
TEST(strings_keep_their_ages_where_their_texts_are_shared)
{
	struct decisions d = {.list = {0}}, saved = {.list = {0}};
	begin();
	j.no_strings = true;
	add(&d, "Shop", "java.lang.String", DECISION_JUMP);
	add(&d, "Shop", "byte[]", DECISION_JUMP);
	add(&d, "Shop", "java.lang.String", DECISION_KEEP_OUT);
	EXPECT_INT(0, jumps_load(&j, &d));
	EXPECT(j.list.at[0].failed == jumps_strings && jump_untold(&j.list.at[0]));
	EXPECT(!j.list.at[1].failed && jump_wanted(&j.list.at[1]));
	EXPECT(!jump_untold(&j.list.at[2]));
	EXPECT_INT(0, jumps_save(&j, &saved));
	EXPECT_INT(3, saved.list.count);
	decisions_release(&saved);
	decisions_release(&d);
	jumps_close(&j);
}

/* To be kept out counts for more than to jump; else the first, though it is of other code. */
TEST(a_place_that_stands_there_twice_is_taken_once)
{
	struct decisions d = {.list = {0}}, saved = {.list = {0}};
	begin();
	for (int i = 0; i < 5; i++)
		add(&d, "Shop", "byte[]", i == 2 ? DECISION_KEEP_OUT : DECISION_JUMP);
	add(&d, "Shop", "int[]", DECISION_JUMP);
	for (int i = 0; i < 6; i++)
		d.list.at[i].at.bci = i < 3 ? 1 : 2;
	d.list.at[3].has_hash = d.list.at[4].has_hash = true;
	d.list.at[3].hash = 3;
	EXPECT_INT(0, jumps_load(&j, &d));
	EXPECT_INT(3, j.list.count);
	EXPECT(j.list.at[0].decision.action == DECISION_KEEP_OUT && !j.list.at[0].on);
	EXPECT(j.list.at[1].on && j.list.at[1].decision.hash == 3);
	EXPECT_STR("[I", j.list.at[2].allocates);
	EXPECT_INT(3, j.twice.count);
	EXPECT_STR("Shop.run, index 1; Shop.run, index 1; Shop.run, index 2", j.twice.named.text);
	EXPECT_INT(0, jumps_save(&j, &saved));
	EXPECT_INT(3, saved.list.count);
	decisions_release(&saved);
	decisions_release(&d);
	jumps_close(&j);
}

TEST(no_file_changes_nothing)
{
	struct decisions d = {.list = {0}}, saved = {.list = {0}};
	begin();
	EXPECT_INT(0, jumps_load(&j, &d));
	EXPECT(!j.changed);
	EXPECT_INT(0, jumps_save(&j, &saved));
	EXPECT_INT(0, saved.list.count);
	jumps_close(&j);
}

/* Of places that a file tells of: the classes of those below `linked` are linked, and all of their
 * jumps are done. */
static int linked, listings, met;

static bool can(void *arg)
{
	return arg;
}

static int apply(void *arg, JNIEnv *jni, struct wish *wishes, size_t count)
{
	(void)arg, (void)jni;
	for (size_t i = 0; i < count; i++) {
		wishes[i].state = WISH_DONE;
		wishes[i].found_opcode = "new";
	}
	return ERR_NONE;
}

/* A VM lists its classes for it, which takes milliseconds. */
static void methods(void *arg, JNIEnv *jni, struct wish *wishes, size_t count)
{
	(void)arg, (void)jni;
	listings++;
	for (size_t i = 0; i < count; i++) {
		EXPECT_INT(0, wishes[i].vm_method);
		if (wishes[i].bci <= linked)
			wishes[i].vm_method = 100 + (uint64_t)wishes[i].bci;
	}
}

static bool never(void *arg)
{
	return !arg;
}

static bool nothing(void *arg, JNIEnv *jni)
{
	(void)jni;
	return !arg;
}

static void is_met(void *arg, const struct jump *jump)
{
	(void)arg;
	met++;
	EXPECT_INT(100 + jump->decision.at.bci, jump->at.place.vm_method);
}

static void is_failed(void *arg, const struct jump *jump)
{
	(void)arg;
	EXPECT_STR("", jump->failed);
}

static jvmtiError JNICALL no_name(
	jvmtiEnv *e, jmethodID id, char **name, char **descriptor, char **generic)
{
	(void)e, (void)id, (void)name, (void)descriptor, (void)generic;
	return JVMTI_ERROR_INVALID_METHODID;
}

static const struct jvmtiInterface_1_ calls = {.GetMethodName = no_name};
static jvmtiEnv env = &calls;
static const struct vm vm = {.jvmti = &env};
static struct recorder recorder;

static void act(int linked_now, int listings_want, int met_want)
{
	const struct jump_news news = {.met = is_met, .failed = is_failed};
	linked = linked_now;
	listings = 0;
	jumps_act(&j, &vm, NULL, &recorder, &news);
	EXPECT_INT(listings_want, listings);
	EXPECT_INT(met_want, met);
}

TEST(the_places_of_a_file_are_met_by_one_listing_a_look)
{
	enum { PLACES = 100 };
	struct options o;
	struct decisions d = {.list = {0}};
	begin();
	met = 0;
	j.rewrites = rewrites_get();
	actuators_add(&j.by, (struct actuator){.arg = &j,
				     .can = can,
				     .apply = apply,
				     .methods = methods,
				     .unsettled = never,
				     .settle = nothing});
	options_init(&o);
	EXPECT_INT(0, recorder_init(&recorder, &o, 16, clock_now(), NULL));
	for (int i = 0; i < PLACES; i++)
		add(&d, "Shop", "byte[]", i % 10 ? DECISION_JUMP : DECISION_KEEP_OUT);
	EXPECT_INT(0, jumps_load(&j, &d));
	act(0, 1, 0);
	act(60, 1, 54);
	act(60, 1, 54);
	act(PLACES, 1, 90);
	act(PLACES, 0, 90);
	jumps_close(&j);
	recorder_release(&recorder);
	decisions_release(&d);
}

/* Of a file's places at the end: those below `done` are put in by then, and those below `linked`
 * have a method. */
static int done;

static int apply_none(void *arg, JNIEnv *jni, struct wish *wishes, size_t count)
{
	(void)arg, (void)jni, (void)wishes, (void)count;
	return ERR_NONE;
}

static void look(void *arg, struct wish *wishes, size_t count)
{
	(void)arg;
	for (size_t i = 0; i < count; i++)
		if (wishes[i].bci <= done) {
			wishes[i].state = WISH_DONE;
			wishes[i].found_opcode = "new";
		}
}

static void load_places(int count)
{
	struct options o;
	struct decisions d = {.list = {0}};
	begin();
	met = done = linked = 0;
	j.rewrites = rewrites_get();
	actuators_add(&j.by, (struct actuator){.arg = &j,
				     .can = can,
				     .apply = apply_none,
				     .look = look,
				     .methods = methods,
				     .unsettled = never,
				     .settle = nothing});
	options_init(&o);
	EXPECT_INT(0, recorder_init(&recorder, &o, 16, clock_now(), NULL));
	for (int i = 0; i < count; i++)
		add(&d, "Shop", "byte[]", DECISION_JUMP);
	EXPECT_INT(0, jumps_load(&j, &d));
	decisions_release(&d);
}

static void expect_silent(
	bool over, size_t unloaded, size_t unlinked, size_t undone, size_t unknown)
{
	struct jumps_some of[JUMPS_SILENTS];
	jumps_silent(&j, over, of);
	EXPECT_INT(unloaded, of[JUMPS_UNLOADED].count);
	EXPECT_INT(unlinked, of[JUMPS_UNLINKED].count);
	EXPECT_INT(undone, of[JUMPS_UNDONE].count);
	EXPECT_INT(unknown, of[JUMPS_UNKNOWN].count);
	const char *named = of[JUMPS_UNLOADED].named.text;
	EXPECT_INT(unloaded != 0, strstr(named, "Shop.run, index ") == named);
}

static void end_places(void)
{
	jumps_close(&j);
	recorder_release(&recorder);
}

/* Between the last look and the end classes came: what they do is told, each place once. */
TEST(what_came_since_the_last_look_is_told_at_the_end)
{
	const struct jump_news news = {.met = is_met, .failed = is_failed};
	load_places(10);
	act(0, 0, 0);
	EXPECT(!jumps_untold(&j));
	expect_silent(true, 10, 0, 0, 0);
	done = 7;
	linked = 5;
	EXPECT(jumps_untold(&j));
	jumps_tell(&j, &vm, NULL, &recorder, &news);
	EXPECT_INT(5, met);
	expect_silent(true, 3, 2, 0, 0);
	jumps_tell(&j, &vm, NULL, &recorder, &news);
	EXPECT_INT(5, met);
	end_places();
}

TEST(places_of_which_nothing_is_told_are_counted)
{
	load_places(10);
	expect_silent(true, 0, 0, 10, 0);
	act(0, 0, 0);
	done = linked = 4;
	expect_silent(false, 0, 0, 0, 10);
	EXPECT(jumps_untold(&j));
	act(4, 1, 4);
	expect_silent(false, 0, 0, 0, 6);
	expect_silent(true, 6, 0, 0, 0);
	j.dry = true;
	expect_silent(true, 0, 0, 0, 0);
	end_places();
}
