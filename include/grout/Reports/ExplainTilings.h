//===- ExplainTilings.h - Says why a product has its tiling -----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_REPORTS_EXPLAINTILINGS_H
#define GROUT_REPORTS_EXPLAINTILINGS_H

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Target/Target.h"
#include "llvm/Support/raw_ostream.h"

namespace grout {

/// What follows `#tgemm.tiling` in the text of `tiling`.
std::string getTilingText(tgemm::TilingAttr tiling);

/// Says where the tiling of `op` is from, what the model says of it, and of the
/// next best.
void explainTiling(tgemm::ProductOpInterface op, const Target &target,
                   llvm::raw_ostream &os);

} // namespace grout

#endif // GROUT_REPORTS_EXPLAINTILINGS_H
