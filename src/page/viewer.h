/* The viewer that this binary was built with: doc/page-data.md, "In the build". */
#ifndef PAGE_VIEWER_H
#define PAGE_VIEWER_H

#include <stddef.h>

#include "base/slice.h"

/* Made by viewer/: not terminated; length 0 in a build without it. */
extern const unsigned char page_html[];
extern const size_t page_html_len;

static inline struct slice viewer_builtin(void)
{
	return slice(page_html, page_html_len);
}

#endif
