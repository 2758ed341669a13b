#include "cli/churning.h"

#include "base/error.h"

enum { WINDOWS_DEFAULT = 3 };
#define LEAST_GARBAGE 0.01 /* of the window's */

struct churn_query churning_query(void)
{
	return (struct churn_query){.limit = WINDOWS_DEFAULT};
}

struct query churning_rows(void)
{
	return (struct query){.sort = SORT_DIED, .split = true, .least = LEAST_GARBAGE};
}

/* The first pass: where are the windows? */
static int survey(struct churning *c, const char *path, const struct churn_query *q, struct diag *d)
{
	struct churn_survey survey = {0};
	struct listener listener = churn_survey_listener(&survey);
	struct load load;
	int err = load_open(&load, path, d);
	if (err)
		return err;
	err = load_replay(&load, &listener, d);
	if (!err)
		err = churn_find(&c->churn, &load.model, &survey, q, d);
	load_close(&load);
	churn_survey_release(&survey);
	return err;
}

/* The second, of the trace opened again: what is in them? */
static int look(struct churning *c, struct diag *d)
{
	struct listener listener = windows_listener(&c->churn.looks);
	int err = load_replay(&c->load, &listener, d);
	if (!err)
		err = windows_settle(&c->churn.looks, &c->load.model);
	if (!err)
		err = notes_find(&c->notes, &c->load.model);
	if (!err && c->churn.series.heap_unknown)
		err = notes_add(&c->notes,
			"The VM told no heap sizes: what was allocated stands for the garbage.");
	return err;
}

int churning_open(struct churning *c, const char *path, const struct churn_query *q, struct diag *d)
{
	*c = (struct churning){0};
	int err = survey(c, path, q, d);
	if (err)
		return err;
	err = load_open(&c->load, path, d);
	if (err) {
		churn_release(&c->churn);
		return err;
	}
	err = look(c, d);
	if (err)
		churning_release(c);
	return err;
}

void churning_release(struct churning *c)
{
	load_close(&c->load);
	notes_release(&c->notes);
	churn_release(&c->churn);
}

struct churn_view churning_view(
	const struct churning *c, const char *path, const struct query *rows)
{
	return (struct churn_view){.view = {.model = &c->load.model,
					   .notes = &c->notes,
					   .file = path,
					   .clock = row_gc_clock(&c->load.model)},
		.churn = &c->churn,
		.query = *rows};
}
