/*
 * How fast a trace is read: a made-up one of about 200 MB raw (of 1000 events 900 alloc, 50 birth,
 * 40 death), stored and by zstd, walked by the reader and by check. Seconds are of CPU time.
 *
 *	bench_trace_read [FOLDER]	writes its two files there (default: /tmp), then removes
 *them
 */
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "support/trace_gen.h"
#include "trace/check.h"
#include "trace/codec.h"
#include "trace/writer.h"

enum { EVENTS = 14000000, ROUNDS = 3 };

/* CPU time of the process, so that other load on the machine counts for little. */
static double cpu_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int put(void *arg, const struct record *r)
{
	return writer_put(arg, r);
}

static int write_trace(const char *path, const struct codec *codec)
{
	struct draw draw = draw_seed(1);
	struct writer w;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	double start = cpu_seconds();
	int err = writer_init(&w, sink_fd(&fd), codec, (struct ns){0});
	if (!err)
		err = gen_trace(&draw, EVENTS, put, &w);
	int late = writer_release(&w);
	close(fd);
	printf("  written, made up meanwhile  %6.2f s\n", cpu_seconds() - start);
	return err ? err : late;
}

static int walk(struct source *source, const struct codec *codec, struct diag *d)
{
	static struct record record;
	struct reader r;
	uint64_t raw = 0, last = UINT64_MAX, sum = 0;
	double start = cpu_seconds();
	int got = reader_init(&r, source, codec, d);
	while (got >= 0 && (got = reader_next(&r, &record, d)) > 0) {
		if (r.block.offset != last)
			raw += r.block.raw_len;
		last = r.block.offset;
		sum += record.kind == RECORD_alloc ? record.alloc.size : 0;
	}
	double s = cpu_seconds() - start;
	printf("  read    %6.3f s  %6.0f MB/s raw  %5.1f ns/record  %.1f MB raw, %.1f M records "
	       "(%llu)\n",
		s, (double)raw / 1e6 / s, s * 1e9 / (double)r.records_read, (double)raw / 1e6,
		(double)r.records_read / 1e6, (unsigned long long)sum);
	reader_release(&r);
	return got;
}

static int verify(struct source *source, const struct codec *codec, struct diag *d)
{
	struct check_result result;
	double start = cpu_seconds();
	int err = check_run(source, codec, NULL, &result, d);
	printf("  checked %6.3f s  %.1f MB in the file, complete %d, %llu problems\n",
		cpu_seconds() - start, (double)result.bytes / 1e6, result.complete,
		(unsigned long long)result.problems);
	return err;
}

static int measure(const char *folder, const char *name, const struct codec *codec)
{
	char path[4096];
	struct source source = {0};
	struct diag d = {""};
	snprintf(path, sizeof(path), "%s/bench-%s-%d.mfly", folder, name, (int)getpid());
	printf("%s\n", name);
	int err = write_trace(path, codec);
	if (!err)
		err = source_open_file(&source, path, &d);
	for (int i = 0; !err && i < ROUNDS; i++)
		err = walk(&source, codec, &d);
	if (!err)
		err = verify(&source, codec, &d);
	source_close(&source);
	unlink(path);
	if (err)
		fprintf(stderr, "%s: %s: %s\n", name, err_text(err), d.text);
	return err;
}

int main(int argc, char **argv)
{
	const char *folder = argc > 1 ? argv[1] : "/tmp";
	struct codec zstd;
	int err = codec_zstd_init(&zstd, 1);
	if (!err)
		err = measure(folder, "stored", NULL);
	if (!err)
		err = measure(folder, "zstd", &zstd);
	codec_zstd_release(&zstd);
	return err ? 1 : 0;
}
