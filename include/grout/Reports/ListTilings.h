//===- ListTilings.h - Lists candidates for tuning --------------*- C++ -*-===//
//
// Part of Grout. See docs/Tuning.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_REPORTS_LISTTILINGS_H
#define GROUT_REPORTS_LISTTILINGS_H

#include "grout/Target/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

namespace grout {

/// Prints as JSON, for every function of `module` with matrix products, before
/// `tgemm-assign-tiling`: the tilings that each mode's model chooses, and for
/// each product the `count` that are modelled to be the fastest. The function,
/// and each product as a function of its own, are there as MLIR, to be put into
/// a module that lists their tilings (tgemm-apply-tilings). Fails with a
/// diagnostic if the GPU `target` has no tiling for a product.
mlir::LogicalResult printTilings(mlir::ModuleOp module, const Target &target,
                                 size_t count, llvm::raw_ostream &os);

} // namespace grout

#endif // GROUT_REPORTS_LISTTILINGS_H
