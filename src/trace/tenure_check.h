/* Tenure's records, as `mayfly check` verifies them: they can be told as one story. */
#ifndef TRACE_TENURE_CHECK_H
#define TRACE_TENURE_CHECK_H

#include "base/diag.h"
#include "base/map.h"
#include "trace/record.h"

struct tenure_check {
	struct map told; /* round → 1 */
	uint64_t last;   /* round told of; 0: none */
};

void tenure_check_release(struct tenure_check *t);
/*
 * Takes a record of tenure; others are none of its business. 0; ERR_FORMAT with a sentence where it
 * breaks a rule (it is taken all the same); ERR_NOMEM.
 */
int tenure_check_take(struct tenure_check *t, const struct record *r, struct diag *d);

#endif
