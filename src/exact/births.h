/*
 * Every allocation, where the VM's allocation probe tells of it: which site made it. Counts are
 * kept by the thread that allocates, in a small cache from the probe's return address and the
 * object's class to the site; the site's number goes into the object's mark (bits 42 to 63, which
 * no collector uses without compact headers). Where events are wanted too, the thread's log gets
 * one of each birth (event_log.h).
 *
 * births_entry_rdi and births_entry_rsi are what the VM's functions are made to jump to: they are
 * called by compiled code, the interpreter and the VM itself, a hundred million times a second,
 * with the object in that register. They take no lock and call nothing unless the place is new.
 *
 * There is one for the process, in static memory, and threads' blocks are never freed: a thread may
 * stand in the probe at any time.
 */
#ifndef EXACT_BIRTHS_H
#define EXACT_BIRTHS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "exact/birth_again.h"
#include "exact/birth_callers.h"
#include "exact/birth_doors.h"
#include "exact/birth_mark.h"
#include "exact/birth_slots.h"
#include "exact/birth_sums.h"
#include "exact/event_log.h"
#include "exact/stride.h"
#include "exact/site_table.h"
#include "hotspot/code_blobs.h"
#include "hotspot/java_stack.h"
#include "hotspot/method_key.h"

/* Threads that may have four times as many slots: what they hold is looked through in pauses. */
enum { BIRTHS_WIDE_MOST = 32 };
/* Call paths: further ones are counted by their allocating line alone, for which they leave room.
 */
enum { PATHS_MAX = SITES_MAX / 8 * 5 };
/* Bytecodes that the interpreter ran: further ones are counted by their method, so that code which
 * runs once, as that of large tables does, leaves room for code that is compiled. And with paths,
 * which may be there before. */
enum { BYTECODES_MAX = SITES_MAX / 2, BYTECODES_PATHS_MAX = SITES_MAX / 4 * 3 };
/* Places: what comes from further ones is counted by its class alone, while there is room. */
enum { PLACES_MAX = SITES_MAX - (1 << 14) };
/* Of which a thread remembers that there was no room; a power of two. */
enum { PATHS_REFUSED = 2048 };

/* What the probes do. */
enum births_state { BIRTHS_OFF, BIRTHS_COUNTED, BIRTHS_LOGGED };
enum { BIRTHS_WALKED = 4 }; /* besides: some births are counted by their call path */

/* How a thread's walks went; written by it alone. */
struct walk_totals {
	_Atomic uint64_t walks, ends[STACK_ENDS];
	_Atomic uint64_t refused; /* of a path for which there was no room */
};

/* A thread's births by call path, where these are wanted: their slots, and what it knows of code.
 */
struct birth_walks {
	struct birth_wide table;
	struct birth_slots slots; /* of that table */
	struct walk_totals totals;
	uint64_t refused[PATHS_REFUSED]; /* tags: there is no room, until some sites go */
	struct java_stack stack;         /* the last */
	struct java_code_cache code;
};

struct birth_thread {
	birth_set narrow[BIRTH_SETS];
	struct event_log log;
	uint64_t countdown; /* births until one is walked, that one counted; 0: none is */
	struct birth_slots slots;
	struct birth_wide *wide;             /* NULL: never had; it stays */
	uint64_t random;                     /* for the next one */
	_Atomic(struct birth_walks *) walks; /* NULL: not yet, or no memory. It stays */
	uint16_t narrow_used[BIRTH_SETS];
	struct birth_thread *next; /* of all, immutable */
	_Atomic bool taken;        /* a thread has it */
	struct code_blob_memo code;
	struct birth_door_counts doors;
	struct birth_again again;
};

/* One allocation as the probe sees it. */
struct birth {
	uintptr_t object, pc, fp, bcp; /* rsi or rdi, the return address, rbp, r13 */
	uintptr_t java_thread; /* r15: a JavaThread where compiled code or the interpreter called */
	uintptr_t thread;      /* the probe's own argument; 0: it has none */
	uintptr_t sp;          /* behind the return address; 0: not told, and nothing is walked */
};

/* Where it was made. */
struct birth_place {
	enum caller caller;
	uint64_t key;     /* an address in compiled code, or a bytecode's key; 0: unknown */
	uintptr_t method; /* of the interpreter: Method*, else 0 */
	uintptr_t bcp;    /* of it: the bytecode's address; 0: not told */
	uintptr_t native; /* Method* of a native method that the VM works for, called at the key;
			     else 0 */
	bool leaf;        /* the key is the return address of the probe's own call */
	bool whole;       /* the key is the method's, and takes in all bytecodes of no key */
	const struct java_stack
		*stack; /* the whole path, and nothing else counts; NULL: only this */
};

/* What is asked about the VM, only where a place is new, in the thread that allocates. */
struct birth_oracle {
	void *arg;
	enum caller (*caller)(void *arg, uintptr_t pc);
	/* Allocations by the VM itself: the Java code that it works for. */
	void (*walk)(void *arg, const struct birth *b, struct code_blob_memo *m,
		struct birth_place *out);
	/* The call path; told: with its frames (java_stack_walk). Whether the VM itself allocates.
	 */
	bool (*stack)(void *arg, const struct birth *b, struct java_code_cache *cache, bool told,
		struct java_stack *out);
	/* Fills in a site that is new: its class, its size, its place as far as it is known. */
	void (*define)(void *arg, struct exact_site *s, const struct birth *b,
		const struct birth_place *p);
	/* Bytes of an object whose class does not say them, or that was born by the VM itself. 0:
	 * it is of a class of which the VM tells some births only, and is not to be counted. */
	uint64_t (*bytes)(void *arg, uintptr_t object);
	/* Whether an object stands outside of the young generation. */
	bool (*outside)(void *arg, uintptr_t object, uint64_t bytes);
};

struct births {
	struct birth_oracle oracle;
	pthread_mutex_t lock; /* protects sites, sums and the list of threads */
	struct site_table sites;
	/* What came of threads' slots that had to go, or is beyond what they hold. Added to under
	 * the lock, and taken while the program stands. */
	struct birth_sums sums;
	struct chunk_pool *pool; /* of the threads' logs; borrowed; NULL: there are none */
	_Atomic(struct birth_thread *) threads;
	_Atomic uint64_t refused; /* births that could not be counted: no memory */
	_Atomic bool logged; /* since BIRTHS_LOGGED, be it off by now: whoever counts one logs it */
	_Atomic bool outside_logged; /* the same of those outside of the young generation alone */
	_Atomic bool uncounted;      /* there were some that are not to be */
	_Atomic uint32_t epoch;      /* how often classes went: addresses are of others since */
	uint64_t every;              /* one birth in so many is counted by its call path; 0: none */
	uint64_t seed;
	struct birth_clock clock;
	struct birth_doors doors;
	struct stride stride;
	_Atomic uint64_t unwalked; /* births that should have been: no memory */
	_Atomic bool paths_stay; /* none makes room (cold_paths.h); set by the owner of the names */
	uint64_t *jumping; /* places whose objects jump, in order; owned. By the lock, as these: */
	size_t jumping_count;
	_Atomic bool turns; /* threads' slots may not all be as the sites are */
	uint32_t wide;      /* threads with more slots. By the lock */
	uint32_t numbers;   /* where the next recording's sites begin; 0: it is the first */
	bool unplaced;      /* there were more places than PLACES_MAX */
	bool unlined;       /* there were more bytecodes than BYTECODES_MAX */
	bool renumbered;    /* numbers were used up, and began anew: old marks may be mistaken */
};

typedef void birth_visit(void *arg, const struct birth_sum *s);

/* The process's one. */
struct births *births_get(void);

/* Empty tables for a recording. pool: for events; NULL where none are wanted. 0 or ERR_NOMEM.
 * births_on must be off. */
int births_open(struct births *b, const struct birth_oracle *o, struct chunk_pool *pool);
/* Gives the memory of the tables back; threads' blocks keep their addresses. Off, and nobody
 * inside: the caller has seen the program stand since. */
void births_close(struct births *b);
void births_set(struct births *b, enum births_state state);
/* Births outside of the young generation are logged where the others are only counted. Before
 * births_set. */
void births_log_outside(struct births *b, bool log);
/* Where the VM counts its collections: without it clones that it makes have no site. Behind
 * births_open. */
void births_clock(struct births *b, const uint32_t *collections);
/* At the start of a pause: clones get their sites. missed: there was a collection that nobody told
 * of, and it is not known where they are. */
void births_again(struct births *b, bool missed);
/* At the end of one that was seen. */
void births_seen(struct births *b);
/* Hot places may have doors. Behind births_open, and not with compact headers; the oracle's
 * functions are asked while the program stands. */
void births_doors_open(struct births *b, const struct birth_door_oracle *o);
/* While the program stands, and directly behind births_take: places that are hot get doors. */
void births_doors_give(struct births *b);
/* One birth in so many, picked at random, has a site of its call path instead of its line's. 0:
 * none. Between births_open and births_set. */
void births_walk(struct births *b, uint64_t every, uint64_t seed);
/* How many sites there may be where a further bytecode has one of its own. */
static inline uint32_t births_bytecodes_max(const struct births *b)
{
	return b->every ? BYTECODES_PATHS_MAX : BYTECODES_MAX;
}
/* Sums over all threads since births_open; at any time. */
void births_walked(struct births *b, struct walk_totals *sum);
/* How the VM's methods are told apart. Before the entries are called. */
void births_methods(const struct method_key *k);
/* The calling thread's id in the trace. */
void births_name(uint64_t thread);

/* While the program stands: tells of all counts, and clears them. A site may come several times. */
void births_take(struct births *b, birth_visit *visit, void *arg);

typedef void birth_log(void *arg, struct event_log *log);
/* While the program stands: each thread's log. */
void births_logs(struct births *b, birth_log *visit, void *arg);

typedef bool birth_gone(void *arg, const struct exact_site *s);
/* While the program stands: sites that are gone are met no more, though their numbers and counts
 * stay. Whether there were any. */
bool births_forget(struct births *b, birth_gone *gone, void *arg);
/* The same, of the numbers from `from` on and below `to`, which the sites' count is not below. */
bool births_forget_some(struct births *b, uint32_t from, uint32_t to, birth_gone *gone, void *arg);
/* While the program stands: nothing has the number of that site, which was gone (remains.h), and
 * no births of it are left to be taken. */
void births_spare(struct births *b, uint32_t id);
/* Classes went: what was known by where their methods are may be another's from now on. */
void births_unload(struct births *b);

/* The function to jump to, not to be called, by the register that has the object: rdi or rsi. */
const char *births_entry(bool rdi, enum birth_header header);
/* They; dynamic: those that ask the loader for births_here. */
extern const char births_entry_rdi[], births_entry_rsi[];
extern const char births_entry_compact_rdi[], births_entry_compact_rsi[];
extern const char births_entry_wide_rdi[], births_entry_wide_rsi[];
extern const char births_dynamic_rdi[], births_dynamic_rsi[];
extern const char births_dynamic_compact_rdi[], births_dynamic_compact_rsi[];
extern const char births_dynamic_wide_rdi[], births_dynamic_wide_rsi[];

/* For entry.S. */
extern _Atomic uint8_t births_on; /* enum births_state */
extern __attribute__((visibility("hidden"))) _Thread_local struct birth_thread *births_here;
/* Its distance from the thread's own pointer, and that of births_doors_here; as births_open finds
 * it. */
extern uintptr_t births_here_at, births_doors_here_at;
uintptr_t births_here_descriptor(void), births_here_distance(void);
extern struct method_key births_method_key;
/* 0, as the VM's function has it. sp: where the return address is. */
int births_slow(uintptr_t object, uintptr_t sp, uintptr_t fp, uintptr_t bcp, uintptr_t java_thread,
	uintptr_t thread);
int births_far(struct birth_thread *t, uint32_t site, uint64_t at);
/* The same, of one whose turn it is to be walked. */
int births_path(uintptr_t object, uintptr_t sp, uintptr_t fp, uintptr_t bcp, uintptr_t java_thread,
	uintptr_t thread);

/* What the entries do, in C: for tests, which hold them against it. */
void births_event(uintptr_t object, uintptr_t pc, uintptr_t fp, uintptr_t bcp,
	uintptr_t java_thread, uintptr_t thread, uintptr_t sp);

#endif
