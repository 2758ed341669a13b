/*
 * Lives summed up by site, age and what became of them: what other tools' profiles of lifetimes are
 * made of. Bounded by sites times ages (kept as in stat/ages.h), not by the length of a trace.
 */
#ifndef ANALYZE_CELLS_H
#define ANALYZE_CELLS_H

#include "analyze/ledger.h"
#include "base/map.h"
#include "model/replay.h"

enum cell_fate { CELL_DIED, CELL_ALIVE, CELL_LET_GO, CELL_FATES };

struct cell {
	uint32_t site, thread; /* indices; thread 0 where threads are not told apart */
	uint32_t age;          /* on the trace's GC clock; ages_round */
	enum cell_fate fate;
	uint64_t samples;      /* 0: counted only, and times are not known */
	double objects, bytes; /* estimated */
	/* How long they lived: until a collection found them dead, or they were last seen. Weighted
	 * sums of ns and their squares, and bounds. */
	double ns, ns2;
	uint64_t ns_least, ns_most;
};

struct cells {
	VEC(struct cell) list; /* owned; in the order of their coming */
	struct map index;
	bool by_thread; /* set before the replay */
};

void cells_release(struct cells *c);
struct listener cells_listener(struct cells *c);
/*
 * To be called once, after leaves_lay on a ledger of the same trace that tells threads apart or not
 * as the cells do: scales objects and bytes so that they sum up to the accounts'. Where nothing was
 * exactly counted nothing changes. doc/metrics.md, "Exact figures by command". 0 or ERR_NOMEM.
 */
int cells_lay(struct cells *c, const struct ledger *l, const struct model *m);
/* Mean and standard deviation of the lifetimes, ns. */
double cell_mean(const struct cell *c);
double cell_deviation(const struct cell *c);

#endif
