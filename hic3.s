	.file	"hic3.cpp"
	.text
	.globl	main                            # -- Begin function main
	.p2align	4
	.type	main,@function
main:                                   # @main
	.cfi_startproc
# %bb.0:
	subq	$104, %rsp
	.cfi_def_cfa_offset 112
	movq	$2, 56(%rsp)
	movq	$2, 64(%rsp)
	movq	$1, 72(%rsp)
	movq	$2, 80(%rsp)
	movq	$2, 88(%rsp)
	movq	$1, 96(%rsp)
	movups	80(%rsp), %xmm0
	movups	%xmm0, 24(%rsp)
	movq	72(%rsp), %rax
	movq	%rax, 16(%rsp)
	movups	56(%rsp), %xmm0
	movups	%xmm0, (%rsp)
	movq	$1, 40(%rsp)
	callq	_Z2goILi3EEvN4sycl5rangeIXT_EEES2_
	xorl	%eax, %eax
	addq	$104, %rsp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end0:
	.size	main, .Lfunc_end0-main
	.cfi_endproc
                                        # -- End function
	.section	.text._Z2goILi3EEvN4sycl5rangeIXT_EEES2_,"axG",@progbits,_Z2goILi3EEvN4sycl5rangeIXT_EEES2_,comdat
	.weak	_Z2goILi3EEvN4sycl5rangeIXT_EEES2_ # -- Begin function _Z2goILi3EEvN4sycl5rangeIXT_EEES2_
	.p2align	4
	.type	_Z2goILi3EEvN4sycl5rangeIXT_EEES2_,@function
_Z2goILi3EEvN4sycl5rangeIXT_EEES2_:     # @_Z2goILi3EEvN4sycl5rangeIXT_EEES2_
.Lfunc_begin0:
	.cfi_startproc
	.cfi_personality 155, DW.ref.__gxx_personality_v0
	.cfi_lsda 27, .Lexception0
# %bb.0:
	pushq	%r14
	.cfi_def_cfa_offset 16
	pushq	%rbx
	.cfi_def_cfa_offset 24
	subq	$1224, %rsp                     # imm = 0x4C8
	.cfi_def_cfa_offset 1248
	.cfi_offset %rbx, -24
	.cfi_offset %r14, -16
	xorps	%xmm0, %xmm0
	movaps	%xmm0, 176(%rsp)
	movaps	%xmm0, 160(%rsp)
	movaps	%xmm0, 144(%rsp)
	movaps	%xmm0, 128(%rsp)
	movaps	%xmm0, 112(%rsp)
	movaps	%xmm0, 96(%rsp)
	movaps	%xmm0, 80(%rsp)
	movaps	%xmm0, 64(%rsp)
	movq	$32, 32(%rsp)
	movq	$32, 48(%rsp)
	movq	$0, 8(%rsp)
	.cfi_escape 0x2e, 0x10
	leaq	200(%rsp), %rax
	leaq	8(%rsp), %r10
	leaq	_ZN4sycl6bufferIiLi1ESaIiEE8elementsE(%rip), %rdi
	leaq	32(%rsp), %rsi
	leaq	64(%rsp), %rcx
	movl	$1, %edx
	xorl	%r8d, %r8d
	xorl	%r9d, %r9d
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	pushq	%r10
	.cfi_adjust_cfa_offset 8
	callq	tn_buffer_create_elements@PLT
	addq	$16, %rsp
	.cfi_adjust_cfa_offset -16
	testl	%eax, %eax
	jne	.LBB1_13
# %bb.1:                                # %_ZN4sycl6bufferIiLi1ESaIiEEC2EPiRKNS_5rangeILi1EEERKNS_13property_listE.exit
	movq	8(%rsp), %rax
	movq	%rax, 56(%rsp)
.Ltmp0:                                 # EH_LABEL
	.cfi_escape 0x2e, 0x00
	xorl	%edi, %edi
	xorl	%esi, %esi
	xorl	%edx, %edx
	callq	_ZN4sycl6detail12create_queueEP10tn_contextP9tn_devicej
.Ltmp1:                                 # EH_LABEL
# %bb.2:                                # %_ZN4sycl5queueC2Ev.exit
	leaq	1272(%rsp), %rcx
	leaq	1248(%rsp), %rdx
	movq	%rax, 8(%rsp)
	movq	$0, 16(%rsp)
	leaq	40(%rsp), %rsi
	movq	%rsi, 200(%rsp)
	movq	%rdx, 208(%rsp)
	movq	%rcx, 216(%rsp)
.Ltmp3:                                 # EH_LABEL
	.cfi_escape 0x2e, 0x00
	leaq	24(%rsp), %rdi
	leaq	200(%rsp), %rdx
	movq	%rax, %rsi
	callq	_ZN4sycl6detail14handler_access6submitIZ2goILi3EEvNS_5rangeIXT_EEES5_EUlRNS_7handlerEE_EENS_5eventEP8tn_queueRT_
.Ltmp4:                                 # EH_LABEL
# %bb.3:                                # %_ZN4sycl5queue6submitIZ2goILi3EEvNS_5rangeIXT_EEES4_EUlRNS_7handlerEE_EENS_5eventET_.exit
	movq	24(%rsp), %rdi
	testq	%rdi, %rdi
	je	.LBB1_5
# %bb.4:
	.cfi_escape 0x2e, 0x00
	callq	tn_event_release_with_queue@PLT
.LBB1_5:                                # %_ZN4sycl5eventD2Ev.exit
	movq	8(%rsp), %rdi
	.cfi_escape 0x2e, 0x00
	movq	_ZSt9terminatev@GOTPCREL(%rip), %rsi
	callq	tn_queue_drop_handle@PLT
	testq	%rax, %rax
	jne	.LBB1_6
.LBB1_7:                                # %_ZN4sycl5queueD2Ev.exit
	movq	56(%rsp), %rdi
	.cfi_escape 0x2e, 0x00
	callq	tn_buffer_disown@PLT
	leaq	.L.str(%rip), %rbx
	xorl	%r14d, %r14d
	.p2align	4
.LBB1_8:                                # =>This Inner Loop Header: Depth=1
	movl	64(%rsp,%r14,4), %esi
	.cfi_escape 0x2e, 0x00
	movq	%rbx, %rdi
	xorl	%eax, %eax
	callq	printf@PLT
	incq	%r14
	cmpq	$32, %r14
	jne	.LBB1_8
# %bb.9:
	.cfi_escape 0x2e, 0x00
	movl	$10, %edi
	callq	putchar@PLT
	addq	$1224, %rsp                     # imm = 0x4C8
	.cfi_def_cfa_offset 24
	popq	%rbx
	.cfi_def_cfa_offset 16
	popq	%r14
	.cfi_def_cfa_offset 8
	retq
.LBB1_6:
	.cfi_def_cfa_offset 1248
	movq	8(%rsp), %rdi
	.cfi_escape 0x2e, 0x00
	movq	%rax, %rsi
	callq	_ZN4sycl6detail11close_queueEP8tn_queuePv
	jmp	.LBB1_7
.LBB1_13:                               # %.noexc
	.cfi_escape 0x2e, 0x00
	leaq	200(%rsp), %rdi
	callq	_ZN4sycl6detail5raiseERK7tn_diag
.LBB1_11:
.Ltmp5:                                 # EH_LABEL
	movq	%rax, %rbx
	.cfi_escape 0x2e, 0x00
	leaq	8(%rsp), %rdi
	callq	_ZN4sycl5queueD2Ev
	jmp	.LBB1_12
.LBB1_10:
.Ltmp2:                                 # EH_LABEL
	movq	%rax, %rbx
.LBB1_12:
	movq	56(%rsp), %rdi
	.cfi_escape 0x2e, 0x00
	callq	tn_buffer_disown@PLT
	.cfi_escape 0x2e, 0x00
	movq	%rbx, %rdi
	callq	_Unwind_Resume@PLT
.Lfunc_end1:
	.size	_Z2goILi3EEvN4sycl5rangeIXT_EEES2_, .Lfunc_end1-_Z2goILi3EEvN4sycl5rangeIXT_EEES2_
	.cfi_endproc
	.section	.gcc_except_table._Z2goILi3EEvN4sycl5rangeIXT_EEES2_,"aG",@progbits,_Z2goILi3EEvN4sycl5rangeIXT_EEES2_,comdat
	.p2align	2, 0x0
GCC_except_table1:
.Lexception0:
	.byte	255                             # @LPStart Encoding = omit
	.byte	255                             # @TType Encoding = omit
	.byte	1                               # Call site Encoding = uleb128
	.uleb128 .Lcst_end0-.Lcst_begin0
.Lcst_begin0:
	.uleb128 .Ltmp0-.Lfunc_begin0           # >> Call Site 1 <<
	.uleb128 .Ltmp1-.Ltmp0                  #   Call between .Ltmp0 and .Ltmp1
	.uleb128 .Ltmp2-.Lfunc_begin0           #     jumps to .Ltmp2
	.byte	0                               #   On action: cleanup
	.uleb128 .Ltmp3-.Lfunc_begin0           # >> Call Site 2 <<
	.uleb128 .Ltmp4-.Ltmp3                  #   Call between .Ltmp3 and .Ltmp4
	.uleb128 .Ltmp5-.Lfunc_begin0           #     jumps to .Ltmp5
	.byte	0                               #   On action: cleanup
	.uleb128 .Ltmp4-.Lfunc_begin0           # >> Call Site 3 <<
	.uleb128 .Lfunc_end1-.Ltmp4             #   Call between .Ltmp4 and .Lfunc_end1
	.byte	0                               #     has no landing pad
	.byte	0                               #   On action: cleanup
.Lcst_end0:
	.p2align	2, 0x0
                                        # -- End function
	.section	.text.unlikely._ZN4sycl6detail5raiseERK7tn_diag,"axG",@progbits,_ZN4sycl6detail5raiseERK7tn_diag,comdat
	.weak	_ZN4sycl6detail5raiseERK7tn_diag # -- Begin function _ZN4sycl6detail5raiseERK7tn_diag
	.type	_ZN4sycl6detail5raiseERK7tn_diag,@function
_ZN4sycl6detail5raiseERK7tn_diag:       # @_ZN4sycl6detail5raiseERK7tn_diag
	.cfi_startproc
# %bb.0:
	pushq	%rax
	.cfi_def_cfa_offset 16
	callq	tn_error_create_of_diag@PLT
	movq	%rax, %rdi
	callq	_ZN4sycl6detail5raiseEP8tn_error
.Lfunc_end2:
	.size	_ZN4sycl6detail5raiseERK7tn_diag, .Lfunc_end2-_ZN4sycl6detail5raiseERK7tn_diag
	.cfi_endproc
                                        # -- End function
	.section	.text.unlikely._ZN4sycl6detail5raiseEP8tn_error,"axG",@progbits,_ZN4sycl6detail5raiseEP8tn_error,comdat
	.weak	_ZN4sycl6detail5raiseEP8tn_error # -- Begin function _ZN4sycl6detail5raiseEP8tn_error
	.type	_ZN4sycl6detail5raiseEP8tn_error,@function
_ZN4sycl6detail5raiseEP8tn_error:       # @_ZN4sycl6detail5raiseEP8tn_error
	.cfi_startproc
# %bb.0:
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	movq	%rdi, %rbx
	movl	$16, %edi
	callq	__cxa_allocate_exception@PLT
	leaq	_ZTVN4sycl9exceptionE+40(%rip), %rcx
	movq	%rcx, (%rax)
	movq	%rbx, 8(%rax)
	leaq	_ZTIN4sycl9exceptionE(%rip), %rsi
	leaq	_ZN4sycl9exceptionD1Ev(%rip), %rdx
	movq	%rax, %rdi
	callq	__cxa_throw@PLT
.Lfunc_end3:
	.size	_ZN4sycl6detail5raiseEP8tn_error, .Lfunc_end3-_ZN4sycl6detail5raiseEP8tn_error
	.cfi_endproc
                                        # -- End function
	.section	.text._ZN4sycl9exceptionD1Ev,"axG",@progbits,_ZN4sycl9exceptionD1Ev,comdat
	.weak	_ZN4sycl9exceptionD1Ev          # -- Begin function _ZN4sycl9exceptionD1Ev
	.p2align	4
	.type	_ZN4sycl9exceptionD1Ev,@function
_ZN4sycl9exceptionD1Ev:                 # @_ZN4sycl9exceptionD1Ev
	.cfi_startproc
# %bb.0:
	leaq	_ZTVN4sycl9exceptionE+40(%rip), %rax
	movq	%rax, (%rdi)
	movq	8(%rdi), %rax
	testq	%rax, %rax
	je	_ZNSt9exceptionD2Ev@PLT         # TAILCALL
# %bb.1:
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	movq	%rdi, %rbx
	movq	%rax, %rdi
	callq	tn_error_release@PLT
	movq	%rbx, %rdi
	popq	%rbx
	.cfi_def_cfa_offset 8
	.cfi_restore %rbx
	jmp	_ZNSt9exceptionD2Ev@PLT         # TAILCALL
.Lfunc_end4:
	.size	_ZN4sycl9exceptionD1Ev, .Lfunc_end4-_ZN4sycl9exceptionD1Ev
	.cfi_endproc
                                        # -- End function
	.section	.text._ZN4sycl9exceptionD0Ev,"axG",@progbits,_ZN4sycl9exceptionD0Ev,comdat
	.weak	_ZN4sycl9exceptionD0Ev          # -- Begin function _ZN4sycl9exceptionD0Ev
	.p2align	4
	.type	_ZN4sycl9exceptionD0Ev,@function
_ZN4sycl9exceptionD0Ev:                 # @_ZN4sycl9exceptionD0Ev
	.cfi_startproc
# %bb.0:
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	movq	%rdi, %rbx
	leaq	_ZTVN4sycl9exceptionE+40(%rip), %rax
	movq	%rax, (%rdi)
	movq	8(%rdi), %rdi
	testq	%rdi, %rdi
	je	.LBB5_2
# %bb.1:
	callq	tn_error_release@PLT
.LBB5_2:                                # %_ZN4sycl9exceptionD1Ev.exit
	movq	%rbx, %rdi
	callq	_ZNSt9exceptionD2Ev@PLT
	movl	$16, %esi
	movq	%rbx, %rdi
	popq	%rbx
	.cfi_def_cfa_offset 8
	jmp	_ZdlPvm@PLT                     # TAILCALL
.Lfunc_end5:
	.size	_ZN4sycl9exceptionD0Ev, .Lfunc_end5-_ZN4sycl9exceptionD0Ev
	.cfi_endproc
                                        # -- End function
	.section	.text._ZNK4sycl9exception4whatEv,"axG",@progbits,_ZNK4sycl9exception4whatEv,comdat
	.weak	_ZNK4sycl9exception4whatEv      # -- Begin function _ZNK4sycl9exception4whatEv
	.p2align	4
	.type	_ZNK4sycl9exception4whatEv,@function
_ZNK4sycl9exception4whatEv:             # @_ZNK4sycl9exception4whatEv
	.cfi_startproc
# %bb.0:
	movq	8(%rdi), %rdi
	jmp	tn_error_text@PLT               # TAILCALL
.Lfunc_end6:
	.size	_ZNK4sycl9exception4whatEv, .Lfunc_end6-_ZNK4sycl9exception4whatEv
	.cfi_endproc
                                        # -- End function
	.section	.text._ZN4sycl5queueD2Ev,"axG",@progbits,_ZN4sycl5queueD2Ev,comdat
	.weak	_ZN4sycl5queueD2Ev              # -- Begin function _ZN4sycl5queueD2Ev
	.p2align	4
	.type	_ZN4sycl5queueD2Ev,@function
_ZN4sycl5queueD2Ev:                     # @_ZN4sycl5queueD2Ev
	.cfi_startproc
# %bb.0:
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	movq	%rdi, %rbx
	movq	(%rdi), %rdi
	movq	_ZSt9terminatev@GOTPCREL(%rip), %rsi
	callq	tn_queue_drop_handle@PLT
	testq	%rax, %rax
	jne	.LBB7_2
# %bb.1:
	popq	%rbx
	.cfi_def_cfa_offset 8
	retq
.LBB7_2:
	.cfi_def_cfa_offset 16
	movq	(%rbx), %rdi
	movq	%rax, %rsi
	popq	%rbx
	.cfi_def_cfa_offset 8
	jmp	_ZN4sycl6detail11close_queueEP8tn_queuePv # TAILCALL
.Lfunc_end7:
	.size	_ZN4sycl5queueD2Ev, .Lfunc_end7-_ZN4sycl5queueD2Ev
	.cfi_endproc
                                        # -- End function
	.section	.text.unlikely._ZN4sycl6detail12create_queueEP10tn_contextP9tn_devicej,"axG",@progbits,_ZN4sycl6detail12create_queueEP10tn_contextP9tn_devicej,comdat
	.weak	_ZN4sycl6detail12create_queueEP10tn_contextP9tn_devicej # -- Begin function _ZN4sycl6detail12create_queueEP10tn_contextP9tn_devicej
	.type	_ZN4sycl6detail12create_queueEP10tn_contextP9tn_devicej,@function
_ZN4sycl6detail12create_queueEP10tn_contextP9tn_devicej: # @_ZN4sycl6detail12create_queueEP10tn_contextP9tn_devicej
	.cfi_startproc
# %bb.0:
	subq	$1032, %rsp                     # imm = 0x408
	.cfi_def_cfa_offset 1040
	movq	%rsp, %rcx
	movq	$0, (%rcx)
	andl	$516099, %edx                   # imm = 0x7E003
	leaq	8(%rsp), %r8
	callq	tn_queue_open@PLT
	testl	%eax, %eax
	jne	.LBB8_2
# %bb.1:                                # %_ZN4sycl6detail5checkE9tn_statusRK7tn_diag.exit
	movq	(%rsp), %rax
	addq	$1032, %rsp                     # imm = 0x408
	.cfi_def_cfa_offset 8
	retq
.LBB8_2:
	.cfi_def_cfa_offset 1040
	leaq	8(%rsp), %rdi
	callq	_ZN4sycl6detail5raiseERK7tn_diag
.Lfunc_end8:
	.size	_ZN4sycl6detail12create_queueEP10tn_contextP9tn_devicej, .Lfunc_end8-_ZN4sycl6detail12create_queueEP10tn_contextP9tn_devicej
	.cfi_endproc
                                        # -- End function
	.section	.text._ZN4sycl6detail14handler_access6submitIZ2goILi3EEvNS_5rangeIXT_EEES5_EUlRNS_7handlerEE_EENS_5eventEP8tn_queueRT_,"axG",@progbits,_ZN4sycl6detail14handler_access6submitIZ2goILi3EEvNS_5rangeIXT_EEES5_EUlRNS_7handlerEE_EENS_5eventEP8tn_queueRT_,comdat
	.hidden	_ZN4sycl6detail14handler_access6submitIZ2goILi3EEvNS_5rangeIXT_EEES5_EUlRNS_7handlerEE_EENS_5eventEP8tn_queueRT_ # -- Begin function _ZN4sycl6detail14handler_access6submitIZ2goILi3EEvNS_5rangeIXT_EEES5_EUlRNS_7handlerEE_EENS_5eventEP8tn_queueRT_
	.weak	_ZN4sycl6detail14handler_access6submitIZ2goILi3EEvNS_5rangeIXT_EEES5_EUlRNS_7handlerEE_EENS_5eventEP8tn_queueRT_
	.p2align	4
	.type	_ZN4sycl6detail14handler_access6submitIZ2goILi3EEvNS_5rangeIXT_EEES5_EUlRNS_7handlerEE_EENS_5eventEP8tn_queueRT_,@function
_ZN4sycl6detail14handler_access6submitIZ2goILi3EEvNS_5rangeIXT_EEES5_EUlRNS_7handlerEE_EENS_5eventEP8tn_queueRT_: # @_ZN4sycl6detail14handler_access6submitIZ2goILi3EEvNS_5rangeIXT_EEES5_EUlRNS_7handlerEE_EENS_5eventEP8tn_queueRT_
.Lfunc_begin1:
	.cfi_startproc
	.cfi_personality 155, DW.ref.__gxx_personality_v0
	.cfi_lsda 27, .Lexception1
# %bb.0:
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	pushq	%r15
	pushq	%r14
	pushq	%rbx
	andq	$-64, %rsp
	subq	$2752, %rsp                     # imm = 0xAC0
	.cfi_offset %rbx, -40
	.cfi_offset %r14, -32
	.cfi_offset %r15, -24
	movq	%rdx, %r14
	movq	%rdi, %rbx
	movb	$0, 1536(%rsp)
	xorps	%xmm0, %xmm0
	movups	%xmm0, 1544(%rsp)
	movups	%xmm0, 1560(%rsp)
	movups	%xmm0, 1576(%rsp)
	movups	%xmm0, 1592(%rsp)
	movups	%xmm0, 1608(%rsp)
	movq	$0, 1624(%rsp)
	leaq	64(%rsp), %r15
	movq	%r15, %rdi
	callq	tn_command_group_init@PLT
.Ltmp6:                                 # EH_LABEL
	movq	%r14, %rdi
	movq	%r15, %rsi
	callq	_ZZ2goILi3EEvN4sycl5rangeIXT_EEES2_ENKUlRNS0_7handlerEE_clES4_
.Ltmp7:                                 # EH_LABEL
# %bb.1:
	movq	1544(%rsp), %rax
	testq	%rax, %rax
	je	.LBB9_3
# %bb.2:
.Ltmp8:                                 # EH_LABEL
	leaq	64(%rsp), %rdi
	xorl	%esi, %esi
	xorl	%edx, %edx
	callq	*%rax
.Ltmp9:                                 # EH_LABEL
.LBB9_3:                                # %.noexc
	movq	$0, 56(%rsp)
	leaq	64(%rsp), %rdi
	leaq	56(%rsp), %rsi
	leaq	1688(%rsp), %rdx
	callq	tn_command_group_submit@PLT
	testl	%eax, %eax
	jne	.LBB9_4
# %bb.6:                                # %_ZN4sycl6detail5checkE9tn_statusRK7tn_diag.exit.i
	movq	56(%rsp), %rax
	movq	64(%rsp), %rdi
	movq	%rax, (%rbx)
	callq	tn_queue_retain@PLT
	movq	1544(%rsp), %rax
	testq	%rax, %rax
	je	.LBB9_8
# %bb.7:
.Ltmp13:                                # EH_LABEL
	leaq	64(%rsp), %rdi
	movl	$1, %esi
	movq	%rbx, %rdx
	callq	*%rax
.Ltmp14:                                # EH_LABEL
.LBB9_8:                                # %_ZN4sycl7handler6submitEv.exit
	movq	1544(%rsp), %rax
	testq	%rax, %rax
	je	.LBB9_10
# %bb.9:
.Ltmp16:                                # EH_LABEL
	leaq	64(%rsp), %rdi
	movl	$2, %esi
	xorl	%edx, %edx
	callq	*%rax
.Ltmp17:                                # EH_LABEL
.LBB9_10:                               # %_ZN4sycl7handlerD2Ev.exit
	leaq	64(%rsp), %rdi
	callq	tn_command_group_free@PLT
	movq	%rbx, %rax
	leaq	-24(%rbp), %rsp
	popq	%rbx
	popq	%r14
	popq	%r15
	popq	%rbp
	.cfi_def_cfa %rsp, 8
	retq
.LBB9_4:
	.cfi_def_cfa %rbp, 16
.Ltmp10:                                # EH_LABEL
	leaq	1688(%rsp), %rdi
	callq	_ZN4sycl6detail5raiseERK7tn_diag
.Ltmp11:                                # EH_LABEL
# %bb.5:                                # %.noexc3
.LBB9_13:
.Ltmp18:                                # EH_LABEL
	movq	%rax, %rdi
	callq	__clang_call_terminate
.LBB9_11:
.Ltmp15:                                # EH_LABEL
	movq	%rax, %r14
	movq	(%rbx), %rdi
	testq	%rdi, %rdi
	je	.LBB9_15
# %bb.12:
	callq	tn_event_release_with_queue@PLT
	jmp	.LBB9_15
.LBB9_14:
.Ltmp12:                                # EH_LABEL
	movq	%rax, %r14
.LBB9_15:                               # %.body
	leaq	64(%rsp), %rdi
	callq	_ZN4sycl7handlerD2Ev
	movq	%r14, %rdi
	callq	_Unwind_Resume@PLT
.Lfunc_end9:
	.size	_ZN4sycl6detail14handler_access6submitIZ2goILi3EEvNS_5rangeIXT_EEES5_EUlRNS_7handlerEE_EENS_5eventEP8tn_queueRT_, .Lfunc_end9-_ZN4sycl6detail14handler_access6submitIZ2goILi3EEvNS_5rangeIXT_EEES5_EUlRNS_7handlerEE_EENS_5eventEP8tn_queueRT_
	.cfi_endproc
	.section	.gcc_except_table._ZN4sycl6detail14handler_access6submitIZ2goILi3EEvNS_5rangeIXT_EEES5_EUlRNS_7handlerEE_EENS_5eventEP8tn_queueRT_,"aG",@progbits,_ZN4sycl6detail14handler_access6submitIZ2goILi3EEvNS_5rangeIXT_EEES5_EUlRNS_7handlerEE_EENS_5eventEP8tn_queueRT_,comdat
	.p2align	2, 0x0
GCC_except_table9:
.Lexception1:
	.byte	255                             # @LPStart Encoding = omit
	.byte	155                             # @TType Encoding = indirect pcrel sdata4
	.uleb128 .Lttbase0-.Lttbaseref0
.Lttbaseref0:
	.byte	1                               # Call site Encoding = uleb128
	.uleb128 .Lcst_end1-.Lcst_begin1
.Lcst_begin1:
	.uleb128 .Ltmp6-.Lfunc_begin1           # >> Call Site 1 <<
	.uleb128 .Ltmp9-.Ltmp6                  #   Call between .Ltmp6 and .Ltmp9
	.uleb128 .Ltmp12-.Lfunc_begin1          #     jumps to .Ltmp12
	.byte	0                               #   On action: cleanup
	.uleb128 .Ltmp13-.Lfunc_begin1          # >> Call Site 2 <<
	.uleb128 .Ltmp14-.Ltmp13                #   Call between .Ltmp13 and .Ltmp14
	.uleb128 .Ltmp15-.Lfunc_begin1          #     jumps to .Ltmp15
	.byte	0                               #   On action: cleanup
	.uleb128 .Ltmp16-.Lfunc_begin1          # >> Call Site 3 <<
	.uleb128 .Ltmp17-.Ltmp16                #   Call between .Ltmp16 and .Ltmp17
	.uleb128 .Ltmp18-.Lfunc_begin1          #     jumps to .Ltmp18
	.byte	1                               #   On action: 1
	.uleb128 .Ltmp10-.Lfunc_begin1          # >> Call Site 4 <<
	.uleb128 .Ltmp11-.Ltmp10                #   Call between .Ltmp10 and .Ltmp11
	.uleb128 .Ltmp12-.Lfunc_begin1          #     jumps to .Ltmp12
	.byte	0                               #   On action: cleanup
	.uleb128 .Ltmp11-.Lfunc_begin1          # >> Call Site 5 <<
	.uleb128 .Lfunc_end9-.Ltmp11            #   Call between .Ltmp11 and .Lfunc_end9
	.byte	0                               #     has no landing pad
	.byte	0                               #   On action: cleanup
.Lcst_end1:
	.byte	1                               # >> Action Record 1 <<
                                        #   Catch TypeInfo 1
	.byte	0                               #   No further actions
	.p2align	2, 0x0
                                        # >> Catch TypeInfos <<
	.long	0                               # TypeInfo 1
.Lttbase0:
	.p2align	2, 0x0
                                        # -- End function
	.section	.text._ZZ2goILi3EEvN4sycl5rangeIXT_EEES2_ENKUlRNS0_7handlerEE_clES4_,"axG",@progbits,_ZZ2goILi3EEvN4sycl5rangeIXT_EEES2_ENKUlRNS0_7handlerEE_clES4_,comdat
	.weak	_ZZ2goILi3EEvN4sycl5rangeIXT_EEES2_ENKUlRNS0_7handlerEE_clES4_ # -- Begin function _ZZ2goILi3EEvN4sycl5rangeIXT_EEES2_ENKUlRNS0_7handlerEE_clES4_
	.p2align	4
	.type	_ZZ2goILi3EEvN4sycl5rangeIXT_EEES2_ENKUlRNS0_7handlerEE_clES4_,@function
_ZZ2goILi3EEvN4sycl5rangeIXT_EEES2_ENKUlRNS0_7handlerEE_clES4_: # @_ZZ2goILi3EEvN4sycl5rangeIXT_EEES2_ENKUlRNS0_7handlerEE_clES4_
.Lfunc_begin2:
	.cfi_startproc
	.cfi_personality 155, DW.ref.__gxx_personality_v0
	.cfi_lsda 27, .Lexception2
# %bb.0:
	pushq	%r14
	.cfi_def_cfa_offset 16
	pushq	%rbx
	.cfi_def_cfa_offset 24
	subq	$1160, %rsp                     # imm = 0x488
	.cfi_def_cfa_offset 1184
	.cfi_offset %rbx, -24
	.cfi_offset %r14, -16
	movq	%rsi, %rbx
	movq	%rdi, %r14
	movq	(%rdi), %rdx
	movq	16(%rdx), %rax
	addq	$8, %rdx
	movq	%rax, 88(%rsp)
	movq	$3, 96(%rsp)
	leaq	136(%rsp), %rax
	movq	%rax, (%rsp)
	leaq	80(%rsp), %rdi
	movl	$1, %esi
	xorl	%ecx, %ecx
	xorl	%r8d, %r8d
	movq	%rbx, %r9
	callq	tn_accessor_init@PLT
	testl	%eax, %eax
	jne	.LBB10_4
# %bb.1:                                # %_ZN4sycl6bufferIiLi1ESaIiEE10get_accessILNS_11access_modeE2ELNS_6targetE0EEENS_8accessorIiLi1EXT_EXT0_ELNS_6access11placeholderE0ENS_3ext6oneapi22accessor_property_listIJEEEEERNS_7handlerE.exit
	movq	8(%r14), %rax
	movq	16(%rax), %rcx
	movq	%rcx, 32(%rsp)
	movups	(%rax), %xmm0
	movaps	%xmm0, 16(%rsp)
	movq	16(%r14), %rax
	movq	16(%rax), %rcx
	movq	%rcx, 64(%rsp)
	movups	(%rax), %xmm0
	movaps	%xmm0, 48(%rsp)
	leaq	136(%rsp), %r14
	leaq	80(%rsp), %rsi
	movl	$56, %edx
	movq	%r14, %rdi
	callq	tn_accessor_copy@PLT
.Ltmp19:                                # EH_LABEL
	leaq	16(%rsp), %rsi
	leaq	48(%rsp), %rdx
	movq	%rbx, %rdi
	movq	%r14, %rcx
	callq	_ZN4sycl6detail18launch_work_groupsI1KILi3EELi3EZZ2goILi3EEvNS_5rangeIXT_EEES6_ENKUlRNS_7handlerEE_clES8_EUlNS_5groupILi3EEEE_EEvS8_RKNS5_IXT0_EEESF_RKT1_
.Ltmp20:                                # EH_LABEL
# %bb.2:                                # %_ZN4sycl7handler23parallel_for_work_groupI1KILi3EEZZ2goILi3EEvNS_5rangeIXT_EEES6_ENKUlRS0_E_clES7_EUlNS_5groupILi3EEEE_Li3EEEvNS5_IXT1_EEESC_RKT0_.exit
	movq	144(%rsp), %rdi
	callq	tn_buffer_release@PLT
	movq	88(%rsp), %rdi
	callq	tn_buffer_release@PLT
	addq	$1160, %rsp                     # imm = 0x488
	.cfi_def_cfa_offset 24
	popq	%rbx
	.cfi_def_cfa_offset 16
	popq	%r14
	.cfi_def_cfa_offset 8
	retq
.LBB10_4:                               # %.noexc.i
	.cfi_def_cfa_offset 1184
	leaq	136(%rsp), %rdi
	callq	_ZN4sycl6detail5raiseERK7tn_diag
.LBB10_3:
.Ltmp21:                                # EH_LABEL
	movq	%rax, %rbx
	movq	144(%rsp), %rdi
	callq	tn_buffer_release@PLT
	movq	88(%rsp), %rdi
	callq	tn_buffer_release@PLT
	movq	%rbx, %rdi
	callq	_Unwind_Resume@PLT
.Lfunc_end10:
	.size	_ZZ2goILi3EEvN4sycl5rangeIXT_EEES2_ENKUlRNS0_7handlerEE_clES4_, .Lfunc_end10-_ZZ2goILi3EEvN4sycl5rangeIXT_EEES2_ENKUlRNS0_7handlerEE_clES4_
	.cfi_endproc
	.section	.gcc_except_table._ZZ2goILi3EEvN4sycl5rangeIXT_EEES2_ENKUlRNS0_7handlerEE_clES4_,"aG",@progbits,_ZZ2goILi3EEvN4sycl5rangeIXT_EEES2_ENKUlRNS0_7handlerEE_clES4_,comdat
	.p2align	2, 0x0
GCC_except_table10:
.Lexception2:
	.byte	255                             # @LPStart Encoding = omit
	.byte	255                             # @TType Encoding = omit
	.byte	1                               # Call site Encoding = uleb128
	.uleb128 .Lcst_end2-.Lcst_begin2
.Lcst_begin2:
	.uleb128 .Ltmp19-.Lfunc_begin2          # >> Call Site 1 <<
	.uleb128 .Ltmp20-.Ltmp19                #   Call between .Ltmp19 and .Ltmp20
	.uleb128 .Ltmp21-.Lfunc_begin2          #     jumps to .Ltmp21
	.byte	0                               #   On action: cleanup
	.uleb128 .Ltmp20-.Lfunc_begin2          # >> Call Site 2 <<
	.uleb128 .Lfunc_end10-.Ltmp20           #   Call between .Ltmp20 and .Lfunc_end10
	.byte	0                               #     has no landing pad
	.byte	0                               #   On action: cleanup
.Lcst_end2:
	.p2align	2, 0x0
                                        # -- End function
	.section	.text._ZN4sycl7handlerD2Ev,"axG",@progbits,_ZN4sycl7handlerD2Ev,comdat
	.weak	_ZN4sycl7handlerD2Ev            # -- Begin function _ZN4sycl7handlerD2Ev
	.p2align	4
	.type	_ZN4sycl7handlerD2Ev,@function
_ZN4sycl7handlerD2Ev:                   # @_ZN4sycl7handlerD2Ev
.Lfunc_begin3:
	.cfi_startproc
	.cfi_personality 155, DW.ref.__gxx_personality_v0
	.cfi_lsda 27, .Lexception3
# %bb.0:
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	movq	1480(%rdi), %rax
	testq	%rax, %rax
	je	.LBB11_2
# %bb.1:
.Ltmp22:                                # EH_LABEL
	movq	%rdi, %rbx
	movl	$2, %esi
	xorl	%edx, %edx
	callq	*%rax
	movq	%rbx, %rdi
.Ltmp23:                                # EH_LABEL
.LBB11_2:
	popq	%rbx
	.cfi_def_cfa_offset 8
	jmp	tn_command_group_free@PLT       # TAILCALL
.LBB11_3:
	.cfi_def_cfa_offset 16
.Ltmp24:                                # EH_LABEL
	movq	%rax, %rdi
	callq	__clang_call_terminate
.Lfunc_end11:
	.size	_ZN4sycl7handlerD2Ev, .Lfunc_end11-_ZN4sycl7handlerD2Ev
	.cfi_endproc
	.section	.gcc_except_table._ZN4sycl7handlerD2Ev,"aG",@progbits,_ZN4sycl7handlerD2Ev,comdat
	.p2align	2, 0x0
GCC_except_table11:
.Lexception3:
	.byte	255                             # @LPStart Encoding = omit
	.byte	155                             # @TType Encoding = indirect pcrel sdata4
	.uleb128 .Lttbase1-.Lttbaseref1
.Lttbaseref1:
	.byte	1                               # Call site Encoding = uleb128
	.uleb128 .Lcst_end3-.Lcst_begin3
.Lcst_begin3:
	.uleb128 .Ltmp22-.Lfunc_begin3          # >> Call Site 1 <<
	.uleb128 .Ltmp23-.Ltmp22                #   Call between .Ltmp22 and .Ltmp23
	.uleb128 .Ltmp24-.Lfunc_begin3          #     jumps to .Ltmp24
	.byte	1                               #   On action: 1
.Lcst_end3:
	.byte	1                               # >> Action Record 1 <<
                                        #   Catch TypeInfo 1
	.byte	0                               #   No further actions
	.p2align	2, 0x0
                                        # >> Catch TypeInfos <<
	.long	0                               # TypeInfo 1
.Lttbase1:
	.p2align	2, 0x0
                                        # -- End function
	.section	.text.__clang_call_terminate,"axG",@progbits,__clang_call_terminate,comdat
	.hidden	__clang_call_terminate          # -- Begin function __clang_call_terminate
	.weak	__clang_call_terminate
	.p2align	4
	.type	__clang_call_terminate,@function
__clang_call_terminate:                 # @__clang_call_terminate
	.cfi_startproc
# %bb.0:
	pushq	%rax
	.cfi_def_cfa_offset 16
	callq	__cxa_begin_catch@PLT
	callq	_ZSt9terminatev@PLT
.Lfunc_end12:
	.size	__clang_call_terminate, .Lfunc_end12-__clang_call_terminate
	.cfi_endproc
                                        # -- End function
	.section	.text._ZN4sycl6detail18launch_work_groupsI1KILi3EELi3EZZ2goILi3EEvNS_5rangeIXT_EEES6_ENKUlRNS_7handlerEE_clES8_EUlNS_5groupILi3EEEE_EEvS8_RKNS5_IXT0_EEESF_RKT1_,"axG",@progbits,_ZN4sycl6detail18launch_work_groupsI1KILi3EELi3EZZ2goILi3EEvNS_5rangeIXT_EEES6_ENKUlRNS_7handlerEE_clES8_EUlNS_5groupILi3EEEE_EEvS8_RKNS5_IXT0_EEESF_RKT1_,comdat
	.weak	_ZN4sycl6detail18launch_work_groupsI1KILi3EELi3EZZ2goILi3EEvNS_5rangeIXT_EEES6_ENKUlRNS_7handlerEE_clES8_EUlNS_5groupILi3EEEE_EEvS8_RKNS5_IXT0_EEESF_RKT1_ # -- Begin function _ZN4sycl6detail18launch_work_groupsI1KILi3EELi3EZZ2goILi3EEvNS_5rangeIXT_EEES6_ENKUlRNS_7handlerEE_clES8_EUlNS_5groupILi3EEEE_EEvS8_RKNS5_IXT0_EEESF_RKT1_
	.p2align	4
	.type	_ZN4sycl6detail18launch_work_groupsI1KILi3EELi3EZZ2goILi3EEvNS_5rangeIXT_EEES6_ENKUlRNS_7handlerEE_clES8_EUlNS_5groupILi3EEEE_EEvS8_RKNS5_IXT0_EEESF_RKT1_,@function
_ZN4sycl6detail18launch_work_groupsI1KILi3EELi3EZZ2goILi3EEvNS_5rangeIXT_EEES6_ENKUlRNS_7handlerEE_clES8_EUlNS_5groupILi3EEEE_EEvS8_RKNS5_IXT0_EEESF_RKT1_: # @_ZN4sycl6detail18launch_work_groupsI1KILi3EELi3EZZ2goILi3EEvNS_5rangeIXT_EEES6_ENKUlRNS_7handlerEE_clES8_EUlNS_5groupILi3EEEE_EEvS8_RKNS5_IXT0_EEESF_RKT1_
.Lfunc_begin4:
	.cfi_startproc
	.cfi_personality 155, DW.ref.__gxx_personality_v0
	.cfi_lsda 27, .Lexception4
# %bb.0:
	pushq	%r15
	.cfi_def_cfa_offset 16
	pushq	%r14
	.cfi_def_cfa_offset 24
	pushq	%rbx
	.cfi_def_cfa_offset 32
	subq	$352, %rsp                      # imm = 0x160
	.cfi_def_cfa_offset 384
	.cfi_offset %rbx, -32
	.cfi_offset %r14, -24
	.cfi_offset %r15, -16
	movq	%rdx, %r14
	movq	%rdi, %rbx
	movl	$1, %edi
	movb	$1, %al
	xorl	%r8d, %r8d
	jmp	.LBB13_2
	.p2align	4
.LBB13_7:                               #   in Loop: Header=BB13_2 Depth=1
	imulq	(%r14,%r8,8), %rdi
.LBB13_1:                               #   in Loop: Header=BB13_2 Depth=1
	incq	%r8
	cmpq	$3, %r8
	je	.LBB13_8
.LBB13_2:                               # =>This Inner Loop Header: Depth=1
	testb	$1, %al
	je	.LBB13_6
# %bb.3:                                #   in Loop: Header=BB13_2 Depth=1
	movq	(%r14,%r8,8), %r9
	testq	%r9, %r9
	je	.LBB13_6
# %bb.4:                                #   in Loop: Header=BB13_2 Depth=1
	movl	$4096, %eax                     # imm = 0x1000
	xorl	%edx, %edx
	divq	%rdi
	cmpq	%rax, %r9
	setbe	%al
	testb	%al, %al
	je	.LBB13_1
	jmp	.LBB13_7
	.p2align	4
.LBB13_6:                               #   in Loop: Header=BB13_2 Depth=1
	xorl	%eax, %eax
	testb	%al, %al
	je	.LBB13_1
	jmp	.LBB13_7
.LBB13_8:
	movq	16(%r14), %rdx
	movq	%rdx, 128(%rsp)
	movups	(%r14), %xmm0
	movaps	%xmm0, 112(%rsp)
	movups	(%r14), %xmm0
	movups	%xmm0, 136(%rsp)
	movq	16(%r14), %rdx
	movq	%rdx, 152(%rsp)
	xorps	%xmm0, %xmm0
	movaps	%xmm0, 160(%rsp)
	movq	$0, 176(%rsp)
	movaps	%xmm0, (%rsp)
	movq	$0, 16(%rsp)
	xorl	%edx, %edx
	.p2align	4
.LBB13_9:                               # =>This Inner Loop Header: Depth=1
	movq	$1, (%rsp,%rdx,8)
	incq	%rdx
	cmpq	$3, %rdx
	jne	.LBB13_9
# %bb.10:                               # %_ZN4sycl6detail13range_of_onesILi3EEENS_5rangeIXT_EEEv.exit
	xorps	%xmm0, %xmm0
	movaps	%xmm0, 80(%rsp)
	movq	$0, 96(%rsp)
	movups	(%rsi), %xmm0
	movaps	%xmm0, 32(%rsp)
	movq	16(%rsi), %rdx
	movq	%rdx, 48(%rsp)
	movaps	(%rsp), %xmm0
	movups	%xmm0, 56(%rsp)
	movq	16(%rsp), %rdx
	movq	%rdx, 72(%rsp)
	testb	%al, %al
	leaq	32(%rsp), %rax
	leaq	112(%rsp), %rdx
	cmovneq	%rax, %rdx
	movq	64(%rdx), %rax
	movq	%rax, 256(%rsp)
	movups	(%rdx), %xmm0
	movups	16(%rdx), %xmm1
	movups	32(%rdx), %xmm2
	movups	48(%rdx), %xmm3
	movaps	%xmm3, 240(%rsp)
	movaps	%xmm2, 224(%rsp)
	movaps	%xmm1, 208(%rsp)
	movaps	%xmm0, 192(%rsp)
	leaq	272(%rsp), %r15
	movl	$56, %edx
	movq	%r15, %rdi
	movq	%rcx, %rsi
	callq	tn_accessor_copy@PLT
	movq	16(%r14), %rax
	movq	%rax, 344(%rsp)
	movups	(%r14), %xmm0
	movups	%xmm0, 328(%rsp)
.Ltmp25:                                # EH_LABEL
	leaq	192(%rsp), %rdx
	movq	%rbx, %rdi
	movq	%r15, %rsi
	callq	_ZN4sycl7handler10set_kernelI1KILi3EENS_6detail14nd_range_shapeILi3EEENS4_19work_group_functionIZZ2goILi3EEvNS_5rangeIXT_EEESA_ENKUlRS0_E_clESB_EUlNS_5groupILi3EEEE_Li3EEEJNS_8nd_rangeILi3EEEEEEvRKT1_DpRKT2_
.Ltmp26:                                # EH_LABEL
# %bb.11:                               # %_ZN4sycl7handler12parallel_forI1KILi3EELi3ENS_6detail19work_group_functionIZZ2goILi3EEvNS_5rangeIXT_EEES8_ENKUlRS0_E_clES9_EUlNS_5groupILi3EEEE_Li3EEEEEvNS_8nd_rangeIXT0_EEERKT1_.exit
	movq	280(%rsp), %rdi
	callq	tn_buffer_release@PLT
	addq	$352, %rsp                      # imm = 0x160
	.cfi_def_cfa_offset 32
	popq	%rbx
	.cfi_def_cfa_offset 24
	popq	%r14
	.cfi_def_cfa_offset 16
	popq	%r15
	.cfi_def_cfa_offset 8
	retq
.LBB13_12:
	.cfi_def_cfa_offset 384
.Ltmp27:                                # EH_LABEL
	movq	%rax, %rbx
	movq	280(%rsp), %rdi
	callq	tn_buffer_release@PLT
	movq	%rbx, %rdi
	callq	_Unwind_Resume@PLT
.Lfunc_end13:
	.size	_ZN4sycl6detail18launch_work_groupsI1KILi3EELi3EZZ2goILi3EEvNS_5rangeIXT_EEES6_ENKUlRNS_7handlerEE_clES8_EUlNS_5groupILi3EEEE_EEvS8_RKNS5_IXT0_EEESF_RKT1_, .Lfunc_end13-_ZN4sycl6detail18launch_work_groupsI1KILi3EELi3EZZ2goILi3EEvNS_5rangeIXT_EEES6_ENKUlRNS_7handlerEE_clES8_EUlNS_5groupILi3EEEE_EEvS8_RKNS5_IXT0_EEESF_RKT1_
	.cfi_endproc
	.section	.gcc_except_table._ZN4sycl6detail18launch_work_groupsI1KILi3EELi3EZZ2goILi3EEvNS_5rangeIXT_EEES6_ENKUlRNS_7handlerEE_clES8_EUlNS_5groupILi3EEEE_EEvS8_RKNS5_IXT0_EEESF_RKT1_,"aG",@progbits,_ZN4sycl6detail18launch_work_groupsI1KILi3EELi3EZZ2goILi3EEvNS_5rangeIXT_EEES6_ENKUlRNS_7handlerEE_clES8_EUlNS_5groupILi3EEEE_EEvS8_RKNS5_IXT0_EEESF_RKT1_,comdat
	.p2align	2, 0x0
GCC_except_table13:
.Lexception4:
	.byte	255                             # @LPStart Encoding = omit
	.byte	255                             # @TType Encoding = omit
	.byte	1                               # Call site Encoding = uleb128
	.uleb128 .Lcst_end4-.Lcst_begin4
.Lcst_begin4:
	.uleb128 .Ltmp25-.Lfunc_begin4          # >> Call Site 1 <<
	.uleb128 .Ltmp26-.Ltmp25                #   Call between .Ltmp25 and .Ltmp26
	.uleb128 .Ltmp27-.Lfunc_begin4          #     jumps to .Ltmp27
	.byte	0                               #   On action: cleanup
	.uleb128 .Ltmp26-.Lfunc_begin4          # >> Call Site 2 <<
	.uleb128 .Lfunc_end13-.Ltmp26           #   Call between .Ltmp26 and .Lfunc_end13
	.byte	0                               #     has no landing pad
	.byte	0                               #   On action: cleanup
.Lcst_end4:
	.p2align	2, 0x0
                                        # -- End function
	.section	.text._ZN4sycl7handler10set_kernelI1KILi3EENS_6detail14nd_range_shapeILi3EEENS4_19work_group_functionIZZ2goILi3EEvNS_5rangeIXT_EEESA_ENKUlRS0_E_clESB_EUlNS_5groupILi3EEEE_Li3EEEJNS_8nd_rangeILi3EEEEEEvRKT1_DpRKT2_,"axG",@progbits,_ZN4sycl7handler10set_kernelI1KILi3EENS_6detail14nd_range_shapeILi3EEENS4_19work_group_functionIZZ2goILi3EEvNS_5rangeIXT_EEESA_ENKUlRS0_E_clESB_EUlNS_5groupILi3EEEE_Li3EEEJNS_8nd_rangeILi3EEEEEEvRKT1_DpRKT2_,comdat
	.hidden	_ZN4sycl7handler10set_kernelI1KILi3EENS_6detail14nd_range_shapeILi3EEENS4_19work_group_functionIZZ2goILi3EEvNS_5rangeIXT_EEESA_ENKUlRS0_E_clESB_EUlNS_5groupILi3EEEE_Li3EEEJNS_8nd_rangeILi3EEEEEEvRKT1_DpRKT2_ # -- Begin function _ZN4sycl7handler10set_kernelI1KILi3EENS_6detail14nd_range_shapeILi3EEENS4_19work_group_functionIZZ2goILi3EEvNS_5rangeIXT_EEESA_ENKUlRS0_E_clESB_EUlNS_5groupILi3EEEE_Li3EEEJNS_8nd_rangeILi3EEEEEEvRKT1_DpRKT2_
	.weak	_ZN4sycl7handler10set_kernelI1KILi3EENS_6detail14nd_range_shapeILi3EEENS4_19work_group_functionIZZ2goILi3EEvNS_5rangeIXT_EEESA_ENKUlRS0_E_clESB_EUlNS_5groupILi3EEEE_Li3EEEJNS_8nd_rangeILi3EEEEEEvRKT1_DpRKT2_
	.p2align	4
	.type	_ZN4sycl7handler10set_kernelI1KILi3EENS_6detail14nd_range_shapeILi3EEENS4_19work_group_functionIZZ2goILi3EEvNS_5rangeIXT_EEESA_ENKUlRS0_E_clESB_EUlNS_5groupILi3EEEE_Li3EEEJNS_8nd_rangeILi3EEEEEEvRKT1_DpRKT2_,@function
_ZN4sycl7handler10set_kernelI1KILi3EENS_6detail14nd_range_shapeILi3EEENS4_19work_group_functionIZZ2goILi3EEvNS_5rangeIXT_EEESA_ENKUlRS0_E_clESB_EUlNS_5groupILi3EEEE_Li3EEEJNS_8nd_rangeILi3EEEEEEvRKT1_DpRKT2_: # @_ZN4sycl7handler10set_kernelI1KILi3EENS_6detail14nd_range_shapeILi3EEENS4_19work_group_functionIZZ2goILi3EEvNS_5rangeIXT_EEESA_ENKUlRS0_E_clESB_EUlNS_5groupILi3EEEE_Li3EEEJNS_8nd_rangeILi3EEEEEEvRKT1_DpRKT2_
	.cfi_startproc
# %bb.0:
	pushq	%r15
	.cfi_def_cfa_offset 16
	pushq	%r14
	.cfi_def_cfa_offset 24
	pushq	%r12
	.cfi_def_cfa_offset 32
	pushq	%rbx
	.cfi_def_cfa_offset 40
	subq	$1032, %rsp                     # imm = 0x408
	.cfi_def_cfa_offset 1072
	.cfi_offset %rbx, -40
	.cfi_offset %r12, -32
	.cfi_offset %r14, -24
	.cfi_offset %r15, -16
	movq	%rdx, %r12
	movq	%rsi, %r14
	movq	%rdi, %rbx
	movq	$0, (%rsp)
	leaq	_ZZN4sycl6detail11own_kernels18slot_of_own_kernelENS1_10own_kernelI1KILi3EEEEE4slot(%rip), %rsi
	movq	%rsp, %r8
	leaq	8(%rsp), %r9
	movl	$80, %edx
	movl	$8, %ecx
	callq	tn_command_group_set_kernel@PLT
	testl	%eax, %eax
	jne	.LBB14_4
# %bb.1:                                # %_ZN4sycl7handler12place_kernelEP14tn_kernel_slotmm.exit
	movq	(%rsp), %r15
	leaq	24(%r12), %rcx
	leaq	48(%r12), %r8
	leaq	8(%rbx), %rdi
	movl	$3, %esi
	movq	%r12, %rdx
	callq	tn_command_set_range@PLT
	leaq	400(%rbx), %r12
	movl	$80, %edx
	movq	%r12, %rdi
	movq	%r15, %rsi
	callq	tn_capture_record_begin@PLT
	movl	$56, %edx
	movq	%r15, %rdi
	movq	%r14, %rsi
	callq	tn_accessor_copy@PLT
	movq	72(%r14), %rax
	movq	%rax, 72(%r15)
	movups	56(%r14), %xmm0
	movups	%xmm0, 56(%r15)
	movq	%r12, %rdi
	callq	tn_capture_record_end@PLT
	leaq	_ZN4sycl7handler13destroy_blockINS_6detail19work_group_functionIZZ2goILi3EEvNS_5rangeIXT_EEES6_ENKUlRS0_E_clES7_EUlNS_5groupILi3EEEE_Li3EEEEEvPv(%rip), %rax
	movq	%rax, 392(%rbx)
	movb	$1, 1472(%rbx)
	movq	1560(%rbx), %rax
	testq	%rax, %rax
	je	.LBB14_3
# %bb.2:
	movq	%rbx, %rdi
	xorl	%esi, %esi
	callq	*%rax
.LBB14_3:
	addq	$1032, %rsp                     # imm = 0x408
	.cfi_def_cfa_offset 40
	popq	%rbx
	.cfi_def_cfa_offset 32
	popq	%r12
	.cfi_def_cfa_offset 24
	popq	%r14
	.cfi_def_cfa_offset 16
	popq	%r15
	.cfi_def_cfa_offset 8
	retq
.LBB14_4:
	.cfi_def_cfa_offset 1072
	leaq	8(%rsp), %rdi
	callq	_ZN4sycl6detail5raiseERK7tn_diag
.Lfunc_end14:
	.size	_ZN4sycl7handler10set_kernelI1KILi3EENS_6detail14nd_range_shapeILi3EEENS4_19work_group_functionIZZ2goILi3EEvNS_5rangeIXT_EEESA_ENKUlRS0_E_clESB_EUlNS_5groupILi3EEEE_Li3EEEJNS_8nd_rangeILi3EEEEEEvRKT1_DpRKT2_, .Lfunc_end14-_ZN4sycl7handler10set_kernelI1KILi3EENS_6detail14nd_range_shapeILi3EEENS4_19work_group_functionIZZ2goILi3EEvNS_5rangeIXT_EEESA_ENKUlRS0_E_clESB_EUlNS_5groupILi3EEEE_Li3EEEJNS_8nd_rangeILi3EEEEEEvRKT1_DpRKT2_
	.cfi_endproc
                                        # -- End function
	.section	.text._ZN4sycl7handler13destroy_blockINS_6detail19work_group_functionIZZ2goILi3EEvNS_5rangeIXT_EEES6_ENKUlRS0_E_clES7_EUlNS_5groupILi3EEEE_Li3EEEEEvPv,"axG",@progbits,_ZN4sycl7handler13destroy_blockINS_6detail19work_group_functionIZZ2goILi3EEvNS_5rangeIXT_EEES6_ENKUlRS0_E_clES7_EUlNS_5groupILi3EEEE_Li3EEEEEvPv,comdat
	.weak	_ZN4sycl7handler13destroy_blockINS_6detail19work_group_functionIZZ2goILi3EEvNS_5rangeIXT_EEES6_ENKUlRS0_E_clES7_EUlNS_5groupILi3EEEE_Li3EEEEEvPv # -- Begin function _ZN4sycl7handler13destroy_blockINS_6detail19work_group_functionIZZ2goILi3EEvNS_5rangeIXT_EEES6_ENKUlRS0_E_clES7_EUlNS_5groupILi3EEEE_Li3EEEEEvPv
	.p2align	4
	.type	_ZN4sycl7handler13destroy_blockINS_6detail19work_group_functionIZZ2goILi3EEvNS_5rangeIXT_EEES6_ENKUlRS0_E_clES7_EUlNS_5groupILi3EEEE_Li3EEEEEvPv,@function
_ZN4sycl7handler13destroy_blockINS_6detail19work_group_functionIZZ2goILi3EEvNS_5rangeIXT_EEES6_ENKUlRS0_E_clES7_EUlNS_5groupILi3EEEE_Li3EEEEEvPv: # @_ZN4sycl7handler13destroy_blockINS_6detail19work_group_functionIZZ2goILi3EEvNS_5rangeIXT_EEES6_ENKUlRS0_E_clES7_EUlNS_5groupILi3EEEE_Li3EEEEEvPv
	.cfi_startproc
# %bb.0:
	movq	8(%rdi), %rdi
	jmp	tn_buffer_release@PLT           # TAILCALL
.Lfunc_end15:
	.size	_ZN4sycl7handler13destroy_blockINS_6detail19work_group_functionIZZ2goILi3EEvNS_5rangeIXT_EEES6_ENKUlRS0_E_clES7_EUlNS_5groupILi3EEEE_Li3EEEEEvPv, .Lfunc_end15-_ZN4sycl7handler13destroy_blockINS_6detail19work_group_functionIZZ2goILi3EEvNS_5rangeIXT_EEES6_ENKUlRS0_E_clES7_EUlNS_5groupILi3EEEE_Li3EEEEEvPv
	.cfi_endproc
                                        # -- End function
	.section	.text.unlikely._ZN4sycl6detail11close_queueEP8tn_queuePv,"axG",@progbits,_ZN4sycl6detail11close_queueEP8tn_queuePv,comdat
	.weak	_ZN4sycl6detail11close_queueEP8tn_queuePv # -- Begin function _ZN4sycl6detail11close_queueEP8tn_queuePv
	.type	_ZN4sycl6detail11close_queueEP8tn_queuePv,@function
_ZN4sycl6detail11close_queueEP8tn_queuePv: # @_ZN4sycl6detail11close_queueEP8tn_queuePv
.Lfunc_begin5:
	.cfi_startproc
	.cfi_personality 155, DW.ref.__gxx_personality_v0
	.cfi_lsda 27, .Lexception5
# %bb.0:
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	movq	%rdi, %rbx
	movq	(%rsi), %rax
.Ltmp28:                                # EH_LABEL
	movq	%rsi, %rdi
	movq	%rbx, %rsi
	callq	*16(%rax)
.Ltmp29:                                # EH_LABEL
# %bb.1:                                # %_ZN4sycl6detail9report_toEPvP8tn_queue.exit
	movq	%rbx, %rdi
	popq	%rbx
	.cfi_def_cfa_offset 8
	jmp	tn_queue_release@PLT            # TAILCALL
.LBB16_2:
	.cfi_def_cfa_offset 16
.Ltmp30:                                # EH_LABEL
	movq	%rax, %rdi
	callq	__clang_call_terminate
.Lfunc_end16:
	.size	_ZN4sycl6detail11close_queueEP8tn_queuePv, .Lfunc_end16-_ZN4sycl6detail11close_queueEP8tn_queuePv
	.cfi_endproc
	.section	.gcc_except_table._ZN4sycl6detail11close_queueEP8tn_queuePv,"aG",@progbits,_ZN4sycl6detail11close_queueEP8tn_queuePv,comdat
	.p2align	2, 0x0
GCC_except_table16:
.Lexception5:
	.byte	255                             # @LPStart Encoding = omit
	.byte	155                             # @TType Encoding = indirect pcrel sdata4
	.uleb128 .Lttbase2-.Lttbaseref2
.Lttbaseref2:
	.byte	1                               # Call site Encoding = uleb128
	.uleb128 .Lcst_end5-.Lcst_begin5
.Lcst_begin5:
	.uleb128 .Ltmp28-.Lfunc_begin5          # >> Call Site 1 <<
	.uleb128 .Ltmp29-.Ltmp28                #   Call between .Ltmp28 and .Ltmp29
	.uleb128 .Ltmp30-.Lfunc_begin5          #     jumps to .Ltmp30
	.byte	1                               #   On action: 1
.Lcst_end5:
	.byte	1                               # >> Action Record 1 <<
                                        #   Catch TypeInfo 1
	.byte	0                               #   No further actions
	.p2align	2, 0x0
                                        # >> Catch TypeInfos <<
	.long	0                               # TypeInfo 1
.Lttbase2:
	.p2align	2, 0x0
                                        # -- End function
	.section	.text._ZN4sycl6detail7kernels27the_one_kernel_of_this_nameENS1_12kernel_namedI1KILi3EEEE,"axG",@progbits,_ZN4sycl6detail7kernels27the_one_kernel_of_this_nameENS1_12kernel_namedI1KILi3EEEE,comdat
	.weak	_ZN4sycl6detail7kernels27the_one_kernel_of_this_nameENS1_12kernel_namedI1KILi3EEEE # -- Begin function _ZN4sycl6detail7kernels27the_one_kernel_of_this_nameENS1_12kernel_namedI1KILi3EEEE
	.p2align	4
	.type	_ZN4sycl6detail7kernels27the_one_kernel_of_this_nameENS1_12kernel_namedI1KILi3EEEE,@function
_ZN4sycl6detail7kernels27the_one_kernel_of_this_nameENS1_12kernel_namedI1KILi3EEEE: # @_ZN4sycl6detail7kernels27the_one_kernel_of_this_nameENS1_12kernel_namedI1KILi3EEEE
	.cfi_startproc
# %bb.0:
	leaq	_ZZN4sycl6detail11own_kernels18slot_of_own_kernelENS1_10own_kernelI1KILi3EEEEE4slot(%rip), %rax
	retq
.Lfunc_end17:
	.size	_ZN4sycl6detail7kernels27the_one_kernel_of_this_nameENS1_12kernel_namedI1KILi3EEEE, .Lfunc_end17-_ZN4sycl6detail7kernels27the_one_kernel_of_this_nameENS1_12kernel_namedI1KILi3EEEE
	.cfi_endproc
                                        # -- End function
	.section	.text.startup,"ax",@progbits
	.p2align	4                               # -- Begin function _GLOBAL__sub_I_hic3.cpp
	.type	_GLOBAL__sub_I_hic3.cpp,@function
_GLOBAL__sub_I_hic3.cpp:                # @_GLOBAL__sub_I_hic3.cpp
	.cfi_startproc
# %bb.0:
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	leaq	_ZStL8__ioinit(%rip), %rbx
	movq	%rbx, %rdi
	callq	_ZNSt8ios_base4InitC1Ev@PLT
	movq	_ZNSt8ios_base4InitD1Ev@GOTPCREL(%rip), %rdi
	leaq	__dso_handle(%rip), %rdx
	movq	%rbx, %rsi
	popq	%rbx
	.cfi_def_cfa_offset 8
	jmp	__cxa_atexit@PLT                # TAILCALL
.Lfunc_end18:
	.size	_GLOBAL__sub_I_hic3.cpp, .Lfunc_end18-_GLOBAL__sub_I_hic3.cpp
	.cfi_endproc
                                        # -- End function
	.type	_ZStL8__ioinit,@object          # @_ZStL8__ioinit
	.local	_ZStL8__ioinit
	.comm	_ZStL8__ioinit,1,1
	.hidden	__dso_handle
	.type	_ZTIN4sycl9exceptionE,@object   # @_ZTIN4sycl9exceptionE
	.section	.data.rel.ro._ZTIN4sycl9exceptionE,"awG",@progbits,_ZTIN4sycl9exceptionE,comdat
	.weak	_ZTIN4sycl9exceptionE
	.p2align	3, 0x0
_ZTIN4sycl9exceptionE:
	.quad	_ZTVN10__cxxabiv121__vmi_class_type_infoE+16
	.quad	_ZTSN4sycl9exceptionE
	.long	0                               # 0x0
	.long	1                               # 0x1
	.quad	_ZTISt9exception
	.quad	-10237                          # 0xffffffffffffd803
	.size	_ZTIN4sycl9exceptionE, 40

	.type	_ZTSN4sycl9exceptionE,@object   # @_ZTSN4sycl9exceptionE
	.section	.rodata._ZTSN4sycl9exceptionE,"aG",@progbits,_ZTSN4sycl9exceptionE,comdat
	.weak	_ZTSN4sycl9exceptionE
_ZTSN4sycl9exceptionE:
	.asciz	"N4sycl9exceptionE"
	.size	_ZTSN4sycl9exceptionE, 18

	.type	_ZTVN4sycl9exceptionE,@object   # @_ZTVN4sycl9exceptionE
	.section	.data.rel.ro._ZTVN4sycl9exceptionE,"awG",@progbits,_ZTVN4sycl9exceptionE,comdat
	.weak	_ZTVN4sycl9exceptionE
	.p2align	3, 0x0
_ZTVN4sycl9exceptionE:
	.quad	0
	.quad	0
	.quad	0
	.quad	0
	.quad	_ZTIN4sycl9exceptionE
	.quad	_ZN4sycl9exceptionD1Ev
	.quad	_ZN4sycl9exceptionD0Ev
	.quad	_ZNK4sycl9exception4whatEv
	.size	_ZTVN4sycl9exceptionE, 64

	.type	.L.str,@object                  # @.str
	.section	.rodata.str1.1,"aMS",@progbits,1
.L.str:
	.asciz	"%d "
	.size	.L.str, 4

	.type	_ZN4sycl6bufferIiLi1ESaIiEE8elementsE,@object # @_ZN4sycl6bufferIiLi1ESaIiEE8elementsE
	.section	.rodata._ZN4sycl6bufferIiLi1ESaIiEE8elementsE,"aG",@progbits,_ZN4sycl6bufferIiLi1ESaIiEE8elementsE,comdat
	.weak	_ZN4sycl6bufferIiLi1ESaIiEE8elementsE
	.p2align	3, 0x0
_ZN4sycl6bufferIiLi1ESaIiEE8elementsE:
	.long	24                              # 0x18
	.long	0                               # 0x0
	.long	4                               # 0x4
	.long	1                               # 0x1
	.quad	4                               # 0x4
	.size	_ZN4sycl6bufferIiLi1ESaIiEE8elementsE, 24

	.hidden	_ZZN4sycl6detail11own_kernels18slot_of_own_kernelENS1_10own_kernelI1KILi3EEEEE4slot # @_ZZN4sycl6detail11own_kernels18slot_of_own_kernelENS1_10own_kernelI1KILi3EEEEE4slot
	.type	_ZZN4sycl6detail11own_kernels18slot_of_own_kernelENS1_10own_kernelI1KILi3EEEEE4slot,@object
	.section	.data._ZZN4sycl6detail11own_kernels18slot_of_own_kernelENS1_10own_kernelI1KILi3EEEEE4slot,"awG",@progbits,_ZZN4sycl6detail11own_kernels18slot_of_own_kernelENS1_10own_kernelI1KILi3EEEEE4slot,comdat
	.weak	_ZZN4sycl6detail11own_kernels18slot_of_own_kernelENS1_10own_kernelI1KILi3EEEEE4slot
	.p2align	3, 0x0
_ZZN4sycl6detail11own_kernels18slot_of_own_kernelENS1_10own_kernelI1KILi3EEEEE4slot:
	.quad	__tenon_module
	.quad	.L.str.2
	.quad	5268511607020996679             # 0x491d83648f824847
	.quad	0
	.size	_ZZN4sycl6detail11own_kernels18slot_of_own_kernelENS1_10own_kernelI1KILi3EEEEE4slot, 32

	.hidden	__tenon_module
	.type	.L.str.2,@object                # @.str.2
	.section	.rodata.str1.1,"aMS",@progbits,1
.L.str.2:
	.asciz	"_ZTS1KILi3EE"
	.size	.L.str.2, 13

	.section	.init_array,"aw",@init_array
	.p2align	3, 0x0
	.quad	_GLOBAL__sub_I_hic3.cpp
	.hidden	DW.ref.__gxx_personality_v0
	.weak	DW.ref.__gxx_personality_v0
	.section	.data.DW.ref.__gxx_personality_v0,"awG",@progbits,DW.ref.__gxx_personality_v0,comdat
	.p2align	3, 0x0
	.type	DW.ref.__gxx_personality_v0,@object
	.size	DW.ref.__gxx_personality_v0, 8
DW.ref.__gxx_personality_v0:
	.quad	__gxx_personality_v0
	.weak	__tenon_module
	.ident	"Debian clang version 22.1.8 (1~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
	.addrsig_sym __gxx_personality_v0
	.addrsig_sym _ZSt9terminatev
	.addrsig_sym _ZN4sycl7handler13destroy_blockINS_6detail19work_group_functionIZZ2goILi3EEvNS_5rangeIXT_EEES6_ENKUlRS0_E_clES7_EUlNS_5groupILi3EEEE_Li3EEEEEvPv
	.addrsig_sym _ZN4sycl6detail7kernels27the_one_kernel_of_this_nameENS1_12kernel_namedI1KILi3EEEE
	.addrsig_sym _GLOBAL__sub_I_hic3.cpp
	.addrsig_sym _Unwind_Resume
	.addrsig_sym _ZStL8__ioinit
	.addrsig_sym __dso_handle
	.addrsig_sym _ZTIN4sycl9exceptionE
	.addrsig_sym _ZTVN10__cxxabiv121__vmi_class_type_infoE
	.addrsig_sym _ZTSN4sycl9exceptionE
	.addrsig_sym _ZTISt9exception
	.addrsig_sym _ZN4sycl6bufferIiLi1ESaIiEE8elementsE
	.addrsig_sym _ZZN4sycl6detail11own_kernels18slot_of_own_kernelENS1_10own_kernelI1KILi3EEEEE4slot
	.addrsig_sym __tenon_module
