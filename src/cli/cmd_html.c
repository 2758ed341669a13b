#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/units.h"
#include "cli/advising.h"
#include "cli/args.h"
#include "cli/churning.h"
#include "cli/cli.h"
#include "cli/differing.h"
#include "cli/draft.h"
#include "cli/input.h"
#include "cli/load.h"
#include "cli/overwrite.h"
#include "model/fan.h"
#include "page/page.h"
#include "page/viewer.h"

/* What other commands say of it as JSON; the diff is the first trace's alone. */
enum part { PART_CHURN, PART_ADVICE, PART_DIFF, PARTS };

/* A trace, as it goes into the page. */
struct side {
	struct load load;
	struct collect collect;
	struct notes notes;
	struct buf documents[PARTS];
	struct data_part parts[PARTS];
};

struct html {
	const char *output; /* NULL: named after the first trace; "-": stdout */
	const char *viewer; /* NULL: the one that was built in */
	bool force;
	char **files;
	size_t count; /* of files */
	struct buf viewer_bytes, name;
	struct side sides[PAGE_TRACES];
	struct data data[PAGE_TRACES];
	size_t found; /* of sides and data, to be released */
};

static int set_output(void *arg, const char *value, struct diag *d)
{
	((struct html *)arg)->output = value;
	return *value ? ERR_NONE : diag_set(d, ERR_FORMAT, "the file's name is empty");
}

static int set_viewer(void *arg, const char *value, struct diag *d)
{
	(void)d;
	((struct html *)arg)->viewer = value;
	return ERR_NONE;
}

static int set_force(void *arg, const char *value, struct diag *d)
{
	(void)value;
	(void)d;
	((struct html *)arg)->force = true;
	return ERR_NONE;
}

static const struct args_row rows[] = {
	{"output", 'o', "FILE",
		"the page, or - for stdout; without it, the first trace's name with .html",
		set_output},
	{"force", 'f', NULL, "write over a file that is no page of mayfly", set_force},
	{"viewer", 0, "FILE", "another viewer than the built-in one", set_viewer},
};

/* "orders.mfly" → "orders.html". */
static int name_output(struct html *h)
{
	static const char extension[] = ".mfly";
	size_t len = strlen(h->files[0]), tail = sizeof(extension) - 1;
	if (h->output)
		return ERR_NONE;
	if (len > tail && strcmp(h->files[0] + len - tail, extension) == 0)
		len -= tail;
	buf_put(&h->name, h->files[0], len);
	buf_put_str(&h->name, ".html");
	h->output = buf_text(&h->name);
	return h->name.failed;
}

static bool to_stdout(const struct html *h)
{
	return strcmp(h->output, "-") == 0;
}

static int check_output(const struct html *h, struct diag *d)
{
	if (h->force || to_stdout(h))
		return ERR_NONE;
	return overwrite_check(h->output, PAGE_MARKER, "a page of mayfly", d);
}

static int read_file(const char *path, struct buf *out, struct diag *d)
{
	char chunk[16384];
	size_t got;
	FILE *f = fopen(path, "rb");
	if (!f)
		return diag_set(d, ERR_IO, "%s can't be read: %s", path, strerror(errno));
	while ((got = fread(chunk, 1, sizeof(chunk), f)) > 0 && !out->failed)
		buf_put(out, chunk, got);
	int error = ferror(f) ? errno : 0;
	fclose(f);
	if (error)
		return diag_set(d, ERR_IO, "%s can't be read: %s", path, strerror(error));
	return out->failed;
}

static int find_viewer(struct html *h, struct slice *viewer, struct diag *d)
{
	int err = ERR_NONE;
	*viewer = viewer_builtin();
	if (h->viewer) {
		err = read_file(h->viewer, &h->viewer_bytes, d);
		*viewer = buf_slice(&h->viewer_bytes);
	} else if (!viewer->len) {
		return diag_set(d, ERR_UNSUPPORTED,
			"this mayfly was built without the page: build it where node and npm are, "
			"or give --viewer");
	}
	return err ? err : page_check(*viewer, d);
}

static void release_side(struct side *s)
{
	collect_release(&s->collect);
	notes_release(&s->notes);
	for (int p = 0; p < PARTS; p++)
		buf_release(&s->documents[p]);
	load_close(&s->load);
}

/* The windows of most garbage, as `mayfly churn` finds them. */
static int find_churn(struct side *s, const char *path, struct diag *d)
{
	struct churning c;
	struct churn_query q = churning_query();
	struct query shown = churning_rows();
	int err = churning_open(&c, path, &q, d);
	if (err)
		return err;
	struct churn_view v = churning_view(&c, path, &shown);
	err = churn_json_put(&s->documents[PART_CHURN], &v);
	churning_release(&c);
	return err;
}

static int find_advice(struct side *s, struct advising *a, const char *path)
{
	int err = advising_find(a, &s->load.model);
	struct advise_view v = advising_view(a, &s->load.model, path);
	return err ? err : advise_json_put(&s->documents[PART_ADVICE], &v);
}

/* Of two traces, a sentence has to say which one. */
static int open_side(struct html *h, size_t i, struct diag *d)
{
	struct diag why = {""};
	int err = load_open(&h->sides[i].load, h->files[i], &why);
	const char *text = err && !why.text[0] ? err_text(err) : why.text;
	if (err && strncmp(text, h->files[i], strlen(h->files[i])) == 0)
		return diag_set(d, err, "%s", text);
	return err ? diag_set(d, err, "%s: %s", h->files[i], text) : ERR_NONE;
}

/* All that one replay tells. Advice comes first, and gives its memory back: where every path was
 * walked, what is laid out of it is as large as what the page shows. */
static int replay(struct side *s, const char *path, struct diag *d)
{
	struct advise_query q = advising_query();
	struct advising advising;
	advising_init(&advising, &q, false);
	struct fan fan = {
		.to = {collect_listener(&s->collect), advising_listener(&advising)}, .count = 2};
	struct listener listener = fan_listener(&fan);
	int err = load_replay(&s->load, &listener, d);
	err = err ? err : load_endings(&s->load, d);
	s->collect.ledger.endings = advising.log.ledger.endings = &s->load.endings;
	err = err ? err : find_advice(s, &advising, path);
	advising_release(&advising);
	err = err ? err : collect_settle(&s->collect, &s->load.model);
	return err ? err : notes_find(&s->notes, &s->load.model);
}

/* Opens a trace and makes its data. */
static int find(struct html *h, size_t i, struct diag *d)
{
	struct side *s = &h->sides[i];
	struct data *data = &h->data[i];
	int err = open_side(h, i, d);
	if (err)
		return err;
	s->collect = collect_init(PAGE_SAMPLES / h->count);
	*data = (struct data){.model = &s->load.model,
		.collect = &s->collect,
		.notes = &s->notes,
		.file = h->files[i],
		.parts = s->parts,
		.part_count = ARRAY_SIZE(s->parts)};
	err = replay(s, h->files[i], d);
	err = err ? err : find_churn(s, h->files[i], d);
	err = err ? err : data_find(data, PAGE_GCS / h->count);
	if (err)
		release_side(s);
	else
		h->found++;
	return err;
}

/* What the report needs of a trace is what a comparison by sites needs, too. */
static int find_diff(struct html *h)
{
	struct diff_run runs[PAGE_TRACES];
	for (size_t i = 0; i < PAGE_TRACES; i++)
		runs[i] = (struct diff_run){&h->sides[i].load.model, &h->sides[i].collect.ledger};
	struct diff_group a = {runs, 1}, b = {runs + 1, 1};
	const char *files[] = {h->files[0], h->files[1]};
	struct diff_side sides[] = {{files, &a}, {files + 1, &b}};
	struct diff_query q = {0};
	struct differing f;
	int err = differing_open(&f, &sides[0], &sides[1], &q);
	if (err)
		return err;
	struct diff_view v = differing_view(&f);
	err = diff_json_put(&h->sides[0].documents[PART_DIFF], &v);
	differing_release(&f);
	return err;
}

static void link_parts(struct html *h)
{
	static const char *const keys[PARTS] = {
		[PART_CHURN] = "churn", [PART_ADVICE] = "advice", [PART_DIFF] = "diff"};
	for (size_t i = 0; i < h->count; i++)
		for (int p = 0; p < PARTS; p++)
			h->sides[i].parts[p] =
				(struct data_part){keys[p], buf_slice(&h->sides[i].documents[p])};
}

static int write_stdout(struct html *h, struct slice viewer, struct diag *d)
{
	int fd = STDOUT_FILENO;
	struct sink sink = sink_fd(&fd);
	int err = page_put(&sink, viewer, h->data, h->count);
	if (err != ERR_IO)
		return err;
	return diag_set(d, err, "the output could not be written: %s", strerror(errno));
}

static int write_file(struct html *h, struct slice viewer, struct diag *d)
{
	struct draft draft;
	char size[UNITS_MAX];
	int err = draft_open(&draft, h->output, false, d);
	if (err)
		return err;
	struct sink sink = draft_sink(&draft);
	err = page_put(&sink, viewer, h->data, h->count);
	if (err) {
		draft_drop(&draft, d);
		return err;
	}
	err = draft_keep(&draft, d);
	if (!err)
		cli_note("%s, %s", h->output, units_bytes((double)draft.written, size));
	return err;
}

static int run(struct html *h, struct diag *d)
{
	struct slice viewer;
	int err = check_output(h, d);
	err = err ? err : find_viewer(h, &viewer, d);
	for (size_t i = 0; i < h->count && !err; i++)
		err = find(h, i, d);
	if (!err && h->count == PAGE_TRACES)
		err = find_diff(h);
	link_parts(h);
	if (err)
		return err;
	return to_stdout(h) ? write_stdout(h, viewer, d) : write_file(h, viewer, d);
}

static void release(struct html *h)
{
	for (size_t i = 0; i < h->found; i++) {
		data_release(&h->data[i]);
		release_side(&h->sides[i]);
	}
	buf_release(&h->viewer_bytes);
	buf_release(&h->name);
	mem_free(h);
}

static int check_itself(const struct html *h)
{
	for (size_t i = 0; i < h->count && !to_stdout(h); i++)
		if (overwrite_same(h->files[i], h->output))
			return cli_usage(
				"html", "%s is the trace itself: give another -o", h->output);
	return ARGS_RUN;
}

static int take_files(struct html *h, char **files, int count)
{
	if (count < 1 || count > PAGE_TRACES)
		return cli_usage("html", count ? "two traces at most, to be compared"
					       : "which trace? Give its file");
	h->files = files;
	h->count = (size_t)count;
	if (!h->output && input_is_standard(files[0]))
		return cli_usage(
			"html", "standard input has no name to name the page after: give -o");
	return name_output(h) ? cli_fail_err(ERR_NOMEM, NULL) : check_itself(h);
}

int cmd_html(int argc, char **argv)
{
	struct html *h = mem_zalloc(1, sizeof(*h));
	struct diag d = {""};
	int first;
	if (!h)
		return cli_fail_err(ERR_NOMEM, NULL);
	const struct args args = {.command = "html",
		.usage = "FILE [FILE2] [options]",
		.about = "Writes a page that shows a trace in a browser: one file, to look at, to\n"
			 "keep and to pass on. With a second trace it compares the two.\n",
		.rows = rows,
		.count = ARRAY_SIZE(rows),
		.arg = h};
	int status = args_parse(&args, argc, argv, &first);
	if (status == ARGS_RUN)
		status = take_files(h, argv + first, argc - first);
	if (status == ARGS_RUN) {
		int err = run(h, &d);
		status = err ? cli_fail_err(err, &d) : EXIT_OK;
	}
	release(h);
	return status;
}
