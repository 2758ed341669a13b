#include "export/frames.h"

#include "base/error.h"
#include "export/naming.h"

#define CLASS_BIT (1ull << 32)

void frames_release(struct frames *f)
{
	map_release(&f->numbers);
	vec_release(&f->list);
}

static int64_t number_of(struct frames *f, uint64_t key, struct frame_ref ref)
{
	const uint64_t *known = map_find(&f->numbers, key);
	if (known)
		return (int64_t)*known;
	if (vec_push(&f->list, ref))
		return ERR_NOMEM;
	if (map_put(&f->numbers, key, f->list.count - 1))
		return f->list.count--, ERR_NOMEM;
	return (int64_t)f->list.count - 1;
}

int64_t frames_of_line(struct frames *f, const struct model *m, uint32_t frame)
{
	return number_of(f, m->defs.frames.at[frame].location, (struct frame_ref){false, frame});
}

int64_t frames_of_class(struct frames *f, uint32_t class)
{
	return number_of(f, CLASS_BIT | class, (struct frame_ref){true, class});
}

int64_t frames_path(
	struct frames *f, const struct model *m, uint32_t site, uint32_t path[FRAMES_PATH_MAX])
{
	const struct site_def *s = &m->defs.sites.at[site];
	uint32_t depth = 0;
	for (uint32_t at = s->frame; at && depth < STACK_MAX; at = m->defs.frames.at[at].parent)
		depth++;
	int64_t number = frames_of_class(f, s->class);
	path[depth] = (uint32_t)number;
	uint32_t left = depth;
	for (uint32_t at = s->frame; left && number >= 0; at = m->defs.frames.at[at].parent) {
		number = frames_of_line(f, m, at);
		path[--left] = (uint32_t)number;
	}
	return number < 0 ? number : (int64_t)depth + 1;
}

struct frame_text frames_text(
	const struct frames *f, const struct model *m, size_t number, struct buf *scratch)
{
	const struct frame_ref *ref = &f->list.at[number];
	if (ref->is_class)
		return (struct frame_text){.name = naming_class(m, ref->index)};
	const struct method_def *method = defs_frame_method(&m->defs, ref->index);
	buf_clear(scratch);
	naming_method(scratch, m, m->defs.frames.at[ref->index].method);
	return (struct frame_text){.name = buf_slice(scratch),
		.file = texts_get(&m->defs.texts, method->source),
		.line = m->defs.frames.at[ref->index].line};
}
