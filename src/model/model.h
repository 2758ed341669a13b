/*
 * What is known of a trace at a point of its replay, and all of it at the end: definitions,
 * facts, collections, totals. Objects are kept only while they are followed, so that memory
 * does not grow with the length of the trace (it does with sites and collections).
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/types.h"
#include "model/defs.h"
#include "model/counts.h"
#include "model/facts.h"
#include "model/gcs.h"
#include "model/heap_counts.h"
#include "stat/late.h"
#include "model/life.h"
#include "model/live.h"
#include "model/odd.h"
#include "model/tenure.h"
#include "trace/reader.h"

enum { LOST_KINDS = LOST_WHATS };
#define OBJECT_MAX (1ull << 40) /* bytes: no Java object is larger than 16 GiB */

/* Records that were read, by what they mean. born = died + untracked + alive at any time. */
struct tallies {
	uint64_t samples; /* alloc and birth records that count */
	double sampled;   /* bytes that these stand for */
	double large;     /* of them in objects that an old VM's sampler is unfair to
			     (model_old_sampler) */
	uint64_t born, died, untracked, alive;
	uint64_t lost[LOST_KINDS];
	uint64_t ticks, pauses, exact; /* exact: records of the exact engine */
	uint64_t older; /* deaths and untracks of samples born in what was forgotten */
};

/* The last tick's or the end's own figures. */
struct standing {
	uint64_t samples, walked, tracked, lost;
	uint64_t agent_peak, heap_peak, committed_peak; /* bytes, the largest told of */
};

/*
 * A cyclic trace whose begin was forgotten is read as a recording of what is left: times and the
 * allocation clock count from there; the GC clocks are the program's own.
 */
struct begin {
	struct forgotten forgotten;              /* blocks 0: none, and all of this is 0 */
	uint64_t time, alloc, young, full;       /* when and where the rest begins */
	uint64_t gcs;                            /* collections before */
	uint64_t samples, walked, tracked, lost; /* totals before */
};

struct model {
	struct ns wall; /* when recording began, since the Unix epoch; or the rest of it */
	struct begin begin;
	uint16_t major, minor;
	struct defs defs;
	struct facts facts;
	struct gcs gcs;
	struct late late;
	struct live live;
	struct counts exact;
	struct heap_counts heap;
	struct tenure tenure;
	struct odds odds;
	struct tallies tallies;
	struct standing standing;
	struct moment now; /* the greatest clocks so far */
	uint64_t end_reason;
	uint64_t blocks, unknown_records, skipped_blocks, records;
	struct passed events, checkpoints; /* of the exact engine; followed.h reads them */
	bool complete, cut;
	struct diag damage; /* why reading stopped; empty where it did not */
	/* The last weight computed, by size and configuration: most sizes repeat. */
	struct weight_memo {
		uint64_t size;
		uint32_t config;
		double weight;
	} memo[256];
};

/* Collections before the first in the list: those of a forgotten begin, and those that there were
 * too many of to keep. */
static inline uint64_t model_gcs_before(const struct model *m)
{
	return m->begin.gcs + m->odds.count[ODD_GC_FORGOTTEN];
}
/* N of GC:N of the index-th collection in the list: those count that are forgotten. */
static inline uint64_t model_gc_number(const struct model *m, size_t index)
{
	return model_gcs_before(m) + index + 1;
}
/* How far the GC clocks went in what was read. */
static inline uint64_t model_young(const struct model *m)
{
	return m->now.young - m->begin.young;
}
static inline uint64_t model_full(const struct model *m)
{
	return m->now.full - m->begin.full;
}

/* Whether the agent does not stand by the exact engine, from the begin or any more: nothing that it
 * told of counts. */
bool model_disowned(const struct model *m);

/* Whether the program ran before the recording did, by an attach or by waiting. */
bool model_late(const struct model *m);
/* ns: up to then births are told. All of the trace; but of one without an end (cut, or still being
 * written), where the exact engine counted, the last collection that it accounted for. */
uint64_t model_births_until(const struct model *m);
/* ns: from then on they are. From the begin; but where the exact engine counted, from when its
 * counts were believed. */
uint64_t model_births_from(const struct model *m);
/* ns between the two: rates of allocation are over that. */
static inline uint64_t model_births_time(const struct model *m)
{
	return model_births_until(m) - model_births_from(m);
}

/* 0 or ERR_NOMEM. */
int model_init(struct model *m);
void model_release(struct model *m);

/* The weight of a sample of this size: allocations it stands for; 0 where the configuration does
 * not say. */
double model_weight(struct model *m, uint64_t size, uint32_t config);

/* The release that was recorded: 21 of "21.0.8"; 0: not known. */
unsigned model_jdk(const struct model *m);
/* Whether what G1 can't evacuate keeps its mark, and with it its site (JDK 24 and later). */
bool model_keeps_marks(const struct model *m);
/*
 * Whether the VM's sampler is one that takes small objects too often and large ones too rarely
 * (before JDK 25, JDK-8356372; doc/metrics.md, "weight"): those that do not fit into what is left
 * of a thread's buffer, up to several intervals, which are sampled all the same.
 */
enum { MODEL_LARGE = 64 << 10, MODEL_LARGE_INTERVALS = 8 };
bool model_old_sampler(const struct model *m);

#endif
