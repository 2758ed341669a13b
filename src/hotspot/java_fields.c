#include "hotspot/java_fields.h"

#include "hotspot/line_table.h"

/* Of a field's flags: each says that one more number follows. */
enum { INITIALIZED = 1 << 0, GENERIC = 1 << 2, CONTENDED = 1 << 4 };
enum { NAME, SIGNATURE, OFFSET, ACCESS, FLAGS, NUMBERS };

static bool read(struct slice stream, size_t *at, uint32_t *out, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!unsigned5_read(stream, UNSIGNED5_NO_ZERO, at, &out[i]))
			return false;
	return true;
}

static size_t more(uint32_t flags)
{
	return (size_t)((flags & INITIALIZED) != 0) + ((flags & GENERIC) != 0) +
	       ((flags & CONTENDED) != 0);
}

bool java_fields_offset(struct slice stream, java_fields_is *is, const void *arg, uint32_t *out)
{
	size_t at = 0;
	uint32_t counts[2], field[NUMBERS], extra[3]; /* counts: Java's own, the VM's */
	if (!read(stream, &at, counts, 2))
		return false;
	for (uint32_t i = 0; i < counts[0]; i++) {
		if (!read(stream, &at, field, NUMBERS) ||
			!read(stream, &at, extra, more(field[FLAGS])))
			return false;
		if (is(arg, field[NAME])) {
			*out = field[OFFSET];
			return true;
		}
	}
	return false;
}
