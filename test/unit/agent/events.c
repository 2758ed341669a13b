#include "agent/events.h"

#include "agent/session.h"
#include "base/error.h"
#include "support/agent_rig.h"
#include "support/tap.h"

/* Deaths, once on, stay on. */
static const jvmtiEvent recorded[] = {JVMTI_EVENT_GARBAGE_COLLECTION_START,
	JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, JVMTI_EVENT_THREAD_START,
	JVMTI_EVENT_SAMPLED_OBJECT_ALLOC};

static void expect_on(bool on)
{
	for (size_t i = 0; i < ARRAY_SIZE(recorded); i++)
		EXPECT_INT(on, fake_vm_event_is_on(recorded[i]));
}

TEST(on_while_it_records)
{
	struct rig r;
	rig_begin(&r, 17);
	EXPECT_INT(0, rig_open(&r, "paused", true));
	expect_on(false);
	EXPECT(!fake_vm_event_is_on(JVMTI_EVENT_OBJECT_FREE));
	EXPECT(fake_vm_event_is_on(JVMTI_EVENT_VM_DEATH));
	EXPECT(!fake_vm_event_is_on(JVMTI_EVENT_VM_INIT)); /* it has been */
	rig_expect(&r, "start", "ok");
	expect_on(true);
	EXPECT(fake_vm_event_is_on(JVMTI_EVENT_OBJECT_FREE));
	rig_stop(&r);
	expect_on(false);
	EXPECT(fake_vm_event_is_on(JVMTI_EVENT_OBJECT_FREE));
	EXPECT(!fake_vm_event_is_on(JVMTI_EVENT_VM_DEATH));
	rig_end(&r, true);
}

TEST(at_the_vms_start)
{
	struct rig r;
	rig_begin(&r, 17);
	EXPECT_INT(0, rig_open(&r, "", false));
	EXPECT(fake_vm_event_is_on(JVMTI_EVENT_VM_INIT));
	expect_on(false);
	fake_vm_start();
	expect_on(true);
	fake_vm_die();
	rig_bury(&r);
	rig_end(&r, true);
}

/* Only the threads that match are sampled, those that start later too, on JDK 11 as on others. */
TEST(thread_filter)
{
	struct rig r;
	rig_begin(&r, 11);
	fake_vm_set_thread(1, "http-1", false, false);
	fake_vm_set_thread(2, "http-2", false, false);
	EXPECT_INT(0, rig_open(&r, "thread=^http-", true));
	expect_on(true);
	rig_run(50);
	for (int i = 1; i < 4; i++) {
		fake_vm_be(i);
		fake_vm_thread_start(i);
		rig_run(i < 3 ? 9 : 100);
	}
	rig_stop(&r);
	EXPECT_INT(18, rig_end(&r, true).end.samples);
}

static void count_threads(void *arg, const struct record *r)
{
	*(int *)arg += r->kind == RECORD_thread;
}

/* A native thread is told to have started as often as it attaches itself. */
TEST(threads_that_come_back)
{
	struct agent_trace t = {0};
	struct rig r;
	int threads = 0;
	rig_begin(&r, 17);
	EXPECT_INT(0, rig_open(&r, "", true));
	for (int i = 1; i < 4; i++) {
		fake_vm_be(i);
		fake_vm_thread_start(i);
		rig_run(10);
		fake_vm_be_nobody();
	}
	fake_vm_be(0);
	rig_expect(&r, "flush", "ok");
	EXPECT(agent_trace_load(&t, r.file));
	EXPECT(agent_trace_each(&t, count_threads, &threads) > 0);
	EXPECT_INT(3, threads);
	agent_trace_release(&t);
	rig_stop(&r);
	rig_end(&r, true);
}

/* The VM does all its work, and the agent none. */
TEST(nop_engine)
{
	struct rig r;
	rig_begin(&r, 17);
	EXPECT_INT(0, rig_open(&r, "engine=nop", true));
	expect_on(true);
	rig_run(100);
	EXPECT_INT(0, fake_vm_calls(FAKE_GetStackTrace));
	rig_stop(&r);
	struct agent_totals n = rig_end(&r, true);
	EXPECT_INT(0, n.end.samples);
	EXPECT_INT(0, n.gcs);
}

/* Deaths that the VM holds back at the end are not asked for: its answer could hang (doc/jvm.md).
 * They count as alive. */
TEST(held_back_deaths_are_not_asked_for)
{
	static const int stack[] = {1};
	struct rig r;
	rig_begin(&r, 17);
	EXPECT_INT(0, rig_open(&r, "", true));
	for (int i = 0; i < 10; i++)
		fake_vm_drop(fake_vm_allocate(0, 100, stack, 1));
	fake_vm_collect(false);
	rig_stop(&r);
	struct agent_totals n = rig_end(&r, true);
	EXPECT_INT(0, n.deaths);
	EXPECT_INT(10, n.end.alive);
}

/* Any refusal at the beginning is told, and what was on goes off again. At the end the others go
 * off.
 */
TEST(refused)
{
	for (uint64_t n = 1; n <= 8; n++) {
		struct rig r;
		rig_begin(&r, 17);
		fake_vm_refuse(FAKE_SetEventNotificationMode, n);
		int err = rig_open(&r, "", true);
		EXPECT_INT(n <= 6 ? ERR_JVM : 0, err);
		if (!err)
			rig_stop(&r);
		int left = 0;
		for (size_t i = 0; i < ARRAY_SIZE(recorded); i++)
			left += fake_vm_event_is_on(recorded[i]);
		EXPECT_INT(n > 6, left);
		rig_end(&r, !err);
	}
}
