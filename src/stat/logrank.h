/*
 * The k-sample log-rank test (Mantel 1966; Peto and Peto 1972) over ages, on effective counts: each
 * group's risk counts as the equal samples that would know its hazard as well. Private to this
 * room.
 */
#ifndef STAT_LOGRANK_H
#define STAT_LOGRANK_H

#include <stddef.h>
#include <stdint.h>

#include "stat/ages.h"

enum { LOGRANK_GROUPS = 16 };

struct logrank {
	double statistic;
	uint32_t df; /* 0: nothing to compare */
};

/* 2 … LOGRANK_GROUPS groups. Nothing is allocated. */
struct logrank logrank_test(const struct ages *const *groups, size_t count);

#endif
