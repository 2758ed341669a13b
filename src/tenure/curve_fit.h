/*
 * What holds the curves of single places, which few samples know, to what the VM's age table knows
 * of all objects together (tenure/age_tables.h): doc/metrics.md, "Ages of all". None where the VM
 * has none (Parallel), or nothing of it was seen: then a curve is of the place's samples alone.
 */
#ifndef TENURE_CURVE_FIT_H
#define TENURE_CURVE_FIT_H

#include <stdint.h>

#include "tenure/age_tables.h"
#include "tenure/passage.h"

struct curve_fit {
	uint32_t known;             /* as age_tables_known; 0: it does nothing */
	double passed[TENURE_AGES]; /* of all, from 1 on */
	/* Of the places added: bytes that came to collections with an age, and outlived them. */
	double came[TENURE_AGES], stood[TENURE_AGES];
	double level[TENURE_AGES + 1]; /* times what outlives so many, from 2 to `known` */
};

/* To be filled with all places, and ended: of what came to collections of theirs together as much
 * outlives them as of all objects. */
struct curve_fit curve_fit_of(const struct age_tables *a);
void curve_fit_add(struct curve_fit *f, const struct passage *p);
void curve_fit_end(struct curve_fit *f);

/* Where samples have less that lives long than there is, a curve may rise. */
struct passage_curve curve_fit_apply(const struct curve_fit *f, const struct passage *p);

#endif
