/* Writes the traces with the exact engine's events that the golden screens are made from:
 * make_events SCENARIO FILE. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/event_trace.h"
#include "support/tap.h"

#define AMPLE                                                                                      \
	.chunks = 4096, .words = 64, .residents = 1 << 20, .identities = 1 << 16, .checkpoint = 4

static const struct {
	const char *name;
	int steps;
	struct sim_follow_setting setting;
} scenarios[] = {
	{"events", 30, {AMPLE, .rules = {.collector = HEAP_G1, .fixed = true, .fail = 5}}},
	{"survivors", 30,
		{AMPLE, .unseen = 16,
			.rules = {.collector = HEAP_SERIAL,
				.fixed = true,
				.fail = 5,
				.survivors = true}}},
	{"events-lost", 30,
		{.rules = {.collector = HEAP_SERIAL, .fixed = true, .fail = 5},
			.chunks = 100,
			.reserve = 30,
			.words = 64,
			.residents = 1 << 20,
			.identities = 1 << 16,
			.slow = 4,
			.unseen = 16}},
};

/* In place of the harness's: what the support expects is a condition here. */
void tap_check(bool ok, const char *file, int line, const char *format, ...)
{
	va_list args;
	if (ok)
		return;
	fprintf(stderr, "make_events: %s:%d: ", file, line);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	exit(1);
}

int main(int argc, char **argv)
{
	static struct event_trace t;
	struct buf out = {0};
	size_t i = 0;
	while (argc == 3 && i < ARRAY_SIZE(scenarios) && strcmp(scenarios[i].name, argv[1]) != 0)
		i++;
	FILE *f = argc == 3 && i < ARRAY_SIZE(scenarios) ? fopen(argv[2], "wb") : NULL;
	if (!f) {
		fprintf(stderr, "usage: make_events SCENARIO FILE\n");
		return 2;
	}
	t.accounted =
		scenarios[i].setting.rules.survivors; /* their deaths are what accounts tell */
	event_trace_make(&t, &scenarios[i].setting, 7, scenarios[i].steps, NULL, &out);
	bool good = fwrite(out.at, 1, out.len, f) == out.len;
	good &= fclose(f) == 0;
	event_trace_release(&t);
	buf_release(&out);
	return good ? 0 : 1;
}
