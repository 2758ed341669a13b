#include "analyze/life_group.h"

static const struct life_group groups[GROUPS] = {
#define LIFE_GROUP(name, first, last, text) [GROUP_##name] = {first, last, text},
#include "analyze/life_group.def"
#undef LIFE_GROUP
};

const struct life_group *life_group(int group)
{
	return &groups[group];
}

int life_group_of(uint64_t age)
{
	int group = 0;
	while (age > groups[group].last)
		group++;
	return group;
}
