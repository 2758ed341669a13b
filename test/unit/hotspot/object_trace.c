#include "hotspot/object_trace.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "support/tap.h"

/* Pieces of code, as compilers make SharedRuntime::dtrace_object_alloc of them. */
#define BEGIN      "\x55\x48\x89\xe5" /* push %rbp; mov %rsp,%rbp */
#define RDI_TO_RBX "\x48\x89\xfb"     /* mov %rdi,%rbx */
#define RSI_TO_RBX "\x48\x89\xf3"     /* mov %rsi,%rbx */
#define RSI_TO_R12 "\x49\x89\xf4"     /* mov %rsi,%r12 */
#define ESI_TO_R12 "\x41\x89\xf4"     /* mov %esi,%r12d */
#define RDX_TO_R12 "\x49\x89\xd4"     /* mov %rdx,%r12 */
#define NARROW_CLASS                                                                               \
	"\x8b\x43\x08\x48\xd3\xe0\x48\x03\x02"     /* mov 8(%rbx),%eax; shl %cl; add (%rdx) */
#define WHOLE_CLASS "\x48\x8b\x43\x08"             /* mov 8(%rbx),%rax */
#define MARK_CLASS  "\x48\x8b\x03\x48\xc1\xe8\x2a" /* mov (%rbx),%rax; shr $42,%rax */
#define NAME        "\x48\x8b\x58\x18"             /* mov 24(%rax),%rbx */
#define CALL        "\xe8\x00\x00\x00\x00"
#define BYTES       "\x49\xc1\xe4\x03"     /* shl $3,%r12 */
#define TEXT        "\x48\x8d\x43\x06"     /* lea 6(%rbx),%rax */
#define END         "\x90\x31\xc0\x5d\xc3" /* the probe's nop; xor %eax,%eax; pop; ret */
#define ARGUMENTS   "-8@%rcx 8@%rax -4@%edx 8@%r12"

enum { END_LEN = sizeof(END) - 1 };

/* The probe is the nop of the end. */
static int trace_of(struct object_trace *t, const char *bytes, size_t len, struct diag *d)
{
	return object_trace_find(t, slice(bytes, len), len - END_LEN, slice_str(ARGUMENTS), d);
}
#define TRACE(t, code) trace_of(t, code, sizeof(code) - 1, NULL)

static void expect(int object, int words, const struct object_trace *t, int err)
{
	EXPECT_INT(0, err);
	EXPECT_INT(object, t->object);
	EXPECT_INT(words, t->words);
}

TEST(the_object_is_the_first_argument)
{
	struct object_trace t;
	expect(0, -1, &t, TRACE(&t, BEGIN RDI_TO_RBX NARROW_CLASS NAME CALL TEXT END));
	expect(0, -1, &t, TRACE(&t, BEGIN RDI_TO_RBX WHOLE_CLASS NAME CALL TEXT END));
	expect(0, -1, &t, TRACE(&t, BEGIN RDI_TO_RBX MARK_CLASS NAME CALL TEXT END));
	expect(0, 1, &t,
		TRACE(&t, BEGIN RDI_TO_RBX ESI_TO_R12 WHOLE_CLASS NAME CALL BYTES TEXT END));
}

TEST(the_object_is_the_second)
{
	struct object_trace t;
	expect(1, -1, &t, TRACE(&t, BEGIN RSI_TO_RBX NARROW_CLASS NAME CALL TEXT END));
	expect(1, 2, &t,
		TRACE(&t, BEGIN RSI_TO_RBX RDX_TO_R12 NARROW_CLASS NAME CALL BYTES TEXT END));
}

/* je over one of two ways, which meet. */
#define EITHER(one, len_one, other, len_other) "\x74" len_one one "\xeb" len_other other

TEST(ways_that_agree)
{
	struct object_trace t;
	expect(1, -1, &t,
		TRACE(&t, BEGIN RSI_TO_RBX EITHER(NARROW_CLASS, "\x0b", WHOLE_CLASS, "\x04")
				  NAME CALL TEXT END));
	expect(1, -1, &t,
		TRACE(&t, BEGIN RSI_TO_RBX EITHER(NARROW_CLASS, "\x0b", MARK_CLASS, "\x07")
				  NAME CALL TEXT END));
}

static void expect_none(const char *why, int err, const struct diag *d)
{
	EXPECT_INT(ERR_UNSUPPORTED, err);
	EXPECT_STR(why, d->text);
}

#define NO(why, code)                                                                              \
	do {                                                                                       \
		struct object_trace none;                                                          \
		struct diag d = {""};                                                              \
		expect_none(why, trace_of(&none, code, sizeof(code) - 1, &d), &d);                 \
	} while (0)
#define NOT_TOLD "it can't be told where one of its functions gets the object"

TEST(ways_that_do_not)
{
	/* From the first argument on one, from the second on the other. */
	NO(NOT_TOLD,
		BEGIN EITHER(RDI_TO_RBX, "\x05", RSI_TO_RBX, "\x03") WHOLE_CLASS NAME TEXT END);
	/* The class on one only. */
	NO(NOT_TOLD, BEGIN RDI_TO_RBX "\x74\x04" WHOLE_CLASS NAME TEXT END);
}

TEST(values_that_are_something_else)
{
	NO(NOT_TOLD, BEGIN RDI_TO_RBX NAME TEXT END);                           /* no class */
	NO(NOT_TOLD, BEGIN RDI_TO_RBX WHOLE_CLASS TEXT END);                    /* no name */
	NO(NOT_TOLD, BEGIN RDI_TO_RBX WHOLE_CLASS NAME "\x48\x8d\x43\x07" END); /* lea 7(%rbx) */
	NO(NOT_TOLD, BEGIN RDI_TO_RBX "\x48\x8b\x43\x10" NAME TEXT END);        /* mov 16(%rbx) */
	NO(NOT_TOLD, BEGIN RDI_TO_RBX WHOLE_CLASS "\x48\x8b\x58\x20" TEXT END); /* 32(%rax) */
	NO(NOT_TOLD, BEGIN "\x89\xfb" WHOLE_CLASS NAME TEXT END);               /* mov %edi,%ebx */
	NO(NOT_TOLD, BEGIN CALL RDI_TO_RBX WHOLE_CLASS NAME TEXT END);          /* rdi is gone */
	NO(NOT_TOLD, BEGIN RDI_TO_RBX WHOLE_CLASS CALL NAME TEXT END);          /* rax is gone */
	NO(NOT_TOLD, BEGIN RDI_TO_RBX WHOLE_CLASS NAME TEXT "\x31\xc0" END);    /* xor %eax,%eax */
	NO(NOT_TOLD, BEGIN "\xeb\xfe" RDI_TO_RBX WHOLE_CLASS NAME TEXT END);    /* never there */
	NO(NOT_TOLD, BEGIN RDI_TO_RBX WHOLE_CLASS NAME TEXT "\xeb\x01" END);    /* past the probe */
}

/* A loop that comes back with something else in the register is seen in a later round. */
TEST(loops)
{
	struct object_trace t;
	expect(0, -1, &t, TRACE(&t, BEGIN RDI_TO_RBX WHOLE_CLASS "\x75\xfa" NAME TEXT END));
	/* jne back to before the load, with rbx changed: mov %rcx,%rbx */
	NO(NOT_TOLD, BEGIN RDI_TO_RBX WHOLE_CLASS "\x48\x89\xcb\x75\xf7" RDI_TO_RBX NAME TEXT END);
}

/*
 * What comes late, by ways that go backward, still counts where all had agreed before: jmp B; A: …
 * the end; B: the load; jne U; jmp A; C1: mov %rcx,%rbx; jmp B; C2: jmp C1; U: jmp C2.
 */
TEST(ways_that_come_late)
{
	enum { PROBE = 17 };
#define LATE(move)                                                                                 \
	BEGIN RDI_TO_RBX "\xeb\x0d" NAME TEXT END WHOLE_CLASS "\x75\x09\xeb\xeb" move              \
			 "\xeb\xf3\xeb\xf9\xeb\xfc"
	static const char other[] = LATE("\x48\x89\xcb"), same[] = LATE("\x48\x89\xdb");
#undef LATE
	struct object_trace t;
	struct slice all = slice(other, sizeof(other) - 1);
	EXPECT_INT(ERR_UNSUPPORTED, object_trace_find(&t, all, PROBE, slice_str(ARGUMENTS), NULL));
	all = slice(same, sizeof(same) - 1);
	expect(0, -1, &t, object_trace_find(&t, all, PROBE, slice_str(ARGUMENTS), NULL));
}

/* Behind a call that never comes back there may be anything; only guarantee() tells that it won't.
 */
TEST(calls_that_do_not_come_back)
{
	static const char comes[] = BEGIN RDI_TO_RBX "\x75\x08"
						     "\xc6\x00Y" CALL WHOLE_CLASS NAME TEXT END;
	static const char fails[] = BEGIN RDI_TO_RBX WHOLE_CLASS "\x75\x08"
								 "\xc6\x00X" CALL NAME TEXT END;
	static const char plain[] = BEGIN RDI_TO_RBX WHOLE_CLASS "\x75\x08"
								 "\xc6\x00Z" CALL NAME TEXT END;
	struct object_trace t;
	expect(0, -1, &t, TRACE(&t, comes));
	expect(0, -1, &t, TRACE(&t, fails));
	NO(NOT_TOLD, plain); /* rax is gone after that call */
}

TEST(code_that_can_not_be_followed)
{
	NO("one of its functions has code that mayfly can't follow",
		BEGIN RDI_TO_RBX WHOLE_CLASS NAME "\xff\xe0" TEXT END);
	NO("one of its functions has code that mayfly can't follow",
		BEGIN RDI_TO_RBX WHOLE_CLASS NAME TEXT "\x0f\x05" END);
}

TEST(probes_outside_of_the_code)
{
	struct object_trace t;
	static uint8_t large[OBJECT_TRACE_CODE_MAX + 1];
	struct slice code = slice(BEGIN END, sizeof(BEGIN END) - 1);
	EXPECT_INT(
		ERR_UNSUPPORTED, object_trace_find(&t, code, code.len, slice_str(ARGUMENTS), NULL));
	EXPECT_INT(ERR_UNSUPPORTED,
		object_trace_find(&t, code, UINT64_MAX, slice_str(ARGUMENTS), NULL));
	EXPECT_INT(ERR_UNSUPPORTED,
		object_trace_find(&t, slice(NULL, 0), 0, slice_str(ARGUMENTS), NULL));
	EXPECT_INT(ERR_UNSUPPORTED,
		object_trace_find(&t, slice(large, sizeof(large)), 0, slice_str(ARGUMENTS), NULL));
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, TRACE(&t, BEGIN RDI_TO_RBX WHOLE_CLASS NAME TEXT END));
	mem_fail_at(0);
}

TEST(values_in_no_register)
{
	struct object_trace t;
	static const char code[] = BEGIN RDI_TO_RBX WHOLE_CLASS NAME TEXT END;
	struct slice all = slice(code, sizeof(code) - 1);
	EXPECT_INT(ERR_UNSUPPORTED,
		object_trace_find(&t, all, all.len - END_LEN, slice_str("8@%rax"), NULL));
	EXPECT_INT(ERR_UNSUPPORTED, object_trace_find(&t, all, all.len - END_LEN,
					    slice_str("8@%rcx 8@-40(%rbp)"), NULL));
	EXPECT_INT(
		0, object_trace_find(&t, all, all.len - END_LEN, slice_str("8@%rcx 8@%rax"), NULL));
}
