#include "agent/pause_gate.h"

#include <pthread.h>

#include "support/tap.h"

TEST(shut_until_it_is_opened)
{
	struct pause_gate g = {0};
	EXPECT(!pause_gate_pass(&g));
	unsigned seen = pause_gate_look(&g);
	EXPECT(!pause_gate_pass(&g));
	EXPECT(!pause_gate_open(&g, seen)); /* one came by */
	EXPECT(!pause_gate_pass(&g));
	EXPECT(pause_gate_open(&g, pause_gate_look(&g)));
	EXPECT(pause_gate_pass(&g) && pause_gate_pass(&g));
}

/* A VM whose pauses count one each, at their end. */
static struct {
	struct pause_gate gate;
	_Atomic unsigned counter;
	_Atomic bool over;
	unsigned base; /* the reader's, until it is open; then the VM's */
	bool started;  /* the VM's, as all below */
	unsigned ticks, passed;
} vm;

/* What gcs.c does: the base is what stood when the last pause that is not told of had ended. */
static void finish(void)
{
	unsigned now = atomic_load(&vm.counter);
	vm.ticks += vm.started ? now - vm.base : 0;
	vm.passed += vm.started;
	vm.base = now;
	vm.started = false;
}

static void *collect(void *arg)
{
	while (!atomic_load(&vm.over)) {
		vm.started = pause_gate_pass(&vm.gate);
		atomic_fetch_add(&vm.counter, 1);
		if (pause_gate_pass(&vm.gate))
			finish();
	}
	return arg;
}

/* However the two fall together, each pause that was told of whole has one tick, no other any. */
TEST(no_pause_is_counted_for_another)
{
	for (int round = 0; round < 300; round++) {
		pthread_t thread;
		unsigned seen, before;
		vm.gate = (struct pause_gate){0};
		vm.ticks = vm.passed = 0;
		vm.started = false;
		atomic_store(&vm.over, false);
		pthread_create(&thread, NULL, collect, NULL);
		before = atomic_load(&vm.counter);
		while (atomic_load(&vm.counter) < before + (unsigned)round % 7) {
		}
		do {
			seen = pause_gate_look(&vm.gate);
			vm.base = atomic_load(&vm.counter);
		} while (!pause_gate_open(&vm.gate, seen));
		before = atomic_load(&vm.counter);
		while (atomic_load(&vm.counter) < before + 5) {
		}
		atomic_store(&vm.over, true);
		pthread_join(thread, NULL);
		EXPECT(vm.passed > 0);
		EXPECT_INT(vm.passed, vm.ticks);
	}
}
