/*
 * Counts collections from the VM's counters with jvmstat/cycles.h, and writes at VMDeath to the
 * file that is its option: "pauses SKIPPED SEEN", then "young N" and so on. perfdata_counts.sh
 * compares with the log.
 */
#include <jvmti.h>
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "jvmstat/cycles.h"
#include "jvmstat/perffile.h"
#include "jvmstat/tenuring.h"

static char output[512];
static struct perfdata counters;
static struct collectors collectors;
static struct heap_counters heap;
static struct tenuring_counters ages;
static struct cycle_mark mark;
static struct cycles cycles;
static int ready;
static unsigned long skipped, seen; /* GarbageCollectionFinish before and after VMInit */
static unsigned long bad_ages;      /* age tables that the survivor space can't hold */
static char trouble[DIAG_MAX];

static void JNICALL gc_start(jvmtiEnv *jvmti)
{
	(void)jvmti;
	if (ready)
		cycles_start(&cycles);
}

/* Right after a young collection what has ages is what is in the survivor spaces. */
static void check_ages(const struct gc_counts *n)
{
	if (ages.ages == 0 || n->young == 0 || n->full > 0)
		return;
	struct tenuring now;
	struct heap_usage usage;
	tenuring_read(&ages, &now);
	heap_counters_read(&heap, &usage);
	if (now.total.v > usage.survivor_used.v || now.threshold > 15)
		bad_ages++;
}

static void JNICALL gc_finish(jvmtiEnv *jvmti)
{
	(void)jvmti;
	if (!ready) {
		skipped++;
		return;
	}
	seen++;
	struct gc_counts n = cycles_finish(&cycles);
	check_ages(&n);
}

static void JNICALL vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	(void)jvmti, (void)jni, (void)thread;
	struct diag d = {0};
	if (perffile_open_self(&counters, &d) || cycle_mark_open_self(&mark, &d)) {
		memcpy(trouble, d.text, sizeof(trouble));
		return;
	}
	collectors_find(&collectors, &counters);
	collectors_find_mode(&collectors, &counters, "/proc");
	heap_counters_find(&heap, &counters);
	tenuring_find(&ages, &counters);
	cycles_init(&cycles, &collectors, &heap, &mark);
	ready = 1;
}

static void JNICALL vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
	(void)jvmti, (void)jni;
	const struct gc_counts *n = &cycles.total;
	FILE *f = fopen(output, "w");
	if (!f)
		return;
	if (trouble[0])
		fprintf(f, "trouble %s\n", trouble);
	fprintf(f, "gc %s\npauses %lu %lu\nbad_ages %lu\n", gc_name(collectors.gc), skipped, seen,
		bad_ages);
	fprintf(f,
		"young %llu\nmixed %llu\nfull %llu\nconcurrent %llu\nminor %llu\nmajor %llu\n"
		"cycle %llu\nall %llu\n",
		(unsigned long long)n->young, (unsigned long long)n->mixed,
		(unsigned long long)n->full, (unsigned long long)n->concurrent,
		(unsigned long long)n->minor, (unsigned long long)n->major,
		(unsigned long long)n->cycle, (unsigned long long)gc_counts_total(n));
	fclose(f);
}

static void set_up(jvmtiEnv *jvmti)
{
	static const jvmtiEvent wanted[] = {JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH,
		JVMTI_EVENT_GARBAGE_COLLECTION_START, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH};
	jvmtiCapabilities capabilities = {.can_generate_garbage_collection_events = 1};
	jvmtiEventCallbacks callbacks = {
		.VMInit = vm_init,
		.VMDeath = vm_death,
		.GarbageCollectionStart = gc_start,
		.GarbageCollectionFinish = gc_finish,
	};
	(*jvmti)->AddCapabilities(jvmti, &capabilities);
	(*jvmti)->SetEventCallbacks(jvmti, &callbacks, (jint)sizeof(callbacks));
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		(*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, wanted[i], NULL);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	(void)reserved;
	void *jvmti;
	snprintf(output, sizeof(output), "%s", options ? options : "");
	if ((*vm)->GetEnv(vm, &jvmti, JVMTI_VERSION_11) != JNI_OK)
		return JNI_ERR;
	set_up(jvmti);
	return JNI_OK;
}
