/*
 * What is known of a slot on the stack or of a local: a verification type (JVMS 4.10.1.2; the tags
 * are those of StackMapTable), with the class or the place of the `new` where it has one. A long
 * or double takes two slots, the second of which is VALUE_TOP. Apart from its type, a value has
 * a stain: that it may be the object whose method this is (flow.h).
 */
#ifndef CLASSFILE_VALUE_H
#define CLASSFILE_VALUE_H

#include <stdbool.h>
#include <stdint.h>

struct value {
	uint32_t bits;
};

enum value_tag {
	VALUE_TOP,
	VALUE_INT,
	VALUE_FLOAT,
	VALUE_DOUBLE,
	VALUE_LONG,
	VALUE_NULL,
	VALUE_UNINIT_THIS,
	VALUE_OBJECT, /* payload: its class in the pool */
	VALUE_UNINIT, /* payload: where its `new` is */
	VALUE_TAGS,
	VALUE_REF = VALUE_TAGS /* a reference whose class nobody asked for */
};

static inline struct value value(enum value_tag tag, uint16_t payload)
{
	return (struct value){(uint32_t)tag << 16 | payload};
}
static inline enum value_tag value_tag(struct value v)
{
	return (enum value_tag)(v.bits >> 16 & 0xff);
}
static inline uint16_t value_payload(struct value v)
{
	return (uint16_t)v.bits;
}
static inline bool value_equal(struct value a, struct value b)
{
	return a.bits == b.bits;
}

static inline bool value_stained(struct value v)
{
	return v.bits >> 31;
}
static inline struct value value_stain(struct value v, bool stained)
{
	v.bits = (v.bits & ~(1u << 31)) | (uint32_t)stained << 31;
	return v;
}

/* Slots that a value of that tag takes. */
static inline unsigned value_slots(enum value_tag tag)
{
	return tag == VALUE_LONG || tag == VALUE_DOUBLE ? 2 : 1;
}

/*
 * What is known where paths with a and with b meet: the same, else a reference, else nothing; with
 * the stain of either. However often it is applied, a slot changes at most three times.
 */
struct value value_meet(struct value a, struct value b);

#endif
