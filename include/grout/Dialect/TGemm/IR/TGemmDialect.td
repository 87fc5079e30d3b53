//===- TGemmDialect.td - The tgemm dialect -----------------*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_IR_TGEMMDIALECT_TD
#define GROUT_DIALECT_TGEMM_IR_TGEMMDIALECT_TD

include "mlir/IR/OpBase.td"

def TGemm_Dialect : Dialect {
  let name = "tgemm";
  let cppNamespace = "::grout::tgemm";
  let summary = "Tiled matrix products with fused epilogues";
  let description = [{
    A `tgemm` op is a GEMM or a convolution on tensors, with the elementwise
    work that follows it (the epilogue), or it is attention. Once chosen, the op
    also has the shape of its tiles. It says what to compute, and how tiles cut
    the work, but not how a processor does it.

    The meaning of each op is also defined in `linalg`: `tgemm-decompose` turns
    it into ops that compute the same. `--check` compares the kernels with these
    ops.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let dependentDialects = ["::grout::collective::CollectiveDialect",
                           "::mlir::tensor::TensorDialect"];
  let extraClassDeclaration = [{
    /// The discardable attribute, a `TilingAttr`, on an op of another dialect:
    /// the tiling of the `tgemm.matmul` that this op becomes.
    static constexpr ::llvm::StringLiteral kTilingAttrName = "tgemm.tiling";

    /// The discardable attribute of a module that lists the tilings of its
    /// GEMMs, for tgemm-apply-tilings.
    static constexpr ::llvm::StringLiteral kTilingsAttrName = "tgemm.tilings";

    void registerAttributes();
  }];
}

class TGemm_Op<string mnemonic, list<Trait> traits = []>
    : Op<TGemm_Dialect, mnemonic, traits>;

#endif // GROUT_DIALECT_TGEMM_IR_TGEMMDIALECT_TD
