/*
 * What has been defined in the trace so far: strings, classes, methods, frames, sites, threads
 * and collectors, each written to the journal when first seen and numbered from 1. An id is
 * given out only when its definition is in the journal, so a reader never meets one undefined.
 * 0 everywhere: no room or no memory; the caller records "unknown" then.
 * Protected by the recorder's lock; nothing here calls the VM.
 */
#ifndef AGENT_CATALOG_H
#define AGENT_CATALOG_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/frames.h"
#include "agent/journal.h"
#include "agent/names.h"
#include "agent/key_ids.h"
#include "agent/stacks.h"
#include "base/intern.h"
#include "base/map.h"
#include "hotspot/line_table.h"

/* A method by the VM's id. Several may share one definition (hidden classes made anew each time).
 */
struct method {
	uint32_t definition;      /* id in the trace */
	uint32_t lines_at, lines; /* in catalog.lines, ordered by bci */
	uint32_t asked;           /* catalog.ticks when the VM told of it last */
	bool native, application, wanted;
};

/* What the VM told of a method. All texts are borrowed. */
struct method_facts {
	uint64_t vm_id;                                           /* the jmethodID's bits */
	const char *class_signature, *name, *descriptor, *source; /* source may be NULL */
	const struct line_entry *lines;                           /* ordered by bci */
	uint32_t line_count;
	bool native;
};

struct catalog {
	struct journal *journal;       /* borrowed */
	const char *include, *exclude; /* borrowed: globs of application classes */
	uint64_t memory_max;           /* of mem_held, beyond which nothing new is defined */
	struct intern strings;
	VEC(uint32_t) classes;      /* of a string: the class of that name; 0: none */
	struct key_ids definitions; /* hash of class, name, descriptor → method definition */
	struct map vm_methods;      /* jmethodID → index in methods */
	struct map refused;         /* jmethodIDs that the VM would not tell of lately */
	uint32_t ticks;             /* of catalog_tick */
	VEC(struct method) methods;
	VEC(struct line_entry) lines;
	struct frames frames;
	struct key_ids sites; /* class << 32 | of the exact engine, walked, cut << 29 | frame */
	struct stacks stacks;
	uint32_t class_count, thread_count, collector_count;
	uint32_t threads_max; /* further ones are of no thread */
	bool threads_full;    /* there are further ones */
	bool full;            /* the memory bound was met */
	uint64_t parts;       /* stacks of catalog_site with a method not known, while it was not */
};

void catalog_init(struct catalog *c, struct journal *j, const char *include, const char *exclude,
	uint64_t memory_max);
void catalog_release(struct catalog *c);

uint32_t catalog_string(struct catalog *c, struct ns now, struct slice text);
/* The class of this VM signature; classes of one normalised name are one class. */
uint32_t catalog_class(struct catalog *c, struct ns now, const char *signature);
uint32_t catalog_thread(struct catalog *c, struct ns now, const char *name, uint32_t flags);
uint32_t catalog_collector(struct catalog *c, struct ns now, const char *name, uint32_t role);

/* Lists up to `room` distinct methods of the stack that are not known yet and worth asking for. */
uint32_t catalog_unknown_methods(const struct catalog *c, const struct stack_frame *stack,
	uint32_t depth, uint64_t *vm_ids, uint32_t room);
/* For how many ticks what the VM told of a method is held true. */
enum {
	METHOD_HELD_BY_SAMPLES = 16, /* to ask for it takes some µs */
	METHOD_HELD_BY_CODE = 0,     /* that is new: it keeps its lines for good */
};
#define METHOD_HELD_FOR_GOOD UINT32_MAX /* only those that are not known are asked for */
/*
 * The same with those that were told of as many ticks ago: a class that was exchanged meanwhile by
 * another agent or a debugger has other lines, and the id of one that was unloaded may be another
 * method's. To be asked for while a thread is in them.
 */
uint32_t catalog_methods_to_ask(const struct catalog *c, const struct stack_frame *stack,
	uint32_t depth, uint32_t held, uint64_t *vm_ids, uint32_t room);
/* Of one that is known, what is told now is so from now on. 0, or an error: the method then stays
 * as it was. */
int catalog_add_method(struct catalog *c, struct ns now, const struct method_facts *facts);
/*
 * The VM would not tell of this method: it is not listed any more, until catalog_tick. An id
 * may be refused for a while only, or come to mean another method once its class is gone.
 */
void catalog_refuse_method(struct catalog *c, uint64_t vm_id);
/* Whether a quarter of the memory is left at most, and what can be done without had better wait.
 * Any thread. */
bool catalog_scarce(const struct catalog *c);
/* Once a second. */
void catalog_tick(struct catalog *c);

/*
 * The site of an object of that class allocated at that stack (leaf first), as far as its methods
 * are known: the first that is not, and those that called it, are left out. `cut`: the stack was
 * deeper than this. Where none was left out the stack is kept in `stacks`, by its stacks_key.
 */
uint32_t catalog_site(struct catalog *c, struct ns now, uint32_t class_id,
	const struct stack_frame *stack, uint32_t depth, bool cut);
/* The site of an object that the exact engine counts: the same, but by itself (SITE_EXACT). */
uint32_t catalog_exact_site(struct catalog *c, struct ns now, uint32_t class_id,
	const struct stack_frame *stack, uint32_t depth);
/* The same of its whole call path (SITE_WALKED); cut: as far as it is known. */
uint32_t catalog_walked_site(struct catalog *c, struct ns now, uint32_t class_id,
	const struct stack_frame *stack, uint32_t depth, bool cut);
/* A site of the exact engine of its own, of whose objects no place is known yet. */
uint32_t catalog_bare_site(struct catalog *c, struct ns now, uint32_t class_id);
/* It is to be read as that site. 0 or ERR_FULL. */
int catalog_site_place(struct catalog *c, struct ns now, uint32_t site, uint32_t as);
/* Whether the filters let this stack through: by its nearest application frame. */
bool catalog_wants(const struct catalog *c, const struct stack_frame *stack, uint32_t depth);

#endif
