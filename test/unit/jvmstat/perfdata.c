#include "jvmstat/perfdata.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/rng.h"
#include "support/perfimage.h"
#include "support/tap.h"

static struct perfimage sample(void)
{
	struct perfimage i;
	perfimage_init(&i);
	perfimage_long(&i, "java.threads.live", 7);
	perfimage_text(&i, "sun.gc.cause", "System.gc()", PERFIMAGE_TEXT);
	perfimage_long(&i, "sun.gc.collector.0.invocations", 42);
	return i;
}

static int borrow(struct perfdata *p, const struct perfimage *i, struct diag *d)
{
	return perfdata_borrow(p, i->bytes.at, i->bytes.len, d);
}

TEST(finds_by_name_and_type)
{
	struct perfimage i = sample();
	struct perfdata p;
	EXPECT_INT(0, borrow(&p, &i, NULL));
	EXPECT_INT(3, perfdata_count(&p));
	EXPECT_INT(7, counter_read(perfdata_counter(&p, "java.threads.live")));
	EXPECT_INT(42, counter_read(perfdata_counterf(&p, "sun.gc.collector.%d.invocations", 0)));
	EXPECT(!counter_exists(perfdata_counter(&p, "java.threads.liv")));
	EXPECT(!counter_exists(perfdata_counter(&p, "java.threads.live2")));
	EXPECT(!counter_exists(perfdata_counter(&p, "sun.gc.cause")));
	EXPECT(perfdata_text(&p, "java.threads.live").at == NULL);
	char out[32];
	EXPECT_INT(11, counter_text_read(perfdata_textf(&p, "sun.gc.%s", "cause"), out, 32));
	EXPECT_STR("System.gc()", out);
	perfdata_release(&p);
	EXPECT(!counter_exists(perfdata_counter(&p, "java.threads.live")));
	perfimage_release(&i);
}

TEST(sees_what_the_vm_adds_and_changes)
{
	struct perfimage i = sample();
	struct perfdata p;
	EXPECT_INT(0, perfdata_borrow(&p, i.bytes.at, i.bytes.room, NULL));
	EXPECT(!counter_exists(perfdata_counter(&p, "late")));
	uint32_t at = perfimage_long(&i, "late", 1);
	struct counter late = perfdata_counter(&p, "late");
	EXPECT_INT(1, counter_read(late));
	perfimage_set_long(&i, at, 2);
	EXPECT_INT(2, counter_read(late));
	perfimage_release(&i);
}

/* The VM counts an entry before it has written it. */
TEST(an_entry_not_written_yet_ends_the_walk)
{
	struct perfimage i = sample();
	perfimage_set_u32(&i, 28, 4);
	for (int n = 0; n < 64; n++)
		buf_put_u8(&i.bytes, 0);
	struct perfdata p;
	EXPECT_INT(0, borrow(&p, &i, NULL));
	struct perfdata_entry e = {0};
	for (int n = 0; n < 3; n++)
		EXPECT_INT(1, perfdata_next(&p, &e));
	EXPECT_INT(0, perfdata_next(&p, &e));
	perfimage_release(&i);
}

static const struct {
	uint32_t at;
	uint8_t byte;
	int err;
} heads[] = {
	{0, 0xcb, ERR_FORMAT},
	{3, 0, ERR_FORMAT},
	{4, 0, ERR_UNSUPPORTED}, /* big-endian: tests run on little-endian machines */
	{5, 1, ERR_VERSION},
	{5, 3, ERR_VERSION},
};

TEST(ready_when_the_vm_says_so)
{
	struct perfimage i = sample();
	struct perfdata p;
	EXPECT_INT(0, borrow(&p, &i, NULL));
	EXPECT(perfdata_ready(&p));
	i.bytes.at[7] = 0;
	EXPECT(!perfdata_ready(&p));
	perfdata_release(&p);
	EXPECT(!perfdata_ready(&p));
	perfimage_release(&i);
}

TEST(bad_heads)
{
	for (size_t n = 0; n < ARRAY_SIZE(heads); n++) {
		struct perfimage i = sample();
		i.bytes.at[heads[n].at] = heads[n].byte;
		struct perfdata p;
		struct diag d = {0};
		EXPECT_INT(heads[n].err, borrow(&p, &i, &d));
		EXPECT(d.text[0] != '\0');
		EXPECT(p.at == NULL);
		perfimage_release(&i);
	}
	struct perfdata p;
	EXPECT_INT(ERR_TRUNCATED, perfdata_borrow(&p, (const uint64_t[3]){0}, 24, NULL));
	EXPECT_INT(
		ERR_USAGE, perfdata_borrow(&p, (const char *)(const uint64_t[9]){0} + 1, 64, NULL));
}

static const struct {
	uint32_t at; /* in the first entry, at 32 */
	uint32_t value;
} entries[] = {
	{0, 19}, {0, 0x7fffffff}, {0, 0xffffffff},     /* length */
	{4, 19}, {4, 4096}, {4, 0xffffffff},           /* name */
	{16, 0}, {16, 19}, {16, 47}, {16, 0xffffffff}, /* value */
	{16, 41},                                      /* not a multiple of 8 */
};

TEST(bad_entries)
{
	for (size_t n = 0; n < ARRAY_SIZE(entries); n++) {
		struct perfimage i = sample();
		perfimage_set_u32(&i, 32 + entries[n].at, entries[n].value);
		struct perfdata p;
		EXPECT_INT(0, borrow(&p, &i, NULL));
		struct perfdata_entry e = {0};
		int got = perfdata_next(&p, &e);
		tap_check(got == ERR_CORRUPT, __FILE__, __LINE__, "case %zu: %d", n, got);
		EXPECT_INT(32, e.at);
		EXPECT(!counter_exists(perfdata_counter(&p, "java.threads.live")));
		perfimage_release(&i);
	}
}

TEST(a_name_without_end)
{
	struct perfimage i = sample();
	memset(i.bytes.at + 32 + 20, 'x', i.bytes.len - 52);
	struct perfdata p;
	struct perfdata_entry e = {0};
	EXPECT_INT(0, borrow(&p, &i, NULL));
	EXPECT_INT(ERR_CORRUPT, perfdata_next(&p, &e));
	perfimage_release(&i);
}

TEST(first_entry_anywhere)
{
	static const uint32_t firsts[] = {0, 1, 31, 33, 1 << 20, 0xfffffff0, 0xffffffff};
	for (size_t n = 0; n < ARRAY_SIZE(firsts); n++) {
		struct perfimage i = sample();
		perfimage_set_u32(&i, 24, firsts[n]);
		struct perfdata p;
		struct perfdata_entry e = {0};
		EXPECT_INT(0, borrow(&p, &i, NULL));
		EXPECT_INT(ERR_CORRUPT, perfdata_next(&p, &e));
		EXPECT_INT(ERR_CORRUPT, perfdata_next(&p, &e)); /* and stays there */
		perfimage_release(&i);
	}
}

static void walk(const uint8_t *bytes, size_t len)
{
	uint64_t *copy = malloc(len + 8); /* exact, so that a sanitizer sees a byte too far */
	memcpy(copy, bytes, len);
	struct perfdata p;
	if (perfdata_borrow(&p, copy, len, NULL) == 0) {
		struct perfdata_entry e = {0};
		uint32_t steps = 0;
		while (perfdata_next(&p, &e) == 1) {
			EXPECT(e.value + e.value_len <= p.at + len);
			EXPECT(e.name + e.name_len < p.at + len);
			steps++;
		}
		EXPECT(steps <= len / PERFDATA_ENTRY);
	}
	free(copy);
}

TEST(cut_anywhere)
{
	struct perfimage i = sample();
	for (size_t len = 0; len <= i.bytes.len; len++)
		walk(i.bytes.at, len);
	perfimage_release(&i);
}

TEST(any_bytes)
{
	struct rng r = rng_init(tap_seed());
	for (int round = 0; round < 20000; round++) {
		struct perfimage i = sample();
		for (uint64_t flips = 1 + rng_below(&r, 4); flips > 0; flips--)
			i.bytes.at[rng_below(&r, i.bytes.len)] = (uint8_t)rng_u64(&r);
		walk(i.bytes.at, i.bytes.len);
		perfimage_release(&i);
	}
}

static void write_file(const char *path, const void *bytes, size_t len)
{
	int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0600);
	EXPECT_INT((ssize_t)len, write(fd, bytes, len));
	close(fd);
}

TEST(a_file_and_after_it)
{
	struct perfimage i = sample();
	char dir[] = "/tmp/perfdata.XXXXXX", path[64], link[64];
	EXPECT(mkdtemp(dir) != NULL);
	snprintf(path, sizeof(path), "%s/1", dir);
	snprintf(link, sizeof(link), "%s/2", dir);
	write_file(path, i.bytes.at, i.bytes.len);
	EXPECT_INT(0, symlink(path, link));
	struct perfdata p;
	EXPECT_INT(0, perfdata_open(&p, path, geteuid(), NULL));
	EXPECT_INT(0, unlink(path));
	EXPECT_INT(42, counter_read(perfdata_counter(&p, "sun.gc.collector.0.invocations")));
	perfdata_release(&p);
	struct diag d = {0};
	EXPECT_INT(ERR_NOT_FOUND, perfdata_open(&p, path, geteuid(), &d));
	EXPECT(strstr(d.text, path) != NULL);
	write_file(path, i.bytes.at, i.bytes.len);
	EXPECT_INT(ERR_DENIED, perfdata_open(&p, path, geteuid() + 1, NULL));
	EXPECT_INT(ERR_FORMAT, perfdata_open(&p, link, geteuid(), NULL));
	EXPECT_INT(ERR_FORMAT, perfdata_open(&p, dir, geteuid(), NULL));
	write_file(path, i.bytes.at, 31);
	EXPECT_INT(ERR_TRUNCATED, perfdata_open(&p, path, geteuid(), NULL));
	EXPECT_INT(0, truncate(path, (off_t)PERFDATA_MAX + 1));
	EXPECT_INT(ERR_LIMIT, perfdata_open(&p, path, geteuid(), NULL));
	unlink(link);
	unlink(path);
	rmdir(dir);
	perfimage_release(&i);
}
