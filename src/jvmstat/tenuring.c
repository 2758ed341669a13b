#include "jvmstat/tenuring.h"

void tenuring_find(struct tenuring_counters *t, const struct perfdata *p)
{
	*t = (struct tenuring_counters){
		.threshold = perfdata_counter(p, "sun.gc.policy.tenuringThreshold"),
		.threshold_max = perfdata_counter(p, "sun.gc.policy.maxTenuringThreshold"),
		.desired_survivor = perfdata_counter(p, "sun.gc.policy.desiredSurvivorSize"),
	};
	for (unsigned a = 0; a < TENURING_AGES; a++) {
		t->age[a] = perfdata_counterf(p, "sun.gc.generation.0.agetable.bytes.%02u", a);
		if (counter_exists(t->age[a]))
			t->ages = a + 1;
	}
}

void tenuring_read(const struct tenuring_counters *t, struct tenuring *out)
{
	*out = (struct tenuring){.threshold = (unsigned)counter_read_u64(t->threshold)};
	for (unsigned a = 0; a < t->ages; a++) {
		out->age[a].v = counter_read_u64(t->age[a]);
		out->total.v += out->age[a].v;
	}
}
