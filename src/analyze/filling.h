/*
 * What the heap filled by between collections, by the VM's own figures, and what the samples of
 * that time stand for: that the sampler tells of all that is allocated (doc/metrics.md, "Filling").
 */
#ifndef ANALYZE_FILLING_H
#define ANALYZE_FILLING_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"

struct filling {
	double bytes;   /* by the heap; what no object took, at the end of threads' buffers, too */
	double sampled; /* by samples */
	double chance;  /* bytes: three standard errors of `sampled` */
	double coarse;  /* bytes may be too little by as much: G1 tells of whole regions */
	uint64_t spans; /* from one collection to the next; 0: nothing is known */
};

enum filling_verdict { FILLING_FITS, FILLING_OVER, FILLING_UNDER };

/* Serial, Parallel and G1; with others no span is known. */
struct filling filling_of(const struct model *m);
/* OVER, UNDER: by more than chance, and than what the heap's figure leaves open. */
enum filling_verdict filling_verdict(const struct filling *f);

#endif
