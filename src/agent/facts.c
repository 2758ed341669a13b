#include "agent/facts.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/dead_in_place.h"
#include "agent/session.h"
#include "agent/unsampled.h"
#include "agent/vm_levers.h"
#include "hotspot/vm_flags.h"

static void number(struct session *s, const char *key, uint64_t value)
{
	char text[32];
	snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	recorder_fact(&s->recorder, key, text);
}

static void property(struct session *s, const char *key, const char *name)
{
	char text[256];
	vm_property(&s->vm, name, text, sizeof(text));
	if (*text)
		recorder_fact(&s->recorder, key, text);
}

/* "25.0.3+9-LTS" → "25.0.3". */
static void jdk(struct session *s)
{
	char version[64];
	vm_property(&s->vm, "java.vm.version", version, sizeof(version));
	version[strspn(version, "0123456789.")] = '\0';
	recorder_fact(&s->recorder, "jdk.version", version);
	number(s, "jdk.major", (uint64_t)s->vm.major);
}

/* The main class or jar, without its arguments: they may hold what is nobody's business. */
static void command(struct session *s)
{
	char text[512];
	vm_property(&s->vm, "sun.java.command", text, sizeof(text));
	text[strcspn(text, " ")] = '\0';
	if (*text)
		recorder_fact(&s->recorder, "command", text);
}

/* -Xmx, or what the VM chose itself. */
static void heap_max(struct session *s)
{
	struct vm_flags flags = vm_levers_flags(&s->vm);
	uint64_t most;
	if (vm_flags_width(&flags, "MaxHeapSize") != sizeof(most))
		return;
	memcpy(&most, vm_flags_find(&flags, "MaxHeapSize"), sizeof(most));
	number(s, "heap.max", most);
}

static void heap(struct session *s)
{
	uint64_t used, committed;
	if (!s->gcs.counters)
		return;
	gcs_heap(&s->gcs, &used, &committed);
	number(s, "heap.capacity", committed);
	if (counter_exists(s->gcs.tenuring.threshold_max))
		number(s, "tenuring.max", counter_read_u64(s->gcs.tenuring.threshold_max));
}

static void bounds(struct session *s)
{
	if (s->sampler.follow_max != UINT64_MAX)
		number(s, "follow.max", s->sampler.follow_max);
}

static void unsampled(struct session *s)
{
	struct vm_flags flags = vm_levers_flags(&s->vm);
	if (!atomic_load(&s->exact.on) && unsampled_mostly(&flags, s->vm.major))
		recorder_note(&s->recorder, NOTE_WARNING,
			"-XX:-UseTLAB: this JDK's code allocates past the VM's sampler then, so "
			"most "
			"objects are not seen: leave that flag out, or record with --exact");
}

static void left_dead(struct session *s)
{
	struct vm_flags flags = vm_levers_flags(&s->vm);
	if (atomic_load(&s->exact.on) && dead_in_place(&flags, s->vm.major))
		recorder_note(&s->recorder, NOTE_WARNING,
			"-XX:-ClassUnloading (-Xnoclassgc): where G1 of this JDK makes a full "
			"collection it leaves some dead objects in place, and nobody can tell "
			"them from the living then: their deaths are told later (of up to "
			"MarkSweepDeadRatio, by default 5 %, of what stands)");
}

static void given(struct session *s, const char *key, const char *value)
{
	if (*value)
		recorder_fact(&s->recorder, key, value);
}

static void limits(struct session *s)
{
	unsampled(s);
	left_dead(s);
	if (s->options.interval == 0)
		recorder_note(&s->recorder, NOTE_WARNING,
			"interval=0 takes every object: the program runs about 100 times slower");
	given(s, "thread", s->options.thread);
	given(s, "include", s->options.include);
	given(s, "exclude", s->options.exclude);
	if (*s->options.thread)
		recorder_note(&s->recorder, NOTE_INFO,
			"a thread filter was in force: other threads are not counted");
	if (*s->options.include || *s->options.exclude)
		recorder_note(&s->recorder, NOTE_INFO,
			"a class filter was in force: other allocations are not counted");
	if (s->gcs.collectors.gc == GC_ZGEN)
		recorder_note(&s->recorder, NOTE_WARNING,
			"generational ZGC tells of deaths only in major collections: lifetimes are "
			"known in those, not in minor ones");
}

static void engine(struct session *s)
{
	struct recorder *r = &s->recorder;
	bool exact = atomic_load(&s->exact.on);
	recorder_fact(r, "engine",
		s->options.engine == ENGINE_NOP ? "nop"
		: exact                         ? "exact"
						: "sampled");
	if (exact)
		recorder_fact(r, "exact", exact_kind(&s->exact));
	if (exact && births_get()->every)
		number(s, "every", births_get()->every);
	if (!*s->exact.why.text)
		return;
	recorder_fact(r, "exact", "refused");
	recorder_fact(r, "exact.why", s->exact.why.text);
}

static void tenure(struct session *s)
{
	static const char *const wishes[] = {[TENURE_YES] = "yes",
		[TENURE_LEARN] = "learn",
		[TENURE_APPLY] = "apply",
		[TENURE_DRY_RUN] = "dry-run"};
	if (!s->tenure.wanted)
		return;
	recorder_fact(&s->recorder, "tenure", wishes[s->options.tenure]);
	number(s, "tenure.round", s->options.tenure_round);
	if (tenure_by(&s->tenure))
		recorder_fact(&s->recorder, "tenure.by", tenure_by(&s->tenure));
	if (*s->tenure.off.text)
		recorder_fact(&s->recorder, "tenure.why", s->tenure.off.text);
}

void facts_write(struct session *s)
{
	struct recorder *r = &s->recorder;
	engine(s);
	tenure(s);
	if (stretch_cyclic(&s->output.stretch))
		recorder_fact(r, "cyclic", s->options.cyclic.text);
	recorder_fact(r, "agent.version", MAYFLY_VERSION);
	number(s, "pid", (uint64_t)getpid());
	jdk(s);
	property(s, "vm.name", "java.vm.name");
	property(s, "vm.vendor", "java.vm.vendor");
	recorder_fact(r, "gc", gcs_name(&s->gcs));
	recorder_fact(r, "clock.gc", gcs_clock(&s->gcs));
	recorder_fact(r, "deaths", gcs_deaths(&s->gcs));
	recorder_fact(r, "start", s->attached ? "attach" : "launch");
	if (s->waited.v)
		number(s, "waited", s->waited.v);
	number(s, "depth", s->options.depth);
	number(s, "cpus", (uint64_t)sysconf(_SC_NPROCESSORS_ONLN));
	command(s);
	heap_max(s);
	heap(s);
	bounds(s);
	limits(s);
}
