#include <inttypes.h>

#include "base/error.h"
#include "base/units.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "trace/check.h"
#include "trace/codec.h"
#include "trace/source.h"

enum { PROBLEMS_SHOWN = 20 };

struct checking {
	const char *path;
	uint64_t shown;
	struct progress progress;
};

static void problem(void *arg, uint64_t offset, const char *text)
{
	struct checking *c = arg;
	if (c->shown++ >= PROBLEMS_SHOWN)
		return;
	progress_clear(&c->progress);
	printf("%s: block at offset %" PRIu64 ": %s\n", c->path, offset, text);
}

/* Of the exact engine's events: births are the sum of the others. */
static void print_followed(const struct check_result *r)
{
	static const char *const names[] = {"died", "let go", "still followed at the end"};
	const uint64_t values[] = {r->followed.deaths, r->followed.forgotten, r->followed_standing};
	char text[UNITS_MAX];
	if (!r->followed.chunks)
		return;
	printf("  events: %s objects born", units_count(r->followed.births, text));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		printf(", %s %s", units_count(values[i], text), names[i]);
	putchar('\n');
}

/* Of a cyclic trace: what is not there, on purpose. */
static void print_forgotten(const struct check_result *r)
{
	char blocks[UNITS_MAX], bytes[UNITS_MAX], text[UNITS_MAX];
	if (!r->forgotten.blocks)
		return;
	printf("  forgotten on purpose: %s blocks, %s", units_count(r->forgotten.blocks, blocks),
		units_bytes((double)r->forgotten.bytes, bytes));
	if (r->older)
		printf("; %s deaths of samples born in them", units_count(r->older, text));
	if (r->followed.given)
		printf("; %s objects older than the rest", units_count(r->followed.given, text));
	putchar('\n');
}

/* "1 234 blocks", with what goes before it. */
static void print_sum(const char *before, uint64_t value, const char *one, const char *many)
{
	char text[UNITS_MAX];
	printf("%s%s %s", before, units_count(value, text), value == 1 ? one : many);
}

/* Those that have no record of their own are told of too: reports count them. */
static void print_samples(const struct check_result *r)
{
	char text[UNITS_MAX];
	print_sum(", ", r->samples, "sample", "samples");
	if (r->walked < r->samples)
		printf(" (%s with a record)", units_count(r->walked, text));
}

/* "1 234 blocks, 5 678 records". */
static void print_sums(const struct check_result *r)
{
	print_sum("  ", r->blocks, "block", "blocks");
	print_sum(", ", r->records, "record", "records");
	print_samples(r);
	print_sum(", ", r->births, "birth", "births");
	print_sum(", ", r->deaths, "death", "deaths");
	print_sum(", ", r->untracked, "untracked", "untracked");
	print_sum(", ", r->gcs, "collection", "collections");
	print_sum(", ", r->lost, "lost", "lost");
	putchar('\n');
	print_followed(r);
	print_forgotten(r);
}

static void print_verdict(const char *path, const struct check_result *r, const struct checking *c,
	int err, const struct diag *d)
{
	char text[UNITS_MAX];
	if (c->shown > PROBLEMS_SHOWN)
		printf("%s: and %s more\n", path, units_count(c->shown - PROBLEMS_SHOWN, text));
	if (err && d->text[0])
		printf("%s: %s\n", path, d->text);
	else if (err)
		printf("%s: not sound: %s problem%s\n", path, units_count(r->problems, text),
			r->problems == 1 ? "" : "s");
	else if (r->complete)
		printf("%s: whole\n", path);
	else
		printf("%s: sound, but cut: it has no end; it was read up to its last whole "
		       "block\n",
			path);
	print_sums(r);
}

static int check_file(const char *path)
{
	struct source source;
	struct codec codec;
	struct diag d = {""};
	struct check_result result = {0};
	struct checking checking = {.path = path};
	int err = source_open_file(&source, path, &d);
	if (err)
		return cli_fail_err(err, &d);
	err = codec_zstd_init(&codec, 1);
	if (err) {
		source_close(&source);
		return cli_fail_err(err, &d);
	}
	struct check_listener listener = {problem, &checking};
	progress_watch_file(&checking.progress, &source, path);
	err = check_run(&source, &codec, &listener, &result, &d);
	codec_zstd_release(&codec);
	source_close(&source);
	if (err == ERR_NOMEM || err == ERR_IO || (err && !result.blocks && err != ERR_CORRUPT)) {
		struct diag named;
		diag_set(&named, err, "%s: %s", path, d.text[0] ? d.text : err_text(err));
		return cli_fail_err(err, &named);
	}
	print_verdict(path, &result, &checking, err, &d);
	return err ? EXIT_FAILED : EXIT_OK;
}

int cmd_check(int argc, char **argv)
{
	const struct args args = {.command = "check",
		.usage = "FILE…",
		.about = "Verifies traces: every checksum, every record, and that all sums agree. "
			 "Exits with 1\n"
			 "where something is damaged, and says where and why; a trace that was "
			 "merely cut\n"
			 "(kill -9, full disk) is sound up to there.\n"};
	int first;
	int status = args_parse(&args, argc, argv, &first);
	if (status != ARGS_RUN)
		return status;
	if (first == argc)
		return cli_usage("check", "which trace? Give its file");
	status = EXIT_OK;
	for (int i = first; i < argc; i++)
		if (check_file(argv[i]) != EXIT_OK)
			status = EXIT_FAILED;
	return status;
}
