/*
 * The request `heap` of the control socket, from its coming to its answer (exact/heap_count.h): the
 * writer thread asks the next pause to count what is alive, goes on with its work meanwhile, and
 * writes the counts when the places of their sites are known. One at a time.
 */
#ifndef AGENT_HEAP_REQUEST_H
#define AGENT_HEAP_REQUEST_H

#include "agent/control.h"
#include "agent/exact.h"
#include "agent/output.h"

struct heap_request {
	struct control waiting; /* its connection alone */
	bool busy;              /* the tables are in use */
	bool forced;
	struct ns deadline; /* for the collection to come */
	struct ns seen;     /* when the counts were seen to be there; 0: not yet */
};

void heap_request_init(struct heap_request *q);
/* Takes the connection over. Whether a pause was asked: if `forced`, the caller is to force it;
 * else the client has its answer. */
bool heap_request_begin(struct heap_request *q, struct exact *e, struct control *c, bool forced);
/* When it wants to be looked at again; UINT64_MAX: not before something else happens. */
struct ns heap_request_next(const struct heap_request *q);
/* Writes the counts and answers, if it is time. */
void heap_request_step(
	struct heap_request *q, struct exact *e, struct recorder *r, struct output *o);
/* The recording ends: whoever waits is told so. */
void heap_request_end(struct heap_request *q);

#endif
