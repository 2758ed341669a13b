#include "export/firefox_tables.h"

#include <math.h>

#include "base/error.h"
#include "export/digits.h"
#include "report/quote.h"

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

struct fox {
	struct firefox_tables t;
	struct out *out;
	struct buf scratch;
};

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
	quote_json(text, intern_get(&w->t.strings, (uint32_t)i));
}

static void put_source(struct fox *w, struct buf *text, size_t i)
{
	digits_count(text, w->t.source.at[i]);
}

static void put_prefix(struct fox *w, struct buf *text, size_t i)
{
	int64_t prefix = w->t.node.at[i].prefix;
	put_number_or_null(text, prefix >= 0, (uint64_t)prefix);
}

static void put_node_frame(struct fox *w, struct buf *text, size_t i)
{
	digits_count(text, w->t.node.at[i].frame);
}

static void put_frame_category(struct fox *w, struct buf *text, size_t i)
{
	digits_count(text, w->t.frames.list.at[i].is_class ? CATEGORY_CLASS : CATEGORY_JAVA);
}

static void put_frame_function(struct fox *w, struct buf *text, size_t i)
{
	digits_count(text, w->t.frame_function.at[i]);
}

static void put_frame_line(struct fox *w, struct buf *text, size_t i)
{
	const struct frame_ref *ref = &w->t.frames.list.at[i];
	uint32_t line = ref->is_class ? 0 : w->t.s->model->defs.frames.at[ref->index].line;
	put_number_or_null(text, line, line);
}

static void put_function_name(struct fox *w, struct buf *text, size_t i)
{
	digits_count(text, w->t.function.at[i].name);
}

static void put_function_source(struct fox *w, struct buf *text, size_t i)
{
	uint32_t source = w->t.function.at[i].source;
	put_number_or_null(text, source, source - 1ull);
}

static const struct firefox_event *event_of(const struct fox *w, size_t i)
{
	return &w->t.s->log->events.at[w->t.picked.at[i]];
}

static void put_event_time(struct fox *w, struct buf *text, size_t i)
{
	digits_millionth(text, event_of(w, i)->time);
}

static void put_event_weight(struct fox *w, struct buf *text, size_t i)
{
	double bytes = event_of(w, i)->bytes * firefox_log_weight(w->t.s->log);
	buf_put_str(text, bytes < 0 ? "-" : "");
	digits_number(text, round(fabs(bytes)), NULL);
}

static void put_event_stack(struct fox *w, struct buf *text, size_t i)
{
	digits_count(text, w->t.stacks.at[i]);
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
	return &w->t.s->model->gcs.list.at[i];
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
	quote_json(text, texts_get(&w->t.s->model->defs.texts, gc->cause));
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
	int err = TABLE(w, "stackTable", w->t.node.count, {"prefix", put_prefix},
		{"frame", put_node_frame});
	buf_put_str(text, "},\n");
	err = err ? err
		  : TABLE(w, "frameTable", w->t.frames.list.count, {"address", put_minus_one},
			    {"inlineDepth", put_zero}, {"category", put_frame_category},
			    {"subcategory", put_zero}, {"func", put_frame_function},
			    {"nativeSymbol", put_null}, {"innerWindowID", put_null},
			    {"line", put_frame_line}, {"column", put_null});
	buf_put_str(text, "},\n");
	err = err ? err
		  : TABLE(w, "funcTable", w->t.function.count, {"name", put_function_name},
			    {"isJS", put_false}, {"relevantForJS", put_false},
			    {"resource", put_minus_one}, {"source", put_function_source},
			    {"lineNumber", put_null}, {"columnNumber", put_null});
	buf_put_str(text, "},\n");
	err = err ? err
		  : TABLE(w, "sources", w->t.source.count, {"uuid", put_null},
			    {"filename", put_source});
	buf_put_str(text, "},\n"
			  "\"resourceTable\":{\"length\":0,\"lib\":[],\"name\":[],\"host\":[],"
			  "\"type\":[]},\n"
			  "\"nativeSymbols\":{\"length\":0,\"libIndex\":[],\"address\":[],"
			  "\"name\":[],\"functionSize\":[]}");
	err = err ? err : column(w, "stringArray", w->t.strings.strings.count + 1, put_string);
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
		firefox_log_weight(w->t.s->log));
	quote_json(text, w->t.s->log->level ? buf_slice(&w->scratch) : slice_str("Java heap"));
	buf_put_str(text, samples);
	int err = TABLE(w, "markers", w->t.s->model->gcs.list.count, {"name", put_gc_name},
		{"startTime", put_gc_start}, {"endTime", put_gc_end}, {"phase", put_one},
		{"category", put_gc_category}, {"data", put_gc_data});
	buf_put_str(text, "},\n");
	err = err ? err
		  : TABLE(w, "nativeAllocations", w->t.picked.count, {"time", put_event_time},
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
	digits_millionth(text, w->t.s->model->now.time + 1000000);
}

static void put_meta(struct fox *w)
{
	struct buf *text = &w->out->text;
	buf_put_str(text, "{\"meta\":{" META ",\"startTime\":");
	digits_millionth(text, w->t.s->model->wall.v);
	put_range(w);
	buf_put_str(text, ",\"fileName\":");
	quote_json(text, slice_str(w->t.s->name));
	buf_put_str(text, "},\n\"libs\":[],\"pages\":[],\n");
}

int firefox_put(struct out *o, const struct firefox_source *s)
{
	struct fox w = {.t = {.s = s}, .out = o};
	int err = firefox_tables_fill(&w.t);
	if (!err) {
		put_meta(&w);
		err = put_shared(&w);
		err = err ? err : put_thread(&w);
	}
	err = err ? err : out_flush(o);
	firefox_tables_release(&w.t);
	buf_release(&w.scratch);
	return err;
}
