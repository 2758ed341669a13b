/* Text on its way to a sink, handed on in pieces, so that no file has to fit into memory. */
#ifndef EXPORT_OUT_H
#define EXPORT_OUT_H

#include "base/buf.h"
#include "trace/sink.h"

struct out {
	struct sink sink;
	struct buf text; /* what has not been handed on: writers append here */
	int err;         /* the first failure; after it nothing is handed on */
};

/* To be called now and then: hands on what has gathered, once it is worth it. 0 or the first error.
 */
int out_step(struct out *o);
/* Hands on the rest. 0 or the first error. */
int out_flush(struct out *o);
void out_release(struct out *o);

#endif
