#include "agent/events.h"

#include "agent/session.h"
#include "base/error.h"
#include "support/agent_rig.h"
#include "support/tap.h"

static const jvmtiEvent recorded[] = {JVMTI_EVENT_GARBAGE_COLLECTION_START,
	JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, JVMTI_EVENT_OBJECT_FREE,
	JVMTI_EVENT_SAMPLED_OBJECT_ALLOC};

static void expect_on(bool on)
{
	for (size_t i = 0; i < ARRAY_SIZE(recorded); i++)
		EXPECT_INT(on, fake_vm_event_is_on(recorded[i]));
	EXPECT(!fake_vm_event_is_on(JVMTI_EVENT_THREAD_START));
}

TEST(on_while_it_records)
{
	struct rig r;
	rig_begin(&r, 17);
	EXPECT_INT(0, rig_open(&r, "paused", true));
	expect_on(false);
	EXPECT(fake_vm_event_is_on(JVMTI_EVENT_VM_DEATH));
	EXPECT(!fake_vm_event_is_on(JVMTI_EVENT_VM_INIT)); /* it has been */
	rig_expect(&r, "start", "ok");
	expect_on(true);
	rig_stop(&r);
	expect_on(false);
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

/* Only the threads that match are sampled, those that start later too. */
TEST(thread_filter)
{
	struct rig r;
	rig_begin(&r, 17);
	fake_vm_set_thread(1, "http-1", false, false);
	EXPECT_INT(0, rig_open(&r, "thread=^http-", true));
	EXPECT(fake_vm_event_is_on(JVMTI_EVENT_THREAD_START));
	EXPECT(!fake_vm_event_is_on(JVMTI_EVENT_SAMPLED_OBJECT_ALLOC));
	rig_run(50);
	fake_vm_be(1);
	EXPECT(fake_vm_event_is_on(JVMTI_EVENT_SAMPLED_OBJECT_ALLOC));
	rig_run(7);
	fake_vm_set_thread(2, "http-2", false, false);
	fake_vm_thread_start(2);
	fake_vm_thread_start(3);
	fake_vm_be(2);
	rig_run(11);
	fake_vm_be(3);
	rig_run(100);
	rig_stop(&r);
	EXPECT_INT(18, rig_end(&r, true).end.samples);
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

/* Any refusal at the beginning is told; what was on goes off again. */
TEST(refused)
{
	for (uint64_t n = 1; n <= 7; n++) {
		struct rig r;
		rig_begin(&r, 17);
		fake_vm_refuse(FAKE_SetEventNotificationMode, n);
		int err = rig_open(&r, "", true);
		EXPECT_INT(n <= 5 ? ERR_JVM : 0, err);
		if (!err)
			rig_stop(&r);
		expect_on(false);
		rig_end(&r, !err);
	}
}
