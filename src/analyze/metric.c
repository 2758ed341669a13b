#include "analyze/metric.h"

#include <stddef.h>

static const struct {
	const char *word, *help;
	size_t offset; /* of a struct total in struct tally */
} metrics[METRIC_COUNT] = {
#define METRIC(name, word, of, help) [METRIC_##name] = {word, help, offsetof(struct tally, of)},
#include "analyze/metric.def"
#undef METRIC
};

const char *metric_word(enum metric metric)
{
	return metrics[metric].word;
}

const char *metric_help(enum metric metric)
{
	return metrics[metric].help;
}

double metric_of(const struct tally *t, enum metric metric)
{
	const struct total *total = (const void *)((const char *)t + metrics[metric].offset);
	return total->bytes.sum;
}
