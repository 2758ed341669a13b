#include "export/push.h"

#include <curl/curl.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/mem.h"
#include "report/text.h"

enum { CONNECT_S = 10, WHOLE_S = 60, ANSWER_MAX = 4096, SHOWN_MAX = 400, HTTP_OK_END = 300 };

/* Names and labels */

static bool is_one_of(char c, const char *more)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c && strchr(more, c));
}

static size_t run_of(const char *text, const char *more)
{
	size_t len = 0;
	while (is_one_of(text[len], more))
		len++;
	return len;
}

int push_check_url(const char *url, struct diag *d)
{
	bool known = strncmp(url, "http://", 7) == 0 || strncmp(url, "https://", 8) == 0;
	if (known && !strpbrk(url, "?#") && strlen(url) < PUSH_WORD_MAX)
		return ERR_NONE;
	return diag_set(d, ERR_FORMAT,
		"--push can't be '%s': it is the server's address, as in http://localhost:4040",
		url);
}

int push_check_name(const char *name, struct diag *d)
{
	size_t len = run_of(name, "._/-");
	if (len && !name[len] && len < PUSH_WORD_MAX)
		return ERR_NONE;
	return diag_set(d, ERR_FORMAT,
		"--name can't be '%s': it is of letters, digits, dots, slashes, dashes and "
		"underscores",
		name);
}

int push_add_label(struct push *p, const char *label, struct diag *d)
{
	size_t key = run_of(label, "_");
	bool fine = key && label[key] == '=' && (label[0] < '0' || label[0] > '9') &&
		    label[key + 1] && !strpbrk(label + key + 1, "{},=\"\n") &&
		    strlen(label) < PUSH_WORD_MAX;
	if (!fine)
		return diag_set(d, ERR_FORMAT,
			"--label can't be '%s': it is KEY=VALUE, the key of letters, digits and "
			"underscores, the value without commas, braces, quotes and equals signs",
			label);
	if (p->label_count == PUSH_LABELS_MAX)
		return diag_set(d, ERR_LIMIT, "there can be %d labels at most", PUSH_LABELS_MAX);
	p->labels[p->label_count++] = label;
	return ERR_NONE;
}

void push_name_of_file(struct buf *out, const char *path)
{
	static const char extension[] = ".mfly";
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t len = strlen(name), tail = sizeof(extension) - 1;
	if (len > tail && strcmp(name + len - tail, extension) == 0)
		len -= tail;
	for (size_t i = 0; i < len && i < PUSH_WORD_MAX - 1; i++)
		buf_put_u8(out, (uint8_t)(is_one_of(name[i], "._-") ? name[i] : '_'));
	if (!len)
		buf_put_str(out, "java");
}

/* The request */

/* Percent-encodes all but RFC 3986's unreserved characters. */
static void put_encoded(struct buf *out, const char *text)
{
	for (; *text; text++) {
		if (is_one_of(*text, "-._~"))
			buf_put_u8(out, (uint8_t)*text);
		else
			buf_printf(out, "%%%02X", (uint8_t)*text);
	}
}

void push_put_url(struct buf *out, const struct push *p)
{
	size_t len = strlen(p->url);
	while (len && p->url[len - 1] == '/')
		len--;
	buf_put(out, p->url, len);
	buf_put_str(out, "/ingest?format=pprof&spyName=mayfly&name=");
	put_encoded(out, p->name);
	for (size_t i = 0; i < p->label_count; i++) {
		put_encoded(out, i ? "," : "{");
		put_encoded(out, p->labels[i]);
	}
	put_encoded(out, p->label_count ? "}" : "");
	buf_printf(out, "&from=%llu&until=%llu", (unsigned long long)p->from,
		(unsigned long long)p->until);
}

const char *push_shown_url(const struct push *p)
{
	const char *host = strstr(p->url, "//") + 2, *at = strrchr(host, '@');
	return at ? at + 1 : host;
}

static size_t take_answer(char *bytes, size_t size, size_t count, void *arg)
{
	struct buf *answer = arg;
	size_t len = size * count, room = ANSWER_MAX - answer->len;
	buf_put(answer, bytes, len < room ? len : room);
	return len;
}

static char *copy_text(const char *text)
{
	return mem_strndup(text, strlen(text));
}

struct request {
	const struct push *push;
	CURL *curl;
	struct curl_slist *headers;
	struct buf url, answer;
	char error[CURL_ERROR_SIZE];
};

static int set_up(struct request *r, struct slice profile)
{
	push_put_url(&r->url, r->push);
	r->curl = curl_easy_init();
	r->headers = curl_slist_append(NULL, "Content-Type: application/octet-stream");
	if (r->url.failed || !r->curl || !r->headers)
		return ERR_NOMEM;
	bool fine =
		!curl_easy_setopt(r->curl, CURLOPT_URL, buf_text(&r->url)) &&
		!curl_easy_setopt(r->curl, CURLOPT_PROTOCOLS_STR, "http,https") &&
		!curl_easy_setopt(r->curl, CURLOPT_NOSIGNAL, 1L) &&
		!curl_easy_setopt(r->curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S) &&
		!curl_easy_setopt(r->curl, CURLOPT_TIMEOUT, (long)WHOLE_S) &&
		!curl_easy_setopt(r->curl, CURLOPT_ERRORBUFFER, r->error) &&
		!curl_easy_setopt(r->curl, CURLOPT_USERAGENT, "mayfly/" MAYFLY_VERSION) &&
		!curl_easy_setopt(r->curl, CURLOPT_HTTPHEADER, r->headers) &&
		!curl_easy_setopt(r->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)profile.len) &&
		!curl_easy_setopt(r->curl, CURLOPT_POSTFIELDS, profile.at) &&
		!curl_easy_setopt(r->curl, CURLOPT_WRITEFUNCTION, take_answer) &&
		!curl_easy_setopt(r->curl, CURLOPT_WRITEDATA, &r->answer);
	return fine ? ERR_NONE : ERR_NOMEM;
}

static int refused(struct request *r, long status, struct diag *d)
{
	struct buf shown = {0};
	struct slice answer = buf_slice(&r->answer);
	while (answer.len && answer.at[answer.len - 1] <= ' ')
		answer.len--;
	answer.len = answer.len < SHOWN_MAX ? answer.len : SHOWN_MAX;
	text_clean(&shown, answer);
	diag_set(d, ERR_DENIED, "%s did not take the profile: it answered %ld%s%s",
		push_shown_url(r->push), status, shown.len ? ", " : "", buf_text(&shown));
	buf_release(&shown);
	return ERR_DENIED;
}

static int perform(struct request *r, struct diag *d)
{
	long status = 0;
	CURLcode code = curl_easy_perform(r->curl);
	if (code == CURLE_OUT_OF_MEMORY)
		return ERR_NOMEM;
	if (code)
		return diag_set(d, ERR_IO, "the profile could not be sent to %s: %s",
			push_shown_url(r->push), r->error[0] ? r->error : curl_easy_strerror(code));
	curl_easy_getinfo(r->curl, CURLINFO_RESPONSE_CODE, &status);
	return status >= 200 && status < HTTP_OK_END ? ERR_NONE : refused(r, status, d);
}

int push_send(const struct push *p, struct slice profile, struct diag *d)
{
	struct request r = {.push = p};
	if (curl_global_init_mem(
		    CURL_GLOBAL_DEFAULT, mem_alloc, mem_free, mem_realloc, copy_text, mem_zalloc))
		return ERR_NOMEM;
	int err = set_up(&r, profile);
	err = err ? err : perform(&r, d);
	curl_slist_free_all(r.headers);
	curl_easy_cleanup(r.curl);
	curl_global_cleanup();
	buf_release(&r.url);
	buf_release(&r.answer);
	return err;
}
