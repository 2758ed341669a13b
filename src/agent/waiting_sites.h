/*
 * Sites of the exact engine whose code the VM has not told of yet: they wait for it, at most
 * WAITING_SITES of them. Any thread may put some in; whoever takes one out owns its path.
 */
#ifndef AGENT_WAITING_SITES_H
#define AGENT_WAITING_SITES_H

#include <pthread.h>

#include "agent/call_path.h"

enum { WAITING_SITES = 4096 };

struct waiting_site {
	uint32_t site;
	bool leaf;              /* of its line alone: the key is where a probe returns to */
	uint64_t key;           /* of its line alone: an address in the code it waits for */
	uint32_t compilation;   /* and the VM's number for that code; 0: not known */
	uint64_t native;        /* method, known to the recorder; 0: none */
	struct call_path *path; /* owned; NULL: of its line alone */
};

struct waiting_sites {
	pthread_mutex_t lock; /* protects what follows */
	struct waiting_site at[WAITING_SITES];
	uint32_t count;
};

void waiting_sites_init(struct waiting_sites *w);
void waiting_sites_release(struct waiting_sites *w);
/* Whether there was room; then the path is theirs. */
bool waiting_sites_put(struct waiting_sites *w, struct waiting_site s);
bool waiting_sites_any(struct waiting_sites *w);
/* The one with this path waits no more, unless somebody took it meanwhile: that one frees it. */
void waiting_sites_drop(struct waiting_sites *w, const struct call_path *path);
/* Takes the next from *at on (0 at first) that waits for code between the addresses; false: there
 * is none. */
bool waiting_sites_take(struct waiting_sites *w, uint32_t *at, struct code_map *code,
	uintptr_t begin, uintptr_t end, struct waiting_site *out);
/* A copy of the path of the site, to be freed; NULL: it does not wait with one, or no memory. */
struct call_path *waiting_sites_path(struct waiting_sites *w, uint32_t site);

#endif
