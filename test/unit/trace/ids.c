#include "trace/ids.h"

#include "base/error.h"
#include "support/tap.h"

static int take(struct ids *ids, struct record r, struct diag *d)
{
	*d = (struct diag){""};
	return ids_take(ids, &r, d);
}

#define TAKE(name_, ...)                                                                           \
	take(&ids, (struct record){.kind = RECORD_##name_, .name_ = {__VA_ARGS__}}, &d)

TEST(dense_and_ascending)
{
	struct ids ids = {0};
	struct diag d;
	EXPECT(ids_defined(&ids, ID_STRING, 0));
	EXPECT(!ids_defined(&ids, ID_STRING, 1));
	EXPECT_INT(ERR_FORMAT, TAKE(string, .id = 2));
	EXPECT_STR("string 2 is defined where 1 is the next", d.text);
	EXPECT_INT(ERR_FORMAT, TAKE(string, .id = 0));
	EXPECT_INT(0, TAKE(string, .id = 1, .text = slice("a", 1)));
	EXPECT_INT(0, TAKE(string, .id = 2, .text = slice("b", 1)));
	EXPECT(ids_defined(&ids, ID_STRING, 2));
	EXPECT(!ids_defined(&ids, ID_CLASS, 1));
	ids_release(&ids);
}

TEST(repeated_with_the_same_content)
{
	struct ids ids = {0};
	struct diag d;
	EXPECT_INT(0, TAKE(string, .id = 1, .text = slice("a", 1)));
	EXPECT_INT(0, TAKE(string, .id = 1, .text = slice("a", 1)));
	EXPECT_INT(ERR_FORMAT, TAKE(string, .id = 1, .text = slice("b", 1)));
	EXPECT_STR("string 1 is defined again, otherwise", d.text);
	EXPECT_INT(0, TAKE(thread, .id = 1, .time = 5));
	EXPECT_INT(0, TAKE(thread, .id = 1, .time = 5));
	EXPECT_INT(ERR_FORMAT, TAKE(thread, .id = 1, .time = 6));
	ids_release(&ids);
}

TEST(stacks_are_bounded)
{
	struct ids ids = {0};
	struct diag d;
	for (uint64_t i = 1; i <= STACK_FRAMES_MAX; i++)
		EXPECT_INT(0, TAKE(frame, .id = i, .parent = i - 1));
	EXPECT_INT(ERR_FORMAT, TAKE(frame, .id = 2049, .parent = 2048));
	EXPECT_STR("frame 2049 is deeper than 2048", d.text);
	EXPECT_INT(0, TAKE(frame, .id = 2049, .parent = 1));
	EXPECT_INT(ERR_FORMAT, TAKE(frame, .id = 2050, .parent = 2050));
	ids_release(&ids);
}

TEST(places_are_of_sites_without_a_frame)
{
	struct ids ids = {0};
	struct diag d;
	EXPECT_INT(0, TAKE(frame, .id = 1));
	EXPECT_INT(0, TAKE(site, .id = 1));
	EXPECT_INT(0, TAKE(site, .id = 2, .frame = 1));
	EXPECT_INT(0, TAKE(site_place, .site = 1, .as = 2));
	EXPECT_INT(0, TAKE(site_place, .site = 1, .as = 2));
	EXPECT_INT(0, TAKE(site, .id = 1)); /* as each segment of a cyclic trace has it */
	EXPECT_INT(ERR_FORMAT, TAKE(site_place, .site = 2, .as = 1));
	EXPECT_STR("site_place of site 2, which has a frame", d.text);
	EXPECT_INT(ERR_FORMAT, TAKE(site_place, .site = 3, .as = 1));
	EXPECT_INT(ERR_FORMAT, TAKE(site_place, .site = 1, .as = 3));
	EXPECT_INT(ERR_FORMAT, TAKE(site_place, .as = 1));
	ids_release(&ids);
}

/* Each field that holds an id, once with an id that isn't there. */
TEST(every_use_is_checked)
{
	struct ids ids = {0};
	struct diag d;
	EXPECT_INT(ERR_FORMAT, TAKE(class, .id = 1, .name = 1));
	EXPECT_INT(ERR_FORMAT, TAKE(class, .id = 1, .raw = 1));
	EXPECT_INT(ERR_FORMAT, TAKE(method, .id = 1, .class_name = 1));
	EXPECT_INT(ERR_FORMAT, TAKE(method, .id = 1, .name = 1));
	EXPECT_INT(ERR_FORMAT, TAKE(method, .id = 1, .descriptor = 1));
	EXPECT_INT(ERR_FORMAT, TAKE(method, .id = 1, .source = 1));
	EXPECT_INT(ERR_FORMAT, TAKE(frame, .id = 1, .parent = 1));
	EXPECT_INT(ERR_FORMAT, TAKE(frame, .id = 1, .method = 1));
	EXPECT_INT(ERR_FORMAT, TAKE(site, .id = 1, .class = 1));
	EXPECT_INT(ERR_FORMAT, TAKE(site, .id = 1, .frame = 1));
	EXPECT_INT(ERR_FORMAT, TAKE(thread, .id = 1, .name = 1));
	EXPECT_INT(ERR_FORMAT, TAKE(collector, .id = 1, .name = 1));
	EXPECT_INT(0, TAKE(config, .id = 1));
	EXPECT_INT(ERR_FORMAT, TAKE(alloc, .site = 1, .config = 1));
	EXPECT_STR("alloc uses site 1, which is not defined", d.text);
	EXPECT_INT(ERR_FORMAT, TAKE(alloc, .thread = 1, .config = 1));
	EXPECT_INT(ERR_FORMAT, TAKE(alloc, .config = 2));
	EXPECT_STR("alloc uses configuration 2, which is not defined", d.text);
	EXPECT_INT(ERR_FORMAT, TAKE(alloc, .config = 0));
	EXPECT_STR("alloc without a config", d.text);
	EXPECT_INT(0, TAKE(alloc, .config = 1));
	EXPECT_INT(ERR_FORMAT, TAKE(birth, .site = 1, .config = 1));
	EXPECT_INT(ERR_FORMAT, TAKE(birth, .thread = 1, .config = 1));
	EXPECT_INT(ERR_FORMAT, TAKE(birth, .config = 2));
	EXPECT_INT(ERR_FORMAT, TAKE(birth, .config = 0));
	EXPECT_INT(ERR_FORMAT, TAKE(gc, .collector = 1));
	EXPECT_INT(ERR_FORMAT, TAKE(gc, .cause = 1));
	EXPECT_INT(ERR_FORMAT, TAKE(site_births, .site = 1));
	EXPECT_INT(ERR_FORMAT, TAKE(site_births, .thread = 1));
	EXPECT_INT(ERR_FORMAT, TAKE(site_ages, .site = 1));
	EXPECT_INT(ERR_FORMAT, TAKE(site_old, .site = 1));
	EXPECT_INT(ERR_FORMAT, TAKE(decision, .site = 1));
	EXPECT_INT(ERR_FORMAT, TAKE(decision, .reason = 1));
	EXPECT_INT(0, TAKE(decision, .round = 1));
	ids_release(&ids);
}
