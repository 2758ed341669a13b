/* The actuator that rewrites classes (rewrites.h), so that new objects are given to
 * java.lang.MayflyAge. */
#ifndef AGENT_CLASS_JUMPS_H
#define AGENT_CLASS_JUMPS_H

#include "agent/actuator.h"
#include "agent/rewrites.h"

/* r: the process's one, open. */
struct actuator class_jumps(struct rewrites *r);

#endif
