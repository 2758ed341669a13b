/* A simulated program, recorded, replayed and summed up, as `mayfly export` does it. */
#ifndef SUPPORT_EXPORT_OF_H
#define SUPPORT_EXPORT_OF_H

#include "analyze/cells.h"
#include "analyze/ledger.h"
#include "analyze/notes.h"
#include "analyze/where.h"
#include "support/sim.h"

struct export_of {
	struct model model;
	struct ledger ledger;
	struct cells cells;
	struct notes notes;
	struct where where; /* empty */
	bool has_model;
};

/* A small shop whose names are hostile, to HTML, JSON, CSV, SQL and terminals alike. */
extern const struct sim export_of_hostile;

/* also: listens too; NULL: nobody. 0 or an error; to be released in any case. */
int export_of_sim(
	struct export_of *x, const struct sim *s, bool by_thread, const struct listener *also);
void export_of_release(struct export_of *x);

#endif
