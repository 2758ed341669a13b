/*
 * Where in the program an allocation was made, for the exact engine's sites: by its compiler's
 * inline records, by the interpreter's bytecode, or, where the VM itself allocates, by the Java
 * frame that it works for. Asked when a place is new, in the thread that allocates, inside the VM:
 * no call into the VM, only loads of what the thread itself keeps alive.
 *
 * Code that was just compiled is told of a moment later (compiled.h): its sites wait, and get their
 * place then.
 */
#ifndef AGENT_PLACES_H
#define AGENT_PLACES_H

#include <stdatomic.h>

#include "agent/call_path.h"
#include "agent/compiled.h"
#include "agent/probe_records.h"
#include "agent/recorder.h"
#include "agent/site_code.h"
#include "agent/waiting_sites.h"
#include "hotspot/last_frame.h"

struct places {
	struct recorder *recorder; /* borrowed */
	JavaVM *java;
	uintptr_t env_at;              /* where in a JavaThread its JNIEnv is, bytes */
	struct births *births;         /* borrowed */
	struct code_map *code;         /* borrowed */
	const struct loaders *loaders; /* borrowed; set by the owner */
	bool acts; /* places are told by the program's names (births_place); set by the owner */
	struct code_blobs blobs;
	struct vm_methods methods; /* and objects */
	struct probe_records records;
	struct java_stacks stacks;
	_Atomic uint64_t unnamed;   /* call paths of which code went before it was named */
	_Atomic uint64_t unwritten; /* places whose names the recorder did not take */
	struct last_frames last;
	uint64_t large; /* bytes: objects from here on are humongous; G1 */
	uintptr_t young_low,
		young_high; /* the young generation lies in there, the old one doesn't */
	struct waiting_sites waiting;
	struct code_watch watch;
};

/* Not before VMInit. 0 or ERR_UNSUPPORTED with a sentence. */
int places_init(struct places *p, struct recorder *r, struct births *b, struct code_map *code,
	const struct method_ids *ids, const struct vm *vm, JNIEnv *jni, struct diag *d);
void places_release(struct places *p);
/* Call paths are walked, so many frames of them. 0 or ERR_UNSUPPORTED with a sentence. */
int places_walk(struct places *p, uint64_t depth, const struct vm *vm, struct diag *d);
struct birth_oracle places_oracle(struct places *p);
/* Code between these addresses was told of: sites that wait for it get their places. A
 * compiled_added. */
void places_added(void *places, uintptr_t begin, uintptr_t end);

/* The loader of a method's class (exact/loaders.h), by the VM's id; 0: not told. The class is held.
 * A hook_home. */
uintptr_t places_home(const void *places, uint64_t vm_method);
/* Whether sites' code is still there. */
struct code_oracle places_code(struct places *p);

/* Whether the site has a place, or will never have one: SITE_WITHOUT_LINE. */
enum place_state { PLACE_WAITS, PLACE_WITHOUT_LINE, PLACE_KNOWN };
/* The trace's id for the site's place; while that waits, as far as it is known. 0: nothing is. */
uint32_t places_site(struct places *p, uint32_t site, enum place_state *state);

#endif
