//===- TGemmAttrs.td - Attributes of the tgemm dialect -----*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_IR_TGEMMATTRS_TD
#define GROUT_DIALECT_TGEMM_IR_TGEMMATTRS_TD

include "grout/Dialect/TGemm/IR/TGemmDialect.td"
include "mlir/IR/AttrTypeBase.td"

def TGemm_TilingAttr : AttrDef<TGemm_Dialect, "Tiling"> {
  let mnemonic = "tiling";
  let summary = "How a matrix product is cut into tiles";
  let description = [{
    A tile is `m` by `n` elements of the result, computed in steps of `k`
    elements of the reduction. `stages` is how many steps of operands may be in
    flight; targets that do not pipeline ignore it.

    Example:

    ```mlir
    #tgemm.tiling<m = 128, n = 256, k = 64, stages = 4>
    ```
  }];
  let parameters = (ins "int64_t":$m, "int64_t":$n, "int64_t":$k,
                        DefaultValuedParameter<"int64_t", "1">:$stages);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // GROUT_DIALECT_TGEMM_IR_TGEMMATTRS_TD
