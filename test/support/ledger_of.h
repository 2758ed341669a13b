/* A simulated program, recorded, replayed and entered into a ledger. */
#ifndef SUPPORT_LEDGER_OF_H
#define SUPPORT_LEDGER_OF_H

#include "analyze/ledger.h"
#include "support/sim.h"
#include "trace/writer.h"

struct ledger_of {
	struct model model;
	struct ledger ledger;
	VEC(struct record) records; /* all of them, where they are asked for */
	struct buf bytes;
	struct writer writer;
};

/* 0 or an error; to be released in any case. */
int ledger_of_sim(struct ledger_of *l, const struct sim *s, bool by_thread);
int ledger_and_records_of_sim(struct ledger_of *l, const struct sim *s, bool by_thread);
void ledger_of_release(struct ledger_of *l);

#endif
