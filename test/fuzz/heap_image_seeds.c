/* Writes the seed corpus of the target heap_image below the folder it is given. */
#include <stdio.h>
#include <stdlib.h>

#include "support/event_trace.h"
#include "support/tap.h"

enum { STEPS = 4, LENGTH_MAX = 6000 };

static struct buf out;

static void on_chunk(void *arg, enum block_kind kind, uint32_t events, struct slice payload)
{
	(void)arg;
	(void)kind;
	(void)events;
	if (out.len + payload.len > LENGTH_MAX)
		return;
	buf_put_varint(&out, payload.len);
	buf_put(&out, payload.at, payload.len);
}

static void save(const char *folder, enum heap_collector collector, bool survivors)
{
	static struct sim_follow s;
	const struct sim_follow_setting setting = {
		.rules = {.collector = collector, .fail = 3, .twins = true, .survivors = survivors},
		.chunks = 4096,
		.words = 256,
		.residents = 1 << 16,
		.identities = 1 << 12,
		.unseen = 4};
	char path[4096];
	buf_clear(&out);
	sim_follow_init(&s, &setting, 3);
	s.chunk = on_chunk;
	for (int i = 0; i < STEPS; i++)
		sim_follow_step(&s);
	sim_follow_close(&s);
	sim_follow_release(&s);
	snprintf(path, sizeof(path), "%s/heap_image/%s-%d", folder,
		survivors ? "survivors" : "collector", (int)collector);
	FILE *f = fopen(path, "wb");
	if (!f || fwrite(out.at, 1, out.len, f) != out.len || fclose(f) != 0) {
		perror(path);
		exit(1);
	}
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	save(argv[1], HEAP_SERIAL, false);
	save(argv[1], HEAP_PARALLEL, false);
	save(argv[1], HEAP_G1, false);
	save(argv[1], HEAP_PARALLEL, true);
	save(argv[1], HEAP_G1, true);
	buf_release(&out);
	return 0;
}
