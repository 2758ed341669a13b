#include "export/frames.h"

#include "base/error.h"
#include "base/mem.h"
#include "support/export_of.h"
#include "support/tap.h"

/* The path by the definitions alone: from the leaf up, then turned round. */
static void expect_path(struct frames *f, const struct model *m, uint32_t site)
{
	uint32_t path[FRAMES_PATH_MAX];
	int64_t len = frames_path(f, m, site, path);
	uint32_t frame = m->defs.sites.at[site].frame;
	EXPECT(len >= 1);
	if (len < 1)
		return;
	EXPECT(f->list.at[path[len - 1]].is_class);
	EXPECT_INT(m->defs.sites.at[site].class, f->list.at[path[len - 1]].index);
	for (int64_t i = len - 2; i >= 0; i--, frame = m->defs.frames.at[frame].parent) {
		const struct frame_ref *ref = &f->list.at[path[i]];
		EXPECT(!ref->is_class && frame);
		EXPECT_INT(
			m->defs.frames.at[frame].location, m->defs.frames.at[ref->index].location);
	}
	EXPECT_INT(0, frame);
}

TEST(paths_and_sharing)
{
	struct export_of x;
	struct frames f = {0};
	struct buf scratch = {0};
	EXPECT_INT(ERR_NONE, export_of_sim(&x, &export_of_hostile, false, NULL));
	for (uint32_t site = 0; site < x.model.defs.sites.count; site++)
		expect_path(&f, &x.model, site);
	size_t once = f.list.count;
	for (uint32_t site = 0; site < x.model.defs.sites.count; site++)
		expect_path(&f, &x.model, site);
	EXPECT_INT(once, f.list.count);
	size_t mains = 0;
	for (size_t i = 0; i < f.list.count; i++) {
		struct frame_text text = frames_text(&f, &x.model, i, &scratch);
		mains += slice_equal(text.name, slice_str("a.Main.main")) && text.line == 2;
		EXPECT(text.name.len > 0);
	}
	EXPECT_INT(1, mains);
	frames_release(&f);
	buf_release(&scratch);
	export_of_release(&x);
}

TEST(out_of_memory)
{
	struct export_of x;
	uint32_t path[FRAMES_PATH_MAX];
	bool failed = false;
	EXPECT_INT(ERR_NONE, export_of_sim(&x, &export_of_hostile, false, NULL));
	for (uint64_t n = 1; n < 4; n++) {
		struct frames f = {0};
		mem_fail_at(n);
		int64_t len = frames_path(&f, &x.model, 1, path);
		mem_fail_at(0);
		EXPECT(len == ERR_NOMEM || len > 0);
		failed |= len == ERR_NOMEM;
		frames_release(&f);
	}
	EXPECT(failed);
	export_of_release(&x);
}
