#include "export/naming.h"

static const char unknown[] = "(unknown)";

struct slice naming_class(const struct model *m, uint32_t class)
{
	struct slice name = defs_class_name(&m->defs, class);
	return name.len ? name : slice_str(unknown);
}

void naming_method(struct buf *out, const struct model *m, uint32_t method)
{
	const struct method_def *def = &m->defs.methods.at[method];
	struct slice class = texts_get(&m->defs.texts, def->class_name);
	struct slice name = texts_get(&m->defs.texts, def->name);
	buf_put(out, class.at, class.len);
	if (class.len && name.len)
		buf_put_u8(out, '.');
	buf_put(out, name.at, name.len);
	if (!class.len && !name.len)
		buf_put_str(out, unknown);
}
