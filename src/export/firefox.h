/*
 * The processed profile format of the Firefox Profiler, version 60 (its docs-developer folder,
 * processed-profile-format.md and CHANGELOG-formats.md), which later profilers upgrade: allocations
 * with the deallocations that end them, and collections as markers.
 */
#ifndef EXPORT_FIREFOX_H
#define EXPORT_FIREFOX_H

#include "analyze/where.h"
#include "export/firefox_log.h"
#include "export/out.h"

enum { FIREFOX_EVENTS = 1000000 }; /* births and deaths of a profile that a browser can take */

struct firefox_source {
	const struct model *model;
	const struct firefox_log *log; /* of the same replay */
	const struct where *where;
	const char *name; /* of the trace */
};

/* Writes the file. 0, ERR_NOMEM or an error of the sink. */
int firefox_put(struct out *o, const struct firefox_source *s);

#endif
