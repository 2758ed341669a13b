#include "hotspot/x86_step.h"

#include <stdlib.h>

#include "support/tap.h"

enum { RCX_RDX = 1 << X86_RCX | 1 << X86_RDX };

/* As GNU objdump shows them. */
static const struct {
	const char *bytes;
	unsigned len;
	enum x86_value value;
	int to, from;
	int32_t number;
	bool wide;
} values[] = {
	{"\x48\x89\xe5", 3, X86_COPY, X86_RBP, X86_RSP, 0, true},
	{"\x49\x89\xfd", 3, X86_COPY, 13, X86_RDI, 0, true},
	{"\x89\xf3", 2, X86_COPY, X86_RBX, X86_RSI, 0, false},
	{"\x4c\x8b\xe7", 3, X86_COPY, 12, X86_RDI, 0, true}, /* mov %rdi, %r12 the other way */
	{"\x8b\x46\x08", 3, X86_LOAD, X86_RAX, X86_RSI, 8, false},
	{"\x49\x8b\x45\x08", 4, X86_LOAD, X86_RAX, 13, 8, true},
	{"\x41\x8b\x44\x24\x08", 5, X86_LOAD, X86_RAX, 12, 8, false},
	{"\x4c\x8b\x68\x18", 4, X86_LOAD, 13, X86_RAX, 24, true},
	{"\x48\x8b\x06", 3, X86_LOAD, X86_RAX, X86_RSI, 0, true},
	{"\x8b\x87\x68\x04\x00\x00", 6, X86_LOAD, X86_RAX, X86_RDI, 0x468, false},
	{"\x48\x8b\x43\xf8", 4, X86_LOAD, X86_RAX, X86_RBX, -8, true},
	{"\x49\x8d\x55\x06", 4, X86_SUM, X86_RDX, 13, 6, true},
	{"\x48\x83\xc3\x06", 4, X86_SUM, X86_RBX, X86_RBX, 6, true},
	{"\x48\x81\xc3\x06\x00\x00\x00", 7, X86_SUM, X86_RBX, X86_RBX, 6, true},
	{"\x48\x03\x02", 3, X86_ADD, X86_RAX, -1, 0, true},
	{"\x48\x01\xd0", 3, X86_ADD, X86_RAX, X86_RDX, 0, true},
	{"\x48\x03\xc2", 3, X86_ADD, X86_RAX, X86_RDX, 0, true},
	{"\x48\xd3\xe0", 3, X86_SHIFT, X86_RAX, X86_RAX, 0, true},
	{"\xc1\xe3\x03", 3, X86_SHIFT, X86_RBX, X86_RBX, 3, false},
	{"\x48\xc1\xe8\x2a", 4, X86_SHIFT, X86_RAX, X86_RAX, 0, true},
};

TEST(values)
{
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		struct x86_step s = {0};
		EXPECT(x86_step(slice(values[i].bytes, values[i].len), &s));
		EXPECT_INT(values[i].len, s.len);
		EXPECT_INT(values[i].value, s.value);
		EXPECT_INT(values[i].to, s.to);
		EXPECT_INT(values[i].from, s.from);
		EXPECT_INT(values[i].number, s.number);
		EXPECT_INT(values[i].wide, s.wide);
		EXPECT_INT(X86_NEXT, s.flow);
		EXPECT_INT(0, s.changes);
	}
}

static const struct {
	const char *bytes;
	unsigned len;
	uint16_t changes;
} changing[] = {
	{"\x55", 1, 0},                                            /* push %rbp */
	{"\x41\x5d", 2, 1 << 13},                                  /* pop %r13 */
	{"\x31\xc0", 2, 1 << X86_RAX},                             /* xor %eax,%eax */
	{"\x48\x8d\x05\x00\x00\x00\x00", 7, 1 << X86_RAX},         /* lea 0(%rip),%rax */
	{"\x48\x8b\x05\x00\x00\x00\x00", 7, 1 << X86_RAX},         /* mov 0(%rip),%rax */
	{"\x66\x48\x8d\x3d\x00\x00\x00\x00", 8, 1 << X86_RDI},     /* data16 lea 0(%rip),%rdi */
	{"\x48\x8b\x0c\x10", 4, 1 << X86_RCX},                     /* mov (%rax,%rdx),%rcx */
	{"\x49\x8d\x1c\x04", 4, 1 << X86_RBX},                     /* lea (%r12,%rax),%rbx */
	{"\x64\x48\x8b\x04\x25\x00\x00\x00\x00", 9, 1 << X86_RAX}, /* mov %fs:0,%rax */
	{"\x64\x48\x8b\x06", 4, 1 << X86_RAX},                     /* mov %fs:(%rsi),%rax */
	{"\x48\x89\x75\xc8", 4, 0},                                /* mov %rsi,-0x38(%rbp) */
	{"\x80\x38\x00", 3, 0},                                    /* cmpb $0,(%rax) */
	{"\x83\xf8\x02", 3, 0},                                    /* cmp $2,%eax */
	{"\x2d\xac\xde\x00\x00", 5, 1 << X86_RAX},                 /* sub $0xdeac,%eax */
	{"\x3d\xac\xde\x00\x00", 5, 0},                            /* cmp $0xdeac,%eax */
	{"\x66\x3d\xac\xde", 4, 0},                                /* cmp $0xdeac,%ax */
	{"\xf6\xc1\x01", 3, 0},                                    /* test $1,%cl */
	{"\xf7\xd8", 2, 1 << X86_RAX},                             /* neg %eax */
	{"\xf7\xe1", 2, 1 << X86_RAX | 1 << X86_RDX},              /* mul %ecx */
	{"\x48\xb8\x01\x02\x03\x04\x05\x06\x07\x08", 10, 1 << X86_RAX}, /* movabs */
	{"\xb4\x01", 2, 1 << X86_RAX | 1 << X86_RSP},        /* mov $1,%ah: rax, or with REX rsp */
	{"\x8a\x26", 2, 1 << X86_RAX | 1 << X86_RSP},        /* mov (%rsi),%ah */
	{"\x87\xd1", 2, RCX_RDX},                            /* xchg %edx,%ecx */
	{"\x0f\xb7\x48\x04", 4, 1 << X86_RCX},               /* movzwl 4(%rax),%ecx */
	{"\x48\x0f\x44\xca", 4, 1 << X86_RCX},               /* cmove %rdx,%rcx */
	{"\x0f\x94\xc0", 3, 1 << X86_RAX},                   /* sete %al */
	{"\x66\x89\xc8", 3, 1 << X86_RAX},                   /* mov %cx,%ax */
	{"\xf3\x0f\x1e\xfa", 4, 0},                          /* endbr64 */
	{"\x66\x2e\x0f\x1f\x84\x00\x00\x00\x00\x00", 10, 0}, /* nopw %cs:0(%rax,%rax) */
	{"\x0f\x11\x07", 3, 0},                              /* movups %xmm0,(%rdi) */
	{"\x66\x48\x0f\x7e\xc0", 5, 1 << X86_RAX},           /* movq %xmm0,%rax */
	{"\xc9", 1, 1 << X86_RBP},                           /* leave */
};

TEST(changes)
{
	for (size_t i = 0; i < ARRAY_SIZE(changing); i++) {
		struct x86_step s = {0};
		EXPECT(x86_step(slice(changing[i].bytes, changing[i].len), &s));
		EXPECT_INT(changing[i].len, s.len);
		EXPECT_INT(changing[i].changes, s.changes);
		EXPECT_INT(X86_NONE, s.value);
		EXPECT_INT(X86_NEXT, s.flow);
	}
}

static const struct {
	const char *bytes;
	unsigned len;
	enum x86_flow flow;
	int32_t distance;
} flows[] = {
	{"\x74\xfe", 2, X86_BRANCH, -2},
	{"\x0f\x84\x10\x00\x00\x00", 6, X86_BRANCH, 16},
	{"\xeb\x7f", 2, X86_JUMP, 127},
	{"\xe9\xfb\xff\xff\xff", 5, X86_JUMP, -5},
	{"\xe8\x01\x02\x03\x00", 5, X86_CALL, 0x30201},
	{"\xff\x50\x28", 3, X86_CALL, 0},
	{"\x66\x66\x48\xe8\x00\x00\x00\x00", 8, X86_CALL, 0}, /* of __tls_get_addr */
	{"\xff\xd0", 2, X86_CALL, 0},
	{"\xc3", 1, X86_END, 0},
	{"\xf3\xc3", 2, X86_END, 0},
	{"\x0f\x0b", 2, X86_END, 0},
	{"\xcc", 1, X86_END, 0},
};

TEST(where_it_goes_on)
{
	for (size_t i = 0; i < ARRAY_SIZE(flows); i++) {
		struct x86_step s = {0};
		EXPECT(x86_step(slice(flows[i].bytes, flows[i].len), &s));
		EXPECT_INT(flows[i].len, s.len);
		EXPECT_INT(flows[i].flow, s.flow);
		EXPECT_INT(flows[i].distance, s.distance);
		/* A call leaves rbx, rsp, rbp and r12 to r15 as they are. */
		EXPECT_INT(s.flow == X86_CALL ? 0x0fc7 : 0, s.changes);
	}
}

TEST(what_is_not_known)
{
	static const char *const unknown[] = {"\xff\xe0", /* jmp *%rax: anywhere */
		"\x0f\x05", "\x0f\xa2", "\xc5\xf8\x10\x07", "\x62\xf1\x7c\x48\x10\x07",
		"\xf3\x48\xab", "\x06", "\xcd\x80", "\x8f\xc0", "\xc8\x01\x01\x01",
		"\x48\x48\x89\xe5"};
	for (size_t i = 0; i < ARRAY_SIZE(unknown); i++) {
		struct x86_step s;
		EXPECT(!x86_step(slice(unknown[i], strlen(unknown[i])), &s));
	}
	struct x86_step s;
	EXPECT(!x86_step(
		slice("\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x90", 16), &s));
	EXPECT(!x86_step(slice(NULL, 0), &s));
}

/* Each cut is in memory of its own, so that a sanitizer sees a step over its end. */
static void cut(const char *bytes, unsigned len)
{
	for (unsigned n = 0; n < len; n++) {
		struct x86_step s;
		uint8_t *part = malloc(n + 1);
		memcpy(part, bytes, n);
		EXPECT(!x86_step(slice(part, n), &s));
		free(part);
	}
}

TEST(cut_anywhere_it_is_none)
{
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		cut(values[i].bytes, values[i].len);
	for (size_t i = 0; i < ARRAY_SIZE(changing); i++)
		cut(changing[i].bytes, changing[i].len);
	for (size_t i = 0; i < ARRAY_SIZE(flows); i++)
		cut(flows[i].bytes, flows[i].len);
}
