#include "analyze/advise_flags.h"

#include <string.h>

#define SERIAL   COLLECTOR_SERIAL
#define PARALLEL COLLECTOR_PARALLEL
#define G1       COLLECTOR_G1

static const struct {
	const char *text;
	unsigned collectors, from, to;
} flags[FLAGS] = {
#define FLAG(name, text, collectors, from, to) [FLAG_##name] = {text, collectors, from, to},
#include "analyze/flags.def"
#undef FLAG
};

enum collector collector_of(const struct model *m)
{
	static const struct {
		const char *gc;
		enum collector collector;
	} names[] = {{"Serial", COLLECTOR_SERIAL}, {"Parallel", COLLECTOR_PARALLEL},
		{"G1", COLLECTOR_G1}};
	struct slice gc = facts_get(&m->facts, &m->defs.texts, "gc");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (slice_equal(gc, slice_str(names[i].gc)))
			return names[i].collector;
	return COLLECTOR_OTHER;
}

bool flag_known(enum flag f, enum collector c, unsigned jdk)
{
	return (flags[f].collectors & c) && jdk >= flags[f].from && jdk <= flags[f].to;
}

void flag_put(struct buf *out, enum flag f, unsigned value)
{
	const char *place = strstr(flags[f].text, "%u");
	if (!place) {
		buf_put_str(out, flags[f].text);
		return;
	}
	buf_put(out, flags[f].text, (size_t)(place - flags[f].text));
	buf_printf(out, "%u%s", value, place + 2);
}
