#include "base/diag.h"

#include "base/error.h"
#include "support/tap.h"

TEST(sets_and_returns)
{
	struct diag d = {0};
	EXPECT_INT(ERR_IO, diag_set(&d, ERR_IO, "can't open %s", "x"));
	EXPECT_STR("can't open x", d.text);
	EXPECT_INT(ERR_IO, diag_set(NULL, ERR_IO, "nobody listens"));
}

TEST(long_text_is_cut)
{
	struct diag d = {0};
	diag_set(&d, ERR_IO, "%0600d", 1);
	EXPECT_INT(DIAG_MAX - 1, strlen(d.text));
}

TEST(every_error_has_a_text)
{
	for (int err = -18; err <= 0; err++)
		EXPECT(strcmp(err_text(err), "unknown error") != 0);
	EXPECT_STR("unknown error", err_text(-1000));
}
