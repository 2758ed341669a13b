#include "cli/info_vm.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attach/target.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/units.h"
#include "cli/jdk.h"
#include "hotspot/capabilities.h"
#include "hotspot/exact_flags.h"
#include "hotspot/process_flags.h"
#include "jvmstat/collectors.h"
#include "jvmstat/perffile.h"
#include "report/document.h"
#include "report/table.h"

struct info_vm {
	char path[VM_LIBRARY_PATH_MAX]; /* of the library, as seen from here */
	char version[TARGET_VERSION_MAX];
	unsigned major; /* 0: unknown */
	pid_t pid;      /* 0: not of a process */
	enum gc gc;     /* of the process */
	struct vm_library library;
	struct landmarks landmarks;
	struct capabilities can;
	bool flags_told;        /* of the process: its flags could be read; */
	const char *flags_lack; /* what they rule out; NULL: nothing */
};

static enum gc gc_of(pid_t pid)
{
	struct perfdata p;
	struct collectors c;
	if (perffile_open_pid(&p, "/proc", pid, NULL) != ERR_NONE)
		return GC_UNKNOWN;
	collectors_find(&c, &p);
	perfdata_release(&p);
	return c.gc;
}

static int find_process(struct info_vm *i, const char *what, struct diag *d)
{
	struct target t;
	uint64_t pid;
	if (units_parse_count(what, INT_MAX, &pid) != ERR_NONE || pid == 0)
		return diag_set(d, ERR_NO_PROCESS, "there is no process %s", what);
	int err = target_read(&t, "/proc", (pid_t)pid, d);
	if (err)
		return err;
	if (t.vm != TARGET_HOTSPOT)
		return t.vm == TARGET_NO_VM && !t.hidden
			       ? diag_set(d, ERR_NOT_JVM, "process %s is not a Java VM", what)
			       : target_check(&t, geteuid(), d);
	if (t.replaced)
		return diag_set(d, ERR_GONE,
			"the library of process %s was replaced since it began; look at a process "
			"that began later",
			what);
	i->pid = (pid_t)pid;
	i->gc = gc_of(i->pid);
	i->major = (unsigned)t.jdk;
	snprintf(i->version, sizeof(i->version), "%s", t.version);
	int len = snprintf(i->path, sizeof(i->path), "/proc/%d/root%s", (int)pid, t.libjvm);
	return len < (int)sizeof(i->path) ? ERR_NONE : ERR_LIMIT;
}

/* The library of the JDK whose bin/java that is, in place of it; else what was given. */
static char *library_beside(char *real)
{
	char path[PATH_MAX];
	const char *slash = strrchr(real, '/');
	if (!slash || strcmp(slash, "/java") != 0)
		return real;
	int len = snprintf(
		path, sizeof(path), "%.*s/../lib/server/libjvm.so", (int)(slash - real), real);
	char *library = len < (int)sizeof(path) ? realpath(path, NULL) : NULL;
	if (!library)
		return real;
	free(real); /* of realpath */
	return library;
}

/* As to errno. */
static int refuse_path(const char *what, bool folder, struct diag *d)
{
	bool absent = errno == ENOENT || errno == ENOTDIR;
	if (absent && folder)
		return diag_set(d, ERR_NOT_FOUND, "%s has no lib/server/libjvm.so", what);
	if (absent && *what)
		return diag_set(d, ERR_NOT_FOUND, "there is no %s", what);
	if (absent)
		return diag_set(d, ERR_NOT_FOUND,
			"--vm needs a JDK's folder, a process's number, or a libjvm.so");
	if (errno == ENAMETOOLONG)
		return diag_set(d, ERR_LIMIT, "the path is too long: %.80s…", what);
	return diag_set(d, errno == EACCES ? ERR_DENIED : ERR_IO, "%s can't be read: %s", what,
		strerror(errno));
}

/* In a JDK's home, or beside its java, or the file itself. */
static int find_file(struct info_vm *i, const char *what, struct diag *d)
{
	struct jdk j;
	struct stat st;
	char given[PATH_MAX], *real = NULL;
	bool folder = stat(what, &st) == 0 && S_ISDIR(st.st_mode);
	int len =
		snprintf(given, sizeof(given), "%s%s", what, folder ? "/lib/server/libjvm.so" : "");
	errno = ENAMETOOLONG;
	if (len < (int)sizeof(given))
		real = realpath(given, NULL);
	if (!real)
		return refuse_path(what, folder, d);
	real = library_beside(real);
	if (strlen(real) >= sizeof(i->path)) {
		free(real); /* of realpath */
		errno = ENAMETOOLONG;
		return refuse_path(what, folder, d);
	}
	snprintf(i->path, sizeof(i->path), "%s", real);
	free(real); /* of realpath */
	if (jdk_find(&j, i->path) != ERR_NONE)
		return ERR_NONE; /* the release is unknown, and the answers say so */
	i->major = j.number[0];
	snprintf(i->version, sizeof(i->version), "%s", j.version);
	return j.openj9 ? jdk_refusal(&j, d) : ERR_NONE;
}

static const char *symbols_word(const struct vm_library *l)
{
	return l->symbols.whole ? "whole" : l->source.packed ? "packed" : "stripped";
}

/* Where the names come from, or where what needs none was found; "" where there is nothing. */
static const char *symbols_from(const struct info_vm *i)
{
	return i->landmarks.noted ? ".note.stapsdt" : symbol_source_name(&i->library.source);
}

static bool is_collector(enum gc gc)
{
	return gc == GC_SERIAL || gc == GC_PARALLEL || gc == GC_G1;
}

static const char *collector_why(enum gc gc)
{
	return gc == GC_UNKNOWN ? "the process's counters don't tell it"
	       : is_collector(gc)
		       ? ""
		       : "moves and deaths can be read with Serial, Parallel and G1 only";
}

/* Where mayfly's agent is in the process, it may be the one that has the probes on. */
static void ask_flags(struct info_vm *i)
{
	struct process_flags f;
	i->flags_told =
		i->pid && i->library.symbols.whole && process_flags_open(&f, i->pid, &i->library);
	if (!i->flags_told)
		return;
	unsigned groups = EXACT_FLAGS_VM | EXACT_FLAGS_AGES | (f.recorded ? 0 : EXACT_FLAGS_PROBES);
	i->flags_lack = exact_flags_lack(groups, process_flags_read, &f);
}

static const char *flags_why(const struct info_vm *i)
{
	return i->flags_lack ? i->flags_lack : "";
}

static void put_head(struct buf *out, const struct info_vm *i, const struct look *look)
{
	const char *dot = text_mark(look, " · ", " - ");
	const char *lack = vm_library_lack(&i->library), *from = symbols_from(i);
	buf_printf(out, "JDK %s%ssymbols %s", i->version[0] ? i->version : "of an unknown release",
		dot, symbols_word(&i->library));
	if (*from) {
		buf_put_str(out, i->landmarks.noted ? ", probes in " : ", from ");
		text_clean(out, slice_str(from));
	}
	if (i->pid)
		buf_printf(out, "%sprocess %d", dot, (int)i->pid);
	buf_put_str(out, "\n");
	text_clean(out, slice_str(i->path));
	buf_put_str(out, "\n");
	if (*lack)
		text_wrap(out, look, lack, 0, 2);
	buf_put_str(out, "\n");
}

static int put_answer(struct table *t, const char *name, bool yes, const char *why)
{
	buf_put_str(table_cell(t), name);
	int err = table_next(t);
	buf_put_str(table_cell(t), yes ? "yes" : "no");
	err = err ? err : table_next(t);
	buf_put_str(table_cell(t), why);
	return err ? err : table_next(t);
}

/* The table has no room for the sentence. */
static void put_flags(struct buf *out, const struct info_vm *i, const struct look *look)
{
	static const char begin[] = "  its flags: ";
	if (!i->flags_lack)
		return;
	buf_put_str(out, begin);
	text_wrap(out, look, i->flags_lack, sizeof(begin) - 1, 4);
}

static int put_answers(struct buf *out, const struct info_vm *i, const struct look *look)
{
	struct table t = {.count = 0};
	int err = ERR_NONE;
	table_column(&t, "THE EXACT ENGINE", "", false, false);
	table_column(&t, "CAN", "", false, false);
	table_column(&t, "", "", false, true);
	if (i->pid)
		err = put_answer(&t, i->gc ? gc_name(i->gc) : "collector", is_collector(i->gc),
			collector_why(i->gc));
	if (!err && i->flags_told)
		err = put_answer(&t, "its flags", !i->flags_lack, i->flags_lack ? "see below" : "");
	for (int id = 0; !err && id < CAPABILITIES; id++) {
		const struct capability_answer *a = &i->can.answers[id];
		err = put_answer(&t, capability_name((enum capability)id), a->yes, a->why);
	}
	err = err ? err : table_put(&t, out, look);
	table_release(&t);
	put_flags(out, i, look);
	return err;
}

static int put_landmark(struct table *t, enum landmark id, const struct landmark_found *f)
{
	buf_put_str(table_cell(t), landmark_name(id));
	int err = table_next(t);
	buf_put_str(table_cell(t), landmark_state_name(f->state));
	err = err ? err : table_next(t);
	if (f->address)
		buf_printf(table_cell(t), "0x%" PRIx64, f->address);
	err = err ? err : table_next(t);
	if (f->address)
		buf_printf(table_cell(t), "%" PRIu64, f->size);
	return err ? err : table_next(t);
}

static int put_landmarks(struct buf *out, const struct info_vm *i, const struct look *look)
{
	struct table t = {.count = 0};
	int err = ERR_NONE;
	buf_put_str(out, "\n");
	table_column(&t, "FUNCTION OR VARIABLE", "", false, true);
	table_column(&t, "", "", false, false);
	table_column(&t, "AT", "", true, false);
	table_column(&t, "BYTES", "", true, false);
	for (int id = 0; !err && id < LANDMARKS; id++)
		err = put_landmark(&t, (enum landmark)id, &i->landmarks.found[id]);
	err = err ? err : table_put(&t, out, look);
	table_release(&t);
	if (i->landmarks.strange)
		buf_printf(out, "  and %zu functions of allocation that mayfly does not know\n",
			i->landmarks.strange);
	return err;
}

static json_t *answer_json(struct document *d, const char *name, bool yes, const char *why)
{
	json_t *o = json_object();
	document_set(d, o, "name", json_string(name));
	document_set(d, o, "can", json_boolean(yes));
	document_set(d, o, "why", document_text(slice_str(why)));
	return o;
}

static json_t *answers_json(struct document *d, const struct info_vm *i)
{
	json_t *list = json_array();
	for (int id = 0; id < CAPABILITIES; id++) {
		const struct capability_answer *a = &i->can.answers[id];
		document_append(d, list,
			answer_json(d, capability_name((enum capability)id), a->yes, a->why));
	}
	return list;
}

static json_t *landmarks_json(struct document *d, const struct info_vm *i)
{
	json_t *list = json_array();
	for (int id = 0; id < LANDMARKS; id++) {
		const struct landmark_found *f = &i->landmarks.found[id];
		json_t *o = json_object();
		document_set(d, o, "name", json_string(landmark_name((enum landmark)id)));
		document_set(d, o, "state", json_string(landmark_state_name(f->state)));
		document_set(
			d, o, "address", f->address ? document_count(f->address) : json_null());
		document_set(d, o, "bytes", f->address ? document_count(f->size) : json_null());
		document_append(d, list, o);
	}
	return list;
}

static int put_json(struct buf *out, const struct info_vm *i)
{
	struct document d = document_init(out);
	json_t *o = json_object(), *vm = json_object();
	document_set(&d, vm, "library", document_text(slice_str(i->path)));
	document_set(&d, vm, "jdk", document_text(slice_str(i->version)));
	document_set(&d, vm, "symbols", json_string(symbols_word(&i->library)));
	document_set(&d, vm, "symbols_from", document_text(slice_str(symbols_from(i))));
	document_set(&d, vm, "pid", i->pid ? document_count((uint64_t)i->pid) : json_null());
	document_set(&d, vm, "gc", document_text(slice_str(gc_name(i->gc))));
	document_set(&d, o, "mayfly", json_integer(1));
	document_set(&d, o, "vm", vm);
	document_set(&d, o, "collector",
		i->pid ? answer_json(&d, gc_name(i->gc), is_collector(i->gc), collector_why(i->gc))
		       : json_null());
	document_set(&d, o, "flags",
		i->flags_told ? answer_json(&d, "its flags", !i->flags_lack, flags_why(i))
			      : json_null());
	document_set(&d, o, "capabilities", answers_json(&d, i));
	document_set(&d, o, "landmarks", landmarks_json(&d, i));
	document_put(&d, "", o);
	buf_put_str(out, "\n");
	return document_error(&d);
}

static int put_screen(struct buf *out, const struct info_vm *i, const struct look *look)
{
	put_head(out, i, look);
	int err = put_answers(out, i, look);
	err = err ? err : put_landmarks(out, i, look);
	return err ? err : out->failed;
}

int info_vm_put(
	struct buf *out, const char *what, const struct look *look, bool json, struct diag *d)
{
	struct info_vm *i = mem_zalloc(1, sizeof(*i));
	if (!i)
		return ERR_NOMEM;
	int err = units_is_digits(what) ? find_process(i, what, d) : find_file(i, what, d);
	if (!err)
		err = vm_library_open_file(&i->library, i->path, d);
	if (!err) {
		landmarks_find(&i->landmarks, &i->library);
		capabilities_find(&i->can, &i->library, &i->landmarks, i->major);
		ask_flags(i);
		err = json ? put_json(out, i) : put_screen(out, i, look);
	}
	vm_library_release(&i->library);
	mem_free(i);
	return err;
}
