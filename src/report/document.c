#include "report/document.h"

#include <math.h>

#include "base/error.h"
#include "base/mem.h"
#include "report/number.h"
#include "report/text.h"

struct document document_init(struct buf *out)
{
	json_set_alloc_funcs(mem_alloc, mem_free);
	return (struct document){.out = out};
}

void document_set(struct document *d, json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value))
		d->failed = true;
}

void document_append(struct document *d, json_t *array, json_t *value)
{
	if (json_array_append_new(array, value))
		d->failed = true;
}

static int put_bytes(const char *bytes, size_t len, void *arg)
{
	struct buf *out = arg;
	buf_put(out, bytes, len);
	return out->failed;
}

static void put(struct document *d, const char *before, json_t *value, size_t flags)
{
	buf_put_str(d->out, before);
	if (!value || d->failed ||
		json_dump_callback(value, put_bytes, d->out,
			JSON_COMPACT | JSON_REAL_PRECISION(NUMBER_DIGITS) | flags))
		d->failed = true;
	json_decref(value);
}

void document_put(struct document *d, const char *before, json_t *value)
{
	put(d, before, value, JSON_ENCODE_ANY);
}

void document_put_members(struct document *d, const char *before, json_t *object)
{
	put(d, before, object, JSON_EMBED);
}

int document_error(const struct document *d)
{
	return d->failed ? ERR_NOMEM : d->out->failed;
}

json_t *document_number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

json_t *document_whole(double value)
{
	return json_integer((json_int_t)llround(fmin(fmax(value, 0), 9e18)));
}

json_t *document_count(uint64_t value)
{
	return json_integer((json_int_t)(value < INT64_MAX ? value : INT64_MAX));
}

json_t *document_text(struct slice text)
{
	struct buf clean = {0};
	text_clean(&clean, text);
	json_t *value = clean.failed ? NULL
			: clean.len  ? json_stringn((const char *)clean.at, clean.len)
				     : json_null();
	buf_release(&clean);
	return value;
}
