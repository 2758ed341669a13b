#include "report/trace_json.h"

#include "report/view.h"

static json_t *fact(const struct model *m, const char *key)
{
	return document_text(facts_get(&m->facts, &m->defs.texts, key));
}

json_t *gcs_json(struct document *d, const struct model *m)
{
	json_t *o = json_object();
	static const char *const names[GC_KINDS] = {[GC_KIND_YOUNG] = "young",
		[GC_KIND_MIXED] = "mixed",
		[GC_KIND_FULL] = "full",
		[GC_KIND_CONCURRENT] = "concurrent"};
	uint64_t sum = 0;
	for (int i = 0; i < GC_KINDS; i++) {
		sum += m->gcs.count[i];
		document_set(d, o, names[i],
			m->gcs.untold ? json_null() : document_count(m->gcs.count[i]));
	}
	if (m->gcs.untold)
		document_set(d, o, "pauses", document_count(sum));
	return o;
}

/* Of the sampling that was in force last. */
static json_t *interval(const struct model *m)
{
	const struct config_def *c = facts_in_force(&m->facts);
	return c->valid ? document_count(c->interval) : json_null();
}

json_t *trace_json(struct document *d, const struct model *m, const char *file, double alloc_bytes)
{
	json_t *o = json_object();
	document_set(d, o, "file", document_text(slice_str(file)));
	document_set(d, o, "engine", fact(m, "engine"));
	document_set(d, o, "jdk", fact(m, "jdk.version"));
	document_set(d, o, "gc", fact(m, "gc"));
	document_set(d, o, "duration_ms", document_number((double)m->now.time / 1e6));
	document_set(d, o, "interval", interval(m));
	document_set(d, o, "gcs", gcs_json(d, m));
	document_set(d, o, "alloc_bytes", document_whole(alloc_bytes));
	document_set(d, o, "samples", document_count(view_samples(m)));
	document_set(d, o, "tracked", document_count(m->tallies.born));
	document_set(d, o, "lost", document_count(view_lost(m)));
	document_set(d, o, "complete", json_boolean(m->complete));
	return o;
}
