#include "options/options.h"

#include <stdlib.h>

#include "base/error.h"
#include "support/tap.h"

static int parse(struct options *o, const char *text, struct diag *d)
{
	options_init(o);
	d->text[0] = '\0';
	return options_parse(o, text, d);
}

TEST(defaults)
{
	struct options o;
	options_init(&o);
	EXPECT_INT(512 * 1024, o.interval);
	EXPECT_INT(32, o.depth);
	EXPECT_INT(0, o.max_live);
	EXPECT_INT(6000, o.max_rate);
	EXPECT_INT(1, o.compress);
	EXPECT_INT(ENGINE_SAMPLED, o.engine);
	EXPECT_STR("mayfly-%p.mfly", o.file);
	EXPECT_STR("", o.include);
}

TEST(what_is_given_is_known)
{
	struct options o;
	struct diag d;
	EXPECT_INT(0, parse(&o, "interval=512k,seed=0", &d));
	EXPECT(options_given(&o, "interval") && options_given(&o, "seed"));
	EXPECT(!options_given(&o, "file") && !options_given(&o, "depth"));
	EXPECT(!options_given(&o, "none"));
	EXPECT_INT(ERR_LIMIT, options_set(&o, "depth", "0", &d));
	EXPECT(!options_given(&o, "depth"));
	options_init(&o);
	EXPECT(!options_given(&o, "interval"));
}

TEST(fewer_samples_beside_counts)
{
	static const struct {
		const char *text;
		uint64_t interval;
	} rows[] = {{"exact", 1 << 20}, {"exact,interval=512k", 512 << 10},
		{"interval=0,exact=trace", 0}, {"exact,tenure", 512 << 10}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct options o;
		struct diag d;
		EXPECT_INT(0, parse(&o, rows[i].text, &d));
		options_count_births(&o);
		EXPECT_INT(rows[i].interval, o.interval << o.spread);
	}
}

TEST(memory_where_all_births_are_counted)
{
	struct options o;
	struct diag d;
	EXPECT_INT(0, parse(&o, "exact", &d));
	EXPECT_INT(32 << 20, o.memory);
	options_count_births(&o);
	EXPECT_INT(64 << 20, o.memory);
	EXPECT_INT(0, parse(&o, "exact,memory=8m", &d));
	options_count_births(&o);
	EXPECT_INT(8 << 20, o.memory);
}

TEST(a_whole_string)
{
	struct options o;
	struct diag d;
	EXPECT_INT(0,
		parse(&o,
			"file=/tmp/"
			"x.mfly,interval=64k,depth=2048,duration=30s,paused,compress=no,engine=nop",
			&d));
	EXPECT_STR("/tmp/x.mfly", o.file);
	EXPECT_INT(65536, o.interval);
	EXPECT_INT(2048, o.depth);
	EXPECT_INT(30000000000ll, o.duration);
	EXPECT_INT(1, o.paused);
	EXPECT_INT(0, o.compress);
	EXPECT_INT(ENGINE_NOP, o.engine);
	EXPECT_INT(0, parse(&o, NULL, &d));
	EXPECT_INT(0, parse(&o, "", &d));
	EXPECT_INT(0, parse(&o, ",,depth=3,", &d));
}

TEST(a_value_in_brackets_may_be_left_out)
{
	struct options o;
	struct diag d;
	EXPECT_INT(0, parse(&o, "", &d));
	EXPECT_INT(EXACT_NO, o.exact);
	EXPECT_INT(0, parse(&o, "exact,audit", &d));
	EXPECT_INT(EXACT_YES, o.exact);
	EXPECT_INT(1, o.audit);
	EXPECT_INT(0, parse(&o, "exact=require", &d));
	EXPECT_INT(EXACT_REQUIRE, o.exact);
	EXPECT(!options_trace(&o));
	EXPECT_INT(0, parse(&o, "exact=survivors", &d));
	EXPECT_INT(EXACT_SURVIVORS, o.exact);
	EXPECT(options_trace(&o));
	EXPECT_INT(TENURE_NO, o.tenure);
	EXPECT_INT(0, parse(&o, "tenure,decisions=d.json,tenure-round=4", &d));
	EXPECT_INT(TENURE_YES, o.tenure);
	EXPECT_STR("d.json", o.decisions);
	EXPECT_INT(4, o.tenure_round);
	EXPECT_INT(0, parse(&o, "tenure=learn", &d));
	EXPECT_INT(TENURE_LEARN, o.tenure);
	EXPECT_INT(0, parse(&o, "tenure=apply", &d));
	EXPECT_INT(TENURE_APPLY, o.tenure);
	EXPECT_INT(0, parse(&o, "tenure=dry-run", &d));
	EXPECT_INT(TENURE_DRY_RUN, o.tenure);
	EXPECT_INT(0, parse(&o, "exact=no", &d));
	EXPECT_INT(EXACT_NO, o.exact);
}

TEST(a_stretch_is_a_time_or_a_size)
{
	struct options o;
	struct diag d;
	EXPECT_INT(0, parse(&o, "", &d));
	EXPECT(!o.cyclic.bytes && !o.cyclic.ns);
	EXPECT_INT(0, parse(&o, "cyclic=5m", &d));
	EXPECT(o.cyclic.ns == 300000000000 && !o.cyclic.bytes);
	EXPECT_STR("5m", o.cyclic.text);
	EXPECT_INT(0, parse(&o, "cyclic=500mb", &d));
	EXPECT(o.cyclic.bytes == 500ull << 20 && !o.cyclic.ns);
	EXPECT_INT(0, parse(&o, "cyclic=2g", &d));
	EXPECT(o.cyclic.bytes == 2ull << 30 && !o.cyclic.ns);
	EXPECT_INT(0, parse(&o, "cyclic=2g,cyclic=no", &d));
	EXPECT(!o.cyclic.bytes && !o.cyclic.ns);
}

TEST(lists_gather_and_escapes_hold)
{
	struct options o;
	struct diag d;
	EXPECT_INT(0, parse(&o, "include=com.acme.*,include=org.*,thread=a{1\\,2}\\\\d", &d));
	EXPECT_STR("com.acme.*:org.*", o.include);
	EXPECT_STR("a{1,2}\\d", o.thread);
}

/* However a list was gathered, it can be handed on as one value. */
TEST(a_list_has_the_same_room_for_one_and_for_many)
{
	static struct options many, one;
	struct diag d;
	char value[OPTION_LIST + 1];
	memset(value, 'a', sizeof(value));
	value[500] = '\0';
	options_init(&many);
	EXPECT_INT(0, options_set(&many, "include", value, &d));
	value[500] = 'a';
	value[OPTION_LIST - 1 - 501] = '\0';
	EXPECT_INT(0, options_set(&many, "include", value, &d));
	EXPECT_INT(OPTION_LIST - 1, strlen(many.include));
	EXPECT_INT(ERR_LIMIT, options_set(&many, "include", "a", &d));
	options_init(&one);
	EXPECT_INT(0, options_set(&one, "include", many.include, &d));
	EXPECT_STR(many.include, one.include);
	memset(value, 'a', sizeof(value) - 1);
	value[OPTION_LIST] = '\0';
	EXPECT_INT(ERR_LIMIT, options_set(&one, "exclude", value, &d));
}

TEST(append_is_the_inverse_of_parse)
{
	char text[256] = "";
	struct options o;
	struct diag d;
	EXPECT_INT(0, options_append(text, sizeof(text), "thread", "x,y\\z"));
	EXPECT_INT(0, options_append(text, sizeof(text), "depth", "7"));
	EXPECT_INT(0, parse(&o, text, &d));
	EXPECT_STR("x,y\\z", o.thread);
	EXPECT_INT(7, o.depth);
	char small[8] = "";
	EXPECT_INT(ERR_LIMIT, options_append(small, sizeof(small), "thread", "long"));
}

TEST(sentences)
{
	static const struct {
		const char *text;
		int err;
		const char *sentence;
	} cases[] = {
		{"interval=512x", ERR_FORMAT,
			"interval=512x: interval takes a size such as 512k or 1m"},
		{"intervall=1", ERR_NOT_FOUND,
			"unknown option 'intervall'; did you mean 'interval'?"},
		{"zzz=1", ERR_NOT_FOUND, "unknown option 'zzz'"},
		{"depth=0", ERR_LIMIT, "depth=0: depth takes a whole number from 1 to 2048"},
		{"max-live=16777216", ERR_LIMIT,
			"max-live=16777216: max-live takes a whole number from 16 to 16777215"},
		{"depth", ERR_FORMAT, "depth needs a value: depth=N"},
		{"engine=fast", ERR_FORMAT, "engine=fast: engine takes sampled or nop"},
		{"tenure=require", ERR_FORMAT,
			"tenure=require: tenure takes yes, no, learn, apply or dry-run"},
		{"cyclic=300", ERR_FORMAT,
			"cyclic=300: cyclic takes a time from 1s on (5m: five minutes) or a size "
			"from 1mb on (500mb, 2g)"},
		{"cyclic=much", ERR_FORMAT,
			"cyclic=much: cyclic takes a time from 1s on (5m: five minutes) or a size "
			"from 1mb on (500mb, 2g)"},
		{"cyclic=500ms", ERR_LIMIT,
			"cyclic=500ms: cyclic takes a time from 1s on (5m: five minutes) or a size "
			"from 1mb on (500mb, 2g)"},
		{"cyclic=512k", ERR_LIMIT,
			"cyclic=512k: cyclic takes a time from 1s on (5m: five minutes) or a size "
			"from 1mb on (500mb, 2g)"},
		{"cyclic", ERR_FORMAT, "cyclic needs a value: cyclic=TIME|SIZE"},
		{"exact=maybe", ERR_FORMAT,
			"exact=maybe: exact takes yes, no, require, survivors or trace"},
		{"compress=maybe", ERR_FORMAT, "compress=maybe: compress takes yes or no"},
		{"delay=soon", ERR_FORMAT, "delay=soon: delay takes a time such as 30s or 5m"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct options o;
		struct diag d;
		EXPECT_INT(cases[i].err, parse(&o, cases[i].text, &d));
		EXPECT_STR(cases[i].sentence, d.text);
	}
}

TEST(what_is_given_is_told_from_the_default)
{
	struct options o;
	struct diag d;
	EXPECT_INT(0, parse(&o, "interval=512k,exact", &d));
	EXPECT(options_given(&o, "interval") && options_given(&o, "exact"));
	EXPECT(!options_given(&o, "depth") && !options_given(&o, "no such option"));
	EXPECT_INT(ERR_FORMAT, parse(&o, "interval=much", &d));
	EXPECT(!options_given(&o, "interval"));
}

TEST(too_long)
{
	struct options o;
	struct diag d;
	char text[OPTION_STRING_MAX + 2];
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	EXPECT_INT(ERR_LIMIT, parse(&o, text, &d));
	memcpy(text, "thread=", 7);
	text[400] = '\0';
	EXPECT_INT(ERR_LIMIT, parse(&o, text, &d));
}

TEST(file_names)
{
	char out[64];
	struct diag d;
	setenv("TZ", "UTC", 1);
	EXPECT_INT(0, options_expand_file("a-%p-%t-%%.mfly", 42, 0, out, sizeof(out), &d));
	EXPECT_STR("a-42-19700101-000000-%.mfly", out);
	EXPECT_INT(ERR_FORMAT, options_expand_file("a%x", 42, 0, out, sizeof(out), &d));
	EXPECT_INT(ERR_FORMAT, options_expand_file("a%", 42, 0, out, sizeof(out), &d));
	EXPECT_INT(ERR_LIMIT, options_expand_file("0123456789", 42, 0, out, 10, &d));
}
