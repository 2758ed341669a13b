#include "cli/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/rng.h"
#include "support/tap.h"

/* How HotSpot splits JAVA_TOOL_OPTIONS: at blanks, with '…' and "…" taken as they stand. Returns
 * the words, one a line. */
static void split_as_jvm(const char *text, char *out)
{
	while (*text) {
		while (*text && strchr(" \t\n\r\v\f", *text))
			text++;
		if (!*text)
			break;
		while (*text && !strchr(" \t\n\r\v\f", *text)) {
			if (*text != '\'' && *text != '"') {
				*out++ = *text++;
				continue;
			}
			char quote = *text++;
			while (*text && *text != quote)
				*out++ = *text++;
			text += *text == quote;
		}
		*out++ = '|';
	}
	*out = '\0';
}

static void expect_quoted(const char *want, const char *text)
{
	struct buf out = {0};
	launch_quote(&out, text);
	EXPECT_STR(want, buf_text(&out));
	buf_release(&out);
}

TEST(quotes_where_it_must)
{
	expect_quoted("-agentpath:/a/b.so=x=1", "-agentpath:/a/b.so=x=1");
	expect_quoted("/my' 'files/a", "/my files/a");
	expect_quoted("it\"'\"s", "it's");
	expect_quoted("a' \"'b", "a \"b");
}

TEST(the_jvm_reads_one_option)
{
	struct rng r = rng_init(tap_seed());
	static const char alphabet[] = "ab '\"\t=,";
	for (int i = 0; i < 1000; i++) {
		char text[24] = "x", split[256], want[32];
		size_t len = 1 + rng_below(&r, 20);
		for (size_t k = 1; k < len; k++)
			text[k] = alphabet[rng_below(&r, sizeof(alphabet) - 1)];
		struct buf out = {0};
		launch_quote(&out, text);
		split_as_jvm(buf_text(&out), split);
		snprintf(want, sizeof(want), "%s|", text);
		EXPECT_STR(want, split);
		buf_release(&out);
	}
}

static void make_program(const char *folder, const char *name, mode_t mode)
{
	char path[128];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *f = fopen(path, "w");
	EXPECT(f != NULL);
	if (f)
		fclose(f);
	EXPECT_INT(0, chmod(path, mode));
}

TEST(finds_as_the_shell_does)
{
	char folder[] = "/tmp/mayfly-launch-XXXXXX", path[160], command[160];
	struct launch l;
	struct diag d = {""};
	EXPECT(mkdtemp(folder) != NULL);
	make_program(folder, "java", 0755);
	make_program(folder, "notes", 0644);
	snprintf(path, sizeof(path), "/nowhere:%s", folder);
	setenv("PATH", path, 1);
	EXPECT_INT(0, launch_find(&l, "java", &d));
	EXPECT(l.java);
	EXPECT_INT(ERR_DENIED, launch_find(&l, "notes", &d));
	EXPECT_STR("notes is there, but it is not a program that can be run", d.text);
	EXPECT_INT(ERR_NOT_FOUND, launch_find(&l, "jaba", &d));
	EXPECT_STR("there is no command 'jaba' on the PATH", d.text);
	EXPECT_INT(ERR_NOT_FOUND, launch_find(&l, "./jaba", &d));
	EXPECT_STR("there is no command './jaba'", d.text);
	EXPECT_INT(ERR_NOT_FOUND, launch_find(&l, "", &d));
	EXPECT_STR("there is no command '' on the PATH", d.text);
	EXPECT_INT(ERR_DENIED, launch_find(&l, folder, &d));
	/* A link of another name to java is java; a link called java to another program is tried as
	 * one. */
	snprintf(path, sizeof(path), "%s/java", folder);
	snprintf(command, sizeof(command), "%s/j17", folder);
	EXPECT_INT(0, symlink(path, command));
	EXPECT_INT(0, launch_find(&l, "j17", &d));
	EXPECT(l.java);
	EXPECT_INT(0, launch_find(&l, "/bin/sh", &d));
	EXPECT(!l.java);
	unlink(command);
	unlink(path);
	snprintf(path, sizeof(path), "%s/notes", folder);
	unlink(path);
	rmdir(folder);
}

TEST(armed)
{
	char *argv[] = {(char[]){"java"}, (char[]){"-jar"}, (char[]){"a b.jar"}, NULL};
	struct launch l = {.java = true};
	struct diag d = {""};
	EXPECT_INT(0, launch_arm(&l, argv, "/x/libmayfly.so", "depth=3", NULL, &d));
	EXPECT_INT(5, l.args.count);
	EXPECT_STR("java", l.args.at[0]);
	EXPECT_STR("-agentpath:/x/libmayfly.so=depth=3", l.args.at[1]);
	EXPECT_STR("-jar", l.args.at[2]);
	EXPECT_STR("a b.jar", l.args.at[3]);
	EXPECT(!l.args.at[4] && !l.tool_options);
	launch_release(&l);

	struct launch script = {.java = false};
	EXPECT_INT(0, launch_arm(&script, argv, "/x y/libmayfly.so", "depth=3", "-Xmx1g", &d));
	EXPECT_STR("-Xmx1g -agentpath:/x' 'y/libmayfly.so=depth=3", script.tool_options);
	EXPECT_STR("-jar", script.args.at[1]);
	launch_release(&script);
}

TEST(out_of_memory_anywhere)
{
	char *argv[] = {(char[]){"java"}, (char[]){"-version"}, NULL};
	for (int java = 0; java < 2; java++) {
		int err = ERR_NOMEM;
		for (uint64_t n = 1; err && n < 100; n++) {
			struct launch l = {.java = java};
			uint64_t before = mem_held();
			mem_fail_at(n);
			err = launch_arm(&l, argv, "/x/libmayfly.so", "depth=3", "-Xmx1g", NULL);
			mem_fail_at(0);
			EXPECT(!err || err == ERR_NOMEM);
			launch_release(&l);
			EXPECT_INT(before, mem_held());
		}
		EXPECT_INT(0, err);
	}
}
