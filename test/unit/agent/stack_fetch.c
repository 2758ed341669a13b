#include "agent/stack_fetch.h"

#include "agent/class_batch.h"
#include "support/tap.h"

enum { DEPTH = 3 };

/* A VM with a stack of `frames`, each at an index that says in which call it was told. */
static jint frames;
static int calls, exchange_in, moving; /* the call in which classes are exchanged; frames move */
static int met;                        /* index that a stack had that was fetched amid it */
static int (*amid)(void);
static jthread self = (jthread)(void *)&frames; /* as whom the VM is asked */

static jvmtiEnv *jvmti_of_test(void);

static jobject JNICALL same_ref(JNIEnv *e, jobject o)
{
	(void)e;
	return o;
}

static void JNICALL drop_ref(JNIEnv *e, jobject o)
{
	(void)e, (void)o;
}

static void exchange(void)
{
	static const struct JNINativeInterface_ functions = {
		.NewGlobalRef = same_ref, .DeleteGlobalRef = drop_ref};
	JNIEnv jni = &functions;
	jclass k = (jclass)(void *)&frames;
	EXPECT(class_batch_exchange(jvmti_of_test(), &jni, &k, 1));
}

static jvmtiError JNICALL stack_of(
	jvmtiEnv *e, jthread t, jint start, jint most, jvmtiFrameInfo *out, jint *count)
{
	(void)e;
	EXPECT(t == self);
	EXPECT_INT(0, start);
	calls++;
	*count = frames < most ? frames : most;
	for (jint i = 0; i < *count; i++)
		out[i] = (jvmtiFrameInfo){.method = (jmethodID)(void *)&frames,
			.location = moving >= calls ? 100 * calls + i : i};
	if (calls == exchange_in)
		exchange();
	return frames < 0 ? JVMTI_ERROR_WRONG_PHASE : JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL retransform(jvmtiEnv *e, jint count, const jclass *classes)
{
	(void)e, (void)count, (void)classes;
	if (amid)
		met = amid();
	return JVMTI_ERROR_NONE;
}

static jvmtiEnv *jvmti_of_test(void)
{
	static const struct jvmtiInterface_1_ functions = {
		.GetStackTrace = stack_of, .RetransformClasses = retransform};
	static jvmtiEnv env = &functions;
	return &env;
}

static struct stack_frame stack[DEPTH];
static bool cut;

static uint32_t fetch(void)
{
	jvmtiFrameInfo infos[DEPTH + 1];
	return stack_fetch(jvmti_of_test(), self, DEPTH, infos, stack, &cut);
}

static void begin(jint count)
{
	frames = count;
	calls = exchange_in = moving = met = 0;
	amid = NULL;
}

TEST(as_many_frames_as_are_kept)
{
	static const struct {
		jint there;
		uint32_t kept;
		bool cut;
	} rows[] = {{-1, 0, false}, {0, 0, false}, {2, 2, false}, {3, 3, false}, {4, 3, true},
		{900, 3, true}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		begin(rows[i].there);
		EXPECT_INT(rows[i].kept, fetch());
		EXPECT_INT(rows[i].cut, cut);
		EXPECT_INT(1, calls);
		for (uint32_t f = 0; f < rows[i].kept; f++)
			EXPECT_INT(f, stack[f].bci);
	}
}

/* What was told before may be of the old code: the VM is asked once more. */
TEST(classes_are_exchanged_behind_the_answer)
{
	begin(2);
	exchange_in = 1;
	moving = 1;
	EXPECT_INT(2, fetch());
	EXPECT_INT(2, calls);
	EXPECT_INT(1, stack[1].bci);
	begin(2);
	exchange_in = 1; /* of other classes: the same stack */
	EXPECT_INT(2, fetch());
	EXPECT_INT(2, calls);
	EXPECT_INT(1, stack[1].bci);
}

static int fetch_first(void)
{
	fetch();
	return stack[0].bci;
}

/* Until then it is not known: two answers that are the same are of the same code. */
TEST(an_exchange_is_under_way)
{
	static const struct {
		int moving, calls, bci;
	} rows[] = {{0, 2, 0}, {1, 3, 0}, {2, 4, 0}, {3, 5, 0}, {100, 5, 500}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		begin(1);
		moving = rows[i].moving;
		amid = fetch_first;
		exchange();
		EXPECT_INT(rows[i].calls, calls);
		EXPECT_INT(rows[i].bci, met);
	}
	begin(1);
	fetch();
	EXPECT_INT(1, calls);
}
