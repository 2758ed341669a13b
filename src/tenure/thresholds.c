#include "tenure/thresholds.h"

#include <string.h>

static uint32_t slot(uint64_t young)
{
	return (uint32_t)(young % THRESHOLDS_KEPT);
}

static void restart(struct thresholds *t, uint64_t young)
{
	memset(t, 0, sizeof(*t));
	t->first = young;
	t->young = young - 1;
}

/* Collections that nobody told of had the threshold of the next that was told of. */
void thresholds_add(struct thresholds *t, uint64_t young, uint32_t threshold)
{
	if (!t->first || young <= t->young || young - t->young >= THRESHOLDS_KEPT)
		restart(t, young);
	for (uint64_t y = t->young + 1; y <= young; y++) {
		t->at[slot(y)] = (uint8_t)(threshold < THRESHOLD_MOST ? threshold : THRESHOLD_MOST);
		t->full_after[slot(y)] = false;
	}
	t->young = young;
}

void thresholds_all(struct thresholds *t, uint64_t young)
{
	if (thresholds_knows(t, young))
		t->at[slot(young)] = 0;
}

void thresholds_full(struct thresholds *t, uint64_t young)
{
	if (thresholds_knows(t, young))
		t->full_after[slot(young)] = true;
}

bool thresholds_promotes(const struct thresholds *t, uint64_t young, uint32_t age)
{
	return thresholds_knows(t, young) && t->at[slot(young)] <= age;
}

bool thresholds_emptied(const struct thresholds *t, uint64_t young)
{
	return thresholds_knows(t, young) && t->full_after[slot(young)];
}

bool thresholds_knows(const struct thresholds *t, uint64_t young)
{
	return t->first && young >= t->first && young <= t->young &&
	       t->young - young < THRESHOLDS_KEPT;
}
