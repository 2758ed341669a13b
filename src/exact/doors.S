/*
 * The doors (birth_doors.h): each leads its own word's address to what is common to all. Called by
 * compiled code as births_entry_rsi, with the object in rsi; what is not as it should be goes there,
 * with the stack and all that it looks at as they were. All of them once more, for classes that are not
 * compressed (births_entry_wide_rsi).
 */
#ifdef __x86_64__
#define PLAIN 384
#define ARRAYS 128
#define BEHIND 4096			/* shapes behind the words, bytes behind the counts */

	.text
	.hidden births_doors, births_doors_here_at, births_entry_rsi, births_entry_wide_rsi
	.hidden births_align

/* rax: the door's word. The thread's count of it comes to r10 + rax. \length: where an array's is, if the
 * door is for arrays. */
	.macro common entry, length
	mov births_doors_here_at(%rip), %r10
	mov %fs:(%r10), %r10
	mov 8(%rsi), %edx		/* the class */
	xor (%rax), %rdx		/* the site where the mark has it, if it is the door's class */
	test %r10, %r10
	jz \entry
	test %edx, %edx
	jnz \entry
	cmpq $1, (%rsi)			/* as nearly all are born */
	jne \entry
	.if \length
	mov BEHIND(%rax), %r9
	mov \length(%rsi), %r8d		/* elements */
	mov %r9d, %ecx
	shl %cl, %r8
	shr $8, %r9
	add %r9, %r8
	and births_align+8(%rip), %r8
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

	.macro door_code name, entry, length
	.globl \name
	.hidden \name
	.type \name, @function
	.p2align 6
\name:
	.cfi_startproc
	.set at, 0
	doors PLAIN, .Lplain\@
	doors ARRAYS, .Larray\@
	.p2align 6
.Lplain\@:
	common \entry, 0
	.p2align 6
.Larray\@:
	common \entry, \length
	.cfi_endproc
	.size \name, . - \name
	.endm

	door_code births_door_code, births_entry_rsi, 12
	door_code births_door_code_wide, births_entry_wide_rsi, 16
#else
	.globl births_door_code, births_door_code_wide
births_door_code:
births_door_code_wide:
	.byte 0
#endif
	.section .note.GNU-stack, "", @progbits
