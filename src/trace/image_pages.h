/*
 * Pages of followed objects: 64 KiB of the program's memory each, twenty bytes an object, in no
 * order; what collections tell is put beside them until the interval ends (heap_image.h). Pages
 * that something is told of are *touched*, and only those are looked at then.
 */
#ifndef TRACE_IMAGE_PAGES_H
#define TRACE_IMAGE_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "trace/ranges.h"

enum {
	IMAGE_PAGE_BITS = 16,
	IMAGE_PLACES = 1 << (IMAGE_PAGE_BITS - 3),
	IMAGE_PLACE_MASK = IMAGE_PLACES - 1,
};

struct image_object {
	uint32_t site, thread; /* the trace's ids; 0 unknown */
	uint32_t young; /* the clock when the interval of its birth began; IMAGE_YOUNG_UNKNOWN */
	/* Of its size, in 8 bytes: as it was told, else the distance to the next birth. 0 unknown.
	 */
	uint32_t eighths;
	uint16_t at;            /* in its page, in 8 bytes */
	uint16_t survived : 15; /* collections that found it alive, IMAGE_SURVIVED_MAX or more */
	uint16_t told : 1;      /* its size was */
};

/* What a collection did to one object of a page. */
struct image_event {
	uint64_t to; /* of a move; of a size: bytes */
	uint32_t site;
	uint16_t at;
	uint16_t kind; /* EVENT_MOVES, EVENT_STAYS or EVENT_SIZES */
};

struct image_page {
	uint64_t number; /* address >> IMAGE_PAGE_BITS */
	VEC(struct image_object) objects;
	VEC(struct image_event) events; /* of the interval that is open */
	bool touched;
	bool sorted; /* objects, by rising place: image_page_search */
};

struct image_pages {
	VEC(struct image_page) list; /* owned */
	struct map index;            /* number → where it is in `list` */
	VEC(uint32_t) touched;
	uint32_t last;                 /* page that was asked for last */
	uint16_t places[IMAGE_PLACES]; /* of the page at hand: place → its object, to be verified */
	uint64_t laid;                 /* objects that image_pages_lay went through, in all */
};

/* Zero is a valid, empty one; and so it is after that. */
void image_pages_release(struct image_pages *p);

/* NULL: there is none. */
struct image_page *image_pages_find(struct image_pages *p, uint64_t number);
/* The page of an address, which something is told of. NULL: no memory. */
struct image_page *image_pages_touch(struct image_pages *p, uint64_t address);
/* All pages with objects that ranges reach into. At most as much work as there are pages and
 * ranges. 0 or ERR_NOMEM. */
int image_pages_touch_ranges(struct image_pages *p, struct ranges *r);
/* The i-th of the touched ones, which is touched no more. */
struct image_page *image_pages_touched(struct image_pages *p, size_t i);

/* Puts it where the address says; whether something is there already is seen later. 0 or ERR_NOMEM.
 */
int image_pages_put(struct image_pages *p, uint64_t address, struct image_object *o);
/* Makes the page the one at hand, until anything changes: which object stands at each place.
 * Returns how many were left out, since others stood there. */
uint32_t image_pages_lay(struct image_pages *p, struct image_page *page);
/* Of the page at hand; NULL: none stands there. */
struct image_object *image_pages_at(
	const struct image_pages *p, const struct image_page *page, uint16_t place);
/* Sorts a page that was laid. */
void image_page_sort(struct image_page *page);
/* Of a page that is sorted, whichever is at hand; NULL: none stands there. */
struct image_object *image_page_search(const struct image_page *page, uint16_t place);
/* Gives back what it has room for and doesn't hold, and its events. */
void image_page_shrink(struct image_page *page);

/* A result other than 0 ends the visit. */
typedef int image_pages_visit(void *arg, uint64_t address, const struct image_object *o);
/* All objects, by rising address. 0, ERR_NOMEM or what `visit` returned. */
int image_pages_each(struct image_pages *p, image_pages_visit *visit, void *arg);

static inline uint16_t image_place(uint64_t address)
{
	return (uint16_t)(address >> 3 & IMAGE_PLACE_MASK);
}

#endif
