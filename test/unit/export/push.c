#include "export/push.h"

#include "base/error.h"
#include "base/mem.h"
#include "support/tap.h"

TEST(the_request)
{
	struct push p = {
		.url = "http://127.0.0.1:4040//", .name = "shop/orders", .from = 5, .until = 9};
	struct buf url = {0};
	EXPECT_INT(ERR_NONE, push_add_label(&p, "env=test 1", NULL));
	EXPECT_INT(ERR_NONE, push_add_label(&p, "_zone=a&b", NULL));
	push_put_url(&url, &p);
	EXPECT_STR("http://127.0.0.1:4040/ingest?format=pprof&spyName=mayfly&name=shop%2Forders%7B"
		   "env%3Dtest%201%2C_zone%3Da%26b%7D&from=5&until=9",
		buf_text(&url));
	buf_release(&url);
}

TEST(what_can_be_a_label)
{
	static const char *const bad[] = {"", "=", "a", "a=", "=b", "1a=b", "a b=c", "a=b,c", "a=}",
		"a=b=c", "a=\"b\"", "a=x\ny"};
	struct push p = {0};
	struct diag d;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		EXPECT_INT(ERR_FORMAT, push_add_label(&p, bad[i], &d));
	for (int i = 0; i < PUSH_LABELS_MAX; i++)
		EXPECT_INT(ERR_NONE, push_add_label(&p, "a=b", &d));
	EXPECT_INT(ERR_LIMIT, push_add_label(&p, "a=b", &d));
}

TEST(what_can_be_a_server_and_a_name)
{
	struct diag d;
	EXPECT_INT(ERR_NONE, push_check_url("http://127.0.0.1:4040", &d));
	EXPECT_INT(ERR_NONE, push_check_url("https://host/pyroscope", &d));
	EXPECT_INT(ERR_FORMAT, push_check_url("file:///etc/passwd", &d));
	EXPECT_INT(ERR_FORMAT, push_check_url("127.0.0.1:4040", &d));
	EXPECT_INT(ERR_FORMAT, push_check_url("http://127.0.0.1/?name=x", &d));
	EXPECT_INT(ERR_NONE, push_check_name("shop/orders-1.2_x", &d));
	EXPECT_INT(ERR_FORMAT, push_check_name("a{b}", &d));
	EXPECT_INT(ERR_FORMAT, push_check_name("", &d));
}

static void expect_name(const char *want, const char *path)
{
	struct buf got = {0};
	push_name_of_file(&got, path);
	EXPECT_STR(want, buf_text(&got));
	EXPECT_INT(ERR_NONE, push_check_name(buf_text(&got), NULL));
	buf_release(&got);
}

TEST(names_of_files)
{
	expect_name("orders", "/tmp/x/orders.mfly");
	expect_name("orders.txt", "orders.txt");
	expect_name("a__b_", "a{,b}.mfly");
	expect_name(".mfly", ".mfly");
	expect_name("java", "/tmp/");
}

TEST(no_passwords_are_shown)
{
	const struct push p = {.url = "http://me:secret@127.0.0.1:1", .name = "a"};
	struct diag d = {""};
	EXPECT_STR("127.0.0.1:1", push_shown_url(&p));
	/* Nobody listens at port 1. */
	EXPECT_INT(ERR_IO, push_send(&p, slice_str("x"), &d));
	EXPECT(strstr(d.text, "127.0.0.1:1") && !strstr(d.text, "secret"));
}

TEST(out_of_memory)
{
	const struct push p = {.url = "http://127.0.0.1:1", .name = "a"};
	bool failed = false;
	for (uint64_t n = 1; n < 12; n++) {
		mem_fail_at(n);
		int err = push_send(&p, slice_str("x"), NULL);
		mem_fail_at(0);
		EXPECT(err == ERR_NOMEM || err == ERR_IO);
		failed |= err == ERR_NOMEM;
	}
	EXPECT(failed);
}
