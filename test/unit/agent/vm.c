#include "agent/vm.h"

#include "base/error.h"
#include "support/fake_vm.h"
#include "support/tap.h"

static void expect_clean(void)
{
	EXPECT_INT(0, fake_vm_breaches());
	EXPECT_INT(0, fake_vm_memory_out());
	EXPECT_INT(0, fake_vm_references_out());
	EXPECT_INT(0, fake_vm_events_left());
}

TEST(open_and_close)
{
	static const int majors[] = {11, 17, 21, 25};
	for (size_t i = 0; i < ARRAY_SIZE(majors); i++) {
		struct vm vm = {0};
		struct diag d = {0};
		fake_vm_init(majors[i]);
		EXPECT_INT(0, vm_open(&vm, fake_vm_java(), &d));
		EXPECT_INT(majors[i], vm.major);
		EXPECT(fake_vm_holds_sampler());
		EXPECT(vm_is_live(&vm));
		fake_vm_set_phase(JVMTI_PHASE_START);
		EXPECT(!vm_is_live(&vm));
		vm_close(&vm);
		EXPECT(vm.jvmti == NULL && vm.idle != NULL);
		EXPECT(!fake_vm_holds_sampler());
		vm_close(&vm); /* closed already: nothing happens */
		expect_clean();
		fake_vm_release();
	}
}

static void expect_refused(int err, const char *sentence)
{
	struct vm vm = {0};
	struct diag d = {0};
	EXPECT_INT(err, vm_open(&vm, fake_vm_java(), &d));
	EXPECT(strstr(d.text, sentence) != NULL);
	EXPECT(vm.jvmti == NULL);
	EXPECT(!fake_vm_holds_sampler());
	expect_clean();
	fake_vm_release();
}

TEST(too_early)
{
	struct vm vm = {0};
	struct diag d = {0};
	fake_vm_init(17);
	fake_vm_set_phase(JVMTI_PHASE_START);
	EXPECT_INT(ERR_STARTING, vm_open(&vm, fake_vm_java(), &d));
	EXPECT(strstr(d.text, "still starting") != NULL);
	fake_vm_set_phase(JVMTI_PHASE_LIVE);
	EXPECT_INT(0, vm_open(&vm, fake_vm_java(), &d));
	vm_close(&vm);
	expect_clean();
	fake_vm_release();
}

TEST(another_agent_samples)
{
	fake_vm_init(17);
	fake_vm_take_sampler();
	expect_refused(ERR_BUSY, "another agent samples allocations");
}

TEST(capabilities_that_the_vm_never_had)
{
	fake_vm_init(17);
	fake_vm_lack_capabilities();
	expect_refused(ERR_UNSUPPORTED, "can't sample");
}

TEST(too_old)
{
	fake_vm_init(8);
	fake_vm_lack_jvmti_11();
	expect_refused(ERR_UNSUPPORTED, "older than JDK 11");
}

TEST(not_hotspot)
{
	fake_vm_init(17);
	fake_vm_set_name("Eclipse OpenJ9 VM", "openj9-0.40.0");
	expect_refused(ERR_UNSUPPORTED, "Eclipse OpenJ9 VM");
}

/* Whatever call is refused, nothing is left behind, and either it opens or says why not. */
TEST(refused_at_every_call)
{
	for (int call = 0; call < FAKE_CALL_COUNT; call++) {
		for (uint64_t n = 1; n <= 4; n++) {
			struct vm vm = {0};
			struct diag d = {0};
			fake_vm_init(17);
			fake_vm_refuse((enum fake_call)call, n);
			int err = vm_open(&vm, fake_vm_java(), &d);
			EXPECT((err != 0) == (d.text[0] != '\0'));
			EXPECT((err != 0) == (vm.jvmti == NULL));
			if (!err)
				vm_close(&vm);
			expect_clean();
			fake_vm_release();
		}
	}
}

TEST(properties)
{
	struct vm vm = {0};
	struct diag d;
	char text[64], small[8];
	fake_vm_init(17);
	EXPECT_INT(0, vm_open(&vm, fake_vm_java(), &d));
	vm_property(&vm, "java.vm.name", text, sizeof(text));
	EXPECT_STR("OpenJDK 64-Bit Server VM", text);
	vm_property(&vm, "java.vm.name", small, sizeof(small));
	EXPECT_STR("OpenJDK", small);
	vm_property(&vm, "no.such.property", text, sizeof(text));
	EXPECT_STR("", text);
	vm_close(&vm);
	expect_clean();
	fake_vm_release();
}

static void JNICALL on_death(jvmtiEnv *env, jlong tag)
{
	(void)env, (void)tag;
}

/* What can't be undone is done once: the environment, its callbacks, deaths. */
TEST(opened_again)
{
	const jvmtiEventCallbacks c = {.ObjectFree = on_death};
	struct vm vm = {0};
	struct diag d;
	fake_vm_init(17);
	for (int i = 0; i < 3; i++) {
		EXPECT_INT(0, vm_open(&vm, fake_vm_java(), &d));
		EXPECT(fake_vm_holds_sampler());
		EXPECT_INT(0, vm_callbacks(&vm, &c));
		EXPECT_INT(0, vm_mourn(&vm));
		EXPECT(fake_vm_event_is_on(JVMTI_EVENT_OBJECT_FREE));
		vm_close(&vm);
		EXPECT(!fake_vm_holds_sampler());
		fake_vm_take_sampler();
		EXPECT_INT(ERR_BUSY, vm_open(&vm, fake_vm_java(), &d));
		fake_vm_leave_sampler();
	}
	EXPECT_INT(1, fake_vm_calls(FAKE_GetEnv));
	EXPECT_INT(1, fake_vm_calls(FAKE_SetEventCallbacks));
	expect_clean();
	fake_vm_release();
}

TEST(refused_once)
{
	const jvmtiEventCallbacks c = {.ObjectFree = on_death};
	struct vm vm = {0};
	struct diag d;
	fake_vm_init(17);
	EXPECT_INT(0, vm_open(&vm, fake_vm_java(), &d));
	fake_vm_refuse(FAKE_SetEventCallbacks, 1);
	EXPECT_INT(ERR_JVM, vm_callbacks(&vm, &c));
	EXPECT_INT(0, vm_callbacks(&vm, &c));
	fake_vm_refuse(FAKE_SetEventNotificationMode, 1);
	EXPECT_INT(ERR_JVM, vm_mourn(&vm));
	EXPECT_INT(0, vm_mourn(&vm));
	EXPECT(fake_vm_event_is_on(JVMTI_EVENT_OBJECT_FREE));
	vm_close(&vm);
	expect_clean();
	fake_vm_release();
}

static void JNICALL on_end(jvmtiEnv *env, JNIEnv *jni, jthread thread)
{
	(void)env, (void)jni, (void)thread;
}

/* JDK 19 to 21 are told of threads' ends from the first time on, and no others. */
TEST(steady)
{
	static const int majors[] = {17, 18, 19, 21, 22, 25};
	const jvmtiEventCallbacks c = {.ThreadEnd = on_end};
	for (size_t i = 0; i < ARRAY_SIZE(majors); i++) {
		bool needs = majors[i] > 18 && majors[i] < 22;
		struct vm vm = {0};
		struct diag d;
		fake_vm_init(majors[i]);
		for (int k = 0; k < 2; k++) {
			EXPECT_INT(0, vm_open(&vm, fake_vm_java(), &d));
			EXPECT_INT(0, vm_callbacks(&vm, &c));
			EXPECT_INT(0, vm_steady(&vm));
			EXPECT_INT(needs, fake_vm_event_is_on(JVMTI_EVENT_THREAD_END));
			EXPECT_INT(0, vm_event(&vm, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, true, NULL));
			EXPECT_INT(0, vm_event(&vm, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, false, NULL));
			vm_close(&vm);
		}
		EXPECT_INT(needs, fake_vm_event_is_on(JVMTI_EVENT_THREAD_END));
		expect_clean();
		fake_vm_release();
	}
}

static void JNICALL on_gc(jvmtiEnv *env)
{
	(void)env;
}

TEST(events_and_interval)
{
	struct vm vm = {0};
	struct diag d;
	fake_vm_init(17);
	EXPECT_INT(0, vm_open(&vm, fake_vm_java(), &d));
	const jvmtiEventCallbacks c = {.GarbageCollectionFinish = on_gc};
	EXPECT_INT(0, vm_callbacks(&vm, &c));
	EXPECT_INT(0, vm_event(&vm, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, true, NULL));
	EXPECT(fake_vm_event_is_on(JVMTI_EVENT_GARBAGE_COLLECTION_FINISH));
	EXPECT_INT(0, vm_event(&vm, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, false, NULL));
	EXPECT(!fake_vm_event_is_on(JVMTI_EVENT_GARBAGE_COLLECTION_FINISH));
	fake_vm_refuse(FAKE_SetEventNotificationMode, 1);
	EXPECT_INT(ERR_JVM, vm_event(&vm, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, true, NULL));
	EXPECT_INT(0, vm_interval(&vm, INT32_MAX));
	EXPECT_INT(INT32_MAX, fake_vm_interval());
	vm_close(&vm);
	expect_clean();
	fake_vm_release();
}

/* A thread of the agent's own comes and goes, as a daemon. */
TEST(a_thread_joins_and_leaves)
{
	struct vm vm = {0};
	struct diag d;
	fake_vm_init(17);
	EXPECT_INT(0, vm_open(&vm, fake_vm_java(), &d));
	fake_vm_be_nobody();
	JNIEnv *jni = vm_join(
		&vm, "mayfly of a name that is longer than any thread's, by far, and cut off");
	EXPECT(jni != NULL);
	EXPECT_INT(1, fake_vm_calls(FAKE_AttachCurrentThreadAsDaemon));
	vm_leave(fake_vm_java());
	EXPECT_INT(1, fake_vm_calls(FAKE_DetachCurrentThread));
	fake_vm_refuse(FAKE_AttachCurrentThreadAsDaemon, 1);
	EXPECT(vm_join(&vm, "mayfly") == NULL);
	fake_vm_be(0);
	vm_close(&vm);
	expect_clean();
	fake_vm_release();
}
