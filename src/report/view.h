/* A report as it is to be shown: the analysis, and how. */
#ifndef REPORT_VIEW_H
#define REPORT_VIEW_H

#include "analyze/lifetime.h"
#include "analyze/notes.h"
#include "report/text.h"

struct view {
	const struct lifetimes *lifetimes;
	const struct model *model;
	const struct notes *notes;
	const char *file; /* as the user named it */
	enum clock clock; /* that lifetimes are shown in */
	struct look look;
};

/* Seconds recorded; and those that rates of allocation are over (model_births_time). */
double view_seconds(const struct view *v);
double view_seconds_told(const struct view *v);
/* Samples that the VM took, and how many of them were lost. */
uint64_t view_samples(const struct model *m);
uint64_t view_lost(const struct model *m);
/* Bytes allocated in the whole trace: counted by the exact engine, else what samples stand for. */
double view_allocated(const struct model *m);
/* Whether the view is in collections, and not in bytes or time. */
bool view_counts(const struct view *v);

#endif
