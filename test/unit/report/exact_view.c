#include "report/exact_view.h"

#include "support/tap.h"

static void expect_audit(const char *want, struct audit_counts audit)
{
	static struct model m;
	struct buf out = {0};
	m.exact.audit = audit;
	exact_put_audit(&out, &m);
	EXPECT_STR(want, buf_text(&out));
	buf_release(&out);
}

TEST(the_audit_is_a_sentence)
{
	expect_audit("", (struct audit_counts){0});
	expect_audit("audit: 4 068 146 of 4 068 146 allocations seen, 99.97 % attributed to a line",
		(struct audit_counts){
			.count = 3, .walked = 4068146, .seen = 4068146, .attributed = 4067000});
	expect_audit("audit: 9 of 10 allocations seen, 100 % attributed to a line",
		(struct audit_counts){.count = 1, .walked = 10, .seen = 9, .attributed = 9});
	expect_audit("audit: 10 of 10 allocations seen, and 2 more among 314 that look like the "
		     "VM's fillers, 100 % attributed to a line",
		(struct audit_counts){
			.count = 1, .walked = 10, .seen = 12, .attributed = 12, .fillers = 314});
	expect_audit("audit: 10 of 10 allocations seen, and 1 more, 90.90 % attributed to a line",
		(struct audit_counts){.count = 1, .walked = 10, .seen = 11, .attributed = 10});
	expect_audit(
		"audit: 0 of 10 allocations seen", (struct audit_counts){.count = 1, .walked = 10});
}

/* One in a million is not all. */
TEST(shares_are_rounded_down)
{
	expect_audit("audit: 1 000 000 of 1 000 000 allocations seen, 99.99 % attributed to a line",
		(struct audit_counts){
			.count = 1, .walked = 1000000, .seen = 1000000, .attributed = 999999});
	expect_audit("audit: 1 000 000 of 1 000 000 allocations seen, 0.00 % attributed to a line",
		(struct audit_counts){
			.count = 1, .walked = 1000000, .seen = 1000000, .attributed = 1});
}
