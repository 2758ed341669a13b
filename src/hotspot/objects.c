#include "hotspot/objects.h"

#include "base/compiler.h"
#include "base/error.h"
#include "hotspot/constant_pool.h"
#include "hotspot/java_fields.h"
#include "hotspot/vm_constants.h"
#include "hotspot/vm_fields.h"
#include "hotspot/vm_flags.h"

enum { JAVA_LEGACY_LOCKS = 1 /* LockingMode */, OBJECT_BYTES_MAX = 1 << 30 };

struct vm {
	struct vm_structs structs;
	struct vm_constants constants;
	struct vm_flags flags;
};

#define TO(field) .to = offsetof(struct vm_objects, field)

static int open_fields(struct vm_objects *o, const struct vm *vm, struct diag *d)
{
	static const struct vm_field fields[] = {
		{"Klass", "_layout_helper", TO(layout)},
		{"Klass", "_name", TO(name)},
		{"Symbol", "_length", TO(symbol_length)},
		{"Symbol", "_body[0]", NULL, "_body", TO(symbol_body)},
		/* With its table of monitors, 25 keeps marks in place; else they are here. */
		{"ObjectMonitor", "_metadata", NULL, "_header", TO(monitor_header)},
	};
	/* From 26 on no lock keeps a mark: there are no others than those that leave it in place.
	 */
	static const struct vm_field lock = {
		"BasicLock", "_metadata", NULL, "_displaced_header", TO(lock_header)};
	int32_t size_at;
	int err = vm_fields_read(&vm->structs, fields, ARRAY_SIZE(fields), o, d);
	if (err)
		return err;
	o->stack_locks = vm_fields_read(&vm->structs, &lock, 1, o, NULL) == ERR_NONE;
	if (!vm_structs_read(&vm->structs, "java_lang_Class", "_oop_size_offset", &size_at,
		    sizeof(size_at)) ||
		size_at <= 0)
		return diag_set(d, ERR_UNSUPPORTED,
			"this VM does not tell java_lang_Class::_oop_size_offset");
	o->class_size = (uint32_t)size_at;
	return ERR_NONE;
}

/* From 27 on there is no such flag. */
bool vm_objects_wide(const struct vm_flags *f)
{
	return !vm_flags_bool(f, "UseCompressedClassPointers", true);
}

uint32_t vm_objects_align(const struct vm_flags *f)
{
	enum { LEAST = 8, MOST = 256 };
	const void *at = vm_flags_find(f, "ObjectAlignmentInBytes");
	uint32_t bytes = LEAST; /* of 64 bits before 21 or so, and of 32 since */
	if (at)
		memcpy(&bytes, at, sizeof(bytes));
	return bytes >= LEAST && bytes <= MOST && !(bytes & (bytes - 1)) ? bytes : LEAST;
}

static int open_narrow(struct vm_objects *o, const struct vm *vm, struct diag *d)
{
	static const char *const names[][3] = {
		{"CompressedKlassPointers", "_base", "_shift"}, /* 22 and later */
		{"CompressedKlassPointers", "_narrow_klass._base", "_narrow_klass._shift"},
		{"Universe", "_narrow_klass._base", "_narrow_klass._shift"}, /* 11 */
	};
	o->wide = vm_objects_wide(&vm->flags);
	if (o->wide)
		return ERR_NONE;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		int32_t shift = 0;
		if (vm_structs_read(&vm->structs, names[i][0], names[i][1], &o->narrow_base,
			    sizeof(o->narrow_base)) &&
			vm_structs_read(
				&vm->structs, names[i][0], names[i][2], &shift, sizeof(shift)) &&
			shift >= 0 && shift < 32) {
			o->narrow_shift = (uint32_t)shift;
			return ERR_NONE;
		}
	}
	return diag_set(d, ERR_UNSUPPORTED,
		"this VM does not tell CompressedKlassPointers::_base and _shift");
}

static uint32_t constant(const struct vm *vm, const char *name, uint32_t otherwise)
{
	int64_t value;
	return vm_constants_find(&vm->constants, name, &value) && value > 0 && value < 64
		       ? (uint32_t)value
		       : otherwise;
}

static void open_marks(struct vm_objects *o, const struct vm *vm)
{
	const uint32_t hash_shift = 8, klass_shift = 42; /* before they were told by this name */
	int64_t mode = JAVA_LEGACY_LOCKS;                /* the only one before 21 */
	int64_t told; /* this name came with the bit for what is forwarded to itself */
	const int32_t *flag = vm_flags_find(&vm->flags, "LockingMode");
	if (flag)
		mode = *flag;
	o->compact = vm_flags_bool(&vm->flags, "UseCompactObjectHeaders", false);
	o->hash_shift = constant(vm, "markWord::hash_shift", hash_shift);
	o->hash_mask = 0x7fffffff;
	o->klass_shift = constant(vm, "markWord::klass_shift", klass_shift);
	o->keeps_marks = vm_constants_find(&vm->constants, "markWord::klass_shift", &told);
	o->header = o->compact ? 8 : o->wide ? 16 : 12;
	o->array_length = o->header;
	o->stack_locks &= mode == JAVA_LEGACY_LOCKS;
	o->monitor_table = vm_flags_bool(&vm->flags, "UseObjectMonitorTable", false);
	o->biased = vm_flags_bool(&vm->flags, "UseBiasedLocking", false);
	o->sites = !o->compact && !o->biased;
	o->oops_a_word_log = vm_flags_bool(&vm->flags, "UseCompressedOops", true) ? 1 : 0;
}

static bool is_text(const struct vm_objects *o, uintptr_t symbol, const char *text)
{
	return slice_equal(symbol_text(o, symbol), slice_str(text));
}

/* The symbols that the VM makes first have a table, which ends with no mark: it is left once all
 * that are wanted have been seen, and they are there in each release that has them at all. */
static void open_symbols(struct vm_objects *o, const struct vm *vm)
{
	enum { LAST = 1000 };
	const struct {
		const char *text;
		uintptr_t *to;
	} wanted[] = {
		{"jdk/internal/vm/StackChunk", &o->chunk_name},
		{"jdk/internal/vm/FillerObject", &o->filler_name},
		{"[I", &o->ints_name},
	};
	const uintptr_t *table = vm_structs_static(&vm->structs, "Symbol", "_vm_symbols[0]");
	uint64_t size;
	if (!table || !vm_constants_type(&vm->constants, "InstanceStackChunkKlass", &size))
		return;
	size_t missing = ARRAY_SIZE(wanted);
	for (size_t i = 1; i < LAST && missing && table[i] && !(table[i] & 7); i++)
		for (size_t k = 0; k < ARRAY_SIZE(wanted); k++)
			if (!*wanted[k].to && is_text(o, table[i], wanted[k].text)) {
				*wanted[k].to = table[i];
				missing--;
			}
}

struct field_of {
	const struct vm_objects *objects;
	const struct constant_pools *pools;
	uintptr_t pool;
	const char *name;
};

static bool is_field(const void *arg, uint32_t name_index)
{
	const struct field_of *f = arg;
	uintptr_t symbol = constant_pool_symbol(f->pools, f->pool, name_index);
	return symbol && is_text(f->objects, symbol, f->name);
}

/* The VM's classes have a table like that of its symbols. */
static uintptr_t chunk_klass(const struct vm_objects *o, const struct vm *vm)
{
	enum { LAST = 100 };
	const uintptr_t *table = vm_structs_static(&vm->structs, "vmClasses",
		"_klasses[static_cast<int>(vmClassID::Object_klass_knum)]");
	for (size_t i = 0; table && o->chunk_name && i < LAST; i++)
		if (table[i] && klass_symbol(o, table[i]) == o->chunk_name)
			return table[i];
	return 0;
}

/* How large a StackChunk is depends on its field `size`, and no table of the VM's tells where that
 * is, but the class itself does. */
static void open_chunks(struct vm_objects *o, const struct vm *vm)
{
	struct {
		uint32_t constants, fields;
	} at;
	static const struct vm_field wanted[] = {
		{"InstanceKlass", "_constants", .to = 0},
		{"InstanceKlass", "_fieldinfo_stream", .to = sizeof(uint32_t)},
	};
	struct constant_pools pools;
	uintptr_t klass = chunk_klass(o, vm);
	if (!klass || vm_fields_read(&vm->structs, wanted, ARRAY_SIZE(wanted), &at, NULL) ||
		constant_pools_open(&pools, &vm->structs, &vm->constants, NULL))
		return;
	struct field_of size = {o, &pools, VM_AT(uintptr_t, klass, at.constants), "size"};
	struct slice stream = constant_pools_bytes(&pools, VM_AT(uintptr_t, klass, at.fields));
	uint32_t offset;
	if (size.pool && java_fields_offset(stream, is_field, &size, &offset) &&
		offset < UINT16_MAX)
		o->chunk_size = offset;
}

static int open_classes(struct vm_objects *o, const struct vm *vm, struct diag *d)
{
	const char *const now = "_klasses[static_cast<int>(vmClassID::Class_klass_knum)]";
	const char *const old = "_well_known_klasses[SystemDictionary::Class_klass_knum]";
	uint64_t size = sizeof(o->class_klass);
	if (!vm_structs_read(&vm->structs, "vmClasses", now, &o->class_klass, size) &&
		!vm_structs_read(&vm->structs, "SystemDictionary", old, &o->class_klass, size))
		return diag_set(d, ERR_UNSUPPORTED, "this VM does not tell vmClasses::%s", now);
	return o->class_klass ? ERR_NONE
			      : diag_set(d, ERR_UNSUPPORTED, "this VM has no classes yet");
}

int vm_objects_open(struct vm_objects *o, const void *inside, struct diag *d)
{
	struct vm vm = {.structs = vm_structs_of(inside), .constants = vm_constants_of(inside)};
	vm.flags = vm_flags_of(&vm.structs, &vm.constants);
	*o = (struct vm_objects){.align = vm_objects_align(&vm.flags)};
	int err = open_fields(o, &vm, d);
	if (!err)
		err = open_narrow(o, &vm, d);
	if (!err)
		err = open_classes(o, &vm, d);
	if (err)
		return err;
	open_marks(o, &vm);
	open_symbols(o, &vm);
	open_chunks(o, &vm);
	return ERR_NONE;
}

size_t klass_name(const struct vm_objects *o, uintptr_t klass, char *out, size_t room)
{
	struct slice name = symbol_text(o, klass_symbol(o, klass));
	size_t len = name.len < room ? name.len : room - 1;
	if (room == 0)
		return name.len;
	memcpy(out, name.at, len);
	out[len] = 0;
	return name.len;
}

/* A virtual thread's frames: their words, and behind them a bit for each place of a reference. */
static size_t chunk_bytes(const struct vm_objects *o, uintptr_t address, size_t fixed)
{
	enum { WORD_BITS = 64 };
	uint64_t words = VM_AT(uint32_t, address, o->chunk_size);
	uint64_t bits = words << o->oops_a_word_log;
	return object_aligned(o, fixed + 8 * (words + (bits + WORD_BITS - 1) / WORD_BITS));
}

size_t object_bytes_slow(const struct vm_objects *o, uintptr_t address, uintptr_t klass)
{
	int32_t layout = klass_layout(o, klass);
	size_t bytes = layout > 0 ? (size_t)(layout & ~7) : 0;
	if (!bytes || (layout & 6))
		return 0;
	if (klass == o->class_klass)
		bytes = 8ull * VM_AT(uint32_t, address, o->class_size);
	else if (klass_symbol(o, klass) == o->chunk_name)
		bytes = o->chunk_size ? chunk_bytes(o, address, bytes) : 0;
	return bytes <= OBJECT_BYTES_MAX ? bytes : 0;
}

static bool is_biased(const struct vm_objects *o, uint64_t mark)
{
	return o->biased && (mark & 7) == MARK_BIASED;
}

uint64_t mark_unlocked(const struct vm_objects *o, uint64_t mark)
{
	uint64_t pointer = mark & ~3ull;
	if (is_biased(o, mark))
		return 0;
	switch (mark & 3) {
	case MARK_UNLOCKED:
		return mark;
	case MARK_STACK_LOCKED:
		if (!o->stack_locks)
			return mark | MARK_UNLOCKED;
		return pointer ? VM_AT(uint64_t, (uintptr_t)pointer, o->lock_header) : 0;
	case MARK_MONITOR:
		if (o->monitor_table)
			return (mark & ~3ull) | MARK_UNLOCKED;
		return pointer ? VM_AT(uint64_t, (uintptr_t)pointer, o->monitor_header) : 0;
	default:
		return 0;
	}
}

uintptr_t mark_home(const struct vm_objects *o, uintptr_t address)
{
	uint64_t mark = object_mark(address);
	uintptr_t pointer = (uintptr_t)(mark & ~3ull);
	if (is_biased(o, mark))
		return 0;
	switch (mark & 3) {
	case MARK_UNLOCKED:
		return address;
	case MARK_STACK_LOCKED:
		return !o->stack_locks ? address : pointer ? pointer + o->lock_header : 0;
	case MARK_MONITOR:
		return o->monitor_table ? address : pointer ? pointer + o->monitor_header : 0;
	default:
		return 0;
	}
}

uintptr_t mark_age_home(const struct vm_objects *o, uintptr_t address)
{
	return is_biased(o, object_mark(address)) ? address : mark_home(o, address);
}
