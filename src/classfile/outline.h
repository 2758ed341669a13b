/* What a method's code is, but for the constants that it names: a VM that exchanges a class gives
 * them other numbers. */
#ifndef CLASSFILE_OUTLINE_H
#define CLASSFILE_OUTLINE_H

#include <stdint.h>

#include "base/slice.h"

/* A hash of where its instructions stand, and which they are; 0: it can't be followed. */
uint64_t code_outline(struct slice code);

#endif
