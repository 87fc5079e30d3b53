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
    A `tgemm` op is a matrix product on tensors together with the elementwise
    work that follows it, and, once chosen, the shape of its tiles. It says what
    is computed and how the work is cut, not how a processor does it.

    What an op computes is also said in `linalg`: `tgemm-decompose` turns it into
    ops that compute the same, which is what `--check` compares its kernels with.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
  let extraClassDeclaration = [{
    /// The discardable attribute, a `TilingAttr`, that gives an op of another
    /// dialect the tiling that its `tgemm.matmul` shall have.
    static constexpr ::llvm::StringLiteral kTilingAttrName = "tgemm.tiling";

    /// The discardable attribute of a module that lists the tilings of its
    /// products, for tgemm-apply-tilings.
    static constexpr ::llvm::StringLiteral kTilingsAttrName = "tgemm.tilings";

    void registerAttributes();
  }];
}

class TGemm_Op<string mnemonic, list<Trait> traits = []>
    : Op<TGemm_Dialect, mnemonic, traits>;

#endif // GROUT_DIALECT_TGEMM_IR_TGEMMDIALECT_TD
