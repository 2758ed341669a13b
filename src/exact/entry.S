/*
 * Where the VM's allocation probes jump to (births.h): a thread's block, the set of two slots that the
 * return address and the class choose, and a hit counts and stamps. All else goes to births_slow, with
 * the caller's rbp, r13 and r15, which only assembly can see. The C function births_event does the
 * same, for tests; births.c asserts the offsets.
 *
 * Called as a C function by compiled code, the interpreter and the VM: rax, rcx, rdx, rsi, rdi, r8 to
 * r11 may be changed.
 */
#ifdef __x86_64__
	.text
	.globl births_entry_rdi, births_entry_rsi
	.hidden births_entry_rdi, births_entry_rsi
	.hidden births_slow, births_on, births_here, births_unstamped
	.type births_entry_rdi, @function
	.type births_entry_rsi, @function
	.p2align 4
births_entry_rsi:
	mov %rdi, %r9			/* the probe's thread */
	mov %rsi, %rdi
	jmp .Lcommon
	.p2align 4
births_entry_rdi:
	xor %r9d, %r9d
.Lcommon:
	cmpb $0, births_on(%rip)
	je .Ldone
	mov births_here@gottpoff(%rip), %rax
	mov %fs:(%rax), %rax
	mov (%rsp), %rsi		/* where the probe returns to */
	mov 8(%rdi), %ecx		/* the class */
	test %rax, %rax
	jz .Lslow
	mov %ecx, %edx
	xor %esi, %edx
	imul $0x9e3779b1, %edx, %edx
	shr $23, %edx
	shl $6, %edx
	add %rdx, %rax
	cmp %rsi, (%rax)
	jne .Lsecond
	cmp %ecx, 8(%rax)
	jne .Lsecond
.Lhit:
	incq 16(%rax)
	mov 12(%rax), %edx
	test %edx, %edx
	js .Larray
.Lstamp:
	mov (%rdi), %ecx
	and $7, %ecx
	cmp $1, %ecx
	jne .Lunstamped
	shl $10, %edx			/* the site's 22 bits; what was above goes */
	or %edx, 4(%rdi)
.Ldone:
	xor %eax, %eax
	ret
.Lsecond:
	add $32, %rax
	cmp %rsi, (%rax)
	jne .Lslow
	cmp %ecx, 8(%rax)
	je .Lhit
.Lslow:
	mov %rbp, %rdx
	mov %r13, %rcx
	mov %r15, %r8
	jmp births_slow
.Larray:
	mov 12(%rdi), %esi		/* elements */
	mov %edx, %ecx
	shr $22, %ecx
	and $3, %ecx
	shl %cl, %rsi
	mov %edx, %ecx
	shr $24, %ecx
	and $7, %ecx
	lea 7(%rsi,%rcx,4), %rsi
	and $-8, %rsi
	add %rsi, 24(%rax)
	jmp .Lstamp
.Lunstamped:
	lock incq births_unstamped(%rip)
	jmp .Ldone
	.size births_entry_rdi, . - births_entry_rdi
#else
	.globl births_entry_rdi, births_entry_rsi
births_entry_rdi:
births_entry_rsi:
	.byte 0
#endif
	.section .note.GNU-stack, "", @progbits
