/*
 * The doors (birth_doors.h): each leads its own word's address to what is common to all. Called by
 * compiled code as births_entry_rsi, with the object in rsi; what is not as it should be goes there,
 * with the stack and all that it looks at as they were.
 */
#ifdef __x86_64__
#define PLAIN 384
#define ARRAYS 128
#define BEHIND 4096			/* shapes behind the words, bytes behind the counts */

	.text
	.hidden births_doors, births_doors_here_at, births_entry_rsi

/* rax: the door's word. The thread's count of it comes to r10 + rax. */
	.macro common name, array
	.p2align 6
\name:
	mov births_doors_here_at(%rip), %r10
	mov %fs:(%r10), %r10
	mov 8(%rsi), %edx		/* the class */
	xor (%rax), %rdx		/* the site where the mark has it, if it is the door's class */
	test %r10, %r10
	jz births_entry_rsi
	test %edx, %edx
	jnz births_entry_rsi
	cmpq $1, (%rsi)			/* as nearly all are born */
	jne births_entry_rsi
	.if \array
	mov BEHIND(%rax), %r9
	mov 12(%rsi), %r8d		/* elements */
	mov %r9d, %ecx
	shl %cl, %r8
	shr $8, %r9
	add %r9, %r8
	and $-8, %r8
	add %r8, BEHIND(%r10,%rax)
	.endif
	incq (%r10,%rax)
	inc %rdx
	mov %rdx, (%rsi)
	xor %eax, %eax
	ret
	.endm

	.macro doors count, to
	.rept \count
	.p2align 4
	lea births_doors+at(%rip), %rax
	jmp \to
	.set at, at + 8
	.endr
	.endm

	.globl births_door_code
	.hidden births_door_code
	.type births_door_code, @function
	.p2align 6
births_door_code:
	.cfi_startproc
	.set at, 0
	doors PLAIN, .Lplain
	doors ARRAYS, .Larray
	.p2align 4
	common .Lplain, 0
	common .Larray, 1
	.cfi_endproc
	.size births_door_code, . - births_door_code
#else
	.globl births_door_code
births_door_code:
	.byte 0
#endif
	.section .note.GNU-stack, "", @progbits
