/* The call path that most of a place's bytes come by. */
#ifndef ANALYZE_PATH_H
#define ANALYZE_PATH_H

#include "analyze/ledger.h"

enum { PATH_MAX_FRAMES = 64 };
#define PATH_SHARE 0.5 /* of the bytes: below it there is no one path */

struct path {
	uint32_t frames[PATH_MAX_FRAMES]; /* indices, from the allocating frame up */
	double shares[PATH_MAX_FRAMES];   /* of the place's bytes that come this way; falling */
	size_t count;
};

/*
 * Of objects of this class that are allocated at the line of this frame: follows the heaviest
 * caller as long as it has more than PATH_SHARE of the bytes. `bytes_of`: what an account weighs.
 */
struct path path_find(const struct model *m, const struct ledger *l, uint32_t class, uint32_t frame,
	double (*bytes_of)(const struct tally *));

#endif
