/*
 * What the agent's own code takes in its callbacks, without a VM: a fake one gives stacks and
 * takes tags for nothing. Stacks, methods and classes are known (the hit path).
 *
 *	bench_hot_path				all pieces
 *	bench_hot_path --list			their names and depths
 *	bench_hot_path PIECE DEPTH [BATCHES]	one piece; hot_path.py runs it so under callgrind
 *
 * Prints for each piece the median and the least ns (of CPU time) of a call over the batches, and
 * the instructions of a call where the processor's counter can be had.
 */
#include <assert.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "agent/sampler.h"
#include "agent/session.h"
#include "agent/zstd_load.h"
#include "base/clock.h"
#include "base/compiler.h"
#include "base/error.h"
#include "fake_jvmti.h"

enum {
	BATCH = 4096, /* calls: their records fit the journal, their lives the table */
	BATCHES = 200,
	BATCHES_MAX = 100000,
	SIZE = 48,
	LIVE_ROOM = 16384,
	SECOND = 1000000000,
};
static_assert((int)BATCH <= (int)FAKE_TAGS_MAX, "the tags of a batch are kept");

struct rig {
	struct vm vm;
	JNIEnv *jni;
	struct recorder recorder;
	struct sampler sampler;
	struct stack_frame stacks[FAKE_STACKS][FAKE_DEPTH_MAX];
	uint32_t depth;
	int64_t tags[FAKE_TAGS_MAX];
	uint32_t tag_count;
	struct rng rng;
	struct codec codec;
	struct buf sealed;
};

struct piece {
	const char *name;
	void (*run)(struct rig *rig);     /* BATCH calls */
	void (*prepare)(struct rig *rig); /* before each batch; may be NULL */
	bool any_depth;                   /* depth matters: 8, 32 and 64 are measured, else 32 */
	uint64_t max_walks, max_rate;     /* the sieves' bounds, 0: open */
	uint64_t walked, followed;        /* of a batch's samples all (1) or next to none (0) */
};

static void drain(struct rig *rig)
{
	struct block *b;
	while ((b = recorder_take(&rig->recorder, true)) != NULL)
		recorder_give_back(&rig->recorder, b);
}

static void kill_all(struct rig *rig)
{
	rig->tag_count = fake_jvmti_take_tags(rig->tags);
	for (uint32_t i = 0; i < rig->tag_count; i++)
		recorder_death(&rig->recorder, rig->tags[i]);
	drain(rig);
}

static void events(struct rig *rig)
{
	for (uint32_t i = 0; i < BATCH; i++)
		sampler_event(&rig->sampler, rig->jni, NULL, fake_jvmti_object(),
			fake_jvmti_class(i), SIZE);
}

static void bracket(struct rig *rig)
{
	struct session *s = session_get();
	for (uint32_t i = 0; i < BATCH; i++)
		if (session_enter(s))
			session_leave(s);
	(void)rig;
}

static void samples(struct rig *rig, bool follow)
{
	struct sample sample = {.class_id = 1,
		.thread = 1,
		.size = SIZE,
		.depth = rig->depth,
		.follow = follow,
		.config = 1};
	for (uint32_t i = 0; i < BATCH; i++) {
		int64_t tag = 0;
		sample.stack = rig->stacks[i % FAKE_STACKS];
		recorder_sample(&rig->recorder, &sample, &tag);
		rig->tags[i] = tag;
	}
}

static void samples_alloc(struct rig *rig)
{
	samples(rig, false);
}

static void samples_followed(struct rig *rig)
{
	samples(rig, true);
	rig->tag_count = BATCH;
}

static void deaths(struct rig *rig)
{
	for (uint32_t i = 0; i < BATCH; i++)
		recorder_death(&rig->recorder, rig->tags[i]);
	rig->tag_count = 0;
}

/* What the writer thread does with a batch of births, but for write(2). */
static void seal(struct rig *rig)
{
	struct block *b;
	for (uint32_t sequence = 0; (b = recorder_take(&rig->recorder, true)) != NULL; sequence++) {
		block_seal(b, sequence, rig->codec.compress ? &rig->codec : NULL, &rig->sealed);
		recorder_give_back(&rig->recorder, b);
	}
}

static void bury_samples(struct rig *rig)
{
	if (rig->tag_count)
		deaths(rig);
	drain(rig);
}

/* Objects die in an order that has nothing to do with that of their births. */
static void shuffle(struct rig *rig)
{
	for (uint32_t i = rig->tag_count; i > 1; i--) {
		uint32_t j = (uint32_t)rng_below(&rig->rng, i);
		int64_t tag = rig->tags[i - 1];
		rig->tags[i - 1] = rig->tags[j];
		rig->tags[j] = tag;
	}
}

static void bear(struct rig *rig)
{
	drain(rig);
	events(rig);
	rig->tag_count = fake_jvmti_take_tags(rig->tags);
	shuffle(rig);
	drain(rig);
}

static void bear_for_writer(struct rig *rig)
{
	kill_all(rig);
	events(rig);
}

/* clang-format off */
static const struct piece pieces[] = {
	{"bracket",           bracket,          NULL,            false, 0, 0, 0, 0},
	{"event-sieved-out",  events,           kill_all,        false, 1, 1, 0, 0},
	{"event-alloc",       events,           kill_all,        true,  0, 1, 1, 0},
	{"event-followed",    events,           kill_all,        true,  0, 0, 1, 1},
	{"recorder-alloc",    samples_alloc,    bury_samples,    true,  0, 0, 1, 0},
	{"recorder-followed", samples_followed, bury_samples,    true,  0, 0, 1, 1},
	{"death",             deaths,           bear,            false, 0, 0, 1, 1},
	{"writer-seal",       seal,             bear_for_writer, false, 0, 0, 1, 1},
};
/* clang-format on */

static const uint32_t depths[] = {8, 32, 64};
enum { DEPTH_USUAL = 32 };

/* Stacks as the sampler would hand them to the recorder. */
static void copy_stacks(struct rig *rig)
{
	jvmtiFrameInfo infos[FAKE_DEPTH_MAX];
	jint count;
	for (uint32_t s = 0; s < FAKE_STACKS; s++) {
		(*rig->vm.jvmti)
			->GetStackTrace(rig->vm.jvmti, NULL, 0, FAKE_DEPTH_MAX, infos, &count);
		for (jint i = 0; i < count; i++)
			rig->stacks[s][i] = (struct stack_frame){
				(uint64_t)(uintptr_t)infos[i].method, (int32_t)infos[i].location};
	}
}

/* Lets the sieves close on a rate far over their bounds, as they do a second into a recording. */
static void close_sieves(struct rig *rig)
{
	for (uint32_t i = 0; i < 1 << 16; i++)
		recorder_clock(&rig->recorder, SIZE, recorder_interval(&rig->recorder, 0));
	rig->recorder.configs.thinning.window_start.v -= SECOND;
	recorder_tick(&rig->recorder, 0, 0);
}

static void prepare(struct rig *rig, const struct piece *p)
{
	if (p->prepare)
		p->prepare(rig);
}

static int rig_init(struct rig *rig, const struct piece *p, uint32_t depth)
{
	struct options o;
	struct diag d;
	memset(rig, 0, sizeof(*rig));
	options_init(&o);
	o.depth = depth;
	o.seed = 1;
	o.max_walks = p->max_walks;
	o.max_rate = p->max_rate;
	fake_jvmti_init(depth, 1);
	rig->vm = fake_jvmti_vm();
	rig->jni = fake_jvmti_jni();
	rig->depth = depth;
	rig->rng = rng_init(1);
	int err = recorder_init(&rig->recorder, &o, LIVE_ROOM, clock_now(), NULL);
	if (!err)
		err = sampler_init(&rig->sampler, &rig->vm, &rig->recorder, &o, &d);
	if (!err && zstd_load(&rig->codec))
		rig->codec = (struct codec){0};
	if (err)
		return err;
	copy_stacks(rig);
	session_set_state(session_get(), STATE_RECORDING);
	events(rig); /* all is met once, while the sieves are open */
	kill_all(rig);
	if (p->max_walks || p->max_rate)
		close_sieves(rig);
	prepare(rig, p);
	p->run(rig);
	return ERR_NONE;
}

static void rig_release(struct rig *rig)
{
	session_set_state(session_get(), STATE_OFF);
	if (rig->codec.compress)
		zstd_unload(&rig->codec);
	buf_release(&rig->sealed);
	sampler_release(&rig->sampler);
	recorder_release(&rig->recorder);
}

/* Of this thread in user mode, or -1 where the counter can't be had (virtual machines,
 * perf_event_paranoid). */
static int open_counter(void)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.exclude_kernel = 1,
		.exclude_hv = 1};
	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

static uint64_t read_counter(int counter)
{
	uint64_t value = 0;
	return counter >= 0 && read(counter, &value, sizeof(value)) == sizeof(value) ? value : 0;
}

/* ns of CPU time that this thread has had: what others take of the processor is not in it. */
static double cpu_now(void)
{
	struct timespec t = {0};
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * SECOND + (double)t.tv_nsec;
}

/* The only function that callgrind looks into. */
__attribute__((noinline)) static void timed_batch(const struct piece *p, struct rig *rig)
{
	p->run(rig);
	__asm__ volatile(
		"" ::
			: "memory"); /* no tail call: the function lasts as long as its batch */
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void print_row(
	const struct piece *p, uint32_t depth, double *ns, uint32_t batches, uint64_t instructions)
{
	qsort(ns, batches, sizeof(*ns), by_value);
	printf("%-18s %5u %9.1f %9.1f", p->name, depth, ns[batches / 2], ns[0]);
	if (instructions)
		printf(" %12.1f\n", (double)instructions / batches / BATCH);
	else
		printf(" %12s\n", "-");
	fflush(stdout);
}

static void print_header(void)
{
	static bool printed;
	if (!printed)
		printf("%-18s %5s %9s %9s %12s\n", "PIECE", "DEPTH", "NS", "LEAST", "INSTRUCTIONS");
	printed = true;
}

/* Whether that is all (share 1) or none (share 0) of the calls, to one in a hundred. */
static bool is_share(uint64_t count, uint64_t calls, uint64_t share)
{
	uint64_t want = calls * share;
	return (count > want ? count - want : want - count) <= calls / 100;
}

/* Whether the batches took the path that the piece is about. */
static bool went_as_meant(const struct piece *p, const struct recorder_counts *before,
	const struct recorder_counts *after, uint32_t batches)
{
	uint64_t calls = (uint64_t)batches * BATCH;
	uint64_t walked = after->walked - before->walked;
	uint64_t followed = after->tracked - before->tracked;
	bool well = after->lost == 0 && is_share(walked, calls, p->walked) &&
		    is_share(followed, calls, p->followed);
	if (!well)
		fprintf(stderr,
			"bench_hot_path: %s: of %llu calls %llu walked, %llu followed, %llu lost: "
			"not what it measures\n",
			p->name, (unsigned long long)calls, (unsigned long long)walked,
			(unsigned long long)followed, (unsigned long long)after->lost);
	return well;
}

static int measure(const struct piece *p, uint32_t depth, uint32_t batches)
{
	static struct rig rig;
	static double ns[BATCHES_MAX];
	uint64_t instructions = 0;
	print_header();
	int err = rig_init(&rig, p, depth);
	if (err) {
		fprintf(stderr, "bench_hot_path: %s: %s\n", p->name, err_text(err));
		return err;
	}
	struct recorder_counts before = recorder_counts(&rig.recorder);
	int counter = open_counter();
	for (uint32_t i = 0; i < batches; i++) {
		prepare(&rig, p);
		uint64_t count = read_counter(counter);
		double start = cpu_now();
		timed_batch(p, &rig);
		ns[i] = (cpu_now() - start) / BATCH;
		instructions += read_counter(counter) - count;
	}
	if (counter >= 0)
		close(counter);
	print_row(p, depth, ns, batches, instructions);
	struct recorder_counts after = recorder_counts(&rig.recorder);
	rig_release(&rig);
	return went_as_meant(p, &before, &after, batches) ? ERR_NONE : ERR_LIMIT;
}

static int each(int (*act)(const struct piece *p, uint32_t depth, uint32_t batches))
{
	int err = ERR_NONE;
	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++)
		for (size_t d = 0; d < ARRAY_SIZE(depths); d++)
			if ((pieces[i].any_depth || depths[d] == DEPTH_USUAL) &&
				act(&pieces[i], depths[d], BATCHES))
				err = ERR_LIMIT;
	return err;
}

static int list(const struct piece *p, uint32_t depth, uint32_t batches)
{
	(void)batches;
	printf("%s %u\n", p->name, depth);
	return ERR_NONE;
}

static int measure_one(const char *name, const char *depth, const char *batches)
{
	unsigned long d = strtoul(depth, NULL, 10),
		      n = batches ? strtoul(batches, NULL, 10) : BATCHES;
	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++)
		if (strcmp(pieces[i].name, name) == 0 && d > 0 && d <= FAKE_DEPTH_MAX && n > 0 &&
			n <= BATCHES_MAX)
			return measure(&pieces[i], (uint32_t)d, (uint32_t)n);
	fprintf(stderr, "bench_hot_path: no piece %s of depth %s\n", name, depth);
	return ERR_NOT_FOUND;
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "--list") == 0)
		return each(list) != 0;
	if (argc == 1)
		return each(measure) != 0;
	if (argc == 3 || argc == 4)
		return measure_one(argv[1], argv[2], argv[3]) != 0;
	fprintf(stderr, "usage: bench_hot_path [--list | PIECE DEPTH [BATCHES]]\n");
	return 2;
}
