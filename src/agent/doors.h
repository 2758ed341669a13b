/* Doors for hot places (exact/birth_doors.h), where this VM and this kernel allow them. */
#ifndef AGENT_DOORS_H
#define AGENT_DOORS_H

#include "exact/births.h"
#include "hotspot/code_blobs.h"
#include "hotspot/landmarks.h"
#include "hotspot/vm_flags.h"

/* For the recording that births_open began; its objects have sites in their marks. blobs: borrowed,
 * until births_close. Nothing where it can't be: all births go the ordinary way then. */
void doors_open(struct births *b, struct code_blobs *blobs, const struct landmarks *m,
	const struct vm_flags *f);

#endif
