//===- CompareKernel.h - Comparing buffers on the GPU -----------*- C++ -*-===//
//
// Part of Grout. A handwritten kernel that counts in how many 16-byte pieces
// two buffers differ. With this kernel, grout-run can compare every replay of a
// graph with the first run on the GPU alone.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_COMPAREKERNEL_H
#define GROUT_TOOLS_GROUT_RUN_COMPAREKERNEL_H

namespace grout {
namespace run {

constexpr const char *kCompareKernelName = "grout_compare";
constexpr unsigned kCompareBlock = 256;

/// Parameters: the addresses of both buffers, the number of 16-byte pieces
/// (u64), and the address of a 64-bit counter, to which the kernel adds the
/// number of different pieces.
constexpr const char *kCompareKernelPtx = R"ptx(
.version 7.8
.target sm_70
.address_size 64

.visible .entry grout_compare(
    .param .u64 a, .param .u64 b, .param .u64 pieces, .param .u64 counter)
{
    .reg .pred %done, %same;
    .reg .b32 %index<4>, %x<4>, %y<4>;
    .reg .b64 %differences, %a, %b, %counter, %pieces, %at, %step, %offset, %pa, %pb;

    ld.param.u64 %a, [a];
    ld.param.u64 %b, [b];
    ld.param.u64 %pieces, [pieces];
    ld.param.u64 %counter, [counter];
    cvta.to.global.u64 %a, %a;
    cvta.to.global.u64 %b, %b;
    cvta.to.global.u64 %counter, %counter;

    mov.u32 %index0, %ctaid.x;
    mov.u32 %index1, %ntid.x;
    mov.u32 %index2, %tid.x;
    mov.u32 %index3, %nctaid.x;
    mul.wide.u32 %at, %index0, %index1;
    cvt.u64.u32 %offset, %index2;
    add.u64 %at, %at, %offset;
    mul.wide.u32 %step, %index3, %index1;
    mov.u64 %differences, 0;

next:
    setp.ge.u64 %done, %at, %pieces;
    @%done bra finish;
    shl.b64 %offset, %at, 4;
    add.u64 %pa, %a, %offset;
    add.u64 %pb, %b, %offset;
    ld.global.v4.u32 {%x0, %x1, %x2, %x3}, [%pa];
    ld.global.v4.u32 {%y0, %y1, %y2, %y3}, [%pb];
    xor.b32 %x0, %x0, %y0;
    xor.b32 %x1, %x1, %y1;
    xor.b32 %x2, %x2, %y2;
    xor.b32 %x3, %x3, %y3;
    or.b32 %x0, %x0, %x1;
    or.b32 %x2, %x2, %x3;
    or.b32 %x0, %x0, %x2;
    setp.eq.u32 %same, %x0, 0;
    @!%same add.u64 %differences, %differences, 1;
    add.u64 %at, %at, %step;
    bra next;

finish:
    setp.eq.u64 %same, %differences, 0;
    @!%same red.global.add.u64 [%counter], %differences;
    ret;
}
)ptx";

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_COMPAREKERNEL_H
