/*
 * The levers that this VM has, with its collector: whether objects are copied by their age at all,
 * and the bound of that age, where it can be moved while the program runs.
 */
#ifndef AGENT_VM_LEVERS_H
#define AGENT_VM_LEVERS_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/vm.h"
#include "hotspot/parallel_threshold.h"
#include "hotspot/tenuring_bound.h"
#include "hotspot/vm_flags.h"
#include "tenure/controller.h"

struct vm_levers {
	bool copies; /* objects, through ages */
	bool heeds;  /* the bound, while it runs */
	bool biased; /* objects (not arrays) may be biased (JDK 11): their age can't be set */
	bool shares; /* the texts of strings that are equal: those are to keep their ages */
	struct tenuring_bound bound;
	struct parallel_threshold own; /* of Parallel: heeds where it is there */
};

/* collector: as gcs_name has it. code: in the VM's library; NULL: that is not looked at. */
struct vm_levers vm_levers_of(const struct vm_flags *f, const char *collector, const void *code);
bool vm_levers_can_bound(const struct vm_levers *l);
/* The VM's own, THRESHOLD_MOST at most, and where it is not known. */
uint32_t vm_levers_threshold(const struct vm_levers *l);
/* To that; does nothing where the VM has no bound. */
void vm_levers_bound(struct vm_levers *l, uint64_t most);
/* Now and then while it is moved: a collection may have been about to write its own. */
void vm_levers_keep(const struct vm_levers *l);
/* As it was found. */
void vm_levers_restore(struct vm_levers *l);

/* The VM's flags; of a VM that shows none: none. */
struct vm_flags vm_levers_flags(const struct vm *vm);
/*
 * As -XX:-UseBiasedLocking does, where the program has not started yet: an object that can be
 * biased (JDK 11) has a mark that the jump leaves alone.
 */
void vm_levers_unbias(const struct vm_flags *f);

#endif
