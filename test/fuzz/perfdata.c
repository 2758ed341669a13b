/* Bytes as a VM's counter memory: all walks end and stay inside, whatever they hold. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "jvmstat/collectors.h"
#include "jvmstat/cycles.h"
#include "jvmstat/heap_counters.h"
#include "jvmstat/tenuring.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void walk(const struct perfdata *p)
{
	struct perfdata_entry e = {0};
	volatile uint8_t sum = 0;
	while (perfdata_next(p, &e) == 1) {
		for (size_t i = 0; i < e.name_len; i++)
			sum = (uint8_t)(sum + e.name[i]);
		for (size_t i = 0; i < e.value_len; i++)
			sum = (uint8_t)(sum + e.value[i]);
	}
}

static void read_everything(const struct perfdata *p)
{
	struct collectors collectors;
	struct heap_counters heap;
	struct heap_usage usage;
	struct tenuring_counters ages;
	struct tenuring now;
	struct cycles cycles;
	char cause[GC_CAUSE_MAX];
	collectors_find(&collectors, p);
	collectors_cause(&collectors, cause, sizeof(cause));
	for (unsigned i = 0; i < collectors.count; i++)
		collectors_ticks(&collectors, counter_read_u64(collectors.at[i].time));
	heap_counters_find(&heap, p);
	heap_counters_read(&heap, &usage);
	tenuring_find(&ages, p);
	tenuring_read(&ages, &now);
	cycles_init(&cycles, &collectors, &heap, NULL);
	cycles_start(&cycles);
	cycles_finish(&cycles);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1); /* aligned, and its end known to the sanitizer */
	struct perfdata p;
	if (size > 0)
		memcpy(copy, data, size);
	if (perfdata_borrow(&p, copy, size, NULL) == 0) {
		walk(&p);
		read_everything(&p);
		perfdata_release(&p);
	}
	free(copy);
	return 0;
}
