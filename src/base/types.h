/* Ids, times and byte counts as types of their own, so that they can't be mixed up. */
#ifndef BASE_TYPES_H
#define BASE_TYPES_H

#include <stdint.h>

struct ns {
	uint64_t v;
};
struct bytes {
	uint64_t v;
};
struct site_id {
	uint32_t v;
};
struct class_id {
	uint32_t v;
};
struct frame_id {
	uint32_t v;
};
struct method_id {
	uint32_t v;
};
struct thread_id {
	uint32_t v;
};
struct object_id {
	uint64_t v;
};

#endif
