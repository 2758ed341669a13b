/*
 * Objects and their classes, as they lie in the VM's memory. Addresses are believed: an address
 * that is no object's, or a class that was unloaded, can end the process.
 */
#ifndef HOTSPOT_OBJECTS_H
#define HOTSPOT_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/diag.h"
#include "base/slice.h"

/* Offsets in bytes. */
struct vm_objects {
	uintptr_t narrow_base; /* a class is at narrow_base + (narrow << narrow_shift) */
	uint32_t narrow_shift;
	bool compact; /* the class is in the mark, from bit klass_shift on */
	bool wide;    /* the class is an address, and not narrow */
	uint32_t klass_shift, hash_shift;
	uint64_t hash_mask;            /* of a hash, in the lowest bits */
	uint32_t align;                /* bytes: objects begin at its multiples */
	uint32_t header, array_length; /* bytes of a header; where in an array its length is */
	uint32_t layout, name;         /* in Klass */
	uint32_t symbol_length, symbol_body;
	uint32_t class_size;      /* in a java.lang.Class: its own size, in words */
	uint32_t chunk_size;      /* in a StackChunk: its stack's size, in words; 0: not known */
	uint32_t oops_a_word_log; /* 1 with compressed oops, else 0 */
	uintptr_t class_klass;    /* java.lang.Class */
	/* Symbols: of StackChunk, the object that fills gaps, and int[]. 0: there is none. */
	uintptr_t chunk_name, filler_name, ints_name;
	bool stack_locks;   /* a mark of 00 points to the stack, else it is in place */
	bool monitor_table; /* a mark of 10 is in place, else it points to the monitor */
	bool keeps_marks;   /* in a young collection, of what can't be moved too (24 on) */
	bool biased;        /* a mark of 101 has its holder where the site would be */
	bool sites;         /* each mark has room for a site: neither compact nor biased */
	uint32_t monitor_header, lock_header; /* where the mark is in what a mark points to */
};

struct vm_flags;
/* Whether objects of this VM have whole addresses of classes. */
bool vm_objects_wide(const struct vm_flags *f);
/* Bytes, a power of two, at whose multiples its objects begin: 8, or what
 * -XX:ObjectAlignmentInBytes says. */
uint32_t vm_objects_align(const struct vm_flags *f);

/* `inside` as heap_layout_open's, and not before VMInit either. ERR_UNSUPPORTED. */
int vm_objects_open(struct vm_objects *o, const void *inside, struct diag *d);

static inline uint64_t object_mark(uintptr_t address)
{
	return *(const volatile uint64_t *)address;
}

/* Two bits, but for one of JDK 11, whose first two are those of what is unlocked. */
enum {
	MARK_STACK_LOCKED = 0,
	MARK_UNLOCKED = 1,
	MARK_MONITOR = 2,
	MARK_FORWARDED = 3,
	MARK_BIASED = 5,
};

/* Where the copy is of an object that has been moved away; 0: it has not. Only at the end of a
 * young or mixed pause, in memory that was evacuated. */
static inline uintptr_t mark_forwarded(uint64_t mark)
{
	return (mark & 3) == MARK_FORWARDED ? (uintptr_t)(mark & ~7ull) : 0;
}

/* The mark that has the class, with compact headers: the copy's, if it has moved. */
static inline uint64_t object_class_mark(uintptr_t address)
{
	uint64_t mark = object_mark(address);
	return (mark & 7) == MARK_FORWARDED ? object_mark(mark_forwarded(mark)) : mark;
}

/*
 * The class's number, as the object has it; 0: it has none. No two classes have the same one but
 * where it is the lower half of an address: then those a multiple of 4 GB apart.
 */
static inline uint32_t object_class_number(const struct vm_objects *o, uintptr_t address)
{
	if (o->compact)
		return (uint32_t)(object_class_mark(address) >> o->klass_shift);
	return *(const volatile uint32_t *)(address + 8);
}

/* 0: none, or none that could be. */
static inline uintptr_t klass_checked(uintptr_t klass)
{
	return klass & 7 ? 0 : klass;
}

static inline uintptr_t narrow_klass(const struct vm_objects *o, uint32_t narrow)
{
	return narrow ? klass_checked(o->narrow_base + ((uintptr_t)narrow << o->narrow_shift)) : 0;
}

/* 0: none, or none that could be. */
static inline uintptr_t object_klass(const struct vm_objects *o, uintptr_t address)
{
	if (o->wide)
		return klass_checked(*(const volatile uintptr_t *)(address + 8));
	return narrow_klass(o, object_class_number(o, address));
}

static inline int32_t klass_layout(const struct vm_objects *o, uintptr_t klass)
{
	return *(const volatile int32_t *)(klass + o->layout);
}

/* The VM's Symbol: the same for the same name as long as it is in use. */
static inline uintptr_t klass_symbol(const struct vm_objects *o, uintptr_t klass)
{
	return *(const volatile uintptr_t *)(klass + o->name);
}

/* A StackChunk: frames of a virtual thread. Where it fits into the thread's buffer the VM makes it
 * without telling the allocation probe. */
static inline bool klass_is_chunk(const struct vm_objects *o, uintptr_t klass)
{
	return o->chunk_name && klass_symbol(o, klass) == o->chunk_name;
}

/*
 * What fills gaps, no object of the program's. Where there is room it is an array as int[] is, but
 * of another name; before JDK 19 or so it is a plain int[] or Object, and not told.
 */
static inline bool klass_is_filler(const struct vm_objects *o, uintptr_t klass)
{
	/* The bits of a layout that say "an array of int", without the header's size. */
	const uint32_t bits = 0xc000ffffu, ints = 0xc0000a02u;
	uintptr_t name = klass_symbol(o, klass);
	if (name == o->filler_name)
		return true;
	return o->ints_name && name != o->ints_name &&
	       ((uint32_t)klass_layout(o, klass) & bits) == ints;
}

/* Whether gaps are filled with plain objects of this class, so that one may be no object of the
 * program's: int[] before JDK 19 or so. */
static inline bool klass_may_fill(const struct vm_objects *o, uintptr_t klass)
{
	const uint32_t bits = 0xc000ffffu, ints = 0xc0000a02u; /* "an array of int" */
	return !o->filler_name && ((uint32_t)klass_layout(o, klass) & bits) == ints;
}

/* A symbol's text, which the VM owns. */
static inline struct slice symbol_text(const struct vm_objects *o, uintptr_t symbol)
{
	return slice((const void *)(symbol + o->symbol_body),
		*(const volatile uint16_t *)(symbol + o->symbol_length));
}

/* As in a class file: java/lang/String, [I. Cut to room, NUL-terminated. Returns its whole length.
 */
size_t klass_name(const struct vm_objects *o, uintptr_t klass, char *out, size_t room);

/* Of the few classes whose instances differ in size, or that the VM makes by other ways. 0:
 * implausible. */
size_t object_bytes_slow(const struct vm_objects *o, uintptr_t address, uintptr_t klass);

static inline size_t object_aligned(const struct vm_objects *o, size_t bytes)
{
	return (bytes + o->align - 1) & ~(size_t)(o->align - 1);
}

/* What must be there of an object before its size can be asked for: of an array all up to its
 * length. */
static inline size_t object_least(const struct vm_objects *o, uintptr_t klass)
{
	int32_t layout = klass_layout(o, klass);
	return layout < 0 ? o->array_length + sizeof(uint32_t) : (size_t)(layout & ~7);
}

/* 0: implausible. */
static inline size_t object_bytes(const struct vm_objects *o, uintptr_t address, uintptr_t klass)
{
	int32_t layout = klass_layout(o, klass);
	/* Most instances have their size there; a set bit 0 says "look closer". */
	if (layout > 0 && !(layout & 7))
		return (size_t)layout;
	if (layout < 0) {
		uint32_t shift = (uint32_t)layout & 63, header = (uint32_t)layout >> 16 & 255;
		uint64_t length = *(const volatile uint32_t *)(address + o->array_length);
		return shift > 3 || length >> 31 ? 0
						 : object_aligned(o, header + (length << shift));
	}
	return object_bytes_slow(o, address, klass);
}

/* The site's number, as it is kept in an object's mark where headers are not compact. */
enum { SITE_SHIFT = 42 };

/*
 * Of a mark that is biased to nobody yet (JDK 11): what it is once it can be biased no more, as the
 * VM makes it where there is a hash. 0: it is another one. Nobody holds such a lock, so with the
 * world stopped it may be written; without it the age stays, and nothing else was in it.
 */
static inline uint64_t mark_unbiased(const struct vm_objects *o, uint64_t mark)
{
	enum { HOLDER_SHIFT = 10, AGES = 15 << 3 };
	bool is = o->biased && (mark & 7) == MARK_BIASED && mark >> HOLDER_SHIFT == 0;
	return is ? (mark & AGES) | MARK_UNLOCKED : 0;
}

/* The mark as it is once it is unlocked. 0: can't be told (biased, forwarded, being inflated). */
uint64_t mark_unlocked(const struct vm_objects *o, uint64_t mark);

/*
 * The site's number in the mark of a live object; 0: none. World stopped: where a lock or a monitor
 * holds the mark it is read there.
 */
static inline uint32_t mark_site(const struct vm_objects *o, uint64_t mark)
{
	if ((mark & 7) != MARK_UNLOCKED)
		mark = mark_unlocked(o, mark);
	return o->compact ? 0 : (uint32_t)(mark >> SITE_SHIFT);
}

/* Where the mark is that mark_unlocked reads: in the object, or in its lock or monitor; 0: nowhere.
 */
uintptr_t mark_home(const struct vm_objects *o, uintptr_t address);

/* Where its age is: that of a biased mark is in place. 0: nowhere. */
uintptr_t mark_age_home(const struct vm_objects *o, uintptr_t address);

/* 0: it has none (a hash never is 0). As mark_site. */
static inline uint32_t mark_hash(const struct vm_objects *o, uint64_t mark)
{
	if ((mark & 7) != MARK_UNLOCKED)
		mark = mark_unlocked(o, mark);
	return (uint32_t)(mark >> o->hash_shift & o->hash_mask);
}

/* How many young collections it has survived, 15 at most. As mark_site. */
static inline uint32_t mark_age(const struct vm_objects *o, uint64_t mark)
{
	/* A biased one leaves the age in place. */
	if ((mark & 7) != MARK_UNLOCKED && !(o->biased && (mark & 7) == MARK_BIASED))
		mark = mark_unlocked(o, mark);
	return mark >> 3 & 15;
}

#endif
