/* What can be summed up along stacks. Definitions: doc/metrics.md, "Metrics of stacks". */
#ifndef ANALYZE_METRIC_H
#define ANALYZE_METRIC_H

#include "analyze/tally.h"

enum metric {
#define METRIC(name, word, of, help) METRIC_##name,
#include "analyze/metric.def"
#undef METRIC
	METRIC_COUNT
};
const char *metric_word(enum metric metric);
const char *metric_help(enum metric metric);
/* Bytes, estimated. */
double metric_of(const struct tally *t, enum metric metric);

#endif
