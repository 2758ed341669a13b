#include "page/page.h"

#include "base/error.h"
#include "support/page_of.h"
#include "support/page_sim.h"
#include "support/tap.h"

#define BEFORE "<!doctype html><title>x</title>"
#define AFTER  "<p>\xc3\xa9</p>"

static const char viewer[] = BEFORE PAGE_PLACE AFTER;

TEST(a_viewer_has_one_place)
{
	struct diag d = {""};
	EXPECT_INT(0, page_check(slice_str(viewer), &d));
	EXPECT_INT(0, page_check(slice_str(PAGE_PLACE), &d));
	EXPECT_INT(ERR_FORMAT, page_check(slice_str(""), &d));
	EXPECT_STR("the viewer has no place for data: <!--mayfly-data-->", d.text);
	EXPECT_INT(ERR_FORMAT, page_check(slice_str(BEFORE AFTER), &d));
	EXPECT_INT(ERR_FORMAT, page_check(slice_str(BEFORE PAGE_PLACE AFTER PAGE_PLACE), &d));
	EXPECT_STR("the viewer has more than one place for data: <!--mayfly-data-->", d.text);
}

static bool begins(struct slice s, const char *text)
{
	return s.len >= strlen(text) && memcmp(s.at, text, strlen(text)) == 0;
}

TEST(traces_stand_in_the_place)
{
	struct rng rng = rng_init(tap_seed());
	struct sim s = page_sim(&rng, 100), other = page_sim(&rng, 200);
	struct page_of a, b;
	EXPECT_INT(0, page_of_sim(&a, &s, 1000, 1000));
	EXPECT_INT(0, page_of_sim(&b, &other, 1000, 1000));
	struct data both[2] = {a.data, b.data};
	for (size_t count = 1; count <= PAGE_TRACES; count++) {
		struct buf out = {0};
		struct sink sink = sink_buf(&out);
		struct page_read r;
		EXPECT_INT(0, page_put(&sink, slice_str(viewer), both, count));
		EXPECT(begins(buf_slice(&out), BEFORE PAGE_MARKER "a\">"));
		size_t tail = strlen("</script>" AFTER);
		EXPECT(out.len > tail &&
			begins(slice(out.at + out.len - tail, tail), "</script>" AFTER));
		EXPECT_INT(0, page_read_html(&r, buf_slice(&out), "a"));
		EXPECT(slice_equal(buf_slice(&a.bytes), buf_slice(&r.bytes)));
		page_read_release(&r);
		EXPECT_INT(
			count == 2 ? 0 : ERR_NOT_FOUND, page_read_html(&r, buf_slice(&out), "b"));
		EXPECT(count == 1 || slice_equal(buf_slice(&b.bytes), buf_slice(&r.bytes)));
		page_read_release(&r);
		buf_release(&out);
	}
	page_of_release(&a);
	page_of_release(&b);
}

/* Takes so many bytes. */
static int take(void *arg, const void *bytes, size_t len)
{
	size_t *left = arg;
	(void)bytes;
	if (len > *left)
		return ERR_IO;
	*left -= len;
	return ERR_NONE;
}

TEST(a_full_disk_anywhere_is_told)
{
	struct rng rng = rng_init(tap_seed());
	struct sim s = page_sim(&rng, 100);
	struct page_of p;
	struct buf out = {0};
	struct sink all = sink_buf(&out);
	EXPECT_INT(0, page_of_sim(&p, &s, 1000, 1000));
	EXPECT_INT(0, page_put(&all, slice_str(viewer), &p.data, 1));
	for (size_t room = 0; room <= out.len; room += room < 100 ? 1 : 37) {
		size_t left = room;
		struct sink sink = {.write = take, .arg = &left};
		EXPECT_INT(ERR_IO, page_put(&sink, slice_str(viewer), &p.data, 1));
		if (room + 37 > out.len)
			break;
	}
	size_t left = out.len;
	struct sink sink = {.write = take, .arg = &left};
	EXPECT_INT(0, page_put(&sink, slice_str(viewer), &p.data, 1));
	EXPECT_INT(0, left);
	buf_release(&out);
	page_of_release(&p);
}

TEST(out_of_memory)
{
	struct rng rng = rng_init(tap_seed());
	struct sim s = page_sim(&rng, 50);
	struct page_of p;
	EXPECT_INT(0, page_of_sim(&p, &s, 1000, 1000));
	uint64_t n = 0, held = mem_held();
	int err = ERR_NOMEM;
	while (err == ERR_NOMEM) {
		struct buf out = {0};
		struct sink sink = sink_buf(&out);
		mem_fail_at(++n);
		err = page_put(&sink, slice_str(viewer), &p.data, 1);
		mem_fail_at(0);
		buf_release(&out);
		EXPECT_INT(held, mem_held());
	}
	EXPECT_INT(0, err);
	EXPECT(n > 20);
	page_of_release(&p);
}
