#include "analyze/label.h"

#include "model/names.h"

static const struct by_row rows[BY_COUNT] = {
#define BY(name, word, key, plural) [BY_##name] = {word, key, plural},
#include "analyze/by.def"
#undef BY
};

const struct by_row *by_row(enum by by)
{
	return &rows[by];
}

static void put(struct buf *out, struct slice text)
{
	if (text.len)
		buf_put(out, text.at, text.len);
	else
		buf_put_str(out, "(unknown)");
}

static void put_method(struct buf *out, const struct model *m, uint32_t frame)
{
	const struct method_def *method = defs_frame_method(&m->defs, frame);
	if (!frame) {
		buf_put_str(out, "(no stack)");
		return;
	}
	put(out, texts_get(&m->defs.texts, method->class_name));
	buf_put_str(out, ".");
	put(out, texts_get(&m->defs.texts, method->name));
}

void label_frame(struct buf *out, const struct model *m, uint32_t frame)
{
	put_method(out, m, frame);
	if (m->defs.frames.at[frame].line)
		buf_printf(out, ":%u", m->defs.frames.at[frame].line);
}

static void put_package(struct buf *out, const struct model *m, uint32_t frame)
{
	struct slice class =
		texts_get(&m->defs.texts, defs_frame_method(&m->defs, frame)->class_name);
	struct slice package = name_package(class);
	if (class.len && !package.len)
		buf_put_str(out, "(default package)");
	else
		put(out, package);
}

void label_put(struct buf *out, const struct model *m, uint32_t site, uint32_t thread, enum by by)
{
	const struct site_def *s = &m->defs.sites.at[site];
	switch (by) {
	case BY_CLASS:
		put(out, defs_class_name(&m->defs, s->class));
		break;
	case BY_METHOD:
		put_method(out, m, s->frame);
		break;
	case BY_PACKAGE:
		put_package(out, m, s->frame);
		break;
	case BY_THREAD:
		put(out, texts_get(&m->defs.texts, m->defs.threads.at[thread].name));
		break;
	case BY_SITE:
	case BY_COUNT:
	default:
		label_frame(out, m, s->frame);
		break;
	}
}
