/*
 * Reads the heap with the rooms of src/hotspot at each collection's end, and the VM's methods and
 * code at VMDeath, and writes what it found to the file that is its option: a line "pause KIND" for
 * each pair of events, then one "NAME NUMBER" for each count. heap.py says what they must be.
 */
#include <jvmti.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "hotspot/code_blobs.h"
#include "hotspot/heap_regions.h"
#include "hotspot/heap_walk.h"
#include "hotspot/landmarks.h"
#include "hotspot/method_ids.h"
#include "hotspot/method_peek.h"
#include "hotspot/tlab_gaps.h"

enum { PAUSES = 1 << 14, CLASSES = 1 << 15 };

static char output[512];
static char trouble[DIAG_MAX + 64];
static int ready;
static struct heap_layout layout;
static struct vm_methods methods;
static struct method_ids ids;
static struct code_blobs blobs;
static struct tlab_gaps gaps;
static struct heap_regions before, after;
static uint8_t pauses[PAUSES];
static size_t pause_count;

/* All that is counted, in the order of the report. */
/* clang-format off */
#define COUNTS(X) \
	X(objects) X(bytes) X(forwarded) X(forwarded_bytes) X(copies) X(copy_bytes) \
	X(after_full) X(left) X(left_forwarded) X(unsure) X(unsure_full) X(unsure_rest) \
	X(unreadable) X(walk_errors) X(failed_regions) X(freed_regions) X(other_class) X(not_found) \
	X(nodes) X(ints) X(chunks) X(mirrors) X(hashed) X(hashed_locked) X(wrong_hash) \
	X(ages) X(methods_read) X(wrong_names) X(wrong_descriptors) X(wrong_classes) \
	X(wrong_files) X(lines) X(wrong_lines) X(wrong_bci) X(wrong_peeks) X(compiled) X(compiled_wrong) \
	X(stubs) X(stubs_wrong) X(with_frames) X(eden_at_start) X(eden_at_finish)
/* clang-format on */
static struct {
#define FIELD(name) unsigned long long name;
	COUNTS(FIELD)
#undef FIELD
} n;

/* What is to be counted of a class, once it has been looked at. */
enum special { PLAIN = 1, NODE, HASHED, MIRROR, CHUNK, INTS };
static struct {
	uintptr_t klass;
	uint8_t special;
} classes[CLASSES];

static uint8_t look_at(uintptr_t klass)
{
	static const struct {
		const char *name;
		uint8_t special;
	} wanted[] = {{"HeapChurn$Node", NODE}, {"HeapChurn$Hashed", HASHED},
		{"java/lang/Class", MIRROR}, {"jdk/internal/vm/StackChunk", CHUNK}, {"[I", INTS}};
	char name[64];
	klass_name(&methods.objects, klass, name, sizeof(name));
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		if (strcmp(name, wanted[i].name) == 0)
			return wanted[i].special;
	return PLAIN;
}

static uint8_t special_of(uintptr_t klass)
{
	size_t i = (klass >> 3) * 2654435761u % CLASSES;
	while (classes[i].klass && classes[i].klass != klass)
		i = (i + 1) % CLASSES;
	if (!classes[i].klass) {
		classes[i].klass = klass;
		classes[i].special = look_at(klass);
	}
	return classes[i].special;
}

/* In memory that has been evacuated. */
static void visit_old_copy(void *arg, uintptr_t at, uintptr_t klass, size_t bytes)
{
	const struct region *r = arg;
	n.objects++;
	n.eden_at_finish += r->kind == REGION_EDEN;
	n.bytes += bytes;
	uint8_t special = special_of(klass);
	n.nodes += special == NODE && r->kind == REGION_EDEN;
	n.ints += special == INTS;
	n.mirrors += special == MIRROR;
	n.chunks += special == CHUNK;
	uintptr_t copy = mark_forwarded(object_mark(at));
	if (!copy)
		return;
	n.forwarded++;
	n.forwarded_bytes += bytes;
	n.other_class += object_klass(&methods.objects, copy) != klass;
	const struct region *to = heap_regions_find(&after, copy);
	n.not_found += !to || copy >= to->top || to->kind == REGION_FREE;
}

static void check_hash(uintptr_t at)
{
	uint64_t mark = object_mark(at);
	int32_t hash;
	memcpy(&hash, (const char *)at + methods.objects.header, sizeof(hash));
	n.hashed++;
	n.hashed_locked += (mark & 3) != MARK_UNLOCKED;
	n.wrong_hash += mark_hash(&methods.objects, mark) != (uint32_t)hash && hash != 0;
}

static void visit_new_copy(void *arg, uintptr_t at, uintptr_t klass, size_t bytes)
{
	(void)arg;
	n.copies++;
	n.copy_bytes += bytes;
	n.ages += mark_age(&methods.objects, object_mark(at)) > 0;
	if (special_of(klass) == HASHED)
		check_hash(at);
}

/* Where evacuation failed, what is alive and could not be moved. */
static void visit_left(void *arg, uintptr_t at, uintptr_t klass, size_t bytes)
{
	(void)arg, (void)bytes;
	n.left++;
	bool moved = mark_forwarded(object_mark(at)) != 0;
	n.left_forwarded += moved;
	if (!moved && special_of(klass) == HASHED)
		check_hash(at);
}

static void visit_after_full(void *arg, uintptr_t at, uintptr_t klass, size_t bytes)
{
	(void)arg, (void)bytes;
	n.after_full++;
	if (special_of(klass) == HASHED)
		check_hash(at);
}

/* Where what asked for the collection may have got its memory: the end may be anything. */
static void walk_unsure(uintptr_t from, uintptr_t to, heap_visit *visit, const struct region *r)
{
	struct region copy = *r;
	uintptr_t reached;
	n.unsure++;
	if (heap_walk_checked(&methods.objects, from, to, visit, &copy, &reached))
		n.unsure_rest += to - reached;
}

static void walk(uintptr_t from, uintptr_t to, heap_visit *visit, const struct region *r)
{
	uintptr_t reached;
	struct region copy = *r;
	if (heap_walk(&methods.objects, from, to, visit, &copy, &reached) == 0 && reached == to)
		return;
	if (n.walk_errors++ == 0)
		snprintf(trouble, sizeof(trouble),
			"walk from %zx (kind %u) to %zx ends at %zx: %016llx %016llx", from,
			(unsigned)r->kind, to, reached, (unsigned long long)object_mark(reached),
			(unsigned long long)object_mark(reached + 8));
}

/* What a pause has put into the region, from `from` on. */
static void walk_written(enum heap_pause pause, size_t i, uintptr_t from, heap_visit *visit)
{
	bool sure;
	uintptr_t to = heap_region_written(&layout, pause, &before, &after, i, &sure);
	if (to > from)
		(sure ? walk : walk_unsure)(from, to, visit, &after.at[i]);
}

/* Where a young or mixed collection puts its copies. */
static void walk_copies(enum heap_pause pause, size_t i)
{
	const struct region *was = &before.at[i], *is = &after.at[i];
	bool fresh = layout.collector == HEAP_G1 && was->kind == REGION_FREE;
	if (is->kind == REGION_SURVIVOR && (fresh || layout.collector != HEAP_G1))
		walk_written(pause, i, is->bottom, visit_new_copy);
	if (is->kind == REGION_OLD && fresh)
		walk_written(pause, i, is->bottom, visit_new_copy);
	if (is->kind == REGION_OLD && was->kind == REGION_OLD && is->top > was->top)
		walk_written(pause, i, was->top, visit_new_copy);
}

static void walk_evacuated(size_t i)
{
	const struct region *was = &before.at[i];
	uintptr_t top = heap_region_readable(&layout, &before, &after, i);
	n.unreadable += was->top - top;
	if (top == was->top) {
		walk(was->bottom, top, visit_old_copy, was);
		return;
	}
	/* The last may go on beyond what is left. */
	struct region copy = *was;
	(void)heap_walk(&methods.objects, was->bottom, top, visit_old_copy, &copy, NULL);
}

static void walk_evacuation(enum heap_pause pause)
{
	for (size_t i = 0; i < before.count; i++) {
		enum region_fate fate = heap_region_fate(&layout, pause, &before, &after, i);
		n.failed_regions += fate == FATE_FAILED;
		n.freed_regions += fate == FATE_FREED;
		if (fate == FATE_EVACUATED)
			walk_evacuated(i);
		else if (fate == FATE_FAILED)
			walk(after.at[i].bottom, after.at[i].top, visit_left, &after.at[i]);
		else if (fate == FATE_KEPT)
			walk_copies(pause, i);
	}
	/* The survivor space that took the copies was empty before, so it counts as evacuated. */
	for (size_t i = 0; layout.collector != HEAP_G1 && i < after.count; i++)
		if (heap_region_fate(&layout, pause, &before, &after, i) == FATE_EVACUATED)
			walk_copies(pause, i);
}

static void walk_all(enum heap_pause pause)
{
	unsigned long long unsure = n.unsure;
	for (size_t i = 0; i < after.count; i++) {
		const struct region *r = &after.at[i];
		if (r->kind != REGION_FREE && r->kind < REGION_HUMONGOUS)
			walk_written(pause, i, r->bottom, visit_after_full);
		else if (r->kind == REGION_HUMONGOUS) {
			uintptr_t klass = object_klass(&methods.objects, r->bottom);
			/* One that was made in this pause has no class yet. */
			n.walk_errors += klass && !object_bytes(&methods.objects, r->bottom, klass);
		}
	}
	n.unsure_full += n.unsure - unsure;
}

static unsigned long long in_eden; /* at the pause's start */

static void visit_eden(void *arg, uintptr_t at, uintptr_t klass, size_t bytes)
{
	(void)arg, (void)at, (void)klass, (void)bytes;
	in_eden++;
}

static void walk_eden(void)
{
	in_eden = 0;
	n.walk_errors += tlab_gaps_read(&gaps) != 0;
	for (size_t i = 0; i < before.count; i++) {
		const struct region *r = &before.at[i];
		if (r->kind == REGION_EDEN && heap_walk_around(&gaps, &methods.objects, r->bottom,
						      r->top, visit_eden, NULL, NULL))
			n.walk_errors++;
	}
}

static void JNICALL gc_start(jvmtiEnv *jvmti)
{
	(void)jvmti;
	if (!ready)
		return;
	if (heap_regions_read(&layout, &before))
		n.walk_errors++;
	walk_eden();
}

static void JNICALL gc_finish(jvmtiEnv *jvmti)
{
	(void)jvmti;
	if (!ready || !before.count)
		return;
	if (heap_regions_read(&layout, &after))
		n.walk_errors++;
	enum heap_pause pause = heap_pause_kind(&layout, &before, &after);
	if (pause_count < PAUSES)
		pauses[pause_count++] = (uint8_t)pause;
	memset(classes, 0, sizeof(classes));
	if (pause == PAUSE_YOUNG || pause == PAUSE_MIXED) {
		n.eden_at_start += in_eden;
		walk_evacuation(pause);
	} else if (pause == PAUSE_FULL)
		walk_all(pause);
}

static void learn(jmethodID id, jclass of)
{
	if (method_ids_lack(&ids, (uint64_t)(uintptr_t)id))
		method_ids_learn(&ids, (uint64_t)(uintptr_t)id, of);
}

static void learn_alone(jvmtiEnv *jvmti, jmethodID id)
{
	jclass of = NULL;
	if ((*jvmti)->GetMethodDeclaringClass(jvmti, id, &of) == JVMTI_ERROR_NONE)
		learn(id, of);
}

static uintptr_t method_of(jmethodID id)
{
	return method_ids_find(&ids, (uint64_t)(uintptr_t)id);
}

/* The VM gives one id to all its method handle intrinsics, which are native. */
static bool has_id_of_many(jvmtiEnv *jvmti, jmethodID id, const struct vm_method *m)
{
	jboolean native = JNI_FALSE;
	(*jvmti)->IsMethodNative(jvmti, id, &native);
	return ids.numbers && native &&
	       slice_equal(m->class_name, slice_str("java/lang/invoke/MethodHandle"));
}

static bool is_code_of(const struct code_blob *b, jmethodID id)
{
	return strcmp(b->name, "native nmethod") == 0 ||
	       (b->method == method_of(id) &&
		       method_ids_is(&ids, (uint64_t)(uintptr_t)id, b->method));
}

static void JNICALL compiled(jvmtiEnv *jvmti, jmethodID method, jint size, const void *code,
	jint map_length, const jvmtiAddrLocationMap *map, const void *info)
{
	(void)map_length, (void)map, (void)info;
	uintptr_t begin = (uintptr_t)code, end = begin + (uintptr_t)size;
	struct code_blob blob;
	if (!ready)
		return;
	learn_alone(jvmti, method);
	n.compiled++;
	for (uintptr_t pc = begin; pc < end; pc += 1 + (end - begin) / 7)
		if (code_blob_find(&blobs, pc, &blob) || !blob.is_nmethod || pc < blob.begin ||
			pc >= blob.end || !is_code_of(&blob, method)) {
			n.compiled_wrong++;
			return;
		}
	n.with_frames += blob.frame_bytes > 0;
}

static void JNICALL generated(jvmtiEnv *jvmti, const char *name, const void *code, jint length)
{
	(void)jvmti;
	struct code_blob blob;
	if (!ready || length == 0)
		return;
	n.stubs++;
	if (code_blob_find(&blobs, (uintptr_t)code + (uintptr_t)length / 2, &blob) ||
		blob.is_nmethod) {
		if (n.stubs_wrong++ == 0)
			snprintf(trouble, sizeof(trouble), "stub %s: %s", name,
				blob.name ? blob.name : "(none)");
	}
}

static bool same(struct slice is, const char *want)
{
	return slice_equal(is, slice_str(want));
}

static void check_lines(jvmtiEnv *jvmti, jmethodID id, uintptr_t method, uint32_t code_bytes)
{
	jint count = 0;
	jvmtiLineNumberEntry *table = NULL;
	if ((*jvmti)->GetLineNumberTable(jvmti, id, &count, &table))
		count = 0;
	for (uint32_t bci = 0; bci < code_bytes; bci++) {
		jlocation from = -1;
		jint line = 0;
		for (jint i = 0; i < count; i++)
			if (table[i].start_location <= bci && table[i].start_location > from) {
				from = table[i].start_location;
				line = table[i].line_number;
			}
		n.lines += line > 0;
		n.wrong_lines += vm_method_line(&methods, method, bci) != (uint32_t)line;
	}
	(*jvmti)->Deallocate(jvmti, (unsigned char *)table);
}

/*
 * The signature has "L…;" around the name. In that of a hidden class a '.' stands for the VM's own
 * '+'; those of JDK 11 have a '/' and a number, which the VM's own name has not.
 */
static bool is_class(struct slice name, const char *signature)
{
	size_t len = strlen(signature) - 2, i = 0;
	while (i < name.len && i < len && (char)name.at[i] == signature[i + 1])
		i++;
	bool hidden = i < len && (signature[i + 1] == '.' || signature[i + 1] == '/');
	return (i == len && i == name.len) || (hidden && (i == name.len || name.at[i] == '+'));
}

static void check_names(jvmtiEnv *jvmti, jclass class, jmethodID id, const struct vm_method *m)
{
	char *name = NULL, *descriptor = NULL, *signature = NULL, *file = NULL;
	(*jvmti)->GetMethodName(jvmti, id, &name, &descriptor, NULL);
	(*jvmti)->GetClassSignature(jvmti, class, &signature, NULL);
	if ((*jvmti)->GetSourceFileName(jvmti, class, &file))
		file = NULL;
	n.wrong_names += !name || !same(m->name, name);
	n.wrong_descriptors += !descriptor || !same(m->descriptor, descriptor);
	n.wrong_classes += !signature || !is_class(m->class_name, signature);
	/* What the VM makes itself for method handles has no code, and no file. */
	bool made = m->code_bytes == 0 && m->source_file.len == 0;
	n.wrong_files += !made && !same(m->source_file, file ? file : "");
	(*jvmti)->Deallocate(jvmti, (unsigned char *)name);
	(*jvmti)->Deallocate(jvmti, (unsigned char *)descriptor);
	(*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
	(*jvmti)->Deallocate(jvmti, (unsigned char *)file);
}

static bool same_text(struct slice want, const struct buf *got)
{
	return slice_equal(want, buf_slice(got));
}

/* What is read of it through the kernel is the same. */
static bool peeks_same(uintptr_t method, const struct vm_method *m)
{
	struct method_peek p;
	struct method_names names;
	struct buf file = {.at = NULL}, lines = {.at = NULL};
	if (!method_peek(&methods, method, &p))
		return false;
	bool same = method_peek_names(&methods, &p, &names) && p.klass == m->klass &&
		    p.code == m->code && p.code_bytes == m->code_bytes &&
		    (p.line_bytes > 0) == m->has_lines && method_peek_lines(&p, &lines) &&
		    same_text(m->class_name, &names.class_name) &&
		    same_text(m->name, &names.name) && same_text(m->descriptor, &names.descriptor);
	same &= method_peek_text(&methods, &p, p.source_file, &file) == (m->source_file.len > 0) &&
		same_text(m->source_file, &file);
	for (uint32_t bci = 0; bci < p.code_bytes && same; bci++)
		same = vm_method_line(&methods, method, bci) ==
		       line_table_line(buf_slice(&lines), methods.numbers, bci);
	method_names_release(&names);
	buf_release(&file);
	buf_release(&lines);
	return same;
}

static void check_method(jvmtiEnv *jvmti, jclass class, jmethodID id)
{
	struct vm_method m;
	learn(id, class);
	uintptr_t method = method_of(id);
	jlocation first = -1, last = -1;
	n.methods_read++;
	if (vm_method_read(&methods, method, &m)) {
		n.wrong_names++;
		return;
	}
	n.wrong_peeks += !peeks_same(method, &m);
	if (!has_id_of_many(jvmti, id, &m))
		check_names(jvmti, class, id, &m);
	if ((*jvmti)->GetMethodLocation(jvmti, id, &first, &last) || first < 0)
		return;
	check_lines(jvmti, id, method, m.code_bytes);
	n.wrong_bci +=
		m.code_bytes != (uint32_t)last + 1 ||
		vm_method_bci(&methods, method, m.code) != 0 ||
		vm_method_bci(&methods, method, m.code - 1) != -1 ||
		vm_method_bci(&methods, method, m.code + m.code_bytes) != -1 ||
		vm_method_bci(&methods, method, m.code + m.code_bytes - 1) != (int)m.code_bytes - 1;
}

static void check_methods(jvmtiEnv *jvmti)
{
	jint count = 0;
	jclass *all = NULL;
	if ((*jvmti)->GetLoadedClasses(jvmti, &count, &all))
		return;
	for (jint i = 0; i < count; i++) {
		jint of_class = 0;
		jmethodID *of_it = NULL;
		if ((*jvmti)->GetClassMethods(jvmti, all[i], &of_class, &of_it))
			continue;
		for (jint k = 0; k < of_class; k++)
			check_method(jvmti, all[i], of_it[k]);
		(*jvmti)->Deallocate(jvmti, (unsigned char *)of_it);
	}
	(*jvmti)->Deallocate(jvmti, (unsigned char *)all);
}

/* What only the VM's symbols tell. */
static int open_spaces(const void *inside, struct diag *d)
{
	static struct vm_library library;
	struct landmarks m;
	int err = vm_library_open(&library, inside, d);
	if (err)
		return err;
	landmarks_find(&m, &library);
	heap_layout_spaces(
		&layout, landmarks_at(&m, LANDMARK_SPACES), m.found[LANDMARK_SPACES].size);
	vm_library_release(&library);
	return ERR_NONE;
}

static void JNICALL vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	(void)jvmti, (void)thread;
	struct diag d = {0};
	const void *inside;
	memcpy(&inside, &(*jni)->GetVersion, sizeof(inside));
	if (heap_layout_open(&layout, inside, &d) || open_spaces(inside, &d) ||
		vm_methods_open(&methods, inside, &d) || method_ids_open(&ids, inside, &d) ||
		code_blobs_open(&blobs, inside, &d) ||
		tlab_gaps_open(&gaps, &methods.objects, inside, 4096, &d) ||
		heap_regions_init(&before, &layout) || heap_regions_init(&after, &layout))
		memcpy(trouble, d.text[0] ? d.text : "no memory", DIAG_MAX);
	else
		ready = 1;
	(*jvmti)->GenerateEvents(jvmti, JVMTI_EVENT_DYNAMIC_CODE_GENERATED);
}

static void JNICALL vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
	static const char *const kinds[] = {"other", "young", "mixed", "full"};
	(void)jni;
	ready ? check_methods(jvmti) : (void)0;
	ready = 0;
	FILE *f = fopen(output, "w");
	if (!f)
		return;
	if (trouble[0])
		fprintf(f, "trouble %s\n", trouble);
	for (size_t i = 0; i < pause_count; i++)
		fprintf(f, "pause %s\n", kinds[pauses[i]]);
	fprintf(f, "chunk_size_known %d\ncompact %d\n", methods.objects.chunk_size > 0,
		methods.objects.compact);
#define WRITE(name) fprintf(f, #name " %llu\n", n.name);
	COUNTS(WRITE)
#undef WRITE
	fclose(f);
}

static void set_up(jvmtiEnv *jvmti)
{
	static const jvmtiEvent wanted[] = {JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH,
		JVMTI_EVENT_GARBAGE_COLLECTION_START, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH,
		JVMTI_EVENT_COMPILED_METHOD_LOAD, JVMTI_EVENT_DYNAMIC_CODE_GENERATED};
	jvmtiCapabilities capabilities = {.can_generate_garbage_collection_events = 1,
		.can_generate_compiled_method_load_events = 1,
		.can_get_line_numbers = 1,
		.can_get_source_file_name = 1};
	jvmtiEventCallbacks callbacks = {
		.VMInit = vm_init,
		.VMDeath = vm_death,
		.GarbageCollectionStart = gc_start,
		.GarbageCollectionFinish = gc_finish,
		.CompiledMethodLoad = compiled,
		.DynamicCodeGenerated = generated,
	};
	(*jvmti)->AddCapabilities(jvmti, &capabilities);
	(*jvmti)->SetEventCallbacks(jvmti, &callbacks, (jint)sizeof(callbacks));
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		(*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, wanted[i], NULL);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	(void)reserved;
	void *jvmti;
	snprintf(output, sizeof(output), "%s", options ? options : "");
	if ((*vm)->GetEnv(vm, &jvmti, JVMTI_VERSION_11) != JNI_OK)
		return JNI_ERR;
	set_up(jvmti);
	return JNI_OK;
}
