/*
 * What a recording names: classes, threads, methods, sites and texts, each told in the trace before
 * the first record that means it. Ids are the trace's; 0: no room, or none was given.
 */
#ifndef AGENT_RECORDER_NAMES_H
#define AGENT_RECORDER_NAMES_H

#include "agent/recorder.h"

/* As the catalog's functions of the same names, under the lock. */
uint32_t recorder_class(struct recorder *r, const char *signature);
uint32_t recorder_thread(struct recorder *r, const char *name, uint32_t flags);
uint32_t recorder_collector(struct recorder *r, const char *name, uint32_t role);
uint32_t recorder_unknown_methods(struct recorder *r, const struct stack_frame *stack,
	uint32_t depth, uint64_t *vm_ids, uint32_t room);
uint32_t recorder_methods_to_ask(struct recorder *r, const struct stack_frame *stack,
	uint32_t depth, uint32_t held, uint64_t *vm_ids, uint32_t room);
int recorder_add_method(struct recorder *r, const struct method_facts *facts);
uint32_t recorder_exact_site(
	struct recorder *r, uint32_t class_id, const struct stack_frame *stack, uint32_t depth);
/* The same of its whole call path; cut: as far as it is known. */
uint32_t recorder_walked_site(struct recorder *r, uint32_t class_id,
	const struct stack_frame *stack, uint32_t depth, bool cut);
uint32_t recorder_bare_site(struct recorder *r, uint32_t class_id);
int recorder_site_place(struct recorder *r, uint32_t site, uint32_t as);
/* A place of tenure's: a site whose stack is known so far and no further. */
uint32_t recorder_place(
	struct recorder *r, uint32_t class_id, const struct stack_frame *stack, uint32_t depth);
/* As catalog_refuse_method; until the next tick. */
void recorder_refuse_method(struct recorder *r, uint64_t vm_id);
/* The text's id in the trace; 0: no room. */
uint32_t recorder_string(struct recorder *r, const char *text);

#endif
