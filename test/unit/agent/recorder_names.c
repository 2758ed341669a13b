#include "agent/recorder_names.h"

#include <pthread.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/error.h"
#include "support/agent_trace.h"
#include "support/tap.h"

enum { METHODS = 200, THREADS = 4 };

static struct recorder recorder;
static struct agent_trace trace;

static struct recorder *begin(void)
{
	static struct options o; /* the recorder borrows its texts */
	options_init(&o);
	o.memory = 1ull << 32; /* the journal is full before it is */
	o.seed = tap_seed();
	EXPECT_INT(0, recorder_init(&recorder, &o, 16, clock_now(), NULL));
	return &recorder;
}

/* What the trace defines: the check that it is defined before it is meant is the trace's own. */
static struct agent_totals end(void)
{
	recorder_end(&recorder, END_VM);
	agent_trace_drain(&trace, &recorder, true);
	struct agent_totals n = agent_trace_verify(&trace, true);
	agent_trace_release(&trace);
	recorder_release(&recorder);
	return n;
}

static int add_method(struct recorder *r, uint64_t vm_id)
{
	char name[32];
	snprintf(name, sizeof(name), "m%d", (int)vm_id);
	struct method_facts facts = {.vm_id = vm_id,
		.class_signature = "Lcom/acme/Shop;",
		.name = name,
		.descriptor = "()V"};
	return recorder_add_method(r, &facts);
}

TEST(one_name_has_one_id)
{
	struct recorder *r = begin();
	uint32_t order = recorder_class(r, "Lcom/acme/Order;"), bytes = recorder_class(r, "[B");
	EXPECT(order && bytes && order != bytes);
	EXPECT_INT(order, recorder_class(r, "Lcom/acme/Order;"));
	uint32_t text = recorder_string(r, "because");
	EXPECT(text && recorder_string(r, "because") == text);
	/* Threads may share a name, and are two all the same. */
	EXPECT(recorder_thread(r, "worker", 0) != recorder_thread(r, "worker", 0));
	EXPECT(recorder_collector(r, "G1 Young Generation", 0));
	struct agent_totals n = end();
	EXPECT_INT(2, n.classes);
	EXPECT_INT(2, n.threads);
	EXPECT_INT(1, n.collectors);
}

/* The three kinds of a stack's site are three sites, each by itself. */
TEST(sites_of_one_stack)
{
	static const struct stack_frame stack[] = {{1, 0}, {2, 4}};
	struct recorder *r = begin();
	uint32_t class_id = recorder_class(r, "[B");
	EXPECT_INT(0, add_method(r, 1));
	EXPECT_INT(0, add_method(r, 2));
	uint32_t exact = recorder_exact_site(r, class_id, stack, 2),
		 walked = recorder_walked_site(r, class_id, stack, 2, false),
		 place = recorder_place(r, class_id, stack, 2);
	EXPECT(exact && walked && place);
	EXPECT(exact != walked && walked != place && exact != place);
	EXPECT_INT(exact, recorder_exact_site(r, class_id, stack, 2));
	EXPECT_INT(walked, recorder_walked_site(r, class_id, stack, 2, false));
	EXPECT(walked != recorder_walked_site(r, class_id, stack, 2, true));
	EXPECT_INT(4, end().sites);
}

/* A method that the VM would not tell of is not asked for until the next second. */
TEST(methods_to_ask_for)
{
	static const struct stack_frame stack[] = {{1, 0}, {2, 4}, {1, 8}, {3, 1}};
	struct recorder *r = begin();
	uint64_t ids[4];
	EXPECT_INT(3, recorder_unknown_methods(r, stack, 4, ids, 4));
	EXPECT_INT(0, add_method(r, 2));
	recorder_refuse_method(r, 3);
	EXPECT_INT(1, recorder_unknown_methods(r, stack, 4, ids, 4));
	EXPECT_INT(1, ids[0]);
	recorder_tick(r, 0, 0);
	EXPECT_INT(2, recorder_unknown_methods(r, stack, 4, ids, 4));
	end();
}

/* What is left of the buffers is for records that mean what has been named. */
TEST(no_room)
{
	static const struct stack_frame stack[] = {{1, 0}};
	struct recorder *r = begin();
	uint32_t class_id = recorder_class(r, "[B");
	uint64_t id = 1;
	while (!add_method(r, id))
		id++;
	EXPECT(id > METHODS);
	EXPECT_INT(ERR_FULL, add_method(r, id));
	EXPECT_INT(0, recorder_exact_site(r, class_id, stack, 1));
	EXPECT_INT(0, recorder_walked_site(r, class_id, stack, 1, false));
	agent_trace_drain(&trace, r, true);
	EXPECT(recorder_exact_site(r, class_id, stack, 1));
	EXPECT_INT(0, add_method(r, id));
	EXPECT_INT(id, end().methods);
}

static void *name_all(void *arg)
{
	uint32_t *ids = arg;
	char text[32];
	for (uint64_t i = 0; i < METHODS; i++) {
		snprintf(text, sizeof(text), "Lcom/acme/C%d;", (int)i);
		ids[i] = recorder_class(&recorder, text);
	}
	return NULL;
}

TEST(threads_agree)
{
	static uint32_t ids[THREADS][METHODS];
	pthread_t threads[THREADS];
	begin();
	for (int i = 0; i < THREADS; i++)
		EXPECT_INT(0, pthread_create(&threads[i], NULL, name_all, ids[i]));
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 1; i < THREADS; i++)
		for (int k = 0; k < METHODS; k++)
			EXPECT_INT(ids[0][k], ids[i][k]);
	EXPECT_INT(METHODS, end().classes);
}
