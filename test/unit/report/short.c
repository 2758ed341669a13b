#include "report/short.h"

#include "base/compiler.h"
#include "support/tap.h"

TEST(packages_become_initials)
{
	static const char *const rows[][2] = {
		{"org.apache.lucene.util.ByteBlockPool", "o.a.l.util.ByteBlockPool"},
		{"java.util.Map$Entry[]", "j.u.Map$Entry[]"},
		{"java.util.concurrent.Phaser", "j.u.c.Phaser"}, {"app.Index", "app.Index"},
		{"Main", "Main"}, {"byte[]", "byte[]"}, {"", "(unknown)"},
		{"größe.änderung.X", "g.änderung.X"}, {"a..b.C", "a..b.C"}, {".C", ".C"},
		{"a.\x1b.C", "a.?.C"}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct buf b = {0};
		short_class(&b, slice_str(rows[i][0]));
		EXPECT_STR(rows[i][1], buf_text(&b));
		buf_release(&b);
	}
}
