#include "agent/sampler.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>

#include "agent/tags.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "support/agent_trace.h"
#include "support/fake_vm.h"
#include "support/tap.h"

enum { CAPACITY = 64 };

static struct recorder recorder;
static struct sampler sampler;
static struct vm vm;

static void JNICALL on_sample(
	jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject object, jclass klass, jlong size)
{
	(void)jvmti;
	sampler_event(&sampler, jni, thread, object, klass, size);
}

static void JNICALL on_free(jvmtiEnv *jvmti, jlong tag)
{
	(void)jvmti;
	if (!tags_is_class(tag))
		recorder_death(&recorder, tag);
}

static struct options some_options(void)
{
	struct options o;
	options_init(&o);
	o.seed = tap_seed();
	return o;
}

static void begin(int major, const struct options *o)
{
	/* What is kept of them, as long as the recording is. */
	static struct options kept;
	struct diag d = {0};
	jvmtiEventCallbacks c = {.SampledObjectAlloc = on_sample, .ObjectFree = on_free};
	kept = *o;
	fake_vm_init(major);
	vm = (struct vm){0};
	EXPECT_INT(0, vm_open(&vm, fake_vm_java(), &d));
	EXPECT_INT(0, vm_callbacks(&vm, &c));
	EXPECT_INT(0, recorder_init(&recorder, &kept, CAPACITY, clock_now(), NULL));
	EXPECT_INT(0, sampler_init(&sampler, &vm, &recorder, &kept, &d));
	EXPECT_STR("", d.text);
	EXPECT_INT(0, vm_event(&vm, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, true, NULL));
	EXPECT_INT(0, vm_mourn(&vm));
}

static void expect_given_back(void)
{
	EXPECT_INT(0, fake_vm_breaches());
	EXPECT_INT(0, fake_vm_memory_out());
	EXPECT_INT(0, fake_vm_references_out());
}

/* Ends the recording, verifies what was written, and that the VM got back all that it gave. */
static struct agent_totals end(struct agent_trace *t)
{
	struct agent_trace own = {0};
	t = t ? t : &own;
	vm_event(&vm, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, false, NULL);
	agent_trace_drain(t, &recorder, false);
	recorder_end(&recorder, END_STOPPED);
	agent_trace_drain(t, &recorder, true);
	struct agent_totals n = agent_trace_verify(t, true);
	agent_trace_release(&own);
	sampler_release(&sampler);
	recorder_release(&recorder);
	vm_close(&vm);
	expect_given_back();
	EXPECT_INT(0, fake_vm_events_left());
	fake_vm_release();
	return n;
}

static const int stack[] = {3, 2, 1, 0};

static size_t allocate(int class_index)
{
	return fake_vm_allocate(class_index, 100, stack, ARRAY_SIZE(stack));
}

struct story {
	struct record_birth births[256];
	struct record_site sites[256];
	struct record_thread threads[64];
	char text[256][64];
	uint64_t class_name[64], frame_parent[8192];
	size_t count;
};

static void keep(void *arg, const struct record *r)
{
	struct story *s = arg;
	if (r->kind == RECORD_birth && s->count < ARRAY_SIZE(s->births))
		s->births[s->count++] = r->birth;
	else if (r->kind == RECORD_site)
		s->sites[r->site.id] = r->site;
	else if (r->kind == RECORD_thread)
		s->threads[r->thread.id] = r->thread;
	else if (r->kind == RECORD_class)
		s->class_name[r->class.id] = r->class.name;
	else if (r->kind == RECORD_frame)
		s->frame_parent[r->frame.id] = r->frame.parent;
	else if (r->kind == RECORD_string && r->string.id < 256)
		snprintf(s->text[r->string.id], 64, "%.*s", (int)r->string.text.len,
			(const char *)r->string.text.at);
}

static const char *class_of_birth(const struct story *s, size_t i)
{
	return s->text[s->class_name[s->sites[s->births[i].site].class]];
}

TEST(an_object_with_its_class_stack_and_thread)
{
	struct agent_trace t = {0};
	static struct story s;
	struct options o = some_options();
	begin(17, &o);
	fake_vm_be(3);
	fake_vm_set_thread(3, "http-7", true, false);
	size_t a = allocate(5), b = allocate(1);
	EXPECT(fake_vm_tag(a) > 0 && fake_vm_tag(b) > 0 && fake_vm_tag(a) != fake_vm_tag(b));
	end(&t);
	EXPECT(agent_trace_each(&t, keep, &s) > 0);
	EXPECT_INT(2, s.count);
	EXPECT_STR("com.acme.Shop$$Lambda", class_of_birth(&s, 0));
	EXPECT_STR("byte[]", class_of_birth(&s, 1));
	EXPECT_STR("http-7", s.text[s.threads[s.births[0].thread].name]);
	EXPECT_INT(THREAD_DAEMON, s.threads[s.births[0].thread].flags);
	EXPECT_INT(100, s.births[0].size);
	int depth = 0;
	for (uint64_t at = s.sites[s.births[0].site].frame; at; at = s.frame_parent[at])
		depth++;
	EXPECT_INT(4, depth);
	agent_trace_release(&t);
}

/* Names are asked for once: by class tag, by method, by thread. */
TEST(the_vm_is_asked_once)
{
	struct options o = some_options();
	begin(17, &o);
	for (int i = 0; i < 50; i++)
		allocate(2);
	EXPECT_INT(4, fake_vm_calls(FAKE_GetMethodName));
	EXPECT_INT(4 + 1, fake_vm_calls(FAKE_GetClassSignature));
	EXPECT_INT(1, fake_vm_calls(FAKE_GetThreadInfo));
	EXPECT_INT(50, fake_vm_calls(FAKE_GetStackTrace));
	EXPECT_INT(0, fake_vm_calls(FAKE_IsVirtualThread));
	EXPECT_INT(50, end(NULL).end.walked);
}

/* JDK 21 stops all virtual threads where it is not (the fake VM counts that as a breach, too);
 * before, all threads are looked through where it is. */
TEST(the_own_thread_is_named_where_some_are_virtual)
{
	static const struct {
		int major;
		bool named;
	} rows[] = {{11, false}, {17, false}, {21, true}, {25, true}};
	struct options o = some_options();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		begin(rows[i].major, &o);
		allocate(2);
		EXPECT_INT(rows[i].named, fake_vm_named());
		EXPECT_INT(1, end(NULL).end.walked);
	}
}

/* A method that the VM will not name is asked for once a second, not at each sample. */
TEST(a_refusal_is_remembered_for_a_while)
{
	struct agent_trace t = {0};
	static struct story s;
	struct options o = some_options();
	begin(17, &o);
	fake_vm_refuse_all(FAKE_GetMethodName, true);
	for (int i = 0; i < 50; i++)
		allocate(2);
	EXPECT_INT(4, fake_vm_calls(FAKE_GetMethodName));
	recorder_tick(&recorder, 0, 0);
	fake_vm_refuse_all(FAKE_GetMethodName, false);
	for (int i = 0; i < 50; i++)
		allocate(2);
	EXPECT_INT(4 + 4, fake_vm_calls(FAKE_GetMethodName));
	EXPECT_INT(100, end(&t).births);
	EXPECT(agent_trace_each(&t, keep, &s) > 0);
	int depth = 0;
	for (uint64_t at = s.sites[s.births[49].site].frame; at; at = s.frame_parent[at])
		depth++;
	EXPECT_INT(0, depth);
	for (uint64_t at = s.sites[s.births[50].site].frame; at; at = s.frame_parent[at])
		depth++;
	EXPECT_INT(4, depth);
	agent_trace_release(&t);
}

/* Where there is no memory for names any more, they are not asked for. */
TEST(nothing_is_asked_in_vain)
{
	struct options o = some_options();
	begin(17, &o);
	allocate(0);
	recorder.catalog.full = true;
	static const int others[] = {9, 10, 11};
	for (int i = 0; i < 20; i++)
		fake_vm_allocate(0, 100, others, ARRAY_SIZE(others));
	EXPECT_INT(4, fake_vm_calls(FAKE_GetMethodName));
	EXPECT_INT(21, end(NULL).end.walked);
}

/* A native thread that leaves Java and comes back by another name is another thread. */
TEST(a_native_thread_that_comes_back)
{
	struct agent_trace t = {0};
	static struct story s;
	struct options o = some_options();
	begin(17, &o);
	fake_vm_be(3);
	fake_vm_set_thread(3, "decoder", false, false);
	sampler_thread_start(&sampler);
	allocate(0);
	allocate(0);
	fake_vm_be_nobody();
	fake_vm_be(4);
	fake_vm_set_thread(4, "encoder", false, false);
	sampler_thread_start(&sampler);
	allocate(0);
	EXPECT_INT(2, end(&t).threads);
	EXPECT(agent_trace_each(&t, keep, &s) > 0);
	EXPECT_STR("decoder", s.text[s.threads[s.births[1].thread].name]);
	EXPECT_STR("encoder", s.text[s.threads[s.births[2].thread].name]);
	agent_trace_release(&t);
}

/* A second recording in the same process knows nothing of the first. */
TEST(threads_are_named_anew_in_each_recording)
{
	for (int i = 0; i < 3; i++) {
		struct options o = some_options();
		begin(17, &o);
		allocate(0);
		EXPECT_INT(1, end(NULL).threads);
	}
}

TEST(virtual_threads_share_an_id)
{
	struct agent_trace t = {0};
	static struct story s;
	struct options o = some_options();
	begin(21, &o);
	for (int i = 1; i < 5; i++) {
		fake_vm_be(i);
		fake_vm_set_thread(i, "", false, true);
		allocate(0);
	}
	struct agent_totals n = end(&t);
	EXPECT_INT(1, n.threads);
	EXPECT_INT(1, n.facts);
	EXPECT(agent_trace_each(&t, keep, &s) > 0);
	EXPECT_INT(THREAD_VIRTUAL, s.threads[1].flags);
	agent_trace_release(&t);
}

TEST(depth)
{
	static const int depths[] = {1, 3, 4, 5, 64, 65, 2048};
	static int deep[2100];
	for (size_t i = 0; i < ARRAY_SIZE(deep); i++)
		deep[i] = (int)(i * 7) % FAKE_METHODS;
	for (size_t i = 0; i < ARRAY_SIZE(depths); i++) {
		static struct story s;
		struct agent_trace t = {0};
		struct options o = some_options();
		memset(&s, 0, sizeof(s));
		o.depth = (uint64_t)depths[i];
		begin(17, &o);
		allocate(0);
		fake_vm_allocate(0, 100, deep, 2100);
		fake_vm_allocate(0, 100, deep, 0);
		EXPECT_INT(3, end(&t).births);
		agent_trace_each(&t, keep, &s);
		EXPECT_INT(depths[i] < 4 ? SITE_CUT : 0, s.sites[s.births[0].site].flags);
		EXPECT_INT(SITE_CUT, s.sites[s.births[1].site].flags);
		EXPECT_INT(SITE_NO_STACK, s.sites[s.births[2].site].flags);
		agent_trace_release(&t);
	}
}

/* The calling native thread becomes a new Java thread of that number and name. */
static void become(int thread, const char *name, bool is_virtual)
{
	fake_vm_be(thread);
	fake_vm_set_thread(thread, name, false, is_virtual);
	sampler_thread_start(&sampler);
}

/* A thread is chosen once, by its name: others leave nothing, not even on the clocks. */
TEST(thread_filter)
{
	struct options o = some_options();
	snprintf(o.thread, sizeof(o.thread), "^http-[0-9]+$");
	begin(17, &o);
	become(1, "http-12", false);
	allocate(0), allocate(0), allocate(0);
	uint64_t clock = atomic_load(&recorder.alloc_bytes);
	become(2, "http-x", false);
	allocate(0), allocate(0);
	EXPECT_INT(1 + 1 + 1, fake_vm_calls(FAKE_GetThreadInfo));
	EXPECT_INT(3, fake_vm_calls(FAKE_GetStackTrace));
	EXPECT_INT(clock, atomic_load(&recorder.alloc_bytes));
	become(3, "http-3", false);
	fake_vm_refuse(FAKE_GetThreadInfo, 1);
	allocate(0);
	struct agent_totals n = end(NULL);
	EXPECT_INT(3, n.end.samples);
	EXPECT_INT(1, n.threads);
	struct diag d = {0};
	snprintf(o.thread, sizeof(o.thread), "(");
	EXPECT_INT(ERR_FORMAT, sampler_init(&sampler, &vm, &recorder, &o, &d));
	EXPECT(strstr(d.text, "thread=(") != NULL);
	sampler_release(&sampler);
}

/* The VM has characters beyond U+FFFF in its own way. */
TEST(thread_filter_as_people_write_names)
{
	struct options o = some_options();
	snprintf(o.thread, sizeof(o.thread), "^\U0001F41D-[0-9]+$");
	begin(17, &o);
	become(1, "\xed\xa0\xbd\xed\xb0\x9d-12", false);
	allocate(0);
	become(2, "\xed\xa0\xbd\xed\xb0\x9e-12", false);
	allocate(0);
	struct agent_totals n = end(NULL);
	EXPECT_INT(1, n.end.samples);
}

/* The filter takes virtual threads by the name that they have together, whatever carries them. */
TEST(thread_filter_of_virtual_threads)
{
	static const struct {
		const char *filter;
		uint64_t samples;
	} rows[] = {{".*", 2}, {"^virtual threads$", 1}, {"^carrier", 1}, {"^mine", 0}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct options o = some_options();
		snprintf(o.thread, sizeof(o.thread), "%s", rows[i].filter);
		begin(21, &o);
		become(1, "carrier", false);
		allocate(0);
		fake_vm_be(2);
		fake_vm_set_thread(2, "mine", false, true);
		allocate(0);
		EXPECT_INT(rows[i].samples, end(NULL).end.samples);
	}
}

/* More objects than slots: the oldest make room at random; every tag that is left means one object.
 */
TEST(eviction)
{
	struct options o = some_options();
	o.max_rate = o.max_walks = 0;
	begin(17, &o);
	for (int i = 0; i < 2000; i++) {
		allocate(i % FAKE_CLASSES);
		EXPECT(fake_vm_tagged() <= CAPACITY);
		EXPECT_INT(recorder_counts(&recorder).alive, fake_vm_tagged());
		expect_given_back();
	}
	struct agent_totals n = end(NULL);
	EXPECT_INT(2000, n.births);
	EXPECT(n.untracks > 1900 && n.end.alive > CAPACITY / 2);
}

/* As many births as deaths, untracks and those alive, whatever the order. */
TEST(births_and_deaths)
{
	enum { OBJECTS = 3000 };
	static size_t objects[OBJECTS];
	struct options o = some_options();
	struct rng r = rng_init(tap_seed());
	o.max_rate = o.max_walks = 0;
	begin(17, &o);
	for (int i = 0; i < OBJECTS; i++) {
		objects[i] = allocate((int)rng_below(&r, FAKE_CLASSES));
		fake_vm_drop(objects[i - (int)rng_below(&r, i < 40 ? (uint64_t)i + 1 : 40)]);
		if (rng_below(&r, 20) == 0)
			fake_vm_collect(false);
		if (rng_below(&r, 20) == 0)
			fake_vm_tell_deaths();
	}
	struct agent_totals n = end(NULL);
	EXPECT_INT(OBJECTS, n.births);
	EXPECT(n.deaths > 500 && n.untracks > 100);
}

/*
 * Through the whole sampler: the weights that the config records give estimate the true
 * number of samples. The sieves change on the way.
 */
struct estimate {
	uint64_t walk[64], track[64];
	double allocations, lives, allocations_variance, lives_variance;
};

static void add_weights(void *arg, const struct record *r)
{
	struct estimate *e = arg;
	if (r->kind == RECORD_config) {
		e->walk[r->config.id] = r->config.walk;
		e->track[r->config.id] = r->config.track;
	} else if (r->kind == RECORD_alloc || r->kind == RECORD_birth) {
		uint64_t config = r->kind == RECORD_alloc ? r->alloc.config : r->birth.config;
		double walk = (double)e->walk[config], both = walk * (double)e->track[config];
		e->allocations += walk;
		e->allocations_variance += walk * (walk - 1);
		e->lives += r->kind == RECORD_birth ? both : 0;
		e->lives_variance += r->kind == RECORD_birth ? both * (both - 1) : 0;
	}
}

TEST(weights_estimate_the_truth)
{
	enum { SAMPLES = 40000 };
	struct agent_trace t = {0};
	struct estimate e = {0};
	struct options o = some_options();
	o.max_walks = 300;
	o.max_rate = 600;
	begin(17, &o);
	for (int i = 0; i < SAMPLES; i++) {
		fake_vm_drop(allocate(i % FAKE_CLASSES));
		/* Slow, then fast, then slow again; and a second has passed, as far as the thinning
		 * knows. */
		int rate = i > SAMPLES / 4 && i < SAMPLES / 2 ? 2500 : 500;
		if (i % rate == rate - 1) {
			recorder.configs.thinning.window_start.v -= 1000000000u;
			recorder_tick(&recorder, 0, 0);
			fake_vm_collect(false);
			fake_vm_tell_deaths();
			agent_trace_drain(&t, &recorder, false);
		}
	}
	struct agent_totals n = end(&t);
	EXPECT_INT(SAMPLES, n.end.samples);
	EXPECT(n.configs > 3 && n.end.walked < SAMPLES / 2 && n.births < n.end.walked);
	EXPECT(agent_trace_each(&t, add_weights, &e) > 0);
	EXPECT_NEAR(SAMPLES, e.allocations, 5 * sqrt(e.allocations_variance));
	EXPECT_NEAR(SAMPLES, e.lives, 5 * sqrt(e.lives_variance));
	agent_trace_release(&t);
}

/* All before the first tick: what is walked grows with the logarithm of what is allocated. */
TEST(a_burst_in_the_first_second)
{
	enum { SAMPLES = 60000, BOUND = 200 };
	struct agent_trace t = {0};
	struct estimate e = {0};
	struct options o = some_options();
	o.max_walks = BOUND;
	o.max_rate = 0;
	begin(17, &o);
	for (int i = 0; i < SAMPLES; i++)
		fake_vm_drop(allocate(i % FAKE_CLASSES));
	EXPECT(fake_vm_calls(FAKE_GetStackTrace) < SAMPLES / 10);
	struct agent_totals n = end(&t);
	EXPECT_INT(SAMPLES, n.end.samples);
	EXPECT(n.end.walked >= BOUND && n.end.walked < SAMPLES / 10);
	EXPECT(agent_trace_each(&t, add_weights, &e) > 0);
	EXPECT_NEAR(SAMPLES, e.allocations, 5 * sqrt(e.allocations_variance));
	agent_trace_release(&t);
}

static void run(int objects)
{
	for (int i = 0; i < objects; i++) {
		size_t object = allocate(i % FAKE_CLASSES);
		if (i % 3)
			fake_vm_drop(object);
		if (i % 50 == 49) {
			fake_vm_collect(false);
			fake_vm_tell_deaths();
		}
	}
}

/* Whatever call is refused, at its n-th time: nothing leaks, and the trace is sound. */
TEST(refused_at_every_call)
{
	static const uint64_t times[] = {1, 2, 3, 5, 10, 60, 100};
	for (int call = 0; call < FAKE_CALL_COUNT; call++) {
		for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
			struct options o = some_options();
			if (call == FAKE_SetEventNotificationMode)
				continue;
			begin(21, &o);
			fake_vm_refuse((enum fake_call)call, times[i]);
			run(150);
			struct agent_totals n = end(NULL);
			EXPECT_INT(150, n.end.samples);
			EXPECT_INT(150, n.end.walked);
		}
	}
}

/* An object whose tag could not be set is let go at once. */
TEST(a_tag_that_is_refused)
{
	struct options o = some_options();
	begin(17, &o);
	allocate(0);
	fake_vm_refuse(FAKE_SetTag, 1);
	size_t object = allocate(0);
	EXPECT(fake_vm_refused());
	EXPECT_INT(0, fake_vm_tag(object));
	EXPECT_INT(1, recorder_counts(&recorder).alive);
	EXPECT_INT(1, end(NULL).untracks);
}

TEST(out_of_memory)
{
	for (uint64_t n = 1; n < 80; n++) {
		struct options o = some_options();
		o.depth = n % 2 ? 32 : 100;
		begin(17, &o);
		mem_fail_at(n);
		run(60);
		mem_fail_at(0);
		run(60);
		struct agent_totals totals = end(NULL);
		EXPECT_INT(120, totals.end.samples);
		EXPECT_INT(120, totals.end.walked + totals.end.lost);
	}
}

/*
 * Many threads at once, with evictions, deaths and ticks. While one evicts the others use up the
 * slots that are left, and then follow no more: how many are followed of so many is the scheduler's
 * to say. So they allocate until enough have been, and on, until after the stop.
 */
enum { THREADS = 4, FOLLOWED = 2000, GONE = 20 };

static _Atomic bool stopped;
static _Atomic uint64_t allocated;

static void *work(void *arg)
{
	int number = *(int *)arg;
	fake_vm_be(number);
	for (int i = 0; !stopped; i++) {
		allocated++;
		size_t object = allocate(i % FAKE_CLASSES);
		if (i % 2)
			fake_vm_drop(object);
	}
	return NULL;
}

static bool enough(void)
{
	struct recorder_counts n = recorder_counts(&recorder);
	return n.tracked >= FOLLOWED && n.died >= GONE && n.untracked >= GONE;
}

TEST(threads)
{
	pthread_t threads[THREADS];
	int numbers[THREADS];
	struct agent_trace t = {0};
	struct options o = some_options();
	o.max_rate = o.max_walks = 0;
	begin(17, &o);
	for (int i = 0; i < THREADS; i++) {
		numbers[i] = i + 1;
		EXPECT_INT(0, pthread_create(&threads[i], NULL, work, &numbers[i]));
	}
	while (!enough()) {
		fake_vm_collect(false);
		fake_vm_tell_deaths();
		recorder_tick(&recorder, 0, 0);
		agent_trace_drain(&t, &recorder, false);
	}
	/* A stop in the middle. */
	vm_event(&vm, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, false, NULL);
	stopped = true;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	struct agent_totals n = end(&t);
	EXPECT(n.end.samples <= allocated);
	EXPECT(n.births >= FOLLOWED && n.deaths >= GONE && n.untracks >= GONE);
	agent_trace_release(&t);
}

/* ---- an interval that changes ---- */

enum { SPREAD_MOST = 5, TURNS = 4000, TURN = 500, CONFIGS = 6 * TURNS };

static const uint64_t kinds[] = {64, 20000};

/* A thread as HotSpot has it: the distance to its next sample is drawn as one is taken, by the
 * interval in force then. */
struct allocator {
	struct rng rng;
	double left;     /* bytes to the next sample */
	double bytes[2]; /* allocated, by kind */
};

static void draw_distance(struct allocator *a)
{
	a->left = -log(1 - rng_unit(&a->rng)) * (double)fake_vm_interval();
}

static void allocate_one(struct allocator *a)
{
	int kind = rng_below(&a->rng, 300) == 0;
	a->bytes[kind] += (double)kinds[kind];
	a->left -= (double)kinds[kind];
	if (a->left > 0)
		return;
	draw_distance(a);
	fake_vm_allocate(kind, kinds[kind], stack, 1);
}

/* As a second's end does, by what it has decided. */
static void decide(uint32_t spread, uint32_t walk_shift)
{
	recorder.configs.spacing.shift = spread;
	recorder.configs.thinning.walk_shift = walk_shift;
	recorder_tick(&recorder, 0, 0);
}

/* With the interval that was asked for, each, and then it gets wider: by the interval in force at
 * their ends, samples would tell too much (where it goes to and fro in a thread, that evens out).
 */
static void begin_thread(struct allocator *a)
{
	decide(0, 0);
	while (fake_vm_interval() != 4096)
		allocate_one(a);
	become(1, "a thread", false);
	draw_distance(a);
}

/* By the formulas of doc/trace-format.md alone. */
struct weighed {
	struct record_config config[CONFIGS + 1];
	double bytes[2], variance[2];
	uint64_t last, stale; /* samples by another config than the last that was put down */
	uint64_t interval[4]; /* of the first samples */
	uint64_t samples;
};

static void add_sample(struct weighed *e, uint64_t size, uint64_t config)
{
	const struct record_config *c = &e->config[config];
	double p = -expm1(-(double)size / (double)c->interval), weight = (double)c->walk / p;
	int kind = size == kinds[1];
	e->bytes[kind] += weight * (double)size;
	e->variance[kind] += weight * (weight - 1) * (double)size * (double)size;
	e->stale += config != e->last;
	if (e->samples < ARRAY_SIZE(e->interval))
		e->interval[e->samples] = c->interval;
	e->samples++;
}

static void weigh(void *arg, const struct record *r)
{
	struct weighed *e = arg;
	if (r->kind == RECORD_config && r->config.id <= CONFIGS)
		e->config[e->last = r->config.id] = r->config;
	else if (r->kind == RECORD_config_again)
		e->last = r->config_again.config;
	else if (r->kind == RECORD_alloc)
		add_sample(e, r->alloc.size, r->alloc.config);
	else if (r->kind == RECORD_birth)
		add_sample(e, r->birth.size, r->birth.config);
}

static void begin_spaced(void)
{
	struct options o = some_options();
	o.interval = 4096;
	o.max_walks = 0;
	begin(17, &o);
	sampler.follow_max = 0;
	EXPECT_INT(0, vm_interval(&vm, o.interval));
	fake_vm_be(1);
}

/* Held to what was allocated: within what chance allows, though the interval changes every few
 * samples, stacks are thinned beside it, and threads end and begin. */
TEST(estimates_hold_while_the_interval_changes)
{
	static struct weighed e;
	struct agent_trace t = {0};
	struct allocator a = {.rng = rng_init(tap_seed())};
	begin_spaced();
	for (int turn = 0; turn < TURNS; turn++) {
		if (turn % 4 == 0)
			begin_thread(&a);
		decide((uint32_t)rng_below(&a.rng, SPREAD_MOST + 1),
			(uint32_t)rng_below(&a.rng, 2));
		for (int i = 0; i < TURN; i++)
			allocate_one(&a);
		agent_trace_drain(&t, &recorder, false);
	}
	uint64_t in_force = fake_vm_interval();
	double clock = (double)atomic_load(&recorder.alloc_bytes), all = a.bytes[0] + a.bytes[1];
	end(&t);
	EXPECT(agent_trace_each(&t, weigh, &e) > 0);
	EXPECT(e.samples > 5000 && e.stale > 1000 && e.last <= CONFIGS);
	EXPECT_INT(in_force, e.config[e.last].interval);
	for (int kind = 0; kind < 2; kind++) {
		double off = (e.bytes[kind] - a.bytes[kind]) / sqrt(e.variance[kind]);
		EXPECT_NEAR(0, off, 4);
	}
	/* The clock takes all samples, with stacks or without. */
	EXPECT_NEAR(all, clock, 4 * sqrt(e.variance[0] + e.variance[1]));
	agent_trace_release(&t);
}

/* What was drawn by a wide interval counts as that, and be it in the next recording; there the VM
 * is told of the interval that was asked for. */
TEST(a_wide_distance_outlasts_its_recording)
{
	static struct weighed first, second;
	struct agent_trace t = {0}, u = {0};
	begin_spaced();
	become(1, "a thread", false);
	decide(3, 0);
	allocate(0); /* drawn before; the VM is told, once the next distance is drawn */
	EXPECT_INT(4096 << 3, fake_vm_interval());
	allocate(0); /* so this one was drawn by the old interval, too */
	allocate(0);
	end(&t);
	EXPECT(agent_trace_each(&t, weigh, &first) > 0);
	EXPECT_INT(4096, first.interval[0]);
	EXPECT_INT(4096, first.interval[1]);
	EXPECT_INT(4096 << 3, first.interval[2]);
	begin_spaced();
	allocate(0), allocate(0);
	end(&u);
	EXPECT(agent_trace_each(&u, weigh, &second) > 0);
	EXPECT_INT(4096 << 3, second.interval[0]);
	EXPECT_INT(4096, second.interval[1]);
	agent_trace_release(&t);
	agent_trace_release(&u);
}

/* Two samples of a thread that began before the recording. */
static void *of_before(void *unused)
{
	(void)unused;
	fake_vm_be(1);
	allocate(0), allocate(0);
	fake_vm_be_nobody();
	return NULL;
}

/* early: the VM was told of the interval before there was a thread. */
static void record_of_before(uint64_t interval, bool early, struct weighed *e)
{
	struct options o = some_options();
	struct agent_trace t = {0};
	pthread_t thread;
	o.interval = interval;
	begin(17, &o);
	if (early)
		sampler_draws(&sampler);
	EXPECT_INT(0, pthread_create(&thread, NULL, of_before, NULL));
	pthread_join(thread, NULL);
	end(&t);
	EXPECT(agent_trace_each(&t, weigh, e) > 0);
	EXPECT_INT(2, e->samples);
	agent_trace_release(&t);
}

/* Its first distance is the VM's own, whatever the recording asks for; but a census stays one. */
TEST(a_thread_of_before_the_recording)
{
	static const uint64_t intervals[] = {4096, 16 << 20, 512 << 10, 0};
	for (size_t i = 0; i < ARRAY_SIZE(intervals); i++)
		for (int early = 0; early < 2; early++) {
			static struct weighed e;
			e = (struct weighed){.samples = 0};
			record_of_before(intervals[i], early, &e);
			EXPECT_INT(
				early || !intervals[i] ? intervals[i] : 512 << 10, e.interval[0]);
			EXPECT_INT(intervals[i], e.interval[1]);
		}
}

/* What it drew in a recording of another interval it still has. */
TEST(a_thread_of_an_earlier_recording)
{
	static struct weighed e;
	struct agent_trace t = {0};
	struct options o = some_options();
	begin_spaced();
	become(1, "a thread", false);
	allocate(0);
	end(NULL);
	o.interval = 16 << 20;
	begin(17, &o);
	allocate(0), allocate(0);
	end(&t);
	EXPECT(agent_trace_each(&t, weigh, &e) > 0);
	EXPECT_INT(4096, e.interval[0]);
	EXPECT_INT(16 << 20, e.interval[1]);
	agent_trace_release(&t);
}

static void begin_counted(void)
{
	struct options o = some_options();
	o.interval = 4096;
	o.spread = OPTION_COUNTED_SPREAD;
	o.max_walks = 0;
	begin(17, &o);
	sampler.follow_max = 0;
	EXPECT_INT(0, vm_interval(&vm, recorder_first(&recorder)));
	fake_vm_be(1);
}

/* A sample that was drawn while exact counts held counts as that, and the first one of a thread
 * that knows of none before. */
TEST(what_was_drawn_beside_counts)
{
	static struct weighed e;
	struct agent_trace t = {0};
	begin_counted();
	become(1, "a thread", false);
	allocate(0);
	recorder_alone(&recorder);
	allocate(0); /* drawn before; the VM is told now, once the next distance is drawn */
	EXPECT_INT(4096, fake_vm_interval());
	allocate(0), allocate(0);
	end(&t);
	EXPECT(agent_trace_each(&t, weigh, &e) > 0);
	EXPECT_INT(4, e.samples);
	for (int i = 0; i < 4; i++)
		EXPECT_INT(i < 3 ? 4096 << OPTION_COUNTED_SPREAD : 4096, e.interval[i]);
	agent_trace_release(&t);
}

/* Many programs that lose their exact counts half way. */
TEST(estimates_hold_without_exact_counts)
{
	static struct weighed e;
	struct allocator a = {.rng = rng_init(tap_seed())};
	for (int i = 0; i < 400; i++) {
		struct agent_trace t = {0};
		begin_counted();
		become(1, "a thread", false);
		draw_distance(&a);
		for (int k = 0; k < 2 * TURN; k++)
			allocate_one(&a);
		recorder_alone(&recorder);
		for (int k = 0; k < 2 * TURN; k++)
			allocate_one(&a);
		end(&t);
		EXPECT(agent_trace_each(&t, weigh, &e) > 0);
		agent_trace_release(&t);
	}
	for (int kind = 0; kind < 2; kind++) {
		double off = (e.bytes[kind] - a.bytes[kind]) / sqrt(e.variance[kind]);
		EXPECT_NEAR(0, off, 4);
	}
}

/* Refused, or without room to say so: the interval in force is what samples are weighed by. */
TEST(an_interval_that_the_vm_does_not_take)
{
	static struct weighed e;
	struct agent_trace t = {0};
	begin_spaced();
	become(1, "a thread", false);
	fake_vm_refuse(FAKE_SetHeapSamplingInterval, 1);
	decide(2, 0);
	allocate(0), allocate(0);
	EXPECT_INT(4096, fake_vm_interval());
	decide(2, 0); /* the next second tries again */
	allocate(0);
	EXPECT_INT(4096 << 2, fake_vm_interval());
	allocate(0);
	end(&t);
	EXPECT(agent_trace_each(&t, weigh, &e) > 0);
	EXPECT_INT(4, e.samples);
	for (int i = 0; i < 4; i++)
		EXPECT_INT(4096, e.interval[i]);
	agent_trace_release(&t);
}
