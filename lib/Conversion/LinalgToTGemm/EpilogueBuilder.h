//===- EpilogueBuilder.h - Builds epilogues of products ---------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOTGEMM_EPILOGUEBUILDER_H
#define GROUT_LIB_CONVERSION_LINALGTOTGEMM_EPILOGUEBUILDER_H

#include "EpilogueCone.h"
#include "grout/Dialect/TGemm/IR/TGemm.h"

namespace grout {

/// Creates the product that computes `cone`, before the op that defines the
/// cone's result. Does not erase or replace anything.
tgemm::ProductOpInterface buildProduct(mlir::OpBuilder &builder,
                                       const EpilogueCone &cone);

/// Moves elementwise ops that define epilogue inputs into the epilogue. If such
/// an op's result is broadcast, the epilogue computes it once for each element
/// of the product's result. That takes less time than another pass over memory.
void absorbProducers(tgemm::ProductOpInterface op);

/// Whether an epilogue can read the element of `tensor` that `map` selects,
/// given the coordinates of the result.
bool canReadInEpilogue(mlir::Value tensor, mlir::AffineMap map);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_EPILOGUEBUILDER_H
