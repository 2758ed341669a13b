#include "hotspot/fast_path.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "support/library_file.h"
#include "support/tap.h"

#define FLAGS     "_ZN5ciEnv18cache_dtrace_flagsEv"
#define EXPAND_11 "_ZN16PhaseMacroExpand22expand_allocate_commonEP12AllocateNodeP4NodePK8TypeFuncPh"
#define EXPAND_17 EXPAND_11 "S3_"
#define PROBE     "_ZN16PhaseMacroExpand25expand_dtrace_alloc_probeEP12AllocateNodeP4NodeRS3_S4_"
#define OUT_GROW  "_ZN4Node8out_growEj"

enum { EXPAND_SIZE = 512, ALLOC_READ = 16, EXTENDED_READ = 32, PROBE_CALL = 48 };

/* As the VM's own, to the fields that matter. */
struct node {
	void *functions;
	struct node **in, **out;
	uint32_t in_count, in_max, out_count, out_max;
};

struct rig {
	struct library_file f;
	struct vm_library l;
	struct landmarks m;
	uint64_t expand, entry;
	size_t size;
	char path[64];
};

/* mov %al, offset(%rdi) for each. */
static void put_flags(struct rig *r, uint8_t least, uint8_t greatest)
{
	uint8_t code[64];
	size_t len = 0;
	for (uint8_t offset = least; offset <= greatest; offset++) {
		const uint8_t write[] = {0x88, 0x87, offset, 0, 0, 0};
		memcpy(code + len, write, sizeof(write));
		len += sizeof(write);
	}
	library_file_function(&r->f, FLAGS, code, len, 64);
}

static void put_read(uint8_t *code, size_t at, uint8_t offset)
{
	const uint8_t read[] = {0x80, 0xb8, offset, 0, 0, 0, 0};
	memcpy(code + at, read, sizeof(read));
}

static void put_jump(uint8_t code[12], uintptr_t target)
{
	const uint8_t jump[12] = {0x48, 0xb8, [10] = 0xff, 0xe0};
	memcpy(code, jump, sizeof(jump));
	memcpy(code + 2, &target, sizeof(target));
}

static void put_expand(struct rig *r, const char *name, const uint8_t *code)
{
	r->expand = library_file_function(&r->f, name, code, EXPAND_SIZE, EXPAND_SIZE);
}

static void set_up_11(struct rig *r, const uint8_t *code)
{
	*r = (struct rig){.size = 0};
	put_flags(r, 0xa1, 0xa4);
	put_expand(r, EXPAND_11, code);
}

static int part_calls;
static void made_part(void *macro, void *allocate, struct node *object, struct node **control,
	struct node **memory);
static void made_grow(struct node *n, uint32_t length);

/* The functions of 17; the call in the expansion goes to the part. */
static void set_up_17(struct rig *r, uint8_t *code)
{
	uint8_t jump[12];
	*r = (struct rig){.size = 0};
	put_flags(r, 0xa6, 0xa8);
	put_jump(jump, (uintptr_t)&made_part);
	uint64_t part = library_file_function(&r->f, PROBE ".part.0", jump, sizeof(jump), 64);
	put_jump(jump, (uintptr_t)&made_grow);
	library_file_function(&r->f, OUT_GROW, jump, sizeof(jump), 64);
	r->entry = library_file_function(&r->f, PROBE, "\xc3", 1, 32);
	uint64_t expand = LIBRARY_FILE_CODE + r->f.code.len;
	int32_t distance = (int32_t)((int64_t)part - (int64_t)(expand + PROBE_CALL + 5));
	code[PROBE_CALL] = 0xe8;
	memcpy(code + PROBE_CALL + 1, &distance, sizeof(distance));
	put_expand(r, EXPAND_17, code);
}

/* Opens the made-up file, and lays the code out in memory as if it had been loaded. */
static int look(struct rig *r, struct fast_path *p, struct diag *d)
{
	EXPECT(library_file_write(&r->f, r->path, sizeof(r->path)));
	EXPECT_INT(0, vm_library_open_file(&r->l, r->path, NULL));
	r->l.base = library_file_load(&r->f, &r->size);
	EXPECT(r->l.base != NULL);
	landmarks_find(&r->m, &r->l);
	return fast_path_open(p, &r->l, &r->m, d);
}

static void tear_down(struct rig *r)
{
	munmap(r->l.base, r->size);
	vm_library_release(&r->l);
	library_file_release(&r->f);
	unlink(r->path);
}

static uint8_t at(const struct rig *r, size_t offset)
{
	return r->l.base[r->expand + offset];
}

TEST(two_displacements_on_11)
{
	struct rig r;
	struct fast_path p;
	struct diag d = {""};
	uint8_t code[EXPAND_SIZE] = {0x55};
	put_read(code, ALLOC_READ, 0xa4);
	put_read(code, EXTENDED_READ, 0xa1);
	set_up_11(&r, code);
	EXPECT_INT(0, look(&r, &p, &d));
	EXPECT(p.needed && !p.wraps);
	EXPECT_INT(0, memcmp(r.l.base + r.expand, code, sizeof(code))); /* nothing touched yet */
	EXPECT_INT(0, fast_path_apply(&p, &d));
	EXPECT_INT(0xa3, at(&r, ALLOC_READ + 2)); /* that of methods */
	EXPECT_INT(0xa4, at(&r, EXTENDED_READ + 2));
	EXPECT_INT(0, fast_path_apply(&p, &d)); /* again: no more to do */
	EXPECT_INT(0, fast_path_undo(&p, &d));
	EXPECT_INT(0, memcmp(r.l.base + r.expand, code, sizeof(code)));
	EXPECT_STR("", d.text);
	tear_down(&r);
}

TEST(nothing_to_do_from_19_on)
{
	struct rig r = {.size = 0};
	struct fast_path p;
	uint8_t code[EXPAND_SIZE] = {0x55};
	put_flags(&r, 0xa6, 0xa7);
	put_read(code, ALLOC_READ, 0xa7);
	put_expand(&r, EXPAND_17, code);
	EXPECT_INT(0, look(&r, &p, NULL));
	EXPECT(!p.needed);
	EXPECT_INT(0, fast_path_apply(&p, NULL));
	EXPECT_INT(0, memcmp(r.l.base + r.expand, code, sizeof(code)));
	tear_down(&r);
}

/* The code with these reads on 11 is refused, untouched. */
static void refused(const uint8_t *code, int wanted, const char *sentence)
{
	struct rig r;
	struct fast_path p;
	struct diag d = {""};
	set_up_11(&r, code);
	EXPECT_INT(wanted, look(&r, &p, &d));
	EXPECT_STR(sentence, d.text);
	EXPECT(!p.needed);
	EXPECT_INT(0, fast_path_apply(&p, NULL));
	EXPECT_INT(0, memcmp(r.l.base + r.expand, code, EXPAND_SIZE));
	tear_down(&r);
}

TEST(not_exactly_once)
{
	uint8_t code[EXPAND_SIZE] = {0x55};
	put_read(code, EXTENDED_READ, 0xa1);
	refused(code, ERR_UNSUPPORTED,
		"C2's expansion of allocations reads the flag at +0xa4 at 0 places, not at one");
	put_read(code, ALLOC_READ, 0xa4);
	put_read(code, 100, 0xa4);
	refused(code, ERR_UNSUPPORTED,
		"C2's expansion of allocations reads the flag at +0xa4 at 2 places, not at one");
	put_read(code, 100, 0xa1);
	refused(code, ERR_UNSUPPORTED,
		"C2's expansion of allocations reads the flag at +0xa1 at 2 places, not at one");
}

TEST(flags_and_functions_that_are_not_as_expected)
{
	struct rig r = {.size = 0};
	struct fast_path p;
	struct diag d = {""};
	uint8_t code[EXPAND_SIZE] = {0x55};
	put_flags(&r, 0xa0, 0xa6);
	put_expand(&r, EXPAND_17, code);
	EXPECT_INT(ERR_UNSUPPORTED, look(&r, &p, &d));
	EXPECT_STR("ciEnv::cache_dtrace_flags writes other fields than expected", d.text);
	tear_down(&r);
	r = (struct rig){.size = 0};
	put_flags(&r, 0xa1, 0xa4);
	EXPECT_INT(ERR_NOT_FOUND, look(&r, &p, &d));
	EXPECT_STR(
		"PhaseMacroExpand::expand_allocate_common is not in the library's symbols", d.text);
	tear_down(&r);
}

static struct node *probe_call, *probe_projection;

/* What 17 does: a call whose memory is the control, which has it as its last user. */
static void made_part(void *macro, void *allocate, struct node *object, struct node **control,
	struct node **memory)
{
	(void)macro, (void)allocate, (void)object;
	part_calls++;
	probe_call->in[0] = *control;
	probe_call->in[2] = *control;
	(*control)->out[(*control)->out_count++] = probe_call;
	(*control)->out[(*control)->out_count++] = probe_call;
	*control = *memory = probe_projection;
}

static struct node *grown[8];
static void made_grow(struct node *n, uint32_t length)
{
	memcpy(grown, n->out, length * sizeof(*n->out));
	n->out = grown;
	n->out_max = 8;
}

typedef void expand_function(void *macro, void *allocate, struct node *object,
	struct node **control, struct node **memory);

TEST(the_wrapper_of_17)
{
	struct rig r;
	struct fast_path p;
	struct diag d = {""};
	uint8_t code[EXPAND_SIZE] = {0x55};
	struct node *in[3] = {NULL}, *from[1], *control_out[4] = {NULL}, *memory_out[1] = {NULL};
	struct node call = {.in = in, .in_count = 3, .in_max = 3}, projection = {.in = from},
		    control = {.out = control_out, .out_max = 4},
		    memory = {.out = memory_out, .out_count = 1, .out_max = 1};
	struct node *c = &control, *m = &memory;
	memory_out[0] = &projection;
	from[0] = &call;
	probe_call = &call;
	probe_projection = &projection;
	put_read(code, ALLOC_READ, 0xa8);
	put_read(code, EXTENDED_READ, 0xa6);
	set_up_17(&r, code);
	EXPECT_INT(0, look(&r, &p, &d));
	EXPECT(p.needed && p.wraps);
	EXPECT_INT(0, fast_path_apply(&p, &d));
	EXPECT_INT(0xa7, at(&r, ALLOC_READ + 2));
	EXPECT_INT(0xa8, at(&r, EXTENDED_READ + 2));
	int32_t distance;
	memcpy(&distance, r.l.base + r.expand + PROBE_CALL + 1, sizeof(distance));
	EXPECT_INT(r.entry, (int64_t)(r.expand + PROBE_CALL + 5) + distance);
	/* What the call leads to now. */
	uintptr_t entry = (uintptr_t)(r.l.base + r.entry);
	((expand_function *)entry)(NULL, NULL, NULL, &c, &m);
	EXPECT_INT(1, part_calls);
	EXPECT_INT(1, fast_path_mended());
	EXPECT_INT(0, fast_path_missed());
	EXPECT(call.in[2] == &memory && call.in[0] == &control);
	EXPECT_INT(1, control.out_count);
	EXPECT_INT(2, memory.out_count);
	EXPECT(memory.out == grown && grown[0] == &projection && grown[1] == &call);
	EXPECT(c == &projection && m == &projection);
	EXPECT_INT(0, fast_path_undo(&p, &d));
	EXPECT_INT(0xa8, at(&r, ALLOC_READ + 2));
	EXPECT_INT(0, fast_path_apply(&p, &d)); /* once more, over the call that stays led */
	EXPECT_INT(0xc3, p.jump.old[0]);
	EXPECT_INT(0xa7, at(&r, ALLOC_READ + 2));
	EXPECT_STR("", d.text);
	tear_down(&r);
}

TEST(no_call_of_the_probe_on_17)
{
	struct rig r;
	struct fast_path p;
	struct diag d = {""};
	uint8_t code[EXPAND_SIZE] = {0x55};
	put_read(code, ALLOC_READ, 0xa8);
	put_read(code, EXTENDED_READ, 0xa6);
	set_up_17(&r, code);
	r.f.code.at[r.expand - LIBRARY_FILE_CODE + PROBE_CALL] = 0x90;
	EXPECT_INT(ERR_UNSUPPORTED, look(&r, &p, &d));
	EXPECT_STR("C2's expansion of allocations calls that of the probe at 0 places, not at one",
		d.text);
	tear_down(&r);
}

/* Without names it goes by the release that the VM's probe tells. */
TEST(a_stripped_library)
{
	struct vm_library l = {.base = NULL};
	struct landmarks m = {.noted = true, .wide = true};
	struct fast_path p;
	struct diag d = {""};
	for (int id = LANDMARK_FULL_G1; id < LANDMARKS; id++)
		m.found[id].state = LANDMARK_MISSING;
	EXPECT_INT(0, fast_path_open(&p, &l, &m, &d));
	EXPECT(!p.needed);
	m.wide = false;
	EXPECT_INT(ERR_NOT_FOUND, fast_path_open(&p, &l, &m, &d));
	EXPECT_STR("ciEnv::cache_dtrace_flags is not in the library's symbols", d.text);
}
