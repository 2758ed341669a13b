#include "cli/outcome.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "support/tap.h"
#include "trace/writer.h"

TEST(what_is_no_trace)
{
	char file[] = "/tmp/mayfly-outcome-XXXXXX";
	struct outcome o;
	struct diag d = {""};
	EXPECT(outcome_read(&o, "/nowhere/x.mfly", &d) == ERR_NOT_FOUND);
	int fd = mkstemp(file);
	EXPECT(outcome_read(&o, file, &d) < 0);
	EXPECT(d.text[0] != '\0');
	EXPECT_INT(5, write(fd, "hello", 5));
	EXPECT(outcome_read(&o, file, &d) < 0);
	close(fd);
	unlink(file);
}

TEST(one_line)
{
	char text[200];
	struct outcome o = {.bytes = 1234567, .samples = 41932, .gcs = 187, .ns = 92400000000ull};
	outcome_text(&o, text, sizeof(text));
	EXPECT_STR("41 932 samples, 187 collections, 92.4 s, 1.23 MB", text);
	o.among = true;
	snprintf(o.program, sizeof(o.program), "Main");
	outcome_text(&o, text, sizeof(text));
	EXPECT_STR("Main: 41 932 samples, 187 collections, 92.4 s, 1.23 MB", text);
	o.counted = 12345;
	outcome_text(&o, text, sizeof(text));
	EXPECT_STR("Main: 12 345 objects counted, 41 932 samples, 187 collections, 92.4 s, 1.23 MB",
		text);
	o.cyclic = true;
	outcome_text(&o, text, sizeof(text));
	EXPECT_STR("Main: 41 932 samples, 187 collections, 92.4 s, 1.23 MB", text);
	o = (struct outcome){.bytes = 32, .samples = 1, .gcs = 1};
	outcome_text(&o, text, sizeof(text));
	EXPECT_STR("1 sample, 1 collection, 0 ns, 32 B", text);
}

static struct outcome outcome_of(const struct record *records, size_t count)
{
	char file[] = "/tmp/mayfly-outcome-XXXXXX";
	struct outcome o;
	struct writer w;
	struct buf bytes = {0};
	struct diag d = {""};
	EXPECT_INT(0, writer_init(&w, sink_buf(&bytes), NULL, (struct ns){0}));
	for (size_t i = 0; i < count; i++)
		EXPECT_INT(0, writer_put(&w, &records[i]));
	EXPECT_INT(0, writer_release(&w));
	int fd = mkstemp(file);
	EXPECT_INT(bytes.len, write(fd, bytes.at, bytes.len));
	close(fd);
	EXPECT_INT(0, outcome_read(&o, file, &d));
	unlink(file);
	buf_release(&bytes);
	return o;
}

/* Collections that are forgotten count, as samples do. */
TEST(the_stretch_of_a_longer_one)
{
	const struct record records[] = {
		{.kind = RECORD_segment, .segment = {.time = 5, .gcs = 40}},
		{.kind = RECORD_gc, .gc = {.start = 6, .end = 7, .young = 41}}};
	EXPECT_INT(41, outcome_of(records, 2).gcs);
}

/* A tick may tell of a sample whose record comes after it. */
TEST(a_sample_is_counted_once)
{
	const struct record records[] = {{.kind = RECORD_tick, .tick = {.time = 5, .samples = 2}},
		{.kind = RECORD_alloc, .alloc = {.time = 6, .config = 1}},
		{.kind = RECORD_alloc, .alloc = {.time = 7, .config = 1}},
		{.kind = RECORD_end, .end = {.time = 8, .samples = 2, .walked = 2}}};
	EXPECT_INT(2, outcome_of(records, 4).samples);
	EXPECT_INT(2, outcome_of(records, 3).samples);
	EXPECT_INT(1, outcome_of(&records[1], 1).samples);
}
