//===- EpilogueMath.h - Math ops that epilogues may have --------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTONVVM_EPILOGUEMATH_H
#define GROUT_LIB_CONVERSION_TGEMMTONVVM_EPILOGUEMATH_H

#include "grout/Conversion/TGemmToNVVM/DeviceBuilder.h"
#include "grout/Dialect/TGemm/IR/TGemm.h"

namespace grout::hopper {

/// Checks that every op of the epilogue of `op` has a lowering.
mlir::LogicalResult checkEpilogue(tgemm::ProductOpInterface op);

} // namespace grout::hopper

#endif // GROUT_LIB_CONVERSION_TGEMMTONVVM_EPILOGUEMATH_H
