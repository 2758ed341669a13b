#include "base/quoting.h"

#include <stdio.h>

#include "support/tap.h"

static const char *quoted(struct buf *b, const char *text)
{
	buf_clear(b);
	quoting_put(b, text);
	return buf_text(b);
}

TEST(words_stay_as_they_are)
{
	struct buf b = {0};
	EXPECT_STR("t.mfly", quoted(&b, "t.mfly"));
	EXPECT_STR("/tmp/a-b_c/%p,1:2@x.mfly", quoted(&b, "/tmp/a-b_c/%p,1:2@x.mfly"));
	EXPECT_STR("ü.mfly", quoted(&b, "ü.mfly"));
	buf_release(&b);
}

TEST(no_terminal_is_steered)
{
	struct buf b = {0};
	EXPECT_STR("\"$(printf 'a\\033[31m\\012b')\"", quoted(&b, "a\x1b[31m\nb"));
	buf_release(&b);
}

/* As the shell itself reads it. */
TEST(all_else_is_one_word_to_the_shell)
{
	static const char *const texts[] = {"two words", "", "it's", "a;b", "$HOME", "`id`", "a\"b",
		"a\\b", "*", "a\nb", "~x", "#x", "a=b", "''", "\x1b[31m'%d\\n\"$HOME`id`\x7f.mfly",
		"-\tx", "a\n"};
	struct buf b = {0};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char command[200], read[100];
		snprintf(command, sizeof(command), "printf %%s %s", quoted(&b, texts[i]));
		FILE *shell = popen(command, "r");
		size_t len = shell ? fread(read, 1, sizeof(read) - 1, shell) : 0;
		read[len] = '\0';
		EXPECT(shell && pclose(shell) == 0);
		EXPECT_STR(texts[i], read);
	}
	buf_release(&b);
}
