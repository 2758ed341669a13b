/* One group of runs of a diff, by places: what each run has of each, with the same keys for both
 * groups. */
#ifndef ANALYZE_SIDES_H
#define ANALYZE_SIDES_H

#include "analyze/diff.h"
#include "base/intern.h"

enum { PLACE_SEPARATOR = 0x1f }; /* of class and method in the name of a site */

/* A place of one side: the name that does not move when code is edited, and the line that does. */
struct place {
	uint32_t name, line; /* name: number in the names; line: 0 where rows are not by line */
	uint32_t shown; /* of rows by line what the program calls it, else the name; likewise */
	struct total *alloc, *survived; /* owned; one for each run */
	struct counted *counted; /* owned; likewise: whether it is whole leaves, without lives */
	/* Owned; by bytes, of all runs: what the exact engine counted, where all of them are that.
	 */
	struct ages exact;
	struct ages ages; /* owned; by bytes, of all runs, on their GC clock; as long as young */
};

struct side {
	VEC(struct place) places; /* owned; by name and line */
	size_t runs;
};

/* Names are class, PLACE_SEPARATOR and method for sites, the label else; bodies of lambdas have no
 * number there, since each edit moves it. *out is overwritten, to be
 * given to side_release in any case. 0 or ERR_NOMEM. */
int side_collect(struct side *out, const struct diff_group *g, const struct diff_query *q,
	struct intern *names);
void side_release(struct side *s);

#endif
