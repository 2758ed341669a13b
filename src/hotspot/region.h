/*
 * The size of G1's regions.
 *
 * An object of half a region or more stands in regions of its own ("humongous"). G1 reclaims such
 * arrays in any young collection once nothing points to them, unless a weak reference or a tag
 * does: then they stay until a marking cycle ends. So the agent must not follow them.
 */
#ifndef HOTSPOT_REGION_H
#define HOTSPOT_REGION_H

#include "hotspot/vm_structs.h"

/* The smallest that G1 has: what to assume where it can't be told. */
enum { REGION_MIN = 1 << 20 };

/* Bytes; REGION_MIN where the table does not tell, or tells what can't be. */
uint64_t region_bytes(const struct vm_structs *s);

#endif
