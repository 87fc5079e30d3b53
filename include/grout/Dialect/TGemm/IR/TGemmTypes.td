//===- TGemmTypes.td - Tensors of the tgemm dialect --------*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_IR_TGEMMTYPES_TD
#define GROUT_DIALECT_TGEMM_IR_TGEMMTYPES_TD

include "grout/Support/ElementTypes.td"

/// A tensor that is an operand or the result of a GEMM, a convolution or
/// attention.
class TGemm_TensorOfRank<list<int> ranks>
    : ConfinedType<StaticShapeTensorOf<Grout_GemmFloats>,
                   [HasAnyRankOfPred<ranks>],
                   !strconcat("static ", !interleave(ranks, "-D or "),
                              "-D tensor of ", Grout_GemmFloatNames),
                   "::mlir::RankedTensorType">;

/// An input of an epilogue.
def TGemm_EpilogueTensor : StaticShapeTensorOf<Grout_GemmFloats>;

#endif // GROUT_DIALECT_TGEMM_IR_TGEMMTYPES_TD
