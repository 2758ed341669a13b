/*
 * The one enum of errors. Functions that can fail return 0 or one of these; the sentence for
 * a person, where there is more to say than err_text, travels in a struct diag.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

enum err {
	ERR_NONE = 0,
#define ERROR(name, number, text) ERR_##name = number,
#include "base/error.def"
#undef ERROR
};

/* What the error means, a phrase in lower case with no full stop. Never NULL. */
const char *err_text(int err);

#endif
