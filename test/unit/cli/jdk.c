#include "cli/jdk.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/rng.h"
#include "support/tap.h"

static void parse(struct jdk *j, const char *text)
{
	jdk_parse(j, slice_str(text));
}

TEST(versions)
{
	static const struct {
		const char *text;
		unsigned number[3];
	} cases[] = {
		{"JAVA_VERSION=\"17.0.15\"\n", {17, 0, 15}},
		{"IMPLEMENTOR=\"Debian\"\nJAVA_VERSION=\"1.8.0_402\"\n", {8, 0, 402}},
		{"JAVA_VERSION=\"21\"", {21, 0, 0}},
		{"JAVA_VERSION=\"26-ea\"\n", {26, 0, 0}},
		{"JAVA_VERSION=\"11.0.23.1\"\n", {11, 0, 23}},
		{"JAVA_VERSION=25.0.3\n", {25, 0, 3}},
		{"XJAVA_VERSION=\"17\"\n", {0, 0, 0}},
		{"JAVA_VERSION\n", {0, 0, 0}},
		{"JAVA_VERSION=\"ea\"\n", {0, 0, 0}},
		{"", {0, 0, 0}},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct jdk j;
		parse(&j, cases[i].text);
		for (size_t k = 0; k < 3; k++)
			EXPECT_INT(cases[i].number[k], j.number[k]);
	}
}

TEST(what_is_refused)
{
	static const struct {
		const char *text;
		int err;
		const char *word;
	} cases[] = {
		{"JAVA_VERSION=\"1.8.0_402\"\n", ERR_UNSUPPORTED, "JDK 11 or later"},
		{"JAVA_VERSION=\"10.0.2\"\n", ERR_UNSUPPORTED, "JDK 11 or later"},
		{"JAVA_VERSION=\"17.0.9\"\nJVM_VARIANT=\"Openj9\"\n", ERR_UNSUPPORTED, "OpenJ9"},
		{"JAVA_VERSION=\"11.0.2\"\nIMPLEMENTOR=\"Eclipse OpenJ9\"\n", ERR_UNSUPPORTED,
			"HotSpot"},
		{"JAVA_VERSION=\"11.0.23\"\nJVM_VARIANT=\"Hotspot\"\n", 0, ""},
		{"JAVA_VERSION=\"25\"\n", 0, ""},
		{"nonsense", 0, ""}, /* what is not known is tried */
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct jdk j;
		struct diag d = {""};
		parse(&j, cases[i].text);
		EXPECT_INT(cases[i].err, jdk_refusal(&j, &d));
		EXPECT(strstr(d.text, cases[i].word));
	}
}

TEST(unsafe_method_ids)
{
	static const struct {
		const char *version;
		bool is;
	} cases[] = {{"11.0.22", true}, {"11.0.23", false}, {"17.0.10", true}, {"17.0.11", false},
		{"21.0.2", true}, {"21.0.3", false}, {"19.0.2", true}, {"22", false},
		{"25.0.3", false}};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char text[64];
		struct jdk j;
		snprintf(text, sizeof(text), "JAVA_VERSION=\"%s\"\n", cases[i].version);
		parse(&j, text);
		EXPECT_INT(cases[i].is, jdk_method_ids_unsafe(&j));
	}
	struct jdk unknown = {0};
	EXPECT(!jdk_method_ids_unsafe(&unknown));
}

TEST(found_above_the_binary)
{
	char folder[] = "/tmp/mayfly-jdk-XXXXXX", path[128];
	struct jdk j;
	EXPECT(mkdtemp(folder) != NULL);
	snprintf(path, sizeof(path), "%s/release", folder);
	FILE *f = fopen(path, "w");
	EXPECT(f != NULL);
	fputs("JAVA_VERSION=\"21.0.8\"\n", f);
	fclose(f);
	snprintf(path, sizeof(path), "%s/jre/bin/java", folder);
	EXPECT_INT(0, jdk_find(&j, path));
	EXPECT_STR("21.0.8", j.version);
	snprintf(path, sizeof(path), "%s/release", folder);
	unlink(path);
	EXPECT_INT(ERR_NOT_FOUND, jdk_find(&j, path));
	EXPECT_INT(ERR_NOT_FOUND, jdk_find(&j, "java"));
	rmdir(folder);
}

TEST(rt_jar_tells_an_old_one)
{
	char folder[] = "/tmp/mayfly-jdk-XXXXXX", lib[128], jar[160], java[128];
	struct jdk j;
	struct diag d = {""};
	EXPECT(mkdtemp(folder) != NULL);
	snprintf(lib, sizeof(lib), "%s/lib", folder);
	snprintf(jar, sizeof(jar), "%s/rt.jar", lib);
	snprintf(java, sizeof(java), "%s/bin/java", folder);
	EXPECT_INT(0, mkdir(lib, 0700));
	EXPECT_INT(ERR_NOT_FOUND, jdk_find(&j, java));
	FILE *f = fopen(jar, "w");
	EXPECT(f != NULL);
	fclose(f);
	EXPECT_INT(0, jdk_find(&j, java));
	EXPECT_INT(ERR_UNSUPPORTED, jdk_refusal(&j, &d));
	EXPECT(strstr(d.text, "JDK 8 (1.8 or older)") != NULL);
	unlink(jar);
	rmdir(lib);
	rmdir(folder);
}

TEST(any_bytes)
{
	struct rng r = rng_init(tap_seed());
	static const char alphabet[] = "JAVA_VERSION=\"1.8\n\0JVM_VARIANT9999999999";
	for (int i = 0; i < 2000; i++) {
		char text[64];
		struct jdk j;
		size_t len = rng_below(&r, sizeof(text));
		for (size_t k = 0; k < len; k++)
			text[k] = alphabet[rng_below(&r, sizeof(alphabet))];
		jdk_parse(&j, slice(text, len));
		EXPECT(strlen(j.version) < sizeof(j.version));
	}
}
