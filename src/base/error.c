#include "base/error.h"

const char *err_text(int err)
{
	switch (err) {
	case ERR_NONE:
		return "no error";
#define ERROR(name, number, text)                                                                  \
	case number:                                                                               \
		return text;
#include "base/error.def"
#undef ERROR
	default:
		return "unknown error";
	}
}
