#include "analyze/fail_if.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const char *skip(const char *at)
{
	while (*at == ' ')
		at++;
	return at;
}

/* The word at *at, which moves behind it. */
static struct slice word(const char **at)
{
	const char *from = skip(*at);
	*at = from + strcspn(from, " <>.");
	return slice(from, (size_t)(*at - from));
}

static bool set_scope(struct fail_rule *r, struct slice scope)
{
	for (int by = 0; by < BY_COUNT; by++)
		if (slice_equal(scope, slice_str(by_row((enum by)by)->word))) {
			r->of_rows = true;
			r->by = (enum by)by;
			return true;
		}
	return false;
}

static bool set_figure(struct fail_rule *r, struct slice name)
{
	for (enum figure f = 0; f < FIGURES; f++)
		if (slice_equal(name, slice_str(figure_row(f)->word))) {
			r->figure = f;
			return true;
		}
	return false;
}

/* "site.alloc", "class.survived", "pause". */
static bool set_metric(struct fail_rule *r, const char **at)
{
	struct slice first = word(at);
	if (**at != '.')
		return set_figure(r, first);
	++*at;
	struct slice second = word(at);
	r->survived = slice_equal(second, slice_str("survived"));
	return set_scope(r, first) && (r->survived || slice_equal(second, slice_str("alloc")));
}

/* "> +10%" */
static bool set_limit(struct fail_rule *r, const char *at)
{
	char *end;
	at = skip(at);
	r->less = *at == '<';
	if (*at != '<' && *at != '>')
		return false;
	double percent = strtod(skip(at + 1), &end);
	bool number = end != skip(at + 1);
	const char *rest = skip(end);
	rest += *rest == '%';
	r->limit = 1 + percent / 100;
	return number && !*skip(rest) && isfinite(percent) && percent > -100 &&
	       (r->less ? percent <= 0 : percent >= 0);
}

int fail_if_add(struct fail_if *f, const char *text, struct diag *d)
{
	struct fail_rule rule = {0};
	const char *at = text;
	if (f->count >= FAIL_IF_MAX)
		return diag_set(d, ERR_LIMIT, "more than %d --fail-if", FAIL_IF_MAX);
	if (!set_metric(&rule, &at) || !set_limit(&rule, at))
		return diag_set(d, ERR_FORMAT,
			"--fail-if can't be '%s': it is a figure and a limit, as 'site.alloc > "
			"+10%%', "
			"'class.survived > +50%%', 'pause > +5%%' or 'alloc < -20%%'",
			text);
	f->rules[f->count++] = rule;
	return ERR_NONE;
}

static bool breaks(const struct fail_rule *r, const struct change *c, double p)
{
	bool beyond = r->less ? c->ratio < r->limit : c->ratio > r->limit;
	return !isnan(c->ratio) && beyond && (isnan(p) || p <= DIFF_ALPHA);
}

static int tell(struct notes *out, const struct fail_rule *r, const char *what, const char *place,
	uint32_t line, const struct change *c)
{
	char change[32], at[16] = "";
	if (isinf(c->ratio))
		snprintf(change, sizeof(change), "is new");
	else
		snprintf(change, sizeof(change), "is %+.1f %%", 100 * (c->ratio - 1));
	if (line)
		snprintf(at, sizeof(at), ":%u", line);
	return notes_add(out, "%s%s%s%s %s; the limit is %+g %%.", what, place ? " of " : "",
		place ? place : "", at, change, 100 * (r->limit - 1));
}

static bool is_unknown(const struct fail_rule *r, const struct diff *d)
{
	const struct change *c = &d->figures[r->of_rows ? FIGURE_ALLOC : r->figure];
	return (r->of_rows && r->survived && !d->lives_known) || isnan(c->a) || isnan(c->b);
}

int fail_if_unknown(const struct fail_if *f, const struct diff *d, struct notes *out)
{
	int err = ERR_NONE;
	for (size_t i = 0; i < f->count && !err; i++) {
		const struct fail_rule *r = &f->rules[i];
		if (is_unknown(r, d))
			err = notes_add(out,
				"The rule about %s%s can't be judged: it is not known on both "
				"sides.",
				r->of_rows ? by_row(r->by)->word : figure_row(r->figure)->word,
				!r->of_rows   ? ""
				: r->survived ? ".survived"
					      : ".alloc");
	}
	return err;
}

static int check_rows(const struct fail_rule *r, const struct diff *d, struct notes *out)
{
	int err = ERR_NONE;
	for (size_t i = 0; i < d->rows.count && !err; i++) {
		const struct diff_row *row = &d->rows.at[i];
		const struct change *c = r->survived ? &row->survived : &row->alloc;
		if (!breaks(r, c, r->survived ? row->survived_p : row->p))
			continue;
		char what[512];
		snprintf(what, sizeof(what), "%s%s%s", r->survived ? "survived" : "alloc",
			row->class && d->by != BY_CLASS ? " of " : "",
			row->class && d->by != BY_CLASS ? row->class : "");
		err = tell(out, r, what, row->place, row->line_b ? row->line_b : row->line_a, c);
	}
	return err;
}

int fail_if_check(const struct fail_if *f, const struct diff *d, struct notes *out)
{
	int err = ERR_NONE;
	for (size_t i = 0; i < f->count && !err; i++) {
		const struct fail_rule *r = &f->rules[i];
		if (r->of_rows && r->by == d->by)
			err = check_rows(r, d, out);
		else if (!r->of_rows && breaks(r, &d->figures[r->figure], d->figures[r->figure].p))
			err = tell(out, r, figure_row(r->figure)->word, NULL, 0,
				&d->figures[r->figure]);
	}
	return err;
}
