#include "tenure/decisions.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "support/tap.h"

static const char *const example =
	"{\n"
	"  \"mayfly\": 1,\n"
	"  \"jdk\": \"17.0.15\",\n"
	"  \"gc\": \"G1\",\n"
	"  \"threshold\": 2,\n"
	"  \"trusted\": 64,\n"
	"  \"young\": { \"action\": \"set\", \"mb\": 256, \"heap_mb\": 384, \"before_mb\": 128, "
	"\"copied_before\": 74860, \"copied_expected\": 42006, \"cpu_before\": 85450, "
	"\"cpu_calm_before\": 60000, "
	"\"full_before\": 0, \"runs\": 2 },\n"
	"  \"decisions\": [\n"
	"    { \"class\": \"a.B\", \"method\": \"c\", \"descriptor\": \"()V\", \"bci\": 7, "
	"\"line\": "
	"12,\n"
	"      \"opcode\": \"newarray\", \"hash\": \"00000000deadbeef\",\n"
	"      \"allocates\": \"byte[]\",\n"
	"      \"action\": \"jump\",\n"
	"      \"why\": \"a \\\"quoted\\\" \\\\ reason\\u000a\",\n"
	"      \"callers\": [\n"
	"        {\"class\": \"a.C\", \"method\": \"d\", \"descriptor\": \"(I)V\", \"bci\": 3},\n"
	"        {\"class\": \"a.D\", \"method\": \"e\", \"descriptor\": \"()V\", \"bci\": 0, "
	"\"line\": 5}] },\n"
	"    { \"class\": \"a.B\", \"method\": \"c\", \"descriptor\": \"()V\", \"bci\": 19,\n"
	"      \"allocates\": \"a.E\",\n"
	"      \"action\": \"keep out\" }\n"
	"  ]\n"
	"}\n";

TEST(what_is_written_is_read_and_written_the_same)
{
	struct decisions d;
	struct diag diag = {""};
	struct buf b = {0};
	EXPECT_INT(0, decisions_read(&d, slice_str(example), "f.json", &diag));
	EXPECT_STR("", diag.text);
	EXPECT_INT(2, d.list.count);
	EXPECT(d.has_threshold);
	EXPECT_INT(2, d.threshold);
	EXPECT_INT(64, d.trusted);
	EXPECT(d.young.there && d.young.set);
	EXPECT_INT(256, d.young.mb);
	EXPECT_INT(384, d.young.heap_mb);
	EXPECT_INT(128, d.young.before_mb);
	EXPECT_INT(74860, d.young.before.copied);
	EXPECT_INT(85450, d.young.before.cpu);
	EXPECT_INT(60000, d.young.before.cpu_calm);
	EXPECT_INT(42006, d.young.expected);
	EXPECT_INT(2, d.young.runs);
	EXPECT_INT(0xdeadbeef, d.list.at[0].hash);
	EXPECT_INT(2, d.list.at[0].callers);
	EXPECT_STR("a \"quoted\" \\ reason\n", d.list.at[0].why);
	EXPECT_INT(DECISION_KEEP_OUT, d.list.at[1].action);
	EXPECT(!d.list.at[1].has_hash);
	decisions_write(&d, &b);
	EXPECT_STR(example, buf_text(&b));
	decisions_release(&d);
	buf_release(&b);
}

static int read_young(const char *young, struct decisions *d, struct diag *diag)
{
	char text[256];
	snprintf(text, sizeof(text), "{\"mayfly\": 1, \"young\": %s}", young);
	return decisions_read(d, slice_str(text), "f.json", diag);
}

TEST(a_young_generation_is_said_in_few_words_or_refused)
{
	static const struct {
		const char *young, *why;
	} cases[] = {
		{"{\"action\": \"keep out\", \"mb\": 64}", ""},
		{"{\"mb\": 64}", "\"action\" is missing here: add it, or delete \"young\""},
		{"{\"action\": \"set\"}", "\"mb\" is missing here: add it, or delete \"young\""},
		{"{\"action\": \"jump\", \"mb\": 64}",
			"\"action\" should be \"set\" or \"keep out\""},
		{"{\"action\": \"set\", \"mb\": -1}",
			"\"mb\" should be a whole number from 0 to 16777216"},
		{"{\"action\": \"set\", \"mb\": 0}", "f.json, line 1: \"mb\" should be 1 at least"},
		{"{\"action\": \"set\", \"mb\": 1, \"cpu_before\": 1e99}",
			"\"cpu_before\" should be a whole number from 0 to 1073741824"},
		{"64", "\"young\" should be an object, not a number"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct decisions d;
		struct diag diag = {""};
		int err = read_young(cases[i].young, &d, &diag);
		EXPECT_INT(*cases[i].why ? ERR_FORMAT : 0, err);
		EXPECT(strstr(diag.text, cases[i].why) != NULL);
		if (!err)
			EXPECT(d.young.there && !d.young.set && d.young.mb == 64);
		decisions_release(&d);
	}
}

TEST(a_file_may_have_nothing_to_do)
{
#define PLACE(action)                                                                              \
	"\"decisions\": [{\"class\": \"a.B\", \"method\": \"c\", \"descriptor\": \"()V\", "        \
	"\"bci\": 0, \"allocates\": \"a.D\", \"action\": \"" action "\"}]"
	static const struct {
		const char *file;
		bool does;
	} cases[] = {{"{\"mayfly\": 1, \"decisions\": []}", false},
		{"{\"mayfly\": 1, \"threshold\": 0}", true},
		{"{\"mayfly\": 1, \"young\": {\"action\": \"set\", \"mb\": 8}}", true},
		{"{\"mayfly\": 1, \"young\": {\"action\": \"keep out\", \"mb\": 8}}", false},
		{"{\"mayfly\": 1, " PLACE("keep out") "}", false},
		{"{\"mayfly\": 1, " PLACE("jump") "}", true}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct decisions d = {.list = {0}};
		EXPECT_INT(0, decisions_read(&d, slice_str(cases[i].file), "f.json", NULL));
		EXPECT_INT(cases[i].does, decisions_do(&d));
		decisions_release(&d);
	}
}

TEST(they_are_trusted_where_they_were_tested)
{
	struct decisions d;
	EXPECT_INT(0, decisions_read(&d, slice_str(example), "f.json", NULL));
	EXPECT_INT(64, decisions_trusted(&d, "17.0.15", "G1"));
	EXPECT_INT(0, decisions_trusted(&d, "17.0.16", "G1"));
	EXPECT_INT(0, decisions_trusted(&d, "17.0.15", "Serial"));
	d.list.at[1].action = DECISION_JUMP; /* that names no code */
	EXPECT_INT(0, decisions_trusted(&d, "17.0.15", "G1"));
	decisions_release(&d);
	EXPECT_INT(
		0, decisions_read(&d, slice_str("{\"mayfly\":1,\"trusted\": 8}"), "f.json", NULL));
	EXPECT_INT(0, decisions_trusted(&d, "17.0.15", "G1"));
	decisions_release(&d);
}

TEST(the_order_is_the_places)
{
	struct decisions d;
	struct buf once = {0}, other = {0};
	EXPECT_INT(0, decisions_read(&d, slice_str(example), "f.json", NULL));
	decisions_write(&d, &once);
	struct decision first = d.list.at[0];
	d.list.at[0] = d.list.at[1];
	d.list.at[1] = first;
	decisions_write(&d, &other);
	EXPECT(slice_equal(buf_slice(&once), buf_slice(&other)));
	decisions_release(&d);
	buf_release(&once);
	buf_release(&other);
}

TEST(nothing_is_a_file_too)
{
	struct decisions d = {0};
	struct buf b = {0};
	decisions_write(&d, &b);
	EXPECT_STR("{\n  \"mayfly\": 1,\n  \"decisions\": []\n}\n", buf_text(&b));
	EXPECT_INT(0, decisions_read(&d, buf_slice(&b), "f", NULL));
	decisions_release(&d);
	buf_release(&b);
}

static void expect_refused(int err, const char *sentence, const char *text)
{
	struct decisions d;
	struct diag diag = {""};
	EXPECT_INT(err, decisions_read(&d, slice_str(text), "f", &diag));
	EXPECT_STR(sentence, diag.text);
	decisions_release(&d);
}

#define AT "\"class\":\"A\",\"method\":\"m\",\"descriptor\":\"()V\""

/* As Windows' editors write it. */
TEST(a_byte_order_mark_is_passed_over)
{
	struct decisions d;
	struct diag diag = {""};
	EXPECT_INT(0, decisions_read(&d,
			      slice_str("\xef\xbb\xbf{\"mayfly\": 1,\r\n \"threshold\": 3}\r\n"),
			      "f", &diag));
	EXPECT_STR("", diag.text);
	EXPECT(d.has_threshold && d.threshold == 3);
	decisions_release(&d);
	expect_refused(ERR_FORMAT, "f, line 1, column 1: not JSON: a value should come here",
		"\xef\xbb{}");
}

#define FOREIGN                                                                                    \
	"f, line 2: not UTF-8: save the file as UTF-8; where an earlier mayfly wrote this name, "  \
	"delete the decision, or the file to learn anew"
TEST(a_fault_is_told_with_its_line)
{
	expect_refused(ERR_FORMAT, "f, line 1, column 1: not JSON: it ends too early", "");
	expect_refused(ERR_FORMAT, "f, line 1: an object should be here, not an array", "[]");
	/* Half a character: as earlier versions wrote them, and as Latin-1 would. */
	expect_refused(ERR_FORMAT, FOREIGN, "{\n\"jdk\": \"\xed\xa0\xb5\xed\xb2\xb3\"}");
	expect_refused(ERR_FORMAT, FOREIGN, "{\n\"jdk\": \"\xe4\"}");
	expect_refused(ERR_VERSION,
		"f, line 1: made by another version of mayfly (2, not 1): delete the file to learn "
		"anew",
		"{\"mayfly\":2}");
	expect_refused(ERR_FORMAT, "f, line 2: \"threshold\" should be a whole number from 0 to 15",
		"{\n\"threshold\":16}");
	expect_refused(
		ERR_FORMAT, "f, line 1: \"jdk\" should be a string, not a number", "{\"jdk\":17}");
	expect_refused(ERR_FORMAT,
		"f, line 2: \"bci\" is missing here: add it, or delete the decision",
		"{\"decisions\":[\n{" AT "}]}");
	expect_refused(ERR_FORMAT,
		"f, line 1: \"action\" is missing here: add it, or delete the decision",
		"{\"decisions\":[{" AT ",\"bci\":1,\"allocates\":\"B\"}]}");
	expect_refused(ERR_FORMAT, "f, line 1: \"action\" should be \"jump\" or \"keep out\"",
		"{\"decisions\":[{\"action\":\"fly\"}]}");
	expect_refused(ERR_FORMAT,
		"f, line 1: \"hash\" should be 16 hexadecimal digits; leave it out if the class "
		"file is "
		"not known",
		"{\"decisions\":[{\"hash\":\"12\"}]}");
	expect_refused(ERR_FORMAT, "f, line 1: \"decisions\" should hold objects, not a number",
		"{\"decisions\":[3]}");
	expect_refused(ERR_LIMIT, "f, line 1: more than 4 callers",
		"{\"decisions\":[{\"callers\":[{" AT ",\"bci\":1},{" AT ",\"bci\":1},{" AT
		",\"bci\":1},{" AT ",\"bci\":1},{" AT ",\"bci\":1}]}]}");
}

/* Some other JSON, which would be written over: it is refused. */
TEST(a_file_of_another_kind_is_none)
{
	const char *why = "f, line 2: no file of decisions: those have \"mayfly\": 1 first";
	expect_refused(ERR_FORMAT, why, "\n{}");
	expect_refused(ERR_FORMAT, why, "\n{\"name\":\"app\",\n\"version\":\"1.0\"}");
	expect_refused(ERR_FORMAT,
		"f, line 1: \"class\" is missing here: add it, or delete the decision",
		"{\"mayfly\":1,\"decisions\":[{\"class\":\"\",\"bci\":1}]}");
	expect_refused(ERR_FORMAT,
		"f, line 1: \"allocates\" is missing here: add it, or delete the decision",
		"{\"mayfly\":1,\"decisions\":[{" AT ",\"bci\":1,\"allocates\":\"\"}]}");
}

TEST(what_is_not_known_is_passed_over)
{
	struct decisions d;
	EXPECT_INT(
		0, decisions_read(&d,
			   slice_str("{\"mayfly\":1,\"comment\":{\"by\":[\"me\"]},\"decisions\":[{"
				     "\"x\":[1,{}]," AT
				     ",\"bci\":1,\"allocates\":\"B\",\"action\":\"jump\",\"class\":"
				     "\"Z\"}]}"),
			   "f", NULL));
	EXPECT_INT(1, d.list.count);
	EXPECT_STR("Z", d.list.at[0].at.class_name);
	EXPECT_INT(2, d.unknown);
	EXPECT_STR("line 1: \"comment\"", d.first_unknown.text);
	decisions_release(&d);
}

/* A slip of the pen is told where it stands. */
TEST(an_unknown_key_is_noted_with_its_line)
{
	struct decisions d;
	EXPECT_INT(0, decisions_read(&d,
			      slice_str("{\"mayfly\": 1,\n \"treshold\": 2,\n\"decisions\":[]}"),
			      "f", NULL));
	EXPECT(!d.has_threshold);
	EXPECT_INT(1, d.unknown);
	EXPECT_STR("line 2: \"treshold\"", d.first_unknown.text);
	decisions_release(&d);
	EXPECT_INT(0, decisions_read(&d, slice_str(example), "f", NULL));
	EXPECT_INT(0, d.unknown);
	EXPECT_STR("", d.first_unknown.text);
	decisions_release(&d);
}

TEST(running_out_of_memory_is_told)
{
	struct decisions d;
	int err = ERR_NOMEM;
	uint64_t held = mem_held();
	for (uint64_t n = 1; err == ERR_NOMEM && n < 100; n++) {
		mem_fail_at(n);
		err = decisions_read(&d, slice_str(example), "f", NULL);
		mem_fail_at(0);
		EXPECT(!err || err == ERR_NOMEM);
		decisions_release(&d);
	}
	EXPECT_INT(0, err);
	EXPECT_INT(held, mem_held());
}

/* Names as the VM gives them: modified UTF-8. The file has the pair as JSON has it. */
TEST(names_beyond_the_first_plane_come_back)
{
	static const char pair[] = "a.\xed\xa0\xb5\xed\xb2\xb3";
	struct decisions d = {.list = {0}}, back;
	struct diag diag = {""};
	struct buf b = {0};
	struct decision *one = decisions_add(&d);
	decision_text(&one->at.class_name, pair);
	decision_text(&one->at.method, "m\xc3\xa4");
	decision_text(&one->at.descriptor, "()V");
	decision_text(&one->allocates, pair);
	decisions_write(&d, &b);
	buf_put_u8(&b, 0);
	EXPECT(strstr((const char *)b.at, "\"a.\\ud835\\udcb3\"") != NULL);
	b.len--;
	EXPECT_INT(0, decisions_read(&back, slice(b.at, b.len), "f.json", &diag));
	EXPECT_STR("", diag.text);
	EXPECT_STR(pair, back.list.at[0].at.class_name);
	EXPECT_STR(pair, back.list.at[0].allocates);
	EXPECT_STR("m\xc3\xa4", back.list.at[0].at.method);
	buf_release(&b);
	decisions_release(&back);
	EXPECT_INT(0,
		decisions_read(&back, slice_str("{\"mayfly\": 1, \"jdk\": \"\xf0\x9d\x92\xb3\"}"),
			"f.json", &diag));
	EXPECT_STR(pair + 2, back.jdk);
	decisions_release(&back);
	decisions_release(&d);
}

TEST(what_there_is_no_room_for_is_counted)
{
	struct decisions d = {.list = {0}};
	for (int i = 0; i < DECISIONS_MOST + 3; i++) {
		struct decision *one = decisions_add(&d);
		EXPECT_INT(i < DECISIONS_MOST, one != NULL);
		if (one)
			EXPECT_INT(0, decision_text(&one->at.class_name, "a.A"));
	}
	EXPECT_INT(3, decisions_unwritten(&d));
	decisions_release(&d);
}

/* A descriptor may have 65535 bytes, and a name half a character. */
TEST(what_could_not_be_read_back_is_not_written)
{
	char longest[DECISION_TEXT + 1];
	struct diag diag = {""};
	for (int i = 0; i < 3; i++) {
		struct decisions d = {.list = {0}}, back;
		struct buf b = {0};
		memset(longest, 'x', sizeof(longest));
		longest[DECISION_TEXT - (i == 0)] = '\0';
		for (int j = 0; j < 2; j++) {
			struct decision *one = decisions_add(&d);
			decision_text(&one->at.class_name, j        ? "a.B"
							   : i == 2 ? "a.\xed\xa0\xb5"
								    : "a.A");
			decision_text(&one->at.method, "m");
			decision_text(&one->at.descriptor, j || i == 2 ? "()V" : longest);
			decision_text(&one->allocates, "byte[]");
		}
		decisions_write(&d, &b);
		EXPECT_INT(0, decisions_read(&back, slice(b.at, b.len), "f.json", &diag));
		EXPECT_STR("", diag.text);
		EXPECT_INT(i ? 1 : 2, back.list.count);
		EXPECT_INT(2 - back.list.count, decisions_unwritten(&d));
		EXPECT_STR("a.B", back.list.at[back.list.count - 1].at.class_name);
		buf_release(&b);
		decisions_release(&back);
		decisions_release(&d);
	}
}
