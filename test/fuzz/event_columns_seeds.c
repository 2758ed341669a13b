/* Writes the seed corpus of the target event_columns below the folder it is given. */
#include <stdio.h>
#include <stdlib.h>

#include "support/event_trace.h"
#include "support/tap.h"
#include "trace/event_columns.h"

enum { STEPS = 4, RAW_MAX = 3000 };

static const char *folder;
static bool saved[EVENT_KINDS];
static struct event_columns *columns;

static void save(const char *what, int kind, size_t len, struct slice bytes)
{
	char path[4096];
	const uint8_t head[] = {(uint8_t)len, (uint8_t)(len >> 8)};
	snprintf(path, sizeof(path), "%s/event_columns/%s-%d", folder, what, kind);
	FILE *f = fopen(path, "wb");
	if (!f || fwrite(head, 1, sizeof(head), f) != sizeof(head) ||
		fwrite(bytes.at, 1, bytes.len, f) != bytes.len || fclose(f) != 0) {
		perror(path);
		exit(1);
	}
}

/* The first of its kind that is long enough: as columns, and as it is. */
static void on_chunk(void *arg, enum block_kind kind, uint32_t events, struct slice payload)
{
	static uint8_t out[RAW_MAX];
	struct event_reader r;
	(void)arg, (void)kind;
	if (events < 4 || payload.len > RAW_MAX || event_reader_begin(&r, payload, NULL) ||
		saved[r.chunk.kind])
		return;
	size_t len = event_columns_split(columns, out, payload);
	if (!len)
		return;
	saved[r.chunk.kind] = true;
	save("columns", (int)r.chunk.kind, payload.len, slice(out, len));
	save("chunk", (int)r.chunk.kind, 0, payload);
}

int main(int argc, char **argv)
{
	static struct sim_follow s;
	const struct sim_follow_setting setting = {
		.rules = {.collector = HEAP_G1, .fail = 3, .twins = true},
		.chunks = 4096,
		.words = 256,
		.residents = 1 << 16,
		.identities = 1 << 12,
		.unseen = 4};
	columns = event_columns_new();
	if (argc != 2 || !columns)
		return 2;
	folder = argv[1];
	sim_follow_init(&s, &setting, 3);
	s.chunk = on_chunk;
	for (int i = 0; i < STEPS; i++)
		sim_follow_step(&s);
	sim_follow_close(&s);
	sim_follow_release(&s);
	event_columns_free(columns);
	return 0;
}
