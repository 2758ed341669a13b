#include "trace/image_pages.h"

#include <stdlib.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/mem.h"

enum { SLACK = 8 }; /* objects that an array may have room for and not hold */

void image_pages_release(struct image_pages *p)
{
	for (size_t i = 0; i < p->list.count; i++) {
		vec_release(&p->list.at[i].objects);
		vec_release(&p->list.at[i].events);
	}
	vec_release(&p->list);
	vec_release(&p->touched);
	map_release(&p->index);
}

static struct image_page *make_page(struct image_pages *p, uint64_t number)
{
	if (p->list.count >= UINT32_MAX - 1 || vec_reserve(&p->list, 1) ||
		map_put(&p->index, number, p->list.count))
		return NULL;
	p->last = (uint32_t)p->list.count;
	p->list.at[p->list.count++] = (struct image_page){.number = number};
	return &p->list.at[p->last];
}

static MF_INLINE struct image_page *find_page(struct image_pages *p, uint64_t number)
{
	struct image_page *last = p->last < p->list.count ? p->list.at + p->last : NULL;
	if (last && last->number == number)
		return last;
	const uint64_t *at = map_find(&p->index, number);
	if (!at)
		return NULL;
	p->last = (uint32_t)*at;
	return &p->list.at[p->last];
}

struct image_page *image_pages_find(struct image_pages *p, uint64_t number)
{
	return find_page(p, number);
}

static MF_INLINE struct image_page *touch(struct image_pages *p, uint64_t address)
{
	struct image_page *page = find_page(p, address >> IMAGE_PAGE_BITS);
	if (!page)
		page = make_page(p, address >> IMAGE_PAGE_BITS);
	if (!page || page->touched)
		return page;
	if (vec_push(&p->touched, p->last))
		return NULL;
	page->touched = true;
	return page;
}

struct image_page *image_pages_touch(struct image_pages *p, uint64_t address)
{
	return touch(p, address);
}

struct image_page *image_pages_touched(struct image_pages *p, size_t i)
{
	struct image_page *page = &p->list.at[p->touched.at[i]];
	page->touched = false;
	return page;
}

int image_pages_put(struct image_pages *p, uint64_t address, struct image_object *o)
{
	struct image_page *page = touch(p, address);
	o->at = image_place(address);
	if (!page)
		return ERR_NOMEM;
	page->sorted = false;
	return vec_push(&page->objects, *o);
}

/* What `places` says of places where none stands is whatever it said before: image_pages_at asks
 * the object too. */
uint32_t image_pages_lay(struct image_pages *p, struct image_page *page)
{
	uint32_t kept = 0, count = (uint32_t)page->objects.count;
	for (uint32_t i = 0; i < count; i++) {
		struct image_object o = page->objects.at[i];
		uint16_t at = p->places[o.at];
		if (at < kept && page->objects.at[at].at == o.at)
			continue;
		p->places[o.at] = (uint16_t)kept;
		page->objects.at[kept++] = o;
	}
	page->objects.count = kept;
	p->laid += count;
	return count - kept;
}

struct image_object *image_pages_at(
	const struct image_pages *p, const struct image_page *page, uint16_t place)
{
	uint16_t at = p->places[place];
	if (at >= page->objects.count || (page->objects.at[at].at & IMAGE_PLACE_MASK) != place)
		return NULL;
	return &page->objects.at[at];
}

static int compare_places(const void *left, const void *right)
{
	const struct image_object *a = left, *b = right;
	return (a->at > b->at) - (a->at < b->at);
}

void image_page_sort(struct image_page *page)
{
	if (!page->sorted && page->objects.count)
		qsort(page->objects.at, page->objects.count, sizeof(*page->objects.at),
			compare_places);
	page->sorted = true;
}

struct image_object *image_page_search(const struct image_page *page, uint16_t place)
{
	const struct image_object key = {.at = place};
	if (!page->objects.count)
		return NULL;
	return bsearch(&key, page->objects.at, page->objects.count, sizeof(*page->objects.at),
		compare_places);
}

/* Arrays of those that are left: eden's go, old ones keep little that they don't use. */
void image_page_shrink(struct image_page *page)
{
	vec_release(&page->events);
	if (!page->objects.count)
		vec_release(&page->objects);
	if (page->objects.room <= page->objects.count + page->objects.count / 8 + SLACK)
		return;
	vec_fit(&page->objects);
}

static uint64_t page_span(const struct range *r)
{
	return ((r->to - 1) >> IMAGE_PAGE_BITS) - (r->from >> IMAGE_PAGE_BITS) + 1;
}

/* More pages in the ranges than there are? */
static bool span_all(const struct image_pages *p, const struct ranges *r)
{
	uint64_t left = p->list.count;
	for (size_t i = 0; i < r->list.count; i++) {
		uint64_t span = page_span(&r->list.at[i]);
		if (span > left)
			return true;
		left -= span;
	}
	return false;
}

static bool reached(const struct ranges *r, const struct image_page *page)
{
	uint64_t first = page->number << IMAGE_PAGE_BITS;
	return ranges_part(r, first, first | ((1u << IMAGE_PAGE_BITS) - 1)) != RANGES_NONE;
}

/* Goes through all pages: to look at one's objects costs much more than to ask for it here. */
static int touch_among_all(struct image_pages *p, const struct ranges *r)
{
	for (size_t i = 0; i < p->list.count; i++) {
		struct image_page *page = &p->list.at[i];
		if (page->touched || !page->objects.count || !reached(r, page))
			continue;
		if (vec_push(&p->touched, (uint32_t)i))
			return ERR_NOMEM;
		page->touched = true;
	}
	return ERR_NONE;
}

static int touch_range(struct image_pages *p, const struct range *r)
{
	uint64_t first = r->from >> IMAGE_PAGE_BITS;
	for (uint64_t n = first; n - first < page_span(r); n++) {
		const struct image_page *page = find_page(p, n);
		if (page && page->objects.count && !touch(p, n << IMAGE_PAGE_BITS))
			return ERR_NOMEM;
	}
	return ERR_NONE;
}

int image_pages_touch_ranges(struct image_pages *p, struct ranges *r)
{
	int err = ERR_NONE;
	ranges_settle(r);
	if (span_all(p, r))
		return touch_among_all(p, r);
	for (size_t i = 0; i < r->list.count && !err; i++)
		err = touch_range(p, &r->list.at[i]);
	return err;
}

struct page_order {
	uint64_t number;
	size_t index;
};

static int compare_numbers(const void *left, const void *right)
{
	const struct page_order *a = left, *b = right;
	return (a->number > b->number) - (a->number < b->number);
}

static int visit_page(struct image_page *p, image_pages_visit *visit, void *arg)
{
	int err = ERR_NONE;
	image_page_sort(p);
	for (size_t i = 0; i < p->objects.count && !err; i++) {
		const struct image_object *o = &p->objects.at[i];
		err = visit(arg, (p->number << IMAGE_PAGE_BITS) + 8ull * o->at, o);
	}
	return err;
}

int image_pages_each(struct image_pages *p, image_pages_visit *visit, void *arg)
{
	VEC(struct page_order) order = {0};
	int err = ERR_NONE;
	for (size_t i = 0; i < p->list.count && !err; i++)
		if (p->list.at[i].objects.count)
			err = vec_push(&order, ((struct page_order){p->list.at[i].number, i}));
	if (order.count)
		qsort(order.at, order.count, sizeof(*order.at), compare_numbers);
	for (size_t i = 0; i < order.count && !err; i++)
		err = visit_page(&p->list.at[order.at[i].index], visit, arg);
	vec_release(&order);
	return err;
}
