#include "agent/marking.h"

#include <stdbool.h>

/* One begins as a collection ends, and its threads may be at work before we are told of that end:
 * so it is asked as collections begin. */
void marking_collection(struct marking *m, uint64_t young, struct ns taken)
{
	bool works = taken.v > m->taken.v;
	m->taken = taken;
	if (!works) {
		m->state = MARKING_NONE;
	} else if (m->state == MARKING_NONE) {
		m->state = MARKING_ON;
		m->since = young;
	}
}

/* One that began before its threads had cleared up behind the last is taken for as short as can be.
 */
uint64_t marking_remark(struct marking *m, uint64_t young)
{
	uint64_t since = m->state == MARKING_ON ? m->since : young;
	m->state = MARKING_OVER;
	return since;
}
