/* Births that are counted by their call path, one in so many (births_walk). */
#ifndef EXACT_BIRTH_PATHS_H
#define EXACT_BIRTH_PATHS_H

#include "exact/births.h"

/* Whether it is this one's turn; the next one's is set then. */
bool birth_path_due(const struct births *b, struct birth_thread *t);
/* Whether it was counted by its path; where there is none, or no room, its line is to be. */
bool birth_path_count(struct births *b, struct birth_thread *t, const struct birth *e);

#endif
