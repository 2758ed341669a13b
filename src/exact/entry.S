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
#define SETS 32840
#define MASK 32848

/*
 * One way through: \object is the register that has it (rdi, or rsi, and rdi the probe's thread then);
 * \header: the least that comes before an array's elements, behind \length bytes and the length itself;
 * \log: an event is written too. The thread's block comes to
 * rax (and stays in r10 for the log), then its slots, of which r9 is the set; the tag of place and
 * class is in rcx (birth_slots.h).
 */
	.macro find			/* equal: the slot is the set's first one */
	imul $-0x61c8864f, %rcx, %r9	/* 0x9e3779b1, of 64 bits */
	shr $26, %r9
	and MASK(%rax), %r9d
	mov SETS(%rax), %rax
	cmp %rcx, (%rax,%r9)
	.endm

/* The thread's block, to rax. Where the loader has put births_here at one distance from each thread's
 * pointer that is enough; else it is asked by a TLS descriptor, which changes rax alone. */
	.macro here dynamic
	.if \dynamic
	lea births_here@tlsdesc(%rip), %rax
	call *births_here@tlscall(%rax)
	.else
	mov births_here_at(%rip), %rax
	.endif
	mov %fs:(%rax), %rax
	.endm

	.macro count object, length, header, compact, log, dynamic
	here \dynamic
	.if \compact
	mov (%\object), %rcx		/* the class is in the mark */
	shr $42, %rcx
	.else
	mov 8(%\object), %ecx		/* the class */
	.endif
	shl $32, %rcx
	xor (%rsp), %rcx		/* where the probe returns to */
	test %rax, %rax
	jz .Lslow_\object
	.if \log
	mov %rax, %r10
	.endif
	find
	jne .Lsecond\@
.Lhit\@:
	incq 16(%rax,%r9)
	mov 12(%rax,%r9), %edx
	test %edx, %edx
	js .Larray\@
.Lstamp\@:				/* the word turned: the site's 22 bits at the top (shape.h) */
	.if !\compact
	ror $22, %rdx
	cmpq $1, (%\object)		/* as nearly all are born */
	jne .Lodd\@
	or %rdx, (%\object)
.Lstamped\@:
	.endif
	.if \log
	.if \compact
	shl $10, %edx			/* what was above the site goes */
	.else
	shr $32, %rdx
	.endif
	.ifnc \object, rdi
	mov %\object, %rdi
	.endif
	shr $3, %rdi			/* event_log_put; edx: the site << 10 */
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
	.endif
	xor %eax, %eax
	ret
.Lsecond\@:				/* the second slot */
	add $32, %r9
	cmp %rcx, (%rax,%r9)
	je .Lhit\@
/* Not of compiled code? Once more, by what stands for the place. */
	here \dynamic
	mov (%rsp), %r8
	xor %r8, %rcx			/* the class, of the tag */
	cmp births_stub(%rip), %r8
	je .Lstub\@
	cmp births_templates(%rip), %r8
	je .Ltemplate\@
	cmp births_templates+8(%rip), %r8
	jne .Lslow_\object
.Ltemplate\@:
	mov %r13, %r8			/* the bytecode's address, and what tells its method from others */
	mov births_method_key(%rip), %r11d
	test %r11d, %r11d
	jz .Lplace\@
	mov -24(%rbp), %rdx		/* the Method */
	movabs $0x9e3779b97f4a7c15, %r9
	imul %r9, %r8
	add %rdx, %r8
	mov (%rdx,%r11), %rdx
	mov births_method_key+4(%rip), %r11d
	imul %r9, %r8
	add (%rdx,%r11), %r8
	mov births_method_key+8(%rip), %r11d
	mov (%rdx,%r11), %rdx
	mov births_method_key+12(%rip), %r11d
	imul %r9, %r8
	add (%rdx,%r11), %r8
	jmp .Lplace\@
.Lstub\@:
	mov 8(%rbp), %r8		/* the stub's own return address */
.Lplace\@:				/* r8: what stands for it */
	xor %r8, %rcx
	find
	je .Lhit\@
	add $32, %r9
	cmp %rcx, (%rax,%r9)
	je .Lhit\@
	jmp .Lslow_\object
.Larray\@:
	mov \length(%\object), %r8d	/* elements */
	mov %edx, %ecx
	shr $22, %ecx
	and $3, %ecx
	shl %cl, %r8
	mov %edx, %ecx
	shr $30, %ecx			/* 2, or 3 where the header has 4 bytes more */
	lea \header-9(%r8,%rcx,4), %r8	/* - 2 * 4, and 1 less than is added to round up */
	add births_align(%rip), %r8
	and births_align+8(%rip), %r8
	.if !\compact
	and $0x3e3fffff, %edx		/* what is stamped */
	.endif
	add %r8, 24(%rax,%r9)
	jmp .Lstamp\@
	.if !\compact
.Lodd\@:
	mov (%\object), %ecx
	and $7, %ecx
	cmp $1, %ecx
	jne .Lstamped\@			/* somebody else's */
	or %rdx, (%\object)
	jmp .Lstamped\@
	.endif
	.endm

	.macro entry name, object, length, header, compact, dynamic
	.globl \name
	.hidden \name
	.type \name, @function
	.p2align 6
\name:
	cmpb $1, births_on(%rip)	/* counted, and nothing else */
	jne .Lmore\@
.Lcounted\@:
	count \object, \length, \header, \compact, 0, \dynamic
.Lmore\@:
	movzbl births_on(%rip), %r11d
	cmp $2, %r11d
	jne .Lrare\@
.Llogged\@:
	count \object, \length, \header, \compact, 1, \dynamic
.Lrare\@:
	test %r11d, %r11d
	je .Loff\@
	here \dynamic
	test %rax, %rax
	jz .Lslow_\object
	decq COUNTDOWN(%rax)		/* is it this one's turn to be walked? */
	jz .Lpath_\object
	test $2, %r11b
	jz .Lcounted\@
	jmp .Llogged\@
.Loff\@:
	xor %eax, %eax
	ret
	.size \name, . - \name
	.endm

	.text
	.hidden births_slow, births_far, births_path, births_on, births_here, births_here_at
	.hidden births_align
	.hidden births_stub, births_templates, births_method_key
/* births_entry_rdi to births_dynamic_wide_rsi (births.h). */
	.macro entries by, dynamic
	entry births_\by\()_rdi, rdi, 12, 12, 0, \dynamic
	entry births_\by\()_rsi, rsi, 12, 12, 0, \dynamic
	entry births_\by\()_compact_rdi, rdi, 8, 12, 1, \dynamic
	entry births_\by\()_compact_rsi, rsi, 8, 12, 1, \dynamic
	entry births_\by\()_wide_rdi, rdi, 16, 20, 0, \dynamic
	entry births_\by\()_wide_rsi, rsi, 16, 20, 0, \dynamic
	.endm
	entries entry, 0
	entries dynamic, 1

/* rdi: the object, r9: the probe's thread. */
	.macro leave to
	mov %rsp, %rsi
	mov %rbp, %rdx
	mov %r13, %rcx
	mov %r15, %r8
	jmp \to
	.endm

.Lslow_rsi:
	mov %rdi, %r9
	mov %rsi, %rdi
	leave births_slow
.Lslow_rdi:
	xor %r9d, %r9d
	leave births_slow
.Lpath_rsi:
	mov %rdi, %r9
	mov %rsi, %rdi
	leave births_path
.Lpath_rdi:
	xor %r9d, %r9d
	leave births_path

/* rdi: the object >> 3, edx: its site << 10, r10: the thread's block. */
.Lfar:
	mov %edx, %esi
	shr $10, %esi
	mov %rdi, %rdx
	mov %r10, %rdi
	jmp births_far

/* The loader's descriptor of births_here, and what it answers: the distance from the thread's
 * pointer. In a program the linker has put the distance in place of both. */
	.macro function name
	.globl \name
	.hidden \name
	.type \name, @function
\name:
	.endm

	function births_here_descriptor
	lea births_here@tlsdesc(%rip), %rax
	ret
	.size births_here_descriptor, . - births_here_descriptor

	function births_here_distance
	lea births_here@tlsdesc(%rip), %rax
	call *births_here@tlscall(%rax)
	ret
	.size births_here_distance, . - births_here_distance
#else
	.macro none names:vararg
	.irp name, \names
	.globl \name
\name:
	.endr
	.endm
	none births_entry_rdi, births_entry_rsi, births_dynamic_rdi, births_dynamic_rsi
	none births_entry_compact_rdi, births_entry_compact_rsi
	none births_dynamic_compact_rdi, births_dynamic_compact_rsi
	none births_entry_wide_rdi, births_entry_wide_rsi
	none births_dynamic_wide_rdi, births_dynamic_wide_rsi
	.byte 0
#endif
	.section .note.GNU-stack, "", @progbits
