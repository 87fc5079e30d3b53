//===- AccessRelation.h - Element accesses as isl relations -----*- C++ -*-===//
//
// Part of Grout. The elements that tiles read and write, as isl relations.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_ANALYSIS_ACCESSRELATION_H
#define GROUT_ANALYSIS_ACCESSRELATION_H

#include "grout/Analysis/TileKernel.h"
#include "grout/Isl/IslContext.h"

namespace grout {

/// { kernel[tile..., step] -> [element of the root tensor] }, exactly.
llvm::Expected<Relation> readRelation(const IslContext &context,
                                      const TileKernel &kernel,
                                      const ElementAccess &access);

/// { kernel[tile...] -> [element of the root tensor] }, for all steps.
llvm::Expected<Relation> writeRelation(const IslContext &context,
                                       const TileKernel &kernel,
                                       const ElementAccess &access);

/// { [element of the view] -> [element of its source] }. Views compose with
/// Relation::compose.
llvm::Expected<Relation> viewRelation(const IslContext &context,
                                      const View &view);

} // namespace grout

#endif // GROUT_ANALYSIS_ACCESSRELATION_H
