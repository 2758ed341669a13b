/* The numbers of doc/trace-format.md: magics, versions, maxima. */
#ifndef TRACE_FORMAT_H
#define TRACE_FORMAT_H

#include <stdint.h>

#define FORMAT_FILE_MAGIC  "\x89MFLY\r\n\x1a"
#define FORMAT_BLOCK_MAGIC 0x3142464du /* "MFB1" read as a little-endian number */

enum {
	FORMAT_MAJOR = 1,
	FORMAT_MINOR = 0,
	FILE_HEADER = 32,
	FILE_HEADER_MAX = 65536,
	BLOCK_HEADER = 48,
	BLOCK_RAW_MAX = 262144,
	BLOCK_STORED_MAX = 262144 + 1024,
	RECORD_MAX = 131072,
	TEXT_MAX = 8192,
	LIST_MAX = 64,
	FACT_KEY_MAX = 64,
	STACK_FRAMES_MAX = 2048,
	FOLLOWED_MAX = 1 << 24, /* sampled objects at once: the largest max-live */
};

enum block_kind {
	BLOCK_RECORDS = 1,
	BLOCK_EVENTS = 2,
	BLOCK_INDEX = 3,
	BLOCK_CHECKPOINT = 4,
	BLOCK_GAP = 5,
	BLOCK_SIZES = 6,
};
enum block_codec { CODEC_STORED = 0, CODEC_ZSTD = 1, CODEC_ZSTD_COLUMNS = 3 };

enum class_flag { CLASS_ARRAY = 1, CLASS_NORMALISED = 2, CLASS_HIDDEN = 4 };
enum method_flag { METHOD_NATIVE = 1, METHOD_GENERATED = 2 };
enum site_flag { SITE_CUT = 1, SITE_NO_STACK = 2, SITE_EXACT = 4, SITE_WALKED = 8 };
enum thread_flag { THREAD_VIRTUAL = 1, THREAD_DAEMON = 2 };
enum collector_role {
	ROLE_UNKNOWN = 0,
	ROLE_YOUNG = 1,
	ROLE_FULL = 2,
	ROLE_OLD_CONCURRENT = 3,
	ROLE_WHOLE_CONCURRENT = 4,
	ROLE_YOUNG_CONCURRENT = 5,
};
enum gc_flag { GC_MIXED = 1, GC_FORCED = 2, GC_FROM_PAUSES = 4, GC_WAITED = 8, GC_NOTHING = 16 };
enum severity { NOTE_INFO = 0, NOTE_WARNING = 1, NOTE_TROUBLE = 2 };
enum untrack_reason { UNTRACK_EVICTED = 0, UNTRACK_STOPPED = 1, UNTRACK_TROUBLE = 2 };
enum lost_what {
	LOST_SAMPLES = 0,
	LOST_BIRTHS = 1,
	LOST_DEATHS = 2,
	LOST_GCS = 3,
	LOST_NOTES = 4,
	LOST_UNTRACKS = 5,
	LOST_INTERVALS = 6,
	LOST_DECISIONS = 7,
	LOST_WHATS, /* how many there are */
};
enum lost_reason {
	LOST_BUFFERS = 0,
	LOST_MEMORY = 1,
	LOST_VM = 2,
	LOST_STACKS = 3,
	LOST_GIVEN_UP = 4,
	LOST_REASONS, /* how many there are */
};
enum segment_flag { SEGMENT_AMID = 1 };
enum end_reason { END_VM = 0, END_STOPPED = 1, END_DURATION = 2, END_TROUBLE = 3 };
/* Of decision and outcome. */
enum tenure_lever {
	TENURE_JUMP = 0,
	TENURE_THRESHOLD = 1,
	TENURE_YOUNG = 2,
	TENURE_SAMPLING = 3,
	TENURE_LEVERS, /* how many there are */
};
enum tenure_action {
	TENURE_TAKE = 0,
	TENURE_KEEP = 1,
	TENURE_TAKE_BACK = 2,
	TENURE_REST = 3,
	TENURE_RESUME = 4,
	TENURE_ADVISE = 5,
	TENURE_ACTIONS, /* how many there are */
};
/* Of round. */
enum tenure_state {
	TENURE_LEARNS = 0,
	TENURE_SETTLES = 1,
	TENURE_HOLDS = 2,
	TENURE_PROBES = 3,
	TENURE_WAITS = 4,
};
enum { TENURE_UNBOUND = 15 }; /* a round's threshold where none was set */

#endif
