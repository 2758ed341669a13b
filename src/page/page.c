#include "page/page.h"

#include <string.h>

#include "base/error.h"
#include "page/base64.h"
#include "page/squeeze.h"

enum {
	LEVEL = 6 /* 9 is 1 % smaller and five times slower */
};

/* Where the first place is; viewer.len: there is none. */
static size_t find_place(struct slice viewer)
{
	const uint8_t *at =
		viewer.len ? memmem(viewer.at, viewer.len, PAGE_PLACE, strlen(PAGE_PLACE)) : NULL;
	return at ? (size_t)(at - viewer.at) : viewer.len;
}

static struct slice behind(struct slice viewer, size_t at)
{
	size_t end = at + strlen(PAGE_PLACE);
	return end < viewer.len ? slice(viewer.at + end, viewer.len - end) : slice("", 0);
}

int page_check(struct slice viewer, struct diag *d)
{
	size_t at = find_place(viewer);
	if (at == viewer.len)
		return diag_set(d, ERR_FORMAT, "the viewer has no place for data: %s", PAGE_PLACE);
	struct slice rest = behind(viewer, at);
	if (find_place(rest) != rest.len)
		return diag_set(d, ERR_FORMAT, "the viewer has more than one place for data: %s",
			PAGE_PLACE);
	return ERR_NONE;
}

static int put_str(const struct sink *out, const char *text)
{
	return out->write(out->arg, text, strlen(text));
}

/* data → zlib → base64 → out. */
static int put_data(const struct sink *out, const struct data *d)
{
	struct base64 text = base64_init(out);
	struct sink to_text = base64_sink(&text);
	struct squeeze q;
	int err = squeeze_init(&q, &to_text, LEVEL);
	if (err)
		return err;
	struct sink to_squeeze = squeeze_sink(&q);
	err = data_put(d, &to_squeeze);
	err = err ? err : squeeze_end(&q);
	squeeze_release(&q);
	return err ? err : base64_end(&text);
}

static int put_trace(const struct sink *out, const struct data *d, const char *which)
{
	int err = put_str(out, PAGE_MARKER);
	err = err ? err : put_str(out, which);
	err = err ? err : put_str(out, "\">");
	err = err ? err : put_data(out, d);
	return err ? err : put_str(out, "</script>");
}

int page_put(const struct sink *out, struct slice viewer, const struct data *traces, size_t count)
{
	static const char *const names[PAGE_TRACES] = {"a", "b"};
	size_t at = find_place(viewer);
	struct slice rest = behind(viewer, at);
	int err = out->write(out->arg, viewer.at, at);
	for (size_t i = 0; i < count && i < PAGE_TRACES && !err; i++)
		err = put_trace(out, &traces[i], names[i]);
	return err ? err : out->write(out->arg, rest.at, rest.len);
}
