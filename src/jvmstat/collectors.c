#include "jvmstat/collectors.h"

#include <string.h>

#include "base/compiler.h"
#include "jvmstat/vm_thread.h"

enum {
	NUMBERS_TRIED = 4, /* sun.gc.collector.0 to 3: the VM leaves gaps, Z has 0 and 2 */
	SHENGEN_SINCE = 24,
};

static const struct {
	const char *name;
	enum gc gc;
	enum collector_kind kind;
	enum collector_counts counts;
} known[] = {
#define COLLECTOR(name, gc, kind, counts) {name, GC_##gc, COLLECTOR_##kind, COUNTS_##counts},
#include "jvmstat/collectors.def"
#undef COLLECTOR
};

/* Without collectors in the counters: by the name of generation 1, the only one. */
static const struct {
	const char *name;
	enum gc gc;
} nameless[] = {
	{"old", GC_Z}, /* JDK 11 */
	{"Heap", GC_EPSILON},
};

static void recognise(struct collectors *c, struct collector *one)
{
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		if (strcmp(one->name, known[i].name) != 0)
			continue;
		one->kind = known[i].kind;
		one->counts = known[i].counts;
		c->gc = known[i].gc;
	}
}

static void find_one(struct collectors *c, const struct perfdata *p, unsigned n)
{
	struct collector *one = &c->at[c->count];
	*one = (struct collector){0};
	if (!counter_text_read(
		    perfdata_textf(p, "sun.gc.collector.%u.name", n), one->name, sizeof(one->name)))
		return;
	one->invocations = perfdata_counterf(p, "sun.gc.collector.%u.invocations", n);
	one->time = perfdata_counterf(p, "sun.gc.collector.%u.time", n);
	one->entered = perfdata_counterf(p, "sun.gc.collector.%u.lastEntryTime", n);
	one->left = perfdata_counterf(p, "sun.gc.collector.%u.lastExitTime", n);
	recognise(c, one);
	c->count++;
}

static enum gc by_generation(const struct perfdata *p)
{
	char name[COLLECTOR_NAME_MAX];
	counter_text_read(perfdata_text(p, "sun.gc.generation.1.name"), name, sizeof(name));
	if (perfdata_text(p, "sun.gc.generation.0.name").at)
		return GC_UNKNOWN;
	for (size_t i = 0; i < ARRAY_SIZE(nameless); i++)
		if (strcmp(name, nameless[i].name) == 0)
			return nameless[i].gc;
	return GC_UNKNOWN;
}

void collectors_find(struct collectors *c, const struct perfdata *p)
{
	*c = (struct collectors){0};
	for (unsigned n = 0; n < NUMBERS_TRIED; n++)
		find_one(c, p, n);
	if (c->count == 0)
		c->gc = by_generation(p);
	c->cause = perfdata_text(p, "sun.gc.cause");
	c->last_cause = perfdata_text(p, "sun.gc.lastCause");
	collectors_find_rest(c, p);
}

void collectors_find_rest(struct collectors *c, const struct perfdata *p)
{
	if (!c->frequency.at)
		c->frequency = perfdata_counter(p, "sun.os.hrt.frequency");
}

/* The VM's version is its feature release shifted left by 24 bits, and more. The counters of Java's
 * properties come later than VMInit. */
void collectors_find_mode(struct collectors *c, const struct perfdata *p, const char *proc)
{
	uint64_t feature = counter_read_u64(perfdata_counter(p, "sun.rt.jvmVersion")) >> 24;
	if (c->gc == GC_SHENANDOAH && feature >= SHENGEN_SINCE &&
		vm_thread_exists(proc, "Shenandoah Regu"))
		c->gc = GC_SHENGEN;
}

const struct collector *collectors_kind(const struct collectors *c, enum collector_kind kind)
{
	for (unsigned i = 0; i < c->count; i++)
		if (c->at[i].kind == kind)
			return &c->at[i];
	return NULL;
}

struct ns collectors_ticks(const struct collectors *c, uint64_t ticks)
{
	const uint64_t second = 1000000000;
	uint64_t frequency = counter_read_u64(c->frequency);
	if (frequency == 0 || frequency > UINT64_MAX / second)
		return (struct ns){0};
	uint64_t rest = ticks % frequency;
	return (struct ns){ticks / frequency * second + rest * second / frequency};
}

static size_t read_cause(struct counter_text t, char *out, size_t size)
{
	size_t len = counter_text_read(t, out, size);
	if (len > 0 && strcmp(out, "No GC") != 0)
		return len;
	if (size > 0)
		out[0] = '\0';
	return 0;
}

/*
 * 25, and G1 throughout: cause is that of the collection until after Finish. Serial and Parallel
 * before: it has moved to lastCause by then.
 */
size_t collectors_cause(const struct collectors *c, char *out, size_t size)
{
	size_t len = read_cause(c->cause, out, size);
	return len ? len : read_cause(c->last_cause, out, size);
}

size_t collectors_last_cause(const struct collectors *c, char *out, size_t size)
{
	return read_cause(c->last_cause, out, size);
}

const char *collector_kind_name(enum collector_kind kind)
{
	static const char *const names[] = {
		[COLLECTOR_UNKNOWN] = "unknown",
		[COLLECTOR_YOUNG] = "young",
		[COLLECTOR_FULL] = "full",
		[COLLECTOR_CONCURRENT] = "concurrent",
		[COLLECTOR_MINOR] = "minor",
		[COLLECTOR_MAJOR] = "major",
		[COLLECTOR_CYCLE] = "cycle",
		[COLLECTOR_NEVER] = "never",
	};
	return (size_t)kind < ARRAY_SIZE(names) ? names[kind] : "unknown";
}

const char *gc_name(enum gc gc)
{
	static const char *const names[] = {
		[GC_UNKNOWN] = "",
		[GC_SERIAL] = "Serial",
		[GC_PARALLEL] = "Parallel",
		[GC_G1] = "G1",
		[GC_Z] = "ZGC",
		[GC_ZGEN] = "ZGC generational",
		[GC_SHENANDOAH] = "Shenandoah",
		[GC_SHENGEN] = "Shenandoah generational",
		[GC_EPSILON] = "Epsilon",
	};
	return (size_t)gc < ARRAY_SIZE(names) ? names[gc] : "";
}
