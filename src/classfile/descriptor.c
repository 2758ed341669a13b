#include "classfile/descriptor.h"

/* Bytes of the type at the front; 0: none. */
static size_t type_len(struct slice s)
{
	size_t n = 0;
	while (n < s.len && s.at[n] == '[')
		n++;
	if (n >= s.len)
		return 0;
	if (s.at[n] != 'L')
		return strchr(n ? "BCDFIJSZ" : "BCDFIJSZV", s.at[n]) && s.at[n] ? n + 1 : 0;
	const uint8_t *end = memchr(s.at + n, ';', s.len - n);
	return end && end > s.at + n + 1 ? (size_t)(end - s.at) + 1 : 0;
}

struct slice descriptor_take(struct slice *rest)
{
	size_t len = type_len(*rest);
	struct slice type = slice(rest->at, len);
	if (len)
		*rest = slice(rest->at + len, rest->len - len);
	return type;
}

bool descriptor_split(struct slice descriptor, struct slice *arguments, struct slice *result)
{
	if (!descriptor.len || descriptor.at[0] != '(')
		return false;
	struct slice rest = slice(descriptor.at + 1, descriptor.len - 1), type;
	const uint8_t *start = rest.at;
	while ((type = descriptor_take(&rest)).len)
		if (type.at[0] == 'V')
			return false;
	if (!rest.len || rest.at[0] != ')')
		return false;
	*arguments = slice(start, (size_t)(rest.at - start));
	rest = slice(rest.at + 1, rest.len - 1);
	*result = descriptor_take(&rest);
	return result->len > 0 && rest.len == 0;
}

struct slice descriptor_class(struct slice type)
{
	return type.len > 2 && type.at[0] == 'L' ? slice(type.at + 1, type.len - 2) : type;
}
