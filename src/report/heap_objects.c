#include "report/heap_objects.h"

#include "base/error.h"
#include "report/number.h"
#include "report/text.h"

enum { PIECE = 1 << 16 };

/* A site and thread: what is the same for all their objects. */
struct place {
	bool passes;
	char *text; /* owned; from class to thread, as JSON; NULL: not asked yet */
};

struct objects {
	FILE *out;
	const struct model *m;
	const struct followed *f;
	uint64_t young; /* the clock at the moment */
	const struct query *query;
	size_t count;      /* that were put */
	struct map places; /* site and thread → index + 1 */
	VEC(struct place) list;
	struct buf line, scratch;
};

/* As JSON: quoted, and what is no plain text cleaned. */
static void put_text(struct buf *out, struct slice text)
{
	struct buf clean = {0};
	text_clean(&clean, text);
	buf_put_u8(out, '"');
	for (size_t i = 0; i < clean.len; i++) {
		if (clean.at[i] == '"' || clean.at[i] == '\\')
			buf_put_u8(out, '\\');
		buf_put_u8(out, clean.at[i]);
	}
	buf_put_u8(out, '"');
	out->failed = clean.failed ? clean.failed : out->failed;
	buf_release(&clean);
}

static void put_label(struct buf *out, const char *key, const struct objects *o,
	const struct image_object *is, enum by by)
{
	struct buf label = {0};
	label_put(&label, o->m, is->site, is->thread, by);
	buf_printf(out, ",\"%s\":", key);
	put_text(out, buf_slice(&label));
	out->failed = label.failed ? label.failed : out->failed;
	buf_release(&label);
}

static int make_place(struct objects *o, const struct image_object *is, struct place *p)
{
	struct buf text = {0};
	p->passes = where_account(&o->query->where, o->m, is->site, is->thread, &o->scratch);
	put_label(&text, "class", o, is, BY_CLASS);
	put_label(&text, "site", o, is, BY_SITE);
	if (is->thread)
		put_label(&text, "thread", o, is, BY_THREAD);
	else
		buf_put_str(&text, ",\"thread\":null");
	p->text = text.failed ? NULL : mem_strndup(buf_text(&text), text.len);
	buf_release(&text);
	return p->text && !o->scratch.failed ? ERR_NONE : ERR_NOMEM;
}

/* NULL: no memory. */
static const struct place *place_of(struct objects *o, const struct image_object *is)
{
	uint64_t key = (uint64_t)is->site << 32 | is->thread;
	const uint64_t *at = map_find(&o->places, key);
	if (at)
		return &o->list.at[*at];
	struct place p = {0};
	if (make_place(o, is, &p) || map_put(&o->places, key, o->list.count) ||
		vec_push(&o->list, p)) {
		mem_free(p.text);
		return NULL;
	}
	return &o->list.at[o->list.count - 1];
}

static void put_count(struct buf *out, const char *key, uint64_t value, bool known)
{
	buf_printf(out, ",\"%s\":", key);
	if (known)
		number_put_count(out, value);
	else
		buf_put_str(out, "null");
}

/* Its birth: after which collection, and when that had ended. */
static void put_birth(struct objects *o, const struct image_object *is)
{
	bool known = is->young != IMAGE_YOUNG_UNKNOWN;
	ptrdiff_t gc = known ? gcs_last(&o->m->gcs, is->young, UINT64_MAX) : GCS_NONE;
	put_count(&o->line, "collections", o->young > is->young ? o->young - is->young : 0, known);
	put_count(&o->line, "born_after_gc", model_gcs_before(o->m) + (uint64_t)(gc + 1), known);
	buf_put_str(&o->line, ",\"born_after_ms\":");
	if (known)
		number_put(&o->line, gc == GCS_NONE ? 0 : (double)o->m->gcs.list.at[gc].end / 1e6);
	else
		buf_put_str(&o->line, "null");
}

static int flush(struct objects *o, size_t least)
{
	if (o->line.failed)
		return o->line.failed;
	if (o->line.len < least)
		return ERR_NONE;
	bool good = fwrite(o->line.at, 1, o->line.len, o->out) == o->line.len;
	buf_clear(&o->line);
	return good ? ERR_NONE : ERR_IO;
}

static int put_object(void *arg, uint64_t address, const struct image_object *is)
{
	static const char *const bases[SIZE_BASES] = {
		"class", "told", "distance", "mean", "unknown"};
	struct objects *o = arg;
	enum size_basis basis;
	const struct place *p = place_of(o, is);
	if (!p)
		return ERR_NOMEM;
	if (!p->passes || (o->query->limit && o->count == o->query->limit))
		return ERR_NONE;
	o->count++;
	uint64_t bytes = followed_size(o->f, o->m, is, &basis);
	buf_printf(&o->line, "{\"address\":\"0x%llx\"", (unsigned long long)address);
	buf_put_str(&o->line, p->text);
	put_count(&o->line, "bytes", bytes, basis != SIZE_UNKNOWN);
	buf_printf(&o->line, ",\"bytes_by\":\"%s\"", bases[basis]);
	put_count(&o->line, "survived", is->survived, true);
	put_birth(o, is);
	buf_put_str(&o->line, "}\n");
	return flush(o, PIECE);
}

int heap_objects_put(FILE *out, const struct model *m, struct followed *f, uint64_t young,
	const struct query *query)
{
	struct objects o = {.out = out, .m = m, .f = f, .young = young, .query = query};
	int err = heap_image_each(&f->image, put_object, &o);
	err = err ? err : flush(&o, 1);
	for (size_t i = 0; i < o.list.count; i++)
		mem_free(o.list.at[i].text);
	vec_release(&o.list);
	map_release(&o.places);
	buf_release(&o.line);
	buf_release(&o.scratch);
	return err;
}
