/* The study of churn: both passes over a trace. What `churn` shows and the page carries. */
#ifndef CLI_CHURNING_H
#define CLI_CHURNING_H

#include "cli/load.h"
#include "report/churn_view.h"

struct churning {
	struct load load; /* of the second pass */
	struct notes notes;
	struct churn churn;
};

/* What is looked for, and the rows that are shown, unless options say otherwise. */
struct churn_query churning_query(void);
struct query churning_rows(void);

/* 0 or an error with a sentence (then nothing is held). ERR_USAGE: the window chosen is no window
 * of this recording. */
int churning_open(
	struct churning *c, const char *path, const struct churn_query *q, struct diag *d);
void churning_release(struct churning *c);
/* For the screen or JSON; the look is the caller's to set. */
struct churn_view churning_view(
	const struct churning *c, const char *path, const struct query *rows);

#endif
