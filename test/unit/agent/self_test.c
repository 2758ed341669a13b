/* The self-test in a recording, with a VM that answers as it is told. */
#include "agent/self_test.h"

#include <string.h>

#include "support/agent_trace.h"
#include "support/tap.h"

static struct recorder recorder;
static struct self_test test;
static struct {
	enum age_answer says;
	bool locked_out;
	int inside, joins, asked;
	const char *step; /* the last one */
} fake;

static jclass JNICALL find(JNIEnv *jni, const char *name)
{
	(void)jni, (void)name;
	return (jclass)(void *)&fake;
}

static jmethodID JNICALL method(JNIEnv *jni, jclass k, const char *name, const char *descriptor)
{
	(void)jni, (void)k, (void)descriptor;
	fake.step = name;
	return (jmethodID)(void *)&fake;
}

static jint JNICALL call(JNIEnv *jni, jclass k, jmethodID m, ...)
{
	(void)jni, (void)k, (void)m;
	EXPECT(fake.inside == 1);
	fake.asked++;
	return (jint)fake.says;
}

static jboolean JNICALL is_pending(JNIEnv *jni)
{
	(void)jni;
	return false;
}

static void JNICALL clear(JNIEnv *jni)
{
	(void)jni;
}

static void JNICALL drop(JNIEnv *jni, jobject o)
{
	(void)jni, (void)o;
}

static const struct JNINativeInterface_ jni_calls = {.FindClass = find,
	.GetStaticMethodID = method,
	.CallStaticIntMethod = call,
	.ExceptionCheck = is_pending,
	.ExceptionClear = clear,
	.DeleteLocalRef = drop};
static JNIEnv jni = &jni_calls;

static jint JNICALL attach(JavaVM *java, void **env, void *args)
{
	(void)java, (void)args;
	if (fake.locked_out)
		return JNI_ERR;
	fake.inside++;
	fake.joins++;
	*env = &jni;
	return JNI_OK;
}

static jint JNICALL detach(JavaVM *java)
{
	(void)java;
	fake.inside--;
	return JNI_OK;
}

static const struct JNIInvokeInterface_ java_calls = {
	.AttachCurrentThreadAsDaemon = attach, .DetachCurrentThread = detach};
static JavaVM java = &java_calls;
static const struct vm vm = {.java = &java};

/* The last that was told. */
struct told {
	uint32_t facts, notes;
	char verdict[16], why[128], note[256];
};

static void keep(char *to, size_t room, struct slice text)
{
	size_t len = text.len < room ? text.len : room - 1;
	memcpy(to, text.at, len);
	to[len] = 0;
}

static void see(void *arg, const struct record *r)
{
	struct told *t = arg;
	if (r->kind == RECORD_note) {
		t->notes++;
		keep(t->note, sizeof(t->note), r->note.text);
	}
	if (r->kind != RECORD_fact)
		return;
	t->facts++;
	if (slice_equal(r->fact.key, slice_str("tenure.test")))
		keep(t->verdict, sizeof(t->verdict), r->fact.value);
	else
		keep(t->why, sizeof(t->why), r->fact.value);
}

static struct told end(void)
{
	struct agent_trace trace = {.sequence = 0};
	struct told told = {0};
	agent_trace_drain(&trace, &recorder, true);
	EXPECT(agent_trace_each(&trace, see, &told) >= 0);
	agent_trace_release(&trace);
	recorder_release(&recorder);
	EXPECT_INT(0, fake.inside);
	return told;
}

static struct pauses engine;

static void begin(bool can, bool counts)
{
	static struct options o; /* the recorder borrows its texts */
	options_init(&o);
	memset(&fake, 0, sizeof(fake));
	fake.says = AGE_ON;
	EXPECT_INT(0, recorder_init(&recorder, &o, 64, clock_now(), NULL));
	memset(&engine, 0, sizeof(engine));
	self_test_begin(&test, &vm, &recorder, can, counts ? &engine : NULL);
}

/* One collection after the other, and a look after each; whether it came to its end. */
static bool go_on(int collections)
{
	bool ended = false;
	for (int i = 0; i < collections; i++) {
		ended |= self_test_look(&test);
		atomic_fetch_add(&recorder.young, 1);
	}
	return ended;
}

TEST(where_nothing_jumps_nothing_is_tested_or_said)
{
	begin(false, true);
	EXPECT(self_test_over(&test));
	EXPECT(!go_on(10));
	EXPECT_INT(0, fake.joins);
	EXPECT_INT(0, end().facts);
}

/* Nothing is made: the engine sees where objects land. */
TEST(beside_the_exact_engine_it_goes_by_what_that_sees)
{
	begin(true, true);
	EXPECT(!go_on(10) && !self_test_over(&test));
	EXPECT_INT(0, fake.joins);
	self_test_end(&test, &jni);
	EXPECT_INT(0, fake.asked);
	struct told told = end();
	EXPECT_STR("open", told.verdict);
	EXPECT(strstr(told.why, "no collection has shown"));

	begin(true, true);
	atomic_store(&engine.landings[LANDING_PROMOTED], 1);
	EXPECT(go_on(1) && self_test_over(&test) && !go_on(3));
	EXPECT_STR("passed", end().verdict);

	begin(true, true);
	atomic_store(&engine.landings[LANDING_YOUNG], 1);
	EXPECT(go_on(1));
	EXPECT_INT(TRIAL_FAILED, test.trial.verdict);
	EXPECT_INT(0, fake.joins);
	told = end();
	EXPECT_STR("failed", told.verdict);
	EXPECT_INT(0, told.notes);
}

/* Made, noted, judged; then what was made is dropped, and no more is asked. */
TEST(it_passes_and_says_so)
{
	begin(true, false);
	EXPECT(!self_test_over(&test));
	EXPECT(go_on(3));
	EXPECT(self_test_over(&test));
	EXPECT_INT(TRIAL_PASSED, test.trial.verdict);
	EXPECT_STR("drop", fake.step);
	EXPECT_INT(4, fake.asked);
	EXPECT(!go_on(3));
	EXPECT_INT(4, fake.asked);
	struct told told = end();
	EXPECT_STR("passed", told.verdict);
	EXPECT_STR("", told.why);
	EXPECT_INT(0, told.notes);
}

TEST(it_fails_and_says_why)
{
	begin(true, false);
	EXPECT(!go_on(2));
	fake.says = AGE_STAYS_YOUNG;
	EXPECT(go_on(1));
	EXPECT_INT(TRIAL_FAILED, test.trial.verdict);
	struct told told = end();
	EXPECT_STR("failed", told.verdict);
	EXPECT(strstr(told.why, "was not promoted"));
	EXPECT_INT(0, told.notes); /* the caller says what it means */
}

TEST(that_it_comes_to_no_end_is_noted)
{
	begin(true, false);
	fake.says = AGE_AT_ONCE;
	EXPECT(go_on(100));
	struct told told = end();
	EXPECT_STR("open", told.verdict);
	EXPECT_INT(1, told.notes);
	EXPECT(strstr(told.note, "came to no end") && strstr(told.note, "nothing to jump over"));
}

TEST(without_a_collection_or_the_vm_nothing_is_asked)
{
	begin(true, false);
	fake.locked_out = true;
	EXPECT(!go_on(3));
	EXPECT_INT(0, fake.asked);
	fake.locked_out = false;
	EXPECT(!self_test_look(&test));
	EXPECT(!self_test_look(&test)); /* what was made has seen no collection */
	EXPECT_INT(1, fake.asked);
	end();
}

/* It is called again half a second later, or sooner where collections come fast. */
TEST(fast_collections_are_followed)
{
	begin(true, false);
	uint64_t slow = self_test_next(&test).v - clock_now().v;
	EXPECT(slow > 400000000 && slow <= 500000000);
	self_test_look(&test);
	atomic_fetch_add(&recorder.young, 5);
	self_test_look(&test);
	uint64_t fast = self_test_next(&test).v - clock_now().v;
	EXPECT(fast > 0 && fast < 260000000);
	end();
}

TEST(what_was_made_is_dropped_at_the_end)
{
	begin(true, false);
	self_test_look(&test);
	self_test_end(&test, NULL); /* the VM ends */
	EXPECT_STR("make", fake.step);
	fake.inside++;
	self_test_end(&test, &jni);
	EXPECT_STR("drop", fake.step);
	EXPECT_INT(2, fake.asked);
	fake.inside--;
	end();
}
