#include "export/naming.h"

#include "base/error.h"
#include "support/tap.h"

static uint32_t add_method(struct model *m, const char *class, const char *name)
{
	struct method_def def = {.class_name = texts_add(&m->defs.texts, slice_str(class)),
		.name = texts_add(&m->defs.texts, slice_str(name))};
	EXPECT_INT(ERR_NONE, vec_push(&m->defs.methods, def));
	return (uint32_t)m->defs.methods.count - 1;
}

static void expect_method(struct model *m, const char *want, uint32_t method)
{
	struct buf got = {0};
	naming_method(&got, m, method);
	EXPECT_STR(want, buf_text(&got));
	buf_release(&got);
}

TEST(names)
{
	static struct model m;
	EXPECT_INT(ERR_NONE, model_init(&m));
	struct class_def class = {.name = texts_add(&m.defs.texts, slice_str("byte[]"))};
	EXPECT_INT(ERR_NONE, vec_push(&m.defs.classes, class));
	EXPECT(slice_equal(slice_str("(unknown)"), naming_class(&m, 0)));
	EXPECT(slice_equal(slice_str("byte[]"), naming_class(&m, 1)));
	expect_method(&m, "(unknown)", 0);
	expect_method(&m, "a.B.c", add_method(&m, "a.B", "c"));
	expect_method(&m, "c", add_method(&m, "", "c"));
	expect_method(&m, "a.B", add_method(&m, "a.B", ""));
	model_release(&m);
}
