/*
 * The ids that a trace has defined so far, and the rules for them: dense and ascending from 1,
 * repeated only with the same content, defined before use. 0 means "none" and is always there.
 */
#ifndef TRACE_IDS_H
#define TRACE_IDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/vec.h"
#include "trace/record.h"

enum id_table {
	ID_STRING,
	ID_CLASS,
	ID_METHOD,
	ID_FRAME,
	ID_SITE,
	ID_THREAD,
	ID_COLLECTOR,
	ID_CONFIG,
	ID_TABLES,
};

/* Zero is a valid, empty one. */
struct ids {
	struct {
		VEC(uint64_t) contents; /* a hash of each definition, id n at n - 1 */
	} table[ID_TABLES];
	VEC(uint16_t) depths; /* of frames: how many from it to the root */
	VEC(bool) framed;     /* of sites: defined with a frame */
	struct buf scratch;
};

void ids_release(struct ids *ids);
/*
 * Takes in a record: the ids it uses, then the one it defines. 0 (also for records that neither
 * use nor define ids); ERR_FORMAT where it breaks a rule, with what in d; ERR_NOMEM.
 */
int ids_take(struct ids *ids, const struct record *r, struct diag *d);
bool ids_defined(const struct ids *ids, enum id_table table, uint64_t id);

#endif
