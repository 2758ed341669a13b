/* Lives by collections survived, in groups that are told apart. */
#ifndef ANALYZE_LIFE_GROUP_H
#define ANALYZE_LIFE_GROUP_H

#include <stdint.h>

enum {
#define LIFE_GROUP(name, first, last, text) GROUP_##name,
#include "analyze/life_group.def"
#undef LIFE_GROUP
	GROUPS
};
struct life_group {
	uint64_t first, last;
	const char *text; /* "3-5" */
};
const struct life_group *life_group(int group);
int life_group_of(uint64_t age);

#endif
