#include "cli/show.h"

#include <langinfo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/error.h"
#include "base/units.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "model/fan.h"

#define LEAST_DEFAULT 0.005
enum { WIDTH_MIN = 40, WIDTH_MAX = 100000 };

static int terminal_width(void)
{
	struct winsize size;
	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
		return 0;
	return size.ws_col < WIDTH_MIN ? WIDTH_MIN : size.ws_col;
}

struct look show_look(void)
{
	return (struct look){.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
		.color = cli_fancy(stdout),
		.width = terminal_width()};
}

void showing_init(struct showing *s)
{
	*s = (struct showing){
		.query = {.split = true, .least = LEAST_DEFAULT}, .look = show_look()};
}

/* The number of the word in a list that `word_at` gives, or the list as a sentence. */
static int choose(const char *value, const char *(*word_at)(unsigned i), unsigned count,
	const char *what, unsigned *out, struct diag *d)
{
	struct buf words = {0};
	for (unsigned i = 0; i < count; i++) {
		if (strcmp(word_at(i), value) == 0) {
			buf_release(&words);
			*out = i;
			return ERR_NONE;
		}
		buf_printf(&words, "%s%s",
			i == 0           ? ""
			: i + 1 == count ? " or "
					 : ", ",
			word_at(i));
	}
	diag_set(d, ERR_FORMAT, "--%s can't be '%s': it is %s", what, value, buf_text(&words));
	buf_release(&words);
	return ERR_FORMAT;
}

static const char *by_word(unsigned i)
{
	return by_row((enum by)i)->word;
}

static const char *sort_word_at(unsigned i)
{
	return sort_word((enum sort)i);
}

static const char *metric_word_at(unsigned i)
{
	return metric_word((enum metric)i);
}

static const char *clock_word(unsigned i)
{
	static const char *const words[CLOCKS] = {[CLOCK_YOUNG] = "young",
		[CLOCK_FULL] = "full",
		[CLOCK_BYTES] = "mb",
		[CLOCK_NS] = "ms"};
	return words[i];
}

int show_set_by(void *arg, const char *value, struct diag *d)
{
	struct showing *s = arg;
	unsigned i = 0;
	int err = choose(value, by_word, BY_COUNT, "by", &i, d);
	s->query.by = (enum by)i;
	s->by_set = true;
	return err;
}

int show_set_sort(void *arg, const char *value, struct diag *d)
{
	struct showing *s = arg;
	unsigned i = 0;
	int err = choose(value, sort_word_at, SORT_COUNT, "sort", &i, d);
	s->query.sort = (enum sort)i;
	s->sort_set = true;
	return err;
}

int show_set_metric(void *arg, const char *value, struct diag *d)
{
	struct showing *s = arg;
	unsigned i = 0;
	int err = choose(value, metric_word_at, METRIC_COUNT, "metric", &i, d);
	s->metric = (enum metric)i;
	s->metric_set = true;
	return err;
}

int show_set_clock(void *arg, const char *value, struct diag *d)
{
	struct showing *s = arg;
	unsigned i = 0;
	int err = choose(value, clock_word, CLOCKS, "clock", &i, d);
	s->clock = (enum clock)i;
	s->clock_set = true;
	return err;
}

int show_set_where(void *arg, const char *value, struct diag *d)
{
	struct showing *s = arg;
	return where_add(&s->query.where, value, d);
}

/* "0.5", "0.5%", "0.5 %": percent. */
int show_set_least(void *arg, const char *value, struct diag *d)
{
	struct showing *s = arg;
	char *end;
	double percent = strtod(value, &end);
	bool sign = strcmp(end, "") == 0 || strcmp(end, "%") == 0 || strcmp(end, " %") == 0;
	if (end == value || !sign || !(percent >= 0 && percent <= 100))
		return diag_set(
			d, ERR_FORMAT, "--min can't be '%s': it is a percentage, 0 to 100", value);
	s->query.least = percent / 100;
	s->least_set = true;
	return ERR_NONE;
}

int show_set_limit(void *arg, const char *value, struct diag *d)
{
	struct showing *s = arg;
	uint64_t limit;
	int err = units_parse_count(value, 1u << 30, &limit);
	if (err)
		return diag_set(
			d, err, "--limit can't be '%s': it is a number of rows, 0 for all", value);
	s->query.limit = (size_t)limit;
	s->limit_set = true;
	return ERR_NONE;
}

int show_set_json(void *arg, const char *value, struct diag *d)
{
	(void)value;
	(void)d;
	((struct showing *)arg)->json = true;
	return ERR_NONE;
}

int show_set_width(void *arg, const char *value, struct diag *d)
{
	struct showing *s = arg;
	uint64_t width;
	int err = units_parse_count(value, WIDTH_MAX, &width);
	if (err || (width && width < WIDTH_MIN))
		return diag_set(d, ERR_FORMAT,
			"--width can't be '%s': it is a number of columns from %d on, or 0 for no "
			"bound",
			value, WIDTH_MIN);
	s->look.width = (int)width;
	return ERR_NONE;
}

int show_set_together(void *arg, const char *value, struct diag *d)
{
	struct showing *s = arg;
	(void)value;
	(void)d;
	s->query.split = false;
	return ERR_NONE;
}

int showing_load(struct showing *s, unsigned clocks, struct diag *d)
{
	s->query.clocks = clocks | (s->clock_set ? 1u << s->clock : 0);
	/* Collections are always counted: shapes and splits are decided by them. */
	s->ledger.clocks = s->query.clocks | 1u << CLOCK_YOUNG | 1u << CLOCK_FULL;
	s->ledger.by_thread = query_by_thread(&s->query);
	int err = load_open(&s->load, s->path, d);
	if (err)
		return err;
	struct fan fan = {.to = {ledger_listener(&s->ledger)}, .count = 1};
	if (s->also)
		fan.to[fan.count++] = *s->also;
	struct listener listener = s->also ? fan_listener(&fan) : fan.to[0];
	err = load_replay(&s->load, &listener, d);
	if (s->no_events)
		load_no_endings(&s->load);
	else if (!err)
		err = load_endings(&s->load, d);
	s->ledger.endings = &s->load.endings;
	if (!err)
		err = ledger_settle(&s->ledger, &s->load.model);
	if (!err)
		err = leaves_lay(&s->ledger, &s->load.model);
	if (!err)
		err = notes_find(&s->notes, &s->load.model);
	if (!err)
		err = leaves_notes(&s->notes, &s->ledger);
	if (!err && !s->clock_set)
		s->clock = row_gc_clock(&s->load.model);
	if (err)
		showing_release(s);
	return err;
}

struct view showing_view(const struct showing *s, const struct lifetimes *l)
{
	return (struct view){.lifetimes = l,
		.model = &s->load.model,
		.notes = &s->notes,
		.file = s->path,
		.clock = s->clock,
		.look = s->look};
}

int showing_put(struct showing *s, struct buf *out, int (*put)(struct buf *, const struct view *))
{
	struct lifetimes l;
	int err = lifetimes_find(&l, &s->load.model, &s->ledger, &s->query);
	if (err)
		return err;
	struct view v = showing_view(s, &l);
	err = put(out, &v);
	lifetimes_release(&l);
	return err;
}

void showing_release(struct showing *s)
{
	load_close(&s->load);
	ledger_release(&s->ledger);
	notes_release(&s->notes);
}

int show_out(struct buf *out, int err)
{
	if (!err)
		fwrite(out->at, 1, out->len, stdout);
	buf_release(out);
	return err;
}

const char *show_no_shape(const struct showing *s)
{
	return where_has(&s->query.where, WHERE_SHAPE)
		       ? "only rows of the report have a shape: it can't be asked for here"
		       : NULL;
}

int show_one_trace(const char *command, int operands)
{
	if (operands == 1)
		return ARGS_RUN;
	return cli_usage(command, operands ? "one trace at a time" : "which trace? Give its file");
}
