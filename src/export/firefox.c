#include "export/firefox.h"

#include <math.h>

#include "base/error.h"
#include "export/digits.h"
#include "export/frames.h"
#include "export/naming.h"
#include "export/quote.h"
#include "report/text.h"

#define META                                                                                       \
	"\"interval\":1,\"processType\":0,\"product\":\"mayfly\",\"importedFrom\":\"mayfly\","     \
	"\"stackwalk\":1,\"version\":31,\"preprocessedProfileVersion\":60,"                        \
	"\"symbolicated\":true,\"symbolicationNotSupported\":true,"                                \
	"\"usesOnlyOneStackType\":true,\"sourceCodeIsNotOnSearchfox\":true,"                       \
	"\"sampleUnits\":{\"time\":\"ms\",\"eventDelay\":\"ms\",\"threadCPUDelta\":\"ns\"},"       \
	"\"categories\":[{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]},"   \
	"{\"name\":\"Class\",\"color\":\"green\",\"subcategories\":[\"Other\"]},"                  \
	"{\"name\":\"Java\",\"color\":\"blue\",\"subcategories\":[\"Other\"]},"                    \
	"{\"name\":\"GC\",\"color\":\"orange\",\"subcategories\":[\"Other\"]}],"                   \
	"\"markerSchema\":[{\"name\":\"GC\",\"display\":[\"marker-chart\",\"marker-table\","       \
	"\"timeline-overview\"],\"tooltipLabel\":\"{marker.name}\",\"fields\":["                   \
	"{\"key\":\"reason\",\"label\":\"Cause\",\"format\":\"string\"},"                          \
	"{\"key\":\"pause\",\"label\":\"Pause\",\"format\":\"duration\"},"                         \
	"{\"key\":\"used\",\"label\":\"Used after it\",\"format\":\"bytes\"}]}]"

enum { CATEGORY_CLASS = 1, CATEGORY_JAVA = 2, CATEGORY_GC = 3 };

/* A node of the tree of stacks. */
struct node {
	int64_t prefix; /* -1: a root */
	uint32_t frame;
};

/* A function: a method, or a class as the end of a stack. */
struct function {
	uint32_t name, source; /* strings; source 0: not known */
};

struct fox {
	const struct firefox_source *s;
	struct out *out;
	struct frames frames;
	struct map nodes;     /* a trace's frame, or (frame << 32 | class) + CLASS_BIT → node */
	struct map functions; /* a frame's key in `frames` → function */
	struct intern strings;
	struct map sources;
	VEC(struct node) node;
	VEC(uint32_t) frame_function;
	VEC(struct function) function;
	VEC(uint32_t) source; /* strings */
	VEC(uint32_t) picked; /* events that pass the filter */
	VEC(uint32_t) stacks; /* of them */
	struct buf scratch;
};

#define CLASS_BIT (1ull << 63)

/* 0: out of memory, or the empty text. */
static uint32_t string_of(struct fox *w, struct slice text)
{
	struct buf clean = {0};
	text_clean(&clean, text);
	uint32_t number =
		clean.len && !clean.failed ? intern_add(&w->strings, buf_slice(&clean), NULL) : 0;
	buf_release(&clean);
	return number;
}

/* Functions and frames */

/* The number + 1 of a source file; 0: none. Negative: ERR_NOMEM. */
static int64_t source_of(struct fox *w, struct slice file)
{
	uint32_t text = string_of(w, file);
	const uint64_t *known = map_find(&w->sources, text);
	if (!text || known)
		return text ? (int64_t)*known : file.len ? ERR_NOMEM : 0;
	if (vec_push(&w->source, text) || map_put(&w->sources, text, w->source.count))
		return ERR_NOMEM;
	return (int64_t)w->source.count;
}

static int add_function(struct fox *w, uint64_t key, const struct frame_text *text)
{
	int64_t source = source_of(w, text->file);
	struct function f = {.name = string_of(w, text->name), .source = (uint32_t)source};
	if (source < 0 || !f.name || vec_push(&w->function, f))
		return ERR_NOMEM;
	return map_put(&w->functions, key, w->function.count - 1);
}

/* All lines of one method are one function. */
static int add_frame(struct fox *w, size_t number)
{
	const struct frame_ref *ref = &w->frames.list.at[number];
	const struct model *m = w->s->model;
	uint64_t key =
		ref->is_class ? CLASS_BIT | ref->index : m->defs.frames.at[ref->index].method;
	struct frame_text text = frames_text(&w->frames, m, number, &w->scratch);
	if (w->scratch.failed)
		return ERR_NOMEM;
	int err = map_find(&w->functions, key) ? ERR_NONE : add_function(w, key, &text);
	if (err)
		return err;
	return vec_push(&w->frame_function, (uint32_t)*map_find(&w->functions, key));
}

static int add_frames(struct fox *w)
{
	int err = ERR_NONE;
	for (size_t i = 0; i < w->frames.list.count && !err; i++)
		err = add_frame(w, i);
	return err;
}

/* Stacks */

/* The node with this key, added behind `prefix` where it is new. Negative: ERR_NOMEM. */
static int64_t node_of(struct fox *w, uint64_t key, int64_t prefix, int64_t frame)
{
	struct node node = {.prefix = prefix, .frame = (uint32_t)frame};
	const uint64_t *known = map_find(&w->nodes, key);
	if (known)
		return (int64_t)*known;
	if (frame < 0 || vec_push(&w->node, node))
		return ERR_NOMEM;
	return map_put(&w->nodes, key, w->node.count - 1) ? ERR_NOMEM : (int64_t)w->node.count - 1;
}

static int64_t stack_of(struct fox *w, uint32_t site)
{
	const struct defs *d = &w->s->model->defs;
	const struct site_def *s = &d->sites.at[site];
	uint64_t key = CLASS_BIT | (uint64_t)s->frame << 32 | s->class;
	uint32_t path[STACK_MAX], depth = 0;
	int64_t node = -1;
	for (uint32_t f = s->frame; f && depth < STACK_MAX; f = d->frames.at[f].parent)
		path[depth++] = f;
	while (depth) {
		uint32_t f = path[--depth];
		node = node_of(w, f, node, frames_of_line(&w->frames, w->s->model, f));
		if (node < 0)
			return node;
	}
	return node_of(w, key, node, frames_of_class(&w->frames, s->class));
}

static int pick(struct fox *w)
{
	const struct firefox_log *l = w->s->log;
	for (uint32_t i = 0; i < l->events.count; i++) {
		const struct firefox_event *e = &l->events.at[i];
		if (w->s->where->count &&
			!where_account(w->s->where, w->s->model, e->site, e->thread, &w->scratch))
			continue;
		int64_t stack = stack_of(w, e->site);
		if (stack < 0 || w->scratch.failed || vec_push(&w->picked, i) ||
			vec_push(&w->stacks, (uint32_t)stack))
			return ERR_NOMEM;
	}
	return ERR_NONE;
}

/* Columns */

/* Writes value i of a column. */
typedef void put_value(struct fox *w, struct buf *text, size_t i);

static int column(struct fox *w, const char *name, size_t count, put_value *put)
{
	struct buf *text = &w->out->text;
	int err = ERR_NONE;
	buf_printf(text, ",\"%s\":[", name);
	for (size_t i = 0; i < count && !err; i++) {
		if (i)
			buf_put_u8(text, ',');
		put(w, text, i);
		err = out_step(w->out);
	}
	buf_put_u8(text, ']');
	return err;
}

static void put_null(struct fox *w, struct buf *text, size_t i)
{
	(void)w;
	(void)i;
	buf_put_str(text, "null");
}

static void put_zero(struct fox *w, struct buf *text, size_t i)
{
	(void)w;
	(void)i;
	buf_put_u8(text, '0');
}

static void put_minus_one(struct fox *w, struct buf *text, size_t i)
{
	(void)w;
	(void)i;
	buf_put_str(text, "-1");
}

static void put_one(struct fox *w, struct buf *text, size_t i)
{
	(void)w;
	(void)i;
	buf_put_u8(text, '1');
}

static void put_false(struct fox *w, struct buf *text, size_t i)
{
	(void)w;
	(void)i;
	buf_put_str(text, "false");
}

static void put_number_or_null(struct buf *text, bool known, uint64_t number)
{
	if (known)
		digits_count(text, number);
	else
		buf_put_str(text, "null");
}

static void put_string(struct fox *w, struct buf *text, size_t i)
{
	quote_json(text, intern_get(&w->strings, (uint32_t)i));
}

static void put_source(struct fox *w, struct buf *text, size_t i)
{
	digits_count(text, w->source.at[i]);
}

static void put_prefix(struct fox *w, struct buf *text, size_t i)
{
	int64_t prefix = w->node.at[i].prefix;
	put_number_or_null(text, prefix >= 0, (uint64_t)prefix);
}

static void put_node_frame(struct fox *w, struct buf *text, size_t i)
{
	digits_count(text, w->node.at[i].frame);
}

static void put_frame_category(struct fox *w, struct buf *text, size_t i)
{
	digits_count(text, w->frames.list.at[i].is_class ? CATEGORY_CLASS : CATEGORY_JAVA);
}

static void put_frame_function(struct fox *w, struct buf *text, size_t i)
{
	digits_count(text, w->frame_function.at[i]);
}

static void put_frame_line(struct fox *w, struct buf *text, size_t i)
{
	const struct frame_ref *ref = &w->frames.list.at[i];
	uint32_t line = ref->is_class ? 0 : w->s->model->defs.frames.at[ref->index].line;
	put_number_or_null(text, line, line);
}

static void put_function_name(struct fox *w, struct buf *text, size_t i)
{
	digits_count(text, w->function.at[i].name);
}

static void put_function_source(struct fox *w, struct buf *text, size_t i)
{
	uint32_t source = w->function.at[i].source;
	put_number_or_null(text, source, source - 1ull);
}

static const struct firefox_event *event_of(const struct fox *w, size_t i)
{
	return &w->s->log->events.at[w->picked.at[i]];
}

static void put_event_time(struct fox *w, struct buf *text, size_t i)
{
	digits_millionth(text, event_of(w, i)->time);
}

static void put_event_weight(struct fox *w, struct buf *text, size_t i)
{
	double bytes = event_of(w, i)->bytes * firefox_log_weight(w->s->log);
	buf_put_str(text, bytes < 0 ? "-" : "");
	digits_number(text, round(fabs(bytes)), NULL);
}

static void put_event_stack(struct fox *w, struct buf *text, size_t i)
{
	digits_count(text, w->stacks.at[i]);
}

/* Exact in a double, as JavaScript has it. */
static void put_event_address(struct fox *w, struct buf *text, size_t i)
{
	digits_count(text, event_of(w, i)->object & ((1ull << 53) - 1));
}

static void put_event_thread(struct fox *w, struct buf *text, size_t i)
{
	digits_count(text, event_of(w, i)->thread);
}

/* Markers: string i + 1 is the name of collection kind i (add_kinds). */
static const struct gc *gc_of(const struct fox *w, size_t i)
{
	return &w->s->model->gcs.list.at[i];
}

static void put_gc_name(struct fox *w, struct buf *text, size_t i)
{
	digits_count(text, gc_of(w, i)->kind + 1u);
}

static void put_gc_start(struct fox *w, struct buf *text, size_t i)
{
	digits_millionth(text, gc_of(w, i)->start);
}

static void put_gc_end(struct fox *w, struct buf *text, size_t i)
{
	digits_millionth(text, gc_of(w, i)->end);
}

static void put_gc_category(struct fox *w, struct buf *text, size_t i)
{
	(void)w;
	(void)i;
	digits_count(text, CATEGORY_GC);
}

/* Not "cause": the profiler takes that for a stack and never ends walking it. */
static void put_gc_data(struct fox *w, struct buf *text, size_t i)
{
	const struct gc *gc = gc_of(w, i);
	buf_put_str(text, "{\"type\":\"GC\",\"reason\":");
	quote_json(text, texts_get(&w->s->model->defs.texts, gc->cause));
	buf_put_str(text, ",\"pause\":");
	digits_millionth(text, gc->pause);
	buf_put_str(text, ",\"used\":");
	digits_count(text, gc->heap_after);
	buf_put_u8(text, '}');
}

/* Tables: a list of columns, then its length */

struct columns {
	const char *name;
	put_value *put;
};

static int table(
	struct fox *w, const char *name, size_t count, const struct columns *columns, size_t number)
{
	struct buf *text = &w->out->text;
	int err = ERR_NONE;
	buf_printf(text, "\"%s\":{\"length\":%zu", name, count);
	for (size_t i = 0; i < number && !err; i++)
		err = column(w, columns[i].name, count, columns[i].put);
	return err;
}

#define TABLE(w, name, count, ...)                                                                 \
	table((w), (name), (count), (const struct columns[]){__VA_ARGS__},                         \
		sizeof((const struct columns[]){__VA_ARGS__}) / sizeof(struct columns))

static int put_shared(struct fox *w)
{
	struct buf *text = &w->out->text;
	buf_put_str(text, "\"shared\":{");
	int err = TABLE(
		w, "stackTable", w->node.count, {"prefix", put_prefix}, {"frame", put_node_frame});
	buf_put_str(text, "},\n");
	err = err ? err
		  : TABLE(w, "frameTable", w->frames.list.count, {"address", put_minus_one},
			    {"inlineDepth", put_zero}, {"category", put_frame_category},
			    {"subcategory", put_zero}, {"func", put_frame_function},
			    {"nativeSymbol", put_null}, {"innerWindowID", put_null},
			    {"line", put_frame_line}, {"column", put_null});
	buf_put_str(text, "},\n");
	err = err ? err
		  : TABLE(w, "funcTable", w->function.count, {"name", put_function_name},
			    {"isJS", put_false}, {"relevantForJS", put_false},
			    {"resource", put_minus_one}, {"source", put_function_source},
			    {"lineNumber", put_null}, {"columnNumber", put_null});
	buf_put_str(text, "},\n");
	err = err ? err
		  : TABLE(w, "sources", w->source.count, {"uuid", put_null},
			    {"filename", put_source});
	buf_put_str(text, "},\n"
			  "\"resourceTable\":{\"length\":0,\"lib\":[],\"name\":[],\"host\":[],"
			  "\"type\":[]},\n"
			  "\"nativeSymbols\":{\"length\":0,\"libIndex\":[],\"address\":[],"
			  "\"name\":[],\"functionSize\":[]}");
	err = err ? err : column(w, "stringArray", w->strings.strings.count + 1, put_string);
	buf_put_str(text, "},\n");
	return err;
}

static int put_thread(struct fox *w)
{
	/* No samples: so the profiler opens on the allocations. */
	static const char samples[] = ",\n\"samples\":{\"length\":0,\"stack\":[],\"time\":[],"
				      "\"weight\":null,\"weightType\":\"samples\"},\n";
	struct buf *text = &w->out->text;
	buf_put_str(text, "\"threads\":[{\"processType\":\"default\",\"processStartupTime\":0,"
			  "\"processShutdownTime\":null,\"registerTime\":0,"
			  "\"unregisterTime\":null,\"pausedRanges\":[],\"isMainThread\":true,"
			  "\"processName\":\"Java\",\"pid\":\"1\",\"tid\":1,"
			  "\"showMarkersInTimeline\":true,\"name\":");
	buf_clear(&w->scratch);
	buf_printf(&w->scratch, "Java heap (1 in %.0f of the objects followed)",
		firefox_log_weight(w->s->log));
	quote_json(text, w->s->log->level ? buf_slice(&w->scratch) : slice_str("Java heap"));
	buf_put_str(text, samples);
	int err = TABLE(w, "markers", w->s->model->gcs.list.count, {"name", put_gc_name},
		{"startTime", put_gc_start}, {"endTime", put_gc_end}, {"phase", put_one},
		{"category", put_gc_category}, {"data", put_gc_data});
	buf_put_str(text, "},\n");
	err = err ? err
		  : TABLE(w, "nativeAllocations", w->picked.count, {"time", put_event_time},
			    {"weight", put_event_weight}, {"stack", put_event_stack},
			    {"memoryAddress", put_event_address}, {"threadId", put_event_thread});
	buf_put_str(text, ",\"weightType\":\"bytes\"}}]}\n");
	return err;
}

/* The range the profiler shows, which ends before its end: hence a millisecond more. Where it is
 * told none, it looks for one in the events, of which there may be none. */
static void put_range(struct fox *w)
{
	struct buf *text = &w->out->text;
	buf_put_str(text, ",\"profilingStartTime\":0,\"profilingEndTime\":");
	digits_millionth(text, w->s->model->now.time + 1000000);
}

static void put_meta(struct fox *w)
{
	struct buf *text = &w->out->text;
	buf_put_str(text, "{\"meta\":{" META ",\"startTime\":");
	digits_millionth(text, w->s->model->wall.v);
	put_range(w);
	buf_put_str(text, ",\"fileName\":");
	quote_json(text, slice_str(w->s->name));
	buf_put_str(text, "},\n\"libs\":[],\"pages\":[],\n");
}

/* The first strings, so that a collection's kind tells the string. */
static int add_kinds(struct fox *w)
{
	static const char *const names[GC_KINDS] = {[GC_KIND_YOUNG] = "young GC",
		[GC_KIND_MIXED] = "mixed GC",
		[GC_KIND_FULL] = "full GC",
		[GC_KIND_CONCURRENT] = "concurrent cycle"};
	for (unsigned i = 0; i < GC_KINDS; i++)
		if (string_of(w, slice_str(names[i])) != i + 1)
			return ERR_NOMEM;
	return ERR_NONE;
}

static void release(struct fox *w)
{
	frames_release(&w->frames);
	map_release(&w->nodes);
	map_release(&w->functions);
	map_release(&w->sources);
	intern_release(&w->strings);
	vec_release(&w->node);
	vec_release(&w->frame_function);
	vec_release(&w->function);
	vec_release(&w->source);
	vec_release(&w->picked);
	vec_release(&w->stacks);
	buf_release(&w->scratch);
}

int firefox_put(struct out *o, const struct firefox_source *s)
{
	struct fox w = {.s = s, .out = o};
	int err = add_kinds(&w);
	err = err ? err : pick(&w);
	err = err ? err : add_frames(&w);
	if (!err) {
		put_meta(&w);
		err = put_shared(&w);
		err = err ? err : put_thread(&w);
	}
	err = err ? err : out_flush(o);
	release(&w);
	return err;
}
