/*
 * Any bytes as the agent's option string: it is taken, or refused with a sentence; what was taken
 * is within its ranges, and survives being written by options_append and read again.
 */
#include <string.h>

#include "base/error.h"
#include "fuzz/fuzz.h"
#include "options/options.h"

static void check_ranges(const struct options *o)
{
#define FUZZ_NUMBER(field, min, max)      FUZZ_CHECK(o->field <= (uint64_t)(max))
#define FUZZ_TEXT(field, max)             FUZZ_CHECK(strnlen(o->field, (max)) < (max))
#define FUZZ_CHECK_text(field, min, max)  FUZZ_TEXT(field, (size_t)(max))
#define FUZZ_CHECK_list(field, min, max)  FUZZ_TEXT(field, (size_t)(max))
#define FUZZ_CHECK_size(field, min, max)  FUZZ_NUMBER(field, min, max)
#define FUZZ_CHECK_time(field, min, max)  FUZZ_NUMBER(field, min, max)
#define FUZZ_CHECK_count(field, min, max) FUZZ_NUMBER(field, min, max)
#define FUZZ_CHECK_flag(field, min, max)  FUZZ_CHECK(o->field == 0 || o->field == 1)
#define FUZZ_CHECK_engine(field, min, max)                                                         \
	FUZZ_CHECK(o->field == ENGINE_SAMPLED || o->field == ENGINE_NOP)
#define FUZZ_CHECK_exact(field, min, max)  FUZZ_CHECK(o->field <= EXACT_TRACE)
#define FUZZ_CHECK_tenure(field, min, max) FUZZ_CHECK(o->field <= TENURE_DRY_RUN)
#define FUZZ_CHECK_stretch(field, min, max)                                                        \
	FUZZ_CHECK(!o->field.bytes || o->field.bytes >= OPTION_STRETCH_BYTES);                     \
	FUZZ_CHECK(!o->field.ns || o->field.ns >= OPTION_STRETCH_NS);                              \
	FUZZ_CHECK(!o->field.bytes || !o->field.ns)
#define OPTION(name, field, type, min, max, preset, argument, help)                                \
	FUZZ_CHECK_##type(field, min, max);
#include "options/options.def"
#undef OPTION
}

/* The texts, which escapes are for. */
static void check_round_trip(const struct options *o)
{
	static struct options again;
	char text[OPTION_STRING_MAX + 1] = "";
	struct diag d;
	if (options_append(text, sizeof(text), "file", o->file) ||
		options_append(text, sizeof(text), "thread", o->thread) ||
		options_append(text, sizeof(text), "include", o->include) ||
		options_append(text, sizeof(text), "control", o->control))
		return;
	options_init(&again);
	FUZZ_CHECK(options_parse(&again, text, &d) == ERR_NONE);
	FUZZ_CHECK(strcmp(again.file, o->file) == 0);
	FUZZ_CHECK(strcmp(again.thread, o->thread) == 0);
	FUZZ_CHECK(strcmp(again.include, o->include) == 0);
	FUZZ_CHECK(strcmp(again.control, o->control) == 0);
}

static void check_file(const struct options *o)
{
	char path[OPTION_PATH];
	struct diag d = {""};
	int err = options_expand_file(o->file, 4711, 1700000000, path, sizeof(path), &d);
	FUZZ_CHECK(!err == !d.text[0]);
	FUZZ_CHECK(err || strnlen(path, sizeof(path)) < sizeof(path));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static char text[OPTION_STRING_MAX + 64];
	static struct options o;
	struct diag d = {""};
	if (len >= sizeof(text))
		return 0;
	memcpy(text, bytes, len);
	text[len] = '\0';
	options_init(&o);
	int err = options_parse(&o, text, &d);
	FUZZ_CHECK(!err == !d.text[0]);
	check_ranges(&o);
	if (!err)
		check_round_trip(&o);
	check_file(&o);
	return 0;
}
