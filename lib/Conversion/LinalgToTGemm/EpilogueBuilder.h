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

/// Makes the product that computes `cone`, before the op that defines the
/// cone's result. Nothing is erased or replaced.
tgemm::ProductOpInterface buildProduct(mlir::OpBuilder &builder,
                                       const EpilogueCone &cone);

/// Moves elementwise ops that define epilogue inputs into the epilogue. What an
/// op broadcasts it then computes once for each element of the result, which is
/// cheaper than one more pass over memory.
void absorbProducers(tgemm::ProductOpInterface op);

/// Whether an epilogue can have the elements of `tensor` that `map`, from
/// coordinates of the result, selects.
bool canReadInEpilogue(mlir::Value tensor, mlir::AffineMap map);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_EPILOGUEBUILDER_H
