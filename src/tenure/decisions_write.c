#include "tenure/decisions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "tenure/java_text.h"

enum { HALF_BYTES = 3 };

/* Bytes of what is put. */
static size_t put_escaped(struct buf *b, const char *text)
{
	uint32_t half = java_text_half(text);
	uint8_t c = (uint8_t)*text;
	if (half)
		return buf_printf(b, "\\u%04x", half), HALF_BYTES;
	if (c == '"' || c == '\\')
		buf_printf(b, "\\%c", c);
	else if (c < 0x20)
		buf_printf(b, "\\u%04x", c);
	else
		buf_put_u8(b, c);
	return 1;
}

static void put_string(struct buf *b, const char *text)
{
	buf_put_u8(b, '"');
	while (*text)
		text += put_escaped(b, text);
	buf_put_u8(b, '"');
}

static void put_text(struct buf *b, const char *before, const char *key, const char *text)
{
	if (!text)
		return;
	buf_printf(b, "%s\"%s\": ", before, key);
	put_string(b, text);
}

static void put_frame(struct buf *b, const struct decision_frame *f)
{
	put_text(b, "", "class", f->class_name);
	put_text(b, ", ", "method", f->method);
	put_text(b, ", ", "descriptor", f->descriptor);
	buf_printf(b, ", \"bci\": %d", f->bci);
	if (f->line > 0)
		buf_printf(b, ", \"line\": %d", f->line);
}

static void put_callers(struct buf *b, const struct decision *d)
{
	for (uint32_t i = 0; i < d->callers; i++) {
		buf_put_str(b, i ? ",\n        {" : ",\n      \"callers\": [\n        {");
		put_frame(b, &d->caller[i]);
		buf_put_str(b, "}");
	}
	if (d->callers)
		buf_put_str(b, "]");
}

static bool is_sayable(const char *text)
{
	return !text || (strlen(text) < DECISION_TEXT && java_text_is_whole(text));
}

static void put_decision(struct buf *b, const struct decision *d)
{
	buf_put_str(b, "    { ");
	put_frame(b, &d->at);
	if (d->opcode || d->has_hash)
		buf_put_str(b, ",\n      ");
	put_text(b, "", "opcode", d->opcode);
	if (d->has_hash)
		buf_printf(b, "%s\"hash\": \"%016" PRIx64 "\"", d->opcode ? ", " : "", d->hash);
	put_text(b, ",\n      ", "allocates", d->allocates);
	put_text(b, ",\n      ", "action", decision_action_texts[d->action]);
	put_text(b, ",\n      ", "why", is_sayable(d->why) ? d->why : NULL);
	put_callers(b, d);
	buf_put_str(b, " }");
}

static int compare_frames(const struct decision_frame *a, const struct decision_frame *b)
{
	int order = strcmp(a->class_name, b->class_name);
	order = order ? order : strcmp(a->method, b->method);
	order = order ? order : strcmp(a->descriptor, b->descriptor);
	return order ? order : (a->bci > b->bci) - (a->bci < b->bci);
}

struct sorted {
	const struct decision *at; /* in the list: what is alike stays in its order */
};

static int compare(const void *x, const void *y)
{
	const struct decision *a = ((const struct sorted *)x)->at;
	const struct decision *b = ((const struct sorted *)y)->at;
	int order = compare_frames(&a->at, &b->at);
	order = order ? order : strcmp(a->allocates, b->allocates);
	for (uint32_t i = 0; !order && i < a->callers && i < b->callers; i++)
		order = compare_frames(&a->caller[i], &b->caller[i]);
	if (!order)
		order = (a->callers > b->callers) - (a->callers < b->callers);
	return order ? order : (a > b) - (a < b);
}

static bool is_sayable_frame(const struct decision_frame *f)
{
	return is_sayable(f->class_name) && is_sayable(f->method) && is_sayable(f->descriptor);
}

/* Whether a reader takes it: one that it does not would cost all the others. */
static bool is_readable(const struct decision *d)
{
	for (uint32_t i = 0; i < d->callers; i++)
		if (!is_sayable_frame(&d->caller[i]))
			return false;
	return is_sayable_frame(&d->at) && is_sayable(d->allocates);
}

size_t decisions_unwritten(const struct decisions *d)
{
	size_t count = d->beyond;
	for (size_t i = 0; i < d->list.count; i++)
		count += !is_readable(&d->list.at[i]);
	return count;
}

/* In the order in which they are written. */
static size_t sort(const struct decisions *d, struct sorted *to)
{
	size_t count = 0;
	for (size_t i = 0; i < d->list.count; i++)
		if (is_readable(&d->list.at[i]))
			to[count++].at = &d->list.at[i];
	qsort(to, count, sizeof(*to), compare);
	return count;
}

/* How many. */
static size_t put_list(struct buf *b, const struct decisions *d)
{
	struct sorted *sorted = mem_zalloc(d->list.count + 1, sizeof(*sorted));
	if (!sorted) {
		b->failed = ERR_NOMEM;
		return 0;
	}
	size_t count = sort(d, sorted);
	for (size_t i = 0; i < count; i++) {
		buf_put_str(b, i ? ",\n" : "\n");
		put_decision(b, sorted[i].at);
	}
	mem_free(sorted);
	return count;
}

static void put_size(struct buf *b, const char *key, uint64_t value)
{
	if (value)
		buf_printf(b, ", \"%s\": %" PRIu64, key, value);
}

static void put_young(struct buf *b, const struct decision_young *y)
{
	if (!y->there)
		return;
	put_text(b, ",\n  \"young\": { ", "action", decision_young_texts[y->set]);
	buf_printf(b, ", \"mb\": %u", y->mb);
	put_size(b, "heap_mb", y->heap_mb);
	put_size(b, "before_mb", y->before_mb);
	put_size(b, "copied_before", y->before.copied);
	put_size(b, "copied_expected", y->expected);
	put_size(b, "cpu_before", y->before.cpu);
	put_size(b, "cpu_calm_before", y->before.cpu_calm);
	if (y->before.full != YOUNG_FULL_UNKNOWN)
		buf_printf(b, ", \"full_before\": %" PRIu64, y->before.full);
	put_size(b, "runs", y->runs);
	buf_put_str(b, " }");
}

void decisions_write(const struct decisions *d, struct buf *b)
{
	buf_printf(b, "{\n  \"mayfly\": %d", DECISIONS_VERSION);
	put_text(b, ",\n  ", "jdk", d->jdk);
	put_text(b, ",\n  ", "gc", d->gc);
	if (d->has_threshold)
		buf_printf(b, ",\n  \"threshold\": %u", d->threshold);
	if (d->trusted)
		buf_printf(b, ",\n  \"trusted\": %u", d->trusted);
	put_young(b, &d->young);
	buf_put_str(b, ",\n  \"decisions\": [");
	size_t count = put_list(b, d);
	buf_put_str(b, count ? "\n  ]\n}\n" : "]\n}\n");
}
