#include <inttypes.h>

#include "base/error.h"
#include "base/units.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/input.h"
#include "cli/progress.h"
#include "cli/show.h"
#include "report/text.h"
#include "trace/check.h"
#include "trace/codec.h"
#include "trace/source.h"

enum { PROBLEMS_SHOWN = 20, INDENT = 4 };

struct checking {
	const char *path; /* as it is shown */
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

/* A line of parts, which goes on in the next one where the screen ends. */
struct parts {
	struct buf out; /* owned */
	struct look look;
	size_t line; /* where the last one begins in out */
};

static struct parts parts_begin(const char *first)
{
	struct parts p = {.look = show_look()};
	buf_put_str(&p.out, first);
	return p;
}

static void parts_put(struct parts *p, const char *format, ...) MF_PRINTF(2, 3);
static void parts_put(struct parts *p, const char *format, ...)
{
	struct buf part = {0};
	va_list args;
	va_start(args, format);
	buf_vprintf(&part, format, args);
	va_end(args);
	p->line = text_join(&p->out, &p->look, p->line, " ", buf_text(&part), INDENT);
	buf_release(&part);
}

static void parts_print(struct parts *p)
{
	printf("%s\n", buf_text(&p->out));
	buf_release(&p->out);
}

/* "1 234 blocks". */
struct sum {
	uint64_t value;
	const char *one, *many;
};

static void put_sums(struct parts *p, const struct sum *sums, size_t count, const char *end)
{
	char text[UNITS_MAX];
	for (size_t i = 0; i < count; i++)
		parts_put(p, "%s %s%s", units_count(sums[i].value, text),
			sums[i].value == 1 ? sums[i].one : sums[i].many, i + 1 < count ? "," : end);
}

/* Of the exact engine's events: births are the sum of the others. */
static void print_followed(const struct check_result *r)
{
	const struct sum sums[] = {{r->followed.births, "object born", "objects born"},
		{r->followed.deaths, "died", "died"}, {r->followed.forgotten, "let go", "let go"},
		{r->followed_standing, "still followed at the end", "still followed at the end"}};
	if (!r->followed.chunks)
		return;
	struct parts p = parts_begin("  events:");
	put_sums(&p, sums, ARRAY_SIZE(sums), "");
	parts_print(&p);
}

/* Of a cyclic trace: what is not there, on purpose. */
static void print_forgotten(const struct check_result *r)
{
	char blocks[UNITS_MAX], bytes[UNITS_MAX], text[UNITS_MAX];
	bool older = r->older, given = r->followed.given;
	if (!r->forgotten.blocks)
		return;
	struct parts p = parts_begin("  forgotten on purpose:");
	parts_put(&p, "%s blocks, %s%s", units_count(r->forgotten.blocks, blocks),
		units_bytes((double)r->forgotten.bytes, bytes), older || given ? ";" : "");
	if (older)
		parts_put(&p, "%s deaths of samples born in them%s", units_count(r->older, text),
			given ? ";" : "");
	if (given)
		parts_put(
			&p, "%s objects older than the rest", units_count(r->followed.given, text));
	parts_print(&p);
}

static const struct {
	const char *one, *many;
} lost_whats[LOST_WHATS + 1] = {
	[LOST_SAMPLES] = {"sample", "samples"},
	[LOST_BIRTHS] = {"birth", "births"},
	[LOST_DEATHS] = {"death", "deaths"},
	[LOST_GCS] = {"collection", "collections"},
	[LOST_NOTES] = {"note", "notes"},
	[LOST_UNTRACKS] = {"object that was let go", "objects that were let go"},
	[LOST_INTERVALS] = {"interval between two collections",
		"intervals between two collections"},
	[LOST_DECISIONS] = {"round or decision of tenure", "rounds and decisions of tenure"},
	[LOST_WHATS] = {"record of a newer kind", "records of newer kinds"},
};

static const char *const lost_reasons[LOST_REASONS + 1] = {
	[LOST_BUFFERS] = "the agent's buffers were full: its writer, or the disk, did not keep up",
	[LOST_MEMORY] = "there was no memory for it, or the agent's bound of it was met",
	[LOST_VM] = "the VM refused to tell",
	[LOST_STACKS] = "the bound of stacks a second was met",
	[LOST_GIVEN_UP] = "single objects were told of no more: a note says why",
	[LOST_REASONS] = "for a reason that this version of mayfly does not know",
};

/* "  lost: 2 samples, 1 death (why)", a line for each reason. */
static void print_lost(const struct check_result *r)
{
	for (size_t why = 0; why < ARRAY_SIZE(lost_reasons); why++) {
		struct sum sums[ARRAY_SIZE(lost_whats)];
		size_t count = 0;
		for (size_t what = 0; what < ARRAY_SIZE(lost_whats); what++)
			if (r->lost_as[what][why])
				sums[count++] = (struct sum){r->lost_as[what][why],
					lost_whats[what].one, lost_whats[what].many};
		if (!count)
			continue;
		struct parts p = parts_begin("  lost:");
		put_sums(&p, sums, count, "");
		parts_put(&p, "(%s)", lost_reasons[why]);
		parts_print(&p);
	}
}

/* Those that have no record of their own are told of too: reports count them. */
static void put_samples(struct parts *p, const struct check_result *r)
{
	char samples[UNITS_MAX], walked[UNITS_MAX];
	const char *noun = r->samples == 1 ? "sample" : "samples";
	units_count(r->samples, samples);
	if (r->walked < r->samples)
		parts_put(p, "%s %s (%s with a record),", samples, noun,
			units_count(r->walked, walked));
	else
		parts_put(p, "%s %s,", samples, noun);
}

static void print_sums(const struct check_result *r)
{
	const struct sum before[] = {
		{r->blocks, "block", "blocks"}, {r->records, "record", "records"}};
	const struct sum behind[] = {{r->births, "birth", "births"}, {r->deaths, "death", "deaths"},
		{r->untracked, "untracked", "untracked"}, {r->gcs, "collection", "collections"},
		{r->lost, "lost", "lost"}};
	struct parts p = parts_begin(" ");
	put_sums(&p, before, ARRAY_SIZE(before), ",");
	put_samples(&p, r);
	put_sums(&p, behind, ARRAY_SIZE(behind), "");
	parts_print(&p);
	print_lost(r);
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

static int check_file(const char *path, const char *shown)
{
	struct source source;
	struct codec codec;
	struct diag d = {""};
	struct check_result result = {0};
	struct checking checking = {.path = shown};
	int err = input_open(&source, path, &d);
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
	print_verdict(shown, &result, &checking, err, &d);
	return err ? EXIT_FAILED : EXIT_OK;
}

static int check_named(const char *path)
{
	struct buf shown = {0};
	text_clean(&shown, slice_str(path));
	int status = check_file(path, buf_text(&shown));
	buf_release(&shown);
	return status;
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
		if (check_named(argv[i]) != EXIT_OK)
			status = EXIT_FAILED;
	return status;
}
