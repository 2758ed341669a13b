#include "model/names.h"

#include "base/compiler.h"

/* A dot after a $ or a / belongs to a generated name, not to the package. */
static size_t package_length(struct slice name)
{
	size_t last = 0;
	for (size_t i = 0; i < name.len && name.at[i] != '$' && name.at[i] != '/'; i++)
		if (name.at[i] == '.')
			last = i;
	return last;
}

struct slice name_package(struct slice name)
{
	return slice(name.at, package_length(name));
}

struct slice name_simple(struct slice name)
{
	size_t len = package_length(name);
	return len ? slice(name.at + len + 1, name.len - len - 1) : name;
}
