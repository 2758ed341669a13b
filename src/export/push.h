/*
 * Sends a pprof profile to a Pyroscope server: POST /ingest?format=pprof, the profile as the body
 * ("Pyroscope server HTTP API", Ingestion).
 */
#ifndef EXPORT_PUSH_H
#define EXPORT_PUSH_H

#include "base/buf.h"
#include "base/diag.h"

enum { PUSH_LABELS_MAX = 32, PUSH_WORD_MAX = 256 };

struct push {
	const char *url;                     /* of the server, with http or https; borrowed */
	const char *name;                    /* of the program; borrowed */
	const char *labels[PUSH_LABELS_MAX]; /* "key=value"; borrowed */
	size_t label_count;
	uint64_t from, until; /* s since the Unix epoch */
};

/* Whether it can be a server's URL. 0 or ERR_FORMAT with a sentence. */
int push_check_url(const char *url, struct diag *d);
/* Whether it can be a program's name: letters, digits and ._/- . 0 or ERR_FORMAT. */
int push_check_name(const char *name, struct diag *d);
/* Adds "key=value". 0, ERR_FORMAT or ERR_LIMIT, with a sentence. */
int push_add_label(struct push *p, const char *label, struct diag *d);
/* Appends a name that may be one: "orders" of "/tmp/orders.mfly"; what may not be in it becomes
 * '_'.
 */
void push_name_of_file(struct buf *out, const char *path);

/* The server, without a password that its URL may have. */
const char *push_shown_url(const struct push *p);
/* Appends the whole URL of the request. */
void push_put_url(struct buf *out, const struct push *p);
/* Sends it and waits for the answer, a minute at most. 0, or ERR_NOMEM, ERR_IO (nobody there) or
 * ERR_DENIED (the server would not have it), with a sentence. */
int push_send(const struct push *p, struct slice profile, struct diag *d);

#endif
