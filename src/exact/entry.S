/*
 * Where the VM's allocation probes jump to (births.h): a thread's block, the set of two slots that the
 * return address and the class choose, and a hit counts, stamps, and writes an event where they are
 * wanted. A stub's and the interpreter's return addresses don't tell the place: theirs is looked up by
 * what does. All else goes to births_slow, with the caller's rbp, r13 and r15, which only assembly can see.
 * The C function births_event does the same, for tests; births.c asserts the offsets.
 *
 * Called as a C function by compiled code, the interpreter and the VM: rax, rcx, rdx, rsi, rdi, r8 to
 * r11 may be changed.
 */
#ifdef __x86_64__
#define LOG_AT 32768
#define LOG_LIMIT 32776
#define LOG_LAST 32784
#define COUNTDOWN 32832

/* \klass loads the class into ecx; \length: where in an array its length is. */
	.macro entry name, length
	.globl \name\()_rdi, \name\()_rsi
	.hidden \name\()_rdi, \name\()_rsi
	.type \name\()_rdi, @function
	.type \name\()_rsi, @function
	.p2align 4
\name\()_rsi:
	mov %rdi, %r9			/* the probe's thread */
	mov %rsi, %rdi
	jmp 1f
	.p2align 4
\name\()_rdi:
	xor %r9d, %r9d
1:
	movzbl births_on(%rip), %r11d
	test %r11d, %r11d
	je 9f
	mov births_here@gottpoff(%rip), %rax
	mov %fs:(%rax), %rax
	mov (%rsp), %rsi		/* where the probe returns to */
	.ifc \name, births_compact
	mov (%rdi), %rcx		/* the class is in the mark */
	shr $42, %rcx
	.else
	mov 8(%rdi), %ecx		/* the class */
	.endif
	test %rax, %rax
	jz .Lslow
	mov %rax, %r10
	test $4, %r11b
	jnz 13f
8:					/* rsi: what stands for the place */
	mov %ecx, %edx
	xor %esi, %edx
	imul $0x9e3779b1, %edx, %edx
	shr $23, %edx
	shl $6, %edx
	add %rdx, %rax
	cmp %rsi, (%rax)
	jne 5f
	cmp %ecx, 8(%rax)
	jne 5f
2:					/* hit */
	incq 16(%rax)
	mov 12(%rax), %edx
	test %edx, %edx
	js 6f
3:					/* stamp: the word turned, the site's 22 bits at the top (shape.h) */
	.ifnc \name, births_compact
	ror $22, %rdx
	mov (%rdi), %ecx
	and $7, %ecx
	cmp $1, %ecx
	jne 7f
	or %rdx, (%rdi)
4:
	test $2, %r11b
	jnz .Llog_stamp
	.else
	shl $10, %edx			/* what was above the site goes */
	test $2, %r11b
	jnz .Llog
	.endif
9:
	xor %eax, %eax
	ret
5:					/* the second slot */
	add $32, %rax
	cmp %rsi, (%rax)
	jne 10f
	cmp %ecx, 8(%rax)
	je 2b
10:					/* not of compiled code? Once more, by what stands for it */
	mov %r10, %rax
	cmp births_stub(%rip), %rsi
	je 11f
	cmp births_templates(%rip), %rsi
	je 12f
	cmp births_templates+8(%rip), %rsi
	jne .Lslow
12:
	mov %r13, %rsi			/* the bytecode's address */
	jmp 8b
11:
	mov 8(%rbp), %rsi		/* the stub's own return address */
	jmp 8b
6:					/* array */
	mov \length(%rdi), %esi		/* elements */
	mov %edx, %ecx
	shr $22, %ecx
	and $3, %ecx
	shl %cl, %rsi
	mov %edx, %ecx
	shr $30, %ecx			/* 2, or 3 where the header has 16 bytes and not 12 */
	lea 11(%rsi,%rcx,4), %rsi
	and $-8, %rsi
	.ifnc \name, births_compact
	and $0x3e3fffff, %edx		/* what is stamped */
	.endif
	add %rsi, 24(%rax)
	jmp 3b
	.ifnc \name, births_compact
7:					/* unstamped */
	lock incq births_unstamped(%rip)
	jmp 4b
	.endif
13:					/* is it this one's turn to be walked? */
	decq COUNTDOWN(%rax)
	jnz 8b
	mov %rsp, %rsi
	mov %rbp, %rdx
	mov %r13, %rcx
	mov %r15, %r8
	jmp births_path
	.size \name\()_rdi, . - \name\()_rdi
	.endm

	.text
	.hidden births_slow, births_far, births_path, births_on, births_here, births_unstamped
	.hidden births_stub, births_templates
	entry births_entry, 12
	entry births_compact, 8

.Lslow:
	mov %rsp, %rsi
	mov %rbp, %rdx
	mov %r13, %rcx
	mov %r15, %r8
	jmp births_slow

/* rdi: the object, rdx: its stamp, or (.Llog) edx: its site << 10, r10: the thread's block
   (event_log_put). */
.Llog_stamp:
	shr $32, %rdx
.Llog:
	shr $3, %rdi
	mov %rdi, %rcx
	sub LOG_LAST(%r10), %rcx	/* distance */
	mov LOG_AT(%r10), %rsi
	cmp LOG_LIMIT(%r10), %rsi
	jae .Lfar
	lea -1(%rcx), %rax
	cmp $4095, %rax
	jae .Lfar
	lea (%rcx,%rdx,4), %rdx
	mov %edx, (%rsi)
	add $4, %rsi
	mov %rsi, LOG_AT(%r10)
	mov %rdi, LOG_LAST(%r10)
	xor %eax, %eax
	ret
.Lfar:
	mov %edx, %esi
	shr $10, %esi
	mov %rdi, %rdx
	mov %r10, %rdi
	jmp births_far
#else
	.globl births_entry_rdi, births_entry_rsi, births_compact_rdi, births_compact_rsi
births_entry_rdi:
births_entry_rsi:
births_compact_rdi:
births_compact_rsi:
	.byte 0
#endif
	.section .note.GNU-stack, "", @progbits
