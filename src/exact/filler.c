#include "exact/filler.h"

#include "exact/birth_mark.h"

static bool may_fill(const struct vm_objects *o, uintptr_t klass)
{
	enum { LEAST = 16 }; /* bytes: a header */
	if (o->filler_name || klass_may_fill(o, klass))
		return !o->filler_name;
	return klass_layout(o, klass) == (int32_t)object_aligned(o, LEAST) &&
	       slice_equal(symbol_text(o, klass_symbol(o, klass)), slice_str("java/lang/Object"));
}

bool filler_unnamed(const struct vm_objects *o, uintptr_t address, uintptr_t klass)
{
	uint64_t mark = object_mark(address);
	return (mark & 7) == MARK_UNLOCKED && mark >> SITE_SHIFT == 0 && may_fill(o, klass);
}
