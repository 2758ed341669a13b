/*
 * The size of G1's regions, from the table that HotSpot exports for its serviceability agent
 * (gHotSpotVMStructs): read only, by the names in it.
 *
 * An object of half a region or more stands in regions of its own ("humongous"). G1 reclaims such
 * arrays in any young collection once nothing points to them, unless a weak reference or a tag
 * does: then they stay until a marking cycle ends. So the agent must not follow them.
 */
#ifndef AGENT_REGION_H
#define AGENT_REGION_H

#include <stdint.h>

/* The smallest that G1 has: what to assume where it can't be told. */
enum { REGION_MIN = 1 << 20 };

/* How the exported table is laid out; all of it is told by exported variables. */
struct region_table {
	const char *entries; /* the last has a NULL type name; NULL: there is no table */
	uint64_t stride, type_name, field_name,
		address; /* bytes; the last three from an entry's start */
};

/* The table of the VM that `inside` points into. */
struct region_table region_table_of(const void *inside);
/* Bytes; REGION_MIN where the table does not tell, or tells what can't be. */
uint64_t region_bytes(const struct region_table *t);

#endif
