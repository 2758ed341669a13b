#include "classfile/value.h"

static bool is_object(struct value v)
{
	enum value_tag tag = value_tag(v);
	return tag == VALUE_NULL || tag == VALUE_OBJECT || tag == VALUE_REF;
}

struct value value_meet(struct value a, struct value b)
{
	bool stained = value_stained(a) || value_stained(b);
	if ((a.bits & ~(1u << 31)) == (b.bits & ~(1u << 31)))
		return value_stain(a, stained);
	return value_stain(value(is_object(a) && is_object(b) ? VALUE_REF : VALUE_TOP, 0), stained);
}
