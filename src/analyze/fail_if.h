/* Conditions on a diff under which a build is to fail: "site.alloc > +10%". */
#ifndef ANALYZE_FAIL_IF_H
#define ANALYZE_FAIL_IF_H

#include "analyze/diff.h"
#include "analyze/notes.h"
#include "base/diag.h"

enum { FAIL_IF_MAX = 16 };

struct fail_if {
	struct fail_rule {
		bool of_rows;       /* else of the runs as wholes */
		enum by by;         /* of rows */
		bool survived;      /* of rows: else alloc */
		enum figure figure; /* of runs */
		bool less;
		double limit; /* as a ratio: 1.1 for +10% */
	} rules[FAIL_IF_MAX];
	size_t count;
};

/* Adds one. 0, ERR_FORMAT or ERR_LIMIT, with a sentence. */
int fail_if_add(struct fail_if *f, const char *text, struct diag *d);
/*
 * Adds a sentence for all that breaks a rule: beyond the limit, and a change by more than chance
 * explains (where chance is known). Rules about rows by another grouping than the diff's are passed
 * over. 0 or ERR_NOMEM.
 */
int fail_if_check(const struct fail_if *f, const struct diff *d, struct notes *out);
/* Adds a sentence for each rule about what is not known, or not comparable: it is not broken. 0 or
 * ERR_NOMEM. */
int fail_if_unknown(const struct fail_if *f, const struct diff *d, struct notes *out);

#endif
