/* Writes a large trace: bench_report_big FILE MEGABYTES. See report_big.sh. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "support/sim.h"
#include "trace/codec.h"
#include "trace/writer.h"

enum { SITES = 4000, NAME_ROOM = 64 };

struct big {
	struct writer writer;
	uint64_t limit;
	int fd;
};

static int put(void *arg, const struct record *r)
{
	struct big *b = arg;
	if (r->kind == RECORD_tick && (uint64_t)lseek(b->fd, 0, SEEK_CUR) >= b->limit)
		return ERR_FULL;
	return writer_put(&b->writer, r);
}

/* Names are kept until the end: a few hundred kilobytes. */
static const char *name(const char *stem, unsigned i, const char *rest)
{
	char text[NAME_ROOM];
	int len = snprintf(text, sizeof(text), "%s%u%s", stem, i, rest);
	return mem_strndup(text, (size_t)len);
}

static void make_sites(struct sim_site *sites)
{
	for (unsigned i = 0; i < SITES; i++) {
		sites[i] = (struct sim_site){.class = name("com.acme.big.Class", i % 700, ""),
			.size = 16 + i % 90 * 8,
			.rate = 1 + (SITES / (i + 1)),
			.infant = i % 5 ? 95 : 30,
			.least = i % 7,
			.most = i % 7 + i % 20};
		for (unsigned f = 0; f < SIM_FRAMES; f++)
			sites[i].frames[f] =
				name("com.acme.big.Service", (i >> f) + f * 5000, ".method:7");
	}
}

int main(int argc, char **argv)
{
	static struct sim_site sites[SITES];
	static const struct sim_text facts[] = {{"gc", "G1"}, {"jdk.version", "25.0.3"},
		{"deaths", "collection"}, {"engine", "sampled"}, {NULL, NULL}};
	struct codec codec;
	struct big b = {.limit = argc == 3 ? strtoull(argv[2], NULL, 10) * 1000000 : 0};
	if (argc != 3 || codec_zstd_init(&codec, 1))
		return 2;
	b.fd = open(argv[1], O_CREAT | O_TRUNC | O_WRONLY, 0644);
	if (b.fd < 0 || writer_init(&b.writer, sink_fd(&b.fd), &codec, (struct ns){1}))
		return 1;
	make_sites(sites);
	struct sim s = {.sites = sites,
		.count = SITES,
		.facts = facts,
		.seed = 1,
		.samples = UINT64_MAX,
		.interval = 65536,
		.gc_bytes = 300000000,
		.full_every = 50,
		.promote = 15,
		.young_role = ROLE_YOUNG,
		.full_role = ROLE_OLD_CONCURRENT,
		.bytes_per_s = 2000000000,
		.threads = 8,
		.untrack = 1,
		.track = 10}; /* as the defaults allow: 1000 stacks a second, 100 lives */
	int err = sim_run(&s, put, &b);
	int close_err = writer_release(&b.writer);
	return err != ERR_FULL || close_err || close(b.fd);
}
