#include "model/model.h"

#include "base/compiler.h"
#include "base/error.h"
#include "stat/weight.h"

int model_init(struct model *m)
{
	*m = (struct model){0};
	int err = defs_init(&m->defs);
	if (err)
		return err;
	err = facts_init(&m->facts);
	if (err)
		defs_release(&m->defs);
	return err;
}

void model_release(struct model *m)
{
	defs_release(&m->defs);
	facts_release(&m->facts);
	gcs_release(&m->gcs);
	live_release(&m->live);
	counts_release(&m->exact);
	heap_counts_release(&m->heap);
	tenure_release(&m->tenure);
}

bool model_disowned(const struct model *m)
{
	return slice_equal(facts_get(&m->facts, &m->defs.texts, "exact"), slice_str("refused"));
}

uint64_t model_births_until(const struct model *m)
{
	const struct gcs *g = &m->gcs;
	size_t i = g->list.count;
	if (m->complete || !m->exact.births.objects)
		return m->now.time;
	while (i && g->list.at[i - 1].young >= m->exact.young)
		i--;
	return i < g->list.count ? g->list.at[i].end : m->now.time;
}

bool model_late(const struct model *m)
{
	struct slice start = facts_get(&m->facts, &m->defs.texts, "start");
	return slice_equal(start, slice_str("attach")) || m->facts.waited;
}

uint64_t model_births_from(const struct model *m)
{
	uint64_t from = m->exact.births.objects ? m->facts.exact_from : 0;
	uint64_t until = model_births_until(m);
	from = from > m->begin.time ? from - m->begin.time : 0;
	return from < until ? from : 0;
}

static MF_COLD double compute_weight(
	const struct model *m, uint64_t size, uint32_t config, struct weight_memo *memo)
{
	const struct config_def *c = &m->facts.configs.at[config];
	if (!c->valid || size > OBJECT_MAX)
		return 0;
	*memo = (struct weight_memo){.size = size,
		.config = config,
		.weight = c->walk * weight_poisson(size, c->interval)};
	return memo->weight;
}

double model_weight(struct model *m, uint64_t size, uint32_t config)
{
	struct weight_memo *memo = &m->memo[(size / 8 + config) % ARRAY_SIZE(m->memo)];
	if (memo->weight > 0 && memo->size == size && memo->config == config)
		return memo->weight;
	return compute_weight(m, size, config, memo);
}

unsigned model_jdk(const struct model *m)
{
	struct slice version = facts_get(&m->facts, &m->defs.texts, "jdk.version");
	unsigned jdk = 0;
	for (size_t i = 0; i < version.len && jdk < 1000; i++) {
		if (version.at[i] < '0' || version.at[i] > '9')
			break;
		jdk = 10 * jdk + (unsigned)(version.at[i] - '0');
	}
	return jdk;
}

bool model_keeps_marks(const struct model *m)
{
	enum { SINCE = 24 }; /* JDK-8305898 */
	return model_jdk(m) >= SINCE;
}

bool model_old_sampler(const struct model *m)
{
	enum { MENDED = 25 };
	unsigned jdk = model_jdk(m);
	return jdk && jdk < MENDED;
}
